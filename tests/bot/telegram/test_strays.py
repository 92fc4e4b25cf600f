"""A message that may have arrived is found, or else sent again; nobody reads it twice."""

import httpx
import pytest
from telegram import Bot
from telegram.error import NetworkError, TimedOut

from bot.telegram.formatting import Part
from bot.telegram.keyboards import after_edit
from bot.telegram.outbox import Outbox
from bot.telegram.pages import Page
from bot.telegram.strays import LATER_S, MAX_PROBES, Doubt, Strays
from bot.telegram.writer import ChatWriter
from bot.texts import ENGLISH
from engine import Delta, FinishReason
from tests.bot.telegram.clockwork import HandClock
from tests.bot.telegram.offline import Lost, RecordingRequest, Refusal
from tests.bot.telegram.stage import PRIVATE, Stage

FLOOD = Refusal(429, "Too Many Requests: retry after 4", {"retry_after": 4})
BIG_GROUP = -1_000_000_000_100


def unreached() -> NetworkError:
    error = NetworkError("httpx.ConnectError")
    error.__cause__ = httpx.ConnectError("no route")
    return error


def probed(calls: RecordingRequest) -> list[int]:
    return [call.params["message_id"] for call in calls.named("editMessageReplyMarkup")]


@pytest.fixture
def counted(stage: Stage) -> Stage:
    """The next message follows the question, as in a real chat."""
    stage.calls.last_id = 5
    return stage


async def test_answer_that_arrived_unnoticed_is_adopted(counted: Stage) -> None:
    counted.calls.faults["sendMessage"] = [Lost(TimedOut())]
    await counted.begin()
    await counted.write("A cat.")
    await counted.end()
    assert counted.calls.sent == {6: "A cat."}
    assert len(counted.calls.named("sendMessage")) == 1
    assert counted.calls.last_buttons() == [
        ENGLISH.button_regenerate,
        ENGLISH.button_read,
        ENGLISH.button_translate,
    ]
    assert counted.links == [(1, "telegram:7:6")]


async def test_preview_that_arrived_unnoticed_is_written_into(counted: Stage) -> None:
    counted.calls.faults["sendMessage"] = [Lost(NetworkError("httpx.ReadError"))]
    await counted.begin()
    await counted.write("A cat")
    await counted.clock.advance(0.5)
    await counted.write(" sits.")
    await counted.end()
    assert counted.calls.sent == {6: "A cat sits."}


async def test_answer_that_did_not_arrive_is_sent_again(counted: Stage) -> None:
    counted.calls.faults["sendMessage"] = [TimedOut()]
    await counted.begin()
    await counted.write("A cat.")
    await counted.end()
    assert probed(counted.calls)[:3] == [6, 7, 8]
    assert counted.calls.sent == {6: "A cat."}
    assert len(counted.calls.named("sendMessage")) == 2


@pytest.mark.parametrize("pause_s", LATER_S)
async def test_message_that_arrives_late_is_taken_away(counted: Stage, pause_s: float) -> None:
    counted.calls.faults["sendMessage"] = [TimedOut()]
    await counted.begin()
    await counted.write("A cat.", Delta(finish_reason=FinishReason.STOP))
    counted.script.put_nowait(None)
    await counted.clock.advance(pause_s / 2)
    assert counted.calls.sent == {6: "A cat."}
    counted.calls.sent[7] = "A cat."
    await counted.clock.advance(sum(LATER_S))
    assert counted.calls.sent == {6: "A cat."}


async def test_nothing_is_looked_for_after_the_end(bot: Bot, clock: HandClock) -> None:
    strays, looks = Strays(bot, clock), list[float]()

    async def look() -> bool:
        looks.append(clock.time())
        return False

    strays.look_later(look)
    await clock.advance(LATER_S[0])
    strays.close()
    await clock.advance(sum(LATER_S))
    assert looks == [LATER_S[0]]


async def test_nothing_is_touched_where_nothing_is_known(
    bot: Bot, request_: RecordingRequest
) -> None:
    request_.sent[2] = "an old message of ours"
    assert await Strays(bot).find(BIG_GROUP, Doubt(0)) is None
    assert probed(request_) == []


async def test_every_part_that_is_lost_is_found(counted: Stage) -> None:
    counted.calls.faults["sendMessage"] = [Lost(TimedOut()), Lost(TimedOut())]
    text = "word " * 1500
    await counted.begin()
    await counted.write(text)
    await counted.end()
    assert list(counted.calls.sent) == [6, 7]
    assert " ".join(counted.calls.sent.values()).split() == text.split()


async def test_sentence_that_arrived_unnoticed_is_said_once(counted: Stage) -> None:
    await counted.begin()
    counted.calls.faults["sendMessage"] = [Lost(TimedOut())]
    counted.answer.stop()
    await counted.clock.advance(10.0)
    assert counted.calls.sent == {6: ENGLISH.stopped}


@pytest.mark.parametrize(
    "fault",
    [unreached(), FLOOD, Refusal(500, "Internal Server Error: restart")],
    ids=["never left", "flood", "restart"],
)
async def test_nothing_is_looked_for_after_a_sure_failure(
    counted: Stage, fault: Refusal | Exception
) -> None:
    counted.calls.faults["sendMessage"] = [fault]
    await counted.begin()
    await counted.write("A cat.")
    await counted.end()
    assert probed(counted.calls) == []
    assert counted.calls.sent == {6: "A cat."}


async def test_search_goes_on_after_a_failure(counted: Stage) -> None:
    counted.calls.faults["sendMessage"] = [Lost(TimedOut())]
    counted.calls.faults["editMessageReplyMarkup"] = [FLOOD, TimedOut()]
    await counted.begin()
    await counted.write("A cat.")
    await counted.end()
    assert counted.calls.sent == {6: "A cat."}


async def test_known_messages_are_left_alone(bot: Bot, request_: RecordingRequest) -> None:
    strays = Strays(bot)
    for number in (10, 12, 13):
        strays.note(7, number)
        request_.sent[number] = "ours"
    assert await strays.find(7, Doubt(10)) is None
    request_.sent[11] = "lost"
    assert await strays.find(7, Doubt(10)) == 11
    assert await strays.find(7, Doubt(10)) is None
    assert not {10, 12, 13} & set(probed(request_))


async def test_private_chats_count_together_and_big_groups_apart(bot: Bot) -> None:
    strays = Strays(bot)
    strays.note(7, 10)
    strays.note(8, 20)
    strays.note(BIG_GROUP, 500)
    assert (strays.last(7), strays.last(9), strays.last(BIG_GROUP)) == (20, 20, 500)


async def test_message_that_shows_no_button_is_known_as_ours(
    bot: Bot, request_: RecordingRequest
) -> None:
    strays = Strays(bot)
    strays.note(7, 10)
    same = Refusal(400, "Bad Request: message is not modified: specified new message content")
    request_.faults["editMessageReplyMarkup"] = [same]
    assert await strays.find(7, Doubt(10)) == 11


async def test_answer_to_another_question_is_left_alone(
    bot: Bot, request_: RecordingRequest, clock: HandClock
) -> None:
    request_.last_id = 20
    request_.sent = {11: "to another", 12: "to this"}
    request_.replies = {11: 3, 12: 5}
    strays = Strays(bot, clock)
    strays.note(PRIVATE.chat_id, 10)
    writer = ChatWriter(bot, PRIVATE, Outbox(clock), strays)
    writer.doubt(10)
    assert (await writer.send(7, Page(Part("hello")))).message_id == 12


async def test_sentence_without_buttons_is_no_answer(
    bot: Bot, request_: RecordingRequest, clock: HandClock
) -> None:
    same = Refusal(400, "Bad Request: message is not modified: specified new message content")
    request_.last_id = 20
    request_.faults["editMessageReplyMarkup"] = [same]
    strays = Strays(bot, clock)
    strays.note(PRIVATE.chat_id, 10)
    writer = ChatWriter(bot, PRIVATE, Outbox(clock), strays)
    writer.doubt(10)
    assert (await writer.send(7, Page(Part("hello")))).message_id == 21


async def test_message_that_bears_the_buttons_already_is_the_one(
    bot: Bot, request_: RecordingRequest, clock: HandClock
) -> None:
    same = Refusal(400, "Bad Request: message is not modified: specified new message content")
    request_.last_id = 20
    request_.faults["editMessageReplyMarkup"] = [same]
    strays = Strays(bot, clock)
    strays.note(PRIVATE.chat_id, 10)
    writer = ChatWriter(bot, PRIVATE, Outbox(clock), strays)
    writer.doubt(10)
    # The process that looked first was killed before it could write into what it found.
    page = Page(Part("hello"), after_edit(5, ENGLISH))
    assert (await writer.send(7, page)).message_id == 11
    assert "edited:5" in str(request_.named("editMessageReplyMarkup")[0].params["reply_markup"])


async def test_search_is_bounded(bot: Bot, request_: RecordingRequest) -> None:
    strays = Strays(bot)
    strays.note(7, 1000)
    assert await strays.find(7, Doubt(10)) is None
    assert len(probed(request_)) == MAX_PROBES
