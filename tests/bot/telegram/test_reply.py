"""One answer in one chat: how it grows, how it ends, and what the network cannot prevent."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from itertools import pairwise

import httpx
import pytest
from telegram import Bot
from telegram.error import NetworkError, TimedOut

from bot import texts
from bot.answers import Answer
from bot.telegram.formatting import width
from bot.telegram.reply import LiveReply
from bot.telegram.target import Target
from bot.telegram.writer import ChatWriter
from engine import Delta, EngineError, FinishReason, ImageRejected, OutOfMemory, RejectReason
from storage import Turn, TurnStatus
from tests.bot.telegram.offline import HandClock, RecordingRequest, Refusal, settle

PRIVATE = Target(chat_id=7, topic=None, reply_to=5, pace_s=1.2)
GROUP = Target(chat_id=-100, topic=3, reply_to=5, pace_s=3.0)


def turn(task: str = "ask", photo_ids: tuple[str, ...] = ("p",)) -> Turn:
    return Turn(
        turn_id=1,
        conversation="telegram:7/0/7",
        asker="7",
        task=task,
        question="?",
        photo_ids=photo_ids,
        parent_id=None,
        answer="",
        answer_ids=(),
        model_id="",
        status=TurnStatus.OPEN,
        seed=0,
        created_at=0.0,
    )


@dataclass
class Stage:
    """An answer that is written by hand, and the chat in which it appears."""

    bot: Bot
    clock: HandClock
    calls: RecordingRequest
    links: list[tuple[int, str]] = field(default_factory=list)
    script: asyncio.Queue[Delta | EngineError | None] = field(default_factory=asyncio.Queue)
    tasks: list[asyncio.Task[None]] = field(default_factory=list)
    answer: Answer = field(init=False)

    async def begin(
        self, target: Target = PRIVATE, *, task: str = "ask", hint: str = "", into: int = 0
    ) -> None:
        self.answer = Answer(turn(task), hint=hint)
        self.answer.begin(self._write(self.answer), done=lambda: None)
        writer = ChatWriter(self.bot, target, self.clock)
        reply = LiveReply(self.answer, writer, self.clock, self._link)
        if into:
            reply.take_over(into)
        self.tasks.append(asyncio.create_task(reply.stream()))
        await settle()

    async def write(self, *pieces: Delta | EngineError | str) -> None:
        for piece in pieces:
            self.script.put_nowait(Delta(piece) if isinstance(piece, str) else piece)
        await settle()

    async def end(self, reason: FinishReason = FinishReason.STOP) -> None:
        await self.write(Delta(finish_reason=reason))
        self.script.put_nowait(None)
        await self.clock.advance(60)
        await self.tasks[0]

    async def _write(self, answer: Answer) -> None:
        status = TurnStatus.FAILED
        try:
            while (piece := await self.script.get()) is not None:
                if isinstance(piece, EngineError):
                    raise piece
                answer.push(piece)
            status = TurnStatus.ANSWERED
        except asyncio.CancelledError:
            status = TurnStatus.STOPPED
        finally:
            answer.seal(status)

    async def _link(self, turn_id: int, ref: str) -> None:
        self.links.append((turn_id, ref))


@pytest.fixture
async def stage(bot: Bot, clock: HandClock, request_: RecordingRequest) -> AsyncIterator[Stage]:
    stage = Stage(bot, clock, request_)
    yield stage
    for task in stage.tasks:
        task.cancel()
    await asyncio.gather(*stage.tasks, return_exceptions=True)


async def test_quick_answer_is_one_message(stage: Stage) -> None:
    await stage.begin()
    await stage.write("A ", "**cat**.")
    await stage.end()
    (call,) = stage.calls.named("sendMessage", "editMessageText")
    assert call.params["text"] == "A cat."
    assert [mark["type"] for mark in call.params["entities"]] == ["bold"]
    assert call.params["reply_parameters"] == {
        "message_id": 5,
        "allow_sending_without_reply": True,
    }
    assert "parse_mode" not in call.params
    assert stage.calls.last_buttons() == [texts.BUTTON_REGENERATE, texts.BUTTON_READ]
    assert stage.links == [(1, "telegram:7:1001")]


async def test_first_words_appear_with_a_stop_button(stage: Stage) -> None:
    await stage.begin()
    await stage.write("A cat")
    await stage.clock.advance(0.4)
    assert stage.calls.texts() == ["A cat"]
    assert stage.calls.last_buttons() == [texts.BUTTON_STOP]


async def test_slow_start_is_shown(stage: Stage) -> None:
    await stage.begin()
    await stage.clock.advance(1.9)
    assert stage.calls.texts() == []
    await stage.clock.advance(0.2)
    assert stage.calls.texts() == [texts.THINKING]
    assert stage.calls.last_buttons() == [texts.BUTTON_STOP]


@pytest.mark.parametrize(
    ("target", "pace_s"), [(PRIVATE, 1.2), (GROUP, 3.0)], ids=["private", "group"]
)
async def test_edits_keep_their_distance(stage: Stage, target: Target, pace_s: float) -> None:
    await stage.begin(target)
    for number in range(100):
        await stage.write(f"word{number} ")
        await stage.clock.advance(0.1)
    await stage.end()
    calls = stage.calls.named("sendMessage", "editMessageText")
    gaps = [later.at - earlier.at for earlier, later in pairwise(calls)]
    assert len(calls) >= 10 / pace_s
    assert min(gaps) >= pace_s - 1e-9
    assert calls[-1].params["text"].endswith("word98 word99")


async def test_group_answer_stays_in_its_topic(stage: Stage) -> None:
    await stage.begin(GROUP)
    await stage.write("A cat.")
    await stage.end()
    assert stage.calls.named("sendMessage")[0].params["message_thread_id"] == 3


async def test_place_in_line_is_one_message(stage: Stage) -> None:
    await stage.begin()
    for place in (3, 3, 2, 1):
        await stage.write(Delta(place=place))
        await stage.clock.advance(2.0)
    await stage.write("A cat.")
    await stage.end()
    lines = [texts.place_in_line(place) for place in (3, 2, 1)]
    assert list(dict.fromkeys(stage.calls.texts())) == [*lines, "A cat."]
    assert len(stage.calls.named("sendMessage")) == 1


async def test_long_answer_fills_several_messages(stage: Stage) -> None:
    text = " ".join(f"word{number}." for number in range(1500))
    await stage.begin()
    for start in range(0, len(text), 500):
        await stage.write(text[start : start + 500])
        await stage.clock.advance(1.0)
    await stage.end()
    final: dict[int, str] = {}
    for number, call in enumerate(stage.calls.named("sendMessage"), start=1001):
        final[number] = call.params["text"]
    for call in stage.calls.named("editMessageText"):
        final[call.params["message_id"]] = call.params["text"]
    assert "".join(final.values()) == text
    assert max(width(part) for part in final.values()) <= 4096
    sent = stage.calls.named("sendMessage")
    assert ["reply_parameters" in call.params for call in sent] == [True] + [False] * (
        len(sent) - 1
    )
    assert [ref for _, ref in stage.links] == [f"telegram:7:{number}" for number in final]


async def test_only_the_last_message_bears_buttons(stage: Stage) -> None:
    await stage.begin()
    await stage.write("a " * 1900)
    await stage.clock.advance(2.0)
    await stage.write("b " * 1900)
    await stage.clock.advance(2.0)
    await stage.end()
    markup: dict[int, object] = {}
    for call in stage.calls.named("editMessageText"):
        markup[call.params["message_id"]] = call.params.get("reply_markup")
    assert markup[1001] is None
    assert markup[1002] is not None


async def test_reading_is_verbatim_and_can_be_copied(stage: Stage) -> None:
    await stage.begin(task="read")
    await stage.write("**TEA** 2.50\n  TOTAL")
    await stage.end()
    (call,) = stage.calls.named("sendMessage")
    assert call.params["text"] == "**TEA** 2.50\n  TOTAL"
    assert call.params["entities"] == [{"type": "pre", "offset": 0, "length": 20}]
    (row,) = call.params["reply_markup"]["inline_keyboard"]
    assert [button["text"] for button in row] == [texts.BUTTON_READ_BY_MODEL, texts.BUTTON_COPY]
    assert row[1]["copy_text"] == {"text": "**TEA** 2.50\n  TOTAL"}
    assert row[0]["callback_data"] == "model:1"


async def test_long_reading_has_no_copy_button(stage: Stage) -> None:
    await stage.begin(task="read")
    await stage.write("😀" * 129)
    await stage.end()
    assert stage.calls.last_buttons() == [texts.BUTTON_READ_BY_MODEL]


@pytest.mark.parametrize(
    ("reason", "note"),
    [
        (FinishReason.LENGTH, texts.note_for(FinishReason.LENGTH)),
        (FinishReason.REPETITION, texts.note_for(FinishReason.REPETITION)),
    ],
    ids=["length", "repetition"],
)
async def test_cut_answer_says_so(stage: Stage, reason: FinishReason, note: str) -> None:
    await stage.begin()
    await stage.write("A cat and")
    await stage.end(reason)
    assert stage.calls.texts()[-1] == f"A cat and\n\n{note}"


async def test_hint_stands_below_the_answer(stage: Stage) -> None:
    await stage.begin(hint=texts.NO_PHOTO_HINT)
    await stage.write("Hello.")
    await stage.end()
    assert stage.calls.texts() == [f"Hello.\n\n{texts.NO_PHOTO_HINT}"]


async def test_stopped_answer_keeps_its_text(stage: Stage) -> None:
    await stage.begin()
    await stage.write("A cat and")
    await stage.clock.advance(1.0)
    assert stage.answer.stop()
    await stage.clock.advance(2.0)
    assert stage.calls.texts()[-1] == f"A cat and\n\n{texts.STOPPED}"
    assert texts.BUTTON_REGENERATE in stage.calls.last_buttons()


async def test_stopped_before_the_first_word(stage: Stage) -> None:
    await stage.begin()
    stage.answer.stop()
    await stage.clock.advance(2.0)
    assert stage.calls.texts() == [texts.STOPPED]


async def test_empty_answer_is_no_empty_message(stage: Stage) -> None:
    await stage.begin()
    await stage.write(" \n")
    await stage.end()
    assert stage.calls.texts() == [texts.EMPTY_ANSWER]


async def test_failure_after_the_placeholder_takes_its_place(stage: Stage) -> None:
    await stage.begin()
    await stage.clock.advance(3.0)
    await stage.write(OutOfMemory())
    await stage.clock.advance(3.0)
    assert stage.calls.texts() == [texts.THINKING, texts.sentence_for(OutOfMemory())]
    assert stage.calls.last_buttons() == [texts.BUTTON_RETRY]


async def test_failure_keeps_what_was_written(stage: Stage) -> None:
    await stage.begin()
    await stage.write("A cat and")
    await stage.clock.advance(1.0)
    await stage.write(OutOfMemory())
    await stage.clock.advance(3.0)
    assert stage.calls.texts()[-1].startswith("A cat and\n\n")
    assert stage.calls.last_buttons() == [texts.BUTTON_RETRY]


async def test_hopeless_failure_offers_no_retry(stage: Stage) -> None:
    error = ImageRejected(RejectReason.DAMAGED)
    await stage.begin()
    await stage.write(error)
    await stage.clock.advance(3.0)
    assert stage.calls.texts() == [texts.sentence_for(error)]
    assert stage.calls.last_buttons() == []


async def test_retry_writes_over_the_failure(stage: Stage) -> None:
    await stage.begin(into=44)
    await stage.write("A cat.")
    await stage.end()
    assert not stage.calls.named("sendMessage")
    assert stage.calls.named("editMessageText")[-1].params["message_id"] == 44
    assert stage.calls.texts()[-1] == "A cat."


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
    assert texts.BUTTON_REGENERATE in stage.calls.last_buttons()


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


async def test_send_that_may_have_arrived_is_not_repeated(stage: Stage) -> None:
    stage.calls.faults["sendMessage"] = [TimedOut()]
    await stage.begin()
    await stage.write("A cat")
    await stage.clock.advance(5.0)
    await stage.write(" sits")
    await stage.clock.advance(5.0)
    assert len(stage.calls.named("sendMessage")) == 1
    await stage.end()
    assert len(stage.calls.named("sendMessage")) == 2


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
