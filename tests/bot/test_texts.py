"""Every error has its sentence; prompts follow the language."""

from datetime import datetime
from pathlib import Path

import pytest

from bot import notices, texts
from bot.access import AccessDenied
from bot.questions import AlbumUnusable, NoPhoto, PhotoNotFetched, TooManyWaiting
from bot.quota import QuotaExceeded
from bot.settings import SettingsError
from bot.texts import ENGLISH
from engine import (
    EngineFailed,
    EngineStopped,
    FinishReason,
    ImageRejected,
    ModelNotUsable,
    OutOfMemory,
    PromptTooLong,
    QuestionTooLong,
    QueueFull,
    RejectReason,
)
from storage import (
    DatabaseDamaged,
    DatabaseNotUsable,
    DatabaseTooNew,
    PhotoGone,
    PhotoNotSaved,
    TurnNotFound,
)

FOR_ASKERS = [
    *(ImageRejected(reason) for reason in RejectReason),
    NoPhoto(),
    PhotoNotFetched(is_gone=False),
    TooManyWaiting(3),
    QuotaExceeded(5, datetime(2026, 12, 2)),
    AlbumUnusable(2),
    PhotoGone("aa", "file"),
    TurnNotFound(3),
    AccessDenied("42"),
    QueueFull(7),
    PromptTooLong(9, 5),
    QuestionTooLong(90, 50),
    OutOfMemory(),
    EngineStopped(),
    PhotoNotSaved(Path("photos"), "No space left on device"),
    DatabaseNotUsable(Path("a.db"), "database or disk is full"),
]
FOR_OWNERS = [
    SettingsError(("MODEL is odd.",)),
    ModelNotUsable("/weights", "config.json is missing."),
    OutOfMemory(),
    DatabaseDamaged(Path("a.db")),
    DatabaseTooNew(9, 1),
    DatabaseNotUsable(Path("a.db"), "Permission denied"),
    PhotoNotSaved(Path("photos"), "No space left on device"),
    OSError(98, "Address already in use"),
]


def test_each_error_has_its_own_sentence() -> None:
    sentences = [texts.sentence_for(error) for error in FOR_ASKERS]
    assert len(set(sentences)) == len(FOR_ASKERS)
    assert ENGLISH.unknown_failure not in sentences


@pytest.mark.parametrize("error", [EngineFailed(), DatabaseDamaged(Path("a.db")), ValueError("x")])
def test_unforeseen_errors_tell_nothing(error: Exception) -> None:
    assert texts.sentence_for(error) == ENGLISH.unknown_failure


def test_numbers_reach_the_asker() -> None:
    assert "42" in texts.sentence_for(AccessDenied("42"))
    assert "already: 7." in texts.sentence_for(QueueFull(7))


@pytest.mark.parametrize("error", FOR_OWNERS, ids=lambda error: type(error).__name__)
def test_owner_reads_a_sentence(error: Exception) -> None:
    sentence = notices.sentence_for(error)
    assert sentence.endswith(".")
    assert type(error).__name__ not in sentence


def test_owner_reads_where() -> None:
    assert "a.db is damaged" in notices.sentence_for(DatabaseDamaged(Path("a.db")))
    assert "/weights" in notices.sentence_for(ModelNotUsable("/weights", "it is empty."))
    assert notices.sentence_for(ValueError("odd")) == "ValueError: odd"


@pytest.mark.parametrize(
    ("text", "is_chinese"),
    [
        ("图中写了什么？", True),
        ("Read 这个", True),
        ("what does it say?", False),
        ("写真の文字を読んで", False),
        ("", False),
    ],
)
def test_chinese_is_told_from_japanese(text: str, is_chinese: bool) -> None:
    assert texts.is_chinese(text) is is_chinese


def test_prompts_follow_language() -> None:
    assert texts.describe_prompt(is_chinese=True) == texts.DESCRIBE_ZH
    assert texts.describe_prompt(is_chinese=False) == texts.DESCRIBE
    assert texts.read_prompt(is_chinese=True) == texts.READ_ZH
    assert texts.read_prompt(is_chinese=False) == texts.READ


def test_earlier_photos_are_counted() -> None:
    assert texts.earlier_photos(1) == "[an earlier photo]"
    assert texts.earlier_photos(3) == "[3 earlier photos]"


def test_only_cut_answers_bear_a_note() -> None:
    assert ENGLISH.note_for(FinishReason.REPETITION) == "(stopped: repeated output)"
    assert ENGLISH.note_for(FinishReason.LENGTH) != ""
    assert ENGLISH.note_for(FinishReason.STOP) == ENGLISH.note_for(None) == ""


def test_place_in_line_is_said() -> None:
    assert ENGLISH.place_in_line(1) == "In line: next."
    assert ENGLISH.place_in_line(3) == "In line: number 3."


def test_one_photo_of_several_is_named() -> None:
    assert ENGLISH.photo_missing(2, "It is empty.") == "Photo 2 is left out. It is empty."
    assert ENGLISH.failure("a1b2") == f"{ENGLISH.unknown_failure} (code a1b2)"


def test_long_question_is_told_both_numbers() -> None:
    sentence = texts.sentence_for(QuestionTooLong(9123, 8192))
    assert "9123" in sentence
    assert "8192" in sentence
    assert "/new" not in sentence
