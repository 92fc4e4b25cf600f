"""How an answer ends: what stands below it, and which buttons."""

import pytest

from bot import texts
from bot.texts import ENGLISH
from engine import Delta, FinishReason, ImageRejected, OutOfMemory, RejectReason
from tests.bot.telegram.offline import Refusal
from tests.bot.telegram.stage import Stage


async def test_reading_is_verbatim_and_can_be_copied(stage: Stage) -> None:
    await stage.begin(task="read")
    await stage.write("**TEA** 2.50\n  TOTAL")
    await stage.end()
    (call,) = stage.calls.named("sendMessage")
    assert call.params["text"] == "**TEA** 2.50\n  TOTAL"
    assert call.params["entities"] == [{"type": "pre", "offset": 0, "length": 20}]
    row, below = call.params["reply_markup"]["inline_keyboard"]
    assert [button["text"] for button in row] == [
        ENGLISH.button_read_by_model,
        ENGLISH.button_copy,
    ]
    assert [button["callback_data"] for button in below] == ["translate:1"]
    assert row[1]["copy_text"] == {"text": "**TEA** 2.50\n  TOTAL"}
    assert row[0]["callback_data"] == "model:1"


async def test_long_reading_has_no_copy_button(stage: Stage) -> None:
    await stage.begin(task="read")
    await stage.write("😀" * 129)
    await stage.end()
    assert stage.calls.last_buttons() == [
        ENGLISH.button_read_by_model,
        ENGLISH.button_translate,
    ]


@pytest.mark.parametrize(
    ("reason", "note"),
    [
        (FinishReason.LENGTH, ENGLISH.note_for(FinishReason.LENGTH)),
        (FinishReason.REPETITION, ENGLISH.note_for(FinishReason.REPETITION)),
    ],
    ids=["length", "repetition"],
)
async def test_cut_answer_says_so(stage: Stage, reason: FinishReason, note: str) -> None:
    await stage.begin()
    await stage.write("A cat and")
    await stage.end(reason)
    assert stage.calls.texts()[-1] == f"A cat and\n\n{note}"


async def test_hint_stands_below_the_answer(stage: Stage) -> None:
    await stage.begin(hint=ENGLISH.no_photo_hint)
    await stage.write("Hello.")
    await stage.end()
    assert stage.calls.texts() == [f"Hello.\n\n{ENGLISH.no_photo_hint}"]


async def test_stopped_answer_keeps_its_text(stage: Stage) -> None:
    await stage.begin()
    await stage.write("A cat and")
    await stage.clock.advance(1.0)
    assert stage.answer.stop()
    await stage.clock.advance(2.0)
    assert stage.calls.texts()[-1] == f"A cat and\n\n{ENGLISH.stopped}"
    assert ENGLISH.button_regenerate in stage.calls.last_buttons()


async def test_stopped_before_the_first_word(stage: Stage) -> None:
    await stage.begin()
    stage.answer.stop()
    await stage.clock.advance(2.0)
    assert stage.calls.texts() == [ENGLISH.stopped]


async def test_empty_answer_is_no_empty_message(stage: Stage) -> None:
    await stage.begin()
    await stage.write(" \n")
    await stage.end()
    assert stage.calls.texts() == [ENGLISH.empty_answer]


async def test_failure_after_the_placeholder_takes_its_place(stage: Stage) -> None:
    await stage.begin()
    await stage.clock.advance(3.0)
    await stage.write(OutOfMemory())
    await stage.clock.advance(3.0)
    assert stage.calls.texts() == [ENGLISH.thinking, texts.sentence_for(OutOfMemory())]
    assert stage.calls.last_buttons() == [ENGLISH.button_retry]


async def test_failure_keeps_what_was_written(stage: Stage) -> None:
    await stage.begin()
    await stage.write("A cat and")
    await stage.clock.advance(1.0)
    await stage.write(OutOfMemory())
    await stage.clock.advance(3.0)
    assert stage.calls.texts()[-1].startswith("A cat and\n\n")
    assert stage.calls.last_buttons() == [ENGLISH.button_retry]


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


async def test_answer_that_became_shorter_leaves_no_message_behind(stage: Stage) -> None:
    await stage.begin()
    await stage.write("word " * 1500)
    await stage.clock.advance(2.0)
    assert len(stage.calls.named("sendMessage")) == 2
    await stage.write(Delta(answer="word", finish_reason=FinishReason.REPETITION))
    await stage.end(FinishReason.REPETITION)
    assert [call.params["message_id"] for call in stage.calls.named("deleteMessage")] == [1002]
    assert stage.calls.texts()[-1] == f"word\n\n{ENGLISH.note_for(FinishReason.REPETITION)}"


async def test_message_that_cannot_be_deleted_stays(stage: Stage) -> None:
    stage.calls.faults["deleteMessage"] = [Refusal(400, "Bad Request: message can't be deleted")]
    await stage.begin()
    await stage.write("word " * 1500)
    await stage.clock.advance(2.0)
    await stage.write(Delta(answer="word"))
    await stage.end()
    assert stage.calls.last_buttons() == [
        ENGLISH.button_regenerate,
        ENGLISH.button_read,
        ENGLISH.button_translate,
    ]


async def test_stopped_reading_can_be_read_again(stage: Stage) -> None:
    await stage.begin(task="read_by_model")
    await stage.write("TEA")
    await stage.clock.advance(1.0)
    stage.answer.stop()
    await stage.clock.advance(2.0)
    assert stage.calls.last_buttons() == [
        ENGLISH.button_regenerate,
        ENGLISH.button_copy,
        ENGLISH.button_translate,
    ]


async def test_photo_without_text_has_no_block_and_no_copy(stage: Stage) -> None:
    await stage.begin(task="read")
    await stage.write(ENGLISH.no_text)
    await stage.end()
    (call,) = stage.calls.named("sendMessage")
    assert call.params["text"] == ENGLISH.no_text
    assert "entities" not in call.params
    assert stage.calls.last_buttons() == [ENGLISH.button_read_by_model]
