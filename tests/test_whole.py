"""The three uses from photo to exact text, with the reading model and the real line reader."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.simulator import SAMPLES
from tests.whole import GROUP, Whole, started, until

NOTE = (SAMPLES / "note.png").read_bytes()
NOTE_TEXT = "OPEN 9-17 DAILY\nClosed on Sunday"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    with started(tmp_path_factory.mktemp("data")) as running:
        yield running


def test_photo_then_questions_about_it(whole: Whole) -> None:
    whole.show(NOTE, "What does it say?")
    assert whole.answer(1) == NOTE_TEXT
    whole.say("How many lines are there?")
    assert whole.answer(2) == "2"
    whole.say("What is the last line?")
    assert whole.answer(3) == "Closed on Sunday"


def test_photo_of_somebody_in_the_group(whole: Whole) -> None:
    sign = next(m for m in whole.messages(GROUP) if m.get("photo"))
    whole.say("/ocr", chat_id=GROUP, reply_to=sign["message_id"])
    assert whole.answer(1, chat_id=GROUP) == "PLATFORM 4\nTrains to Harbour"


def test_photo_is_read_exactly_by_caption(tmp_path: Path) -> None:
    with started(tmp_path) as fresh:
        fresh.show(NOTE, "/ocr")
        assert fresh.answer(1) == NOTE_TEXT


def test_conversation_survives_a_power_cut(tmp_path: Path) -> None:
    with started(tmp_path) as before:
        before.show(NOTE, "What does it say?")
        asked = before.answer(1)
        before.kill()
    with started(tmp_path) as after:
        after.say("And what is the first line?")
        after.answer(2)
        # The answer from before knows its photo, and so does the one that followed it.
        after.press("Read text", 1)
        assert after.answer(3) == NOTE_TEXT
        after.press("Read text", 2)
        assert after.answer(4) == NOTE_TEXT
        assert after.answer(1) == asked


def test_question_before_a_power_cut_is_answered_once(tmp_path: Path) -> None:
    with started(tmp_path) as before:
        before.show(NOTE, "/ocr")
        before.kill()
    with started(tmp_path) as after:
        assert after.answer(1) == NOTE_TEXT
        after.say("/help")
        until(lambda: any("/ocr reads" in said for said in after.said()), after.messages)
        assert after.finished() == [NOTE_TEXT]
