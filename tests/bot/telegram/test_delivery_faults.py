"""What the network and Telegram cannot prevent: the end of an answer arrives."""

from itertools import pairwise

import httpx
import pytest
from telegram.error import BadRequest, NetworkError, RetryAfter, TimedOut

from bot.texts import ENGLISH
from storage import TurnStatus
from tests.bot.telegram.clockwork import settle
from tests.bot.telegram.offline import Refusal
from tests.bot.telegram.stage import GROUP, Stage


async def test_refused_markup_is_shown_plain(stage: Stage) -> None:
    stage.calls.faults["sendMessage"] = [
        Refusal(400, "Bad Request: can't parse entities: strange offset")
    ]
    await stage.begin()
    await stage.write("A **cat**.")
    await stage.end()
    plain = stage.calls.named("sendMessage")[-1].params
    assert plain["text"] == "A cat."
    assert "entities" not in plain


async def test_flood_while_streaming_waits_and_slows_down(stage: Stage) -> None:
    await stage.begin()
    await stage.write("A cat")
    await stage.clock.advance(1.0)
    flood = Refusal(429, "Too Many Requests: retry after 20", {"retry_after": 20})
    stage.calls.faults["editMessageText"] = [flood]
    for number in range(500):
        await stage.write(f" word{number}")
        await stage.clock.advance(0.1)
    times = [call.at for call in stage.calls.named("editMessageText")]
    assert times[1] - times[0] >= 20.0
    assert min(b - a for a, b in pairwise(times[1:])) >= 2.4 - 1e-9


async def test_flood_at_the_end_is_waited_for(stage: Stage) -> None:
    await stage.begin()
    await stage.write("A cat")
    await stage.clock.advance(1.0)
    flood = Refusal(429, "Too Many Requests: retry after 9", {"retry_after": 9})
    stage.calls.faults["editMessageText"] = [flood, flood]
    await stage.write(" sits.")
    await stage.end()
    assert stage.calls.texts()[-1] == "A cat sits."
    assert ENGLISH.button_regenerate in stage.calls.last_buttons()


@pytest.mark.parametrize(
    "fault",
    [TimedOut(), NetworkError("httpx.ReadError"), Refusal(502, "Bad Gateway")],
    ids=["timeout", "broken", "gateway"],
)
async def test_last_edit_is_repeated(stage: Stage, fault: Refusal | Exception) -> None:
    await stage.begin()
    await stage.write("A cat")
    await stage.clock.advance(1.0)
    stage.calls.faults["editMessageText"] = [fault, fault]
    await stage.write(" sits.")
    await stage.end()
    assert stage.calls.texts()[-1] == "A cat sits."
    assert len(stage.calls.named("sendMessage")) == 1


async def test_deleted_message_is_written_anew(stage: Stage) -> None:
    await stage.begin()
    await stage.write("A cat")
    await stage.clock.advance(1.0)
    gone = Refusal(400, "Bad Request: message to edit not found")
    stage.calls.faults["editMessageText"] = [gone, gone]
    await stage.write(" sits.")
    await stage.clock.advance(5.0)
    await stage.end()
    assert stage.calls.named("sendMessage")[-1].params["text"] == "A cat sits."
    assert stage.links[-1] == (1, "telegram:7:1002")


async def test_unchanged_message_is_no_failure(stage: Stage) -> None:
    await stage.begin()
    await stage.write("A cat")
    await stage.clock.advance(1.0)
    same = Refusal(400, "Bad Request: message is not modified: specified new message content")
    stage.calls.faults["editMessageText"] = [same]
    await stage.end()
    assert len(stage.calls.named("sendMessage")) == 1


async def test_send_that_never_left_is_repeated(stage: Stage) -> None:
    lost = NetworkError("httpx.ConnectError")
    lost.__cause__ = httpx.ConnectError("no route")
    stage.calls.faults["sendMessage"] = [lost, lost]
    await stage.begin()
    await stage.write("A cat.")
    await stage.end()
    assert len(stage.calls.named("sendMessage")) == 3
    assert stage.calls.texts()[-1] == "A cat."


async def test_closed_chat_stops_the_answer(stage: Stage) -> None:
    blocked = Refusal(403, "Forbidden: bot was blocked by the user")
    stage.calls.faults["sendMessage"] = [blocked]
    await stage.begin()
    await stage.write("A cat")
    await stage.clock.advance(2.0)
    await stage.tasks[0]
    assert stage.answer.status is TurnStatus.STOPPED


async def test_chat_that_moved_is_followed(stage: Stage) -> None:
    moved = Refusal(400, "Bad Request: group chat was upgraded", {"migrate_to_chat_id": -1009})
    stage.calls.faults["sendMessage"] = [moved]
    await stage.begin(GROUP)
    await stage.write("A cat.")
    await stage.end()
    assert stage.calls.named("sendMessage")[-1].params["chat_id"] == -1009


async def test_vanished_reader_stops_the_answer(stage: Stage) -> None:
    await stage.begin()
    await stage.write("A cat")
    stage.tasks[0].cancel()
    await settle()
    assert stage.answer.status is TurnStatus.STOPPED


async def test_answer_is_not_held_for_a_day_by_a_flood(stage: Stage) -> None:
    flood = Refusal(429, "Too Many Requests: retry after 90000", {"retry_after": 90000})
    stage.calls.faults["sendMessage"] = [flood] * 9
    await stage.begin()
    await stage.write("A cat.")
    with pytest.raises(RetryAfter):
        await stage.end()


async def test_message_that_cannot_be_edited_is_replaced(stage: Stage) -> None:
    await stage.begin(GROUP)
    await stage.write("A cat")
    await stage.clock.advance(1.0)
    stage.calls.faults["editMessageText"] = [Refusal(400, "Bad Request: TOPIC_CLOSED")] * 9
    await stage.write(" sits")
    await stage.clock.advance(20.0)
    await stage.end()
    assert stage.calls.sent == {1002: "A cat sits"}
    assert len(stage.calls.named("editMessageText")) == 2


@pytest.mark.parametrize(
    "reason",
    ["message thread not found", "TOPIC_DELETED", "TOPIC_CLOSED"],
)
async def test_answer_whose_topic_is_gone_is_sent_without_it(stage: Stage, reason: str) -> None:
    stage.calls.faults["sendMessage"] = [Refusal(400, f"Bad Request: {reason}")]
    await stage.begin(GROUP)
    await stage.write("A cat.")
    await stage.end()
    first, second = stage.calls.named("sendMessage")
    assert {"message_thread_id", "reply_parameters"} <= set(first.params)
    assert not {"message_thread_id", "reply_parameters"} & set(second.params)
    assert second.params["text"] == "A cat."


async def test_topic_is_left_out_once_only(stage: Stage) -> None:
    gone = Refusal(400, "Bad Request: message thread not found")
    stage.calls.faults["sendMessage"] = [gone] * 9
    await stage.begin(GROUP)
    await stage.write("A cat.")
    with pytest.raises(BadRequest):
        await stage.end()
    assert len(stage.calls.named("sendMessage")) == 2


async def test_question_that_was_deleted_is_answered_all_the_same(stage: Stage) -> None:
    gone = Refusal(400, "Bad Request: message to be replied not found")
    stage.calls.faults["sendMessage"] = [gone]
    await stage.begin()
    await stage.write("A cat.")
    await stage.end()
    assert "reply_parameters" not in stage.calls.named("sendMessage")[-1].params
    assert stage.calls.texts()[-1] == "A cat."
