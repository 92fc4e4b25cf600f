"""What only the owner can mend is in the log with its reason; what nobody foresaw, with a code."""

import logging
from pathlib import Path

import pytest

from bot.telegram.errors import sentence_of
from bot.texts import ENGLISH
from storage import DatabaseNotUsable, PhotoNotSaved, StorageError


@pytest.mark.parametrize(
    "error",
    [
        DatabaseNotUsable(Path("darkroom.db"), "database or disk is full"),
        PhotoNotSaved(Path("photos"), "No space left on device"),
    ],
    ids=["database", "photos"],
)
def test_full_disk_is_told_to_both(error: StorageError, caplog: pytest.LogCaptureFixture) -> None:
    assert "the disk may be full" in sentence_of(error)
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert str(error) in record.getMessage()


def test_unforeseen_failure_is_logged_by_its_code_only(caplog: pytest.LogCaptureFixture) -> None:
    sentence = sentence_of(ValueError("what somebody wrote"))
    assert sentence.startswith(ENGLISH.unknown_failure)
    (record,) = caplog.records
    assert sentence.split()[-1].rstrip(")") in record.getMessage()
    assert "somebody" not in record.getMessage()
