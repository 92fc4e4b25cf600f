"""The buttons under an answer; each bears what to do and the number of its turn.

Knows how a button is labelled and read back, not what pressing it does.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from telegram import CopyTextButton, InlineKeyboardButton, InlineKeyboardMarkup

from bot.answers import Answer
from bot.questions import AlbumUnusable, Task
from bot.telegram import addressing
from bot.telegram.formatting import width
from bot.texts import NO_TEXT, Wording
from engine import ImageRejected, PromptTooLong
from storage import PhotoGone, TurnStatus

COPY_UNITS = 256
# The same again would fail again.
_HOPELESS = (AlbumUnusable, ImageRejected, PromptTooLong, PhotoGone)


class Press(StrEnum):
    """What a button asks for."""

    STOP = "stop"
    REGENERATE = "again"
    RETRY = "retry"
    READ = "read"
    READ_BY_MODEL = "model"
    TRANSLATE = "translate"
    ANSWER_EDITED = "edited"


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button that was pressed."""

    press: Press
    turn_id: int


def parse(data: str | None) -> Pressed | None:
    """Read back what a button bears; None for what is none of ours."""
    name, _, number = (data or "").partition(":")
    if name not in list(Press) or not re.fullmatch(r"[0-9]{1,18}", number):
        return None
    return Pressed(Press(name), int(number))


def while_running(answer: Answer, *, is_waiting: bool = False) -> InlineKeyboardMarkup:
    """Under an answer that is being written, or waits for that."""
    words = answer.words
    label = words.button_cancel if is_waiting else words.button_stop
    return InlineKeyboardMarkup([[_button(label, Press.STOP, answer.turn_id)]])


def after_edit(turn_id: int, words: Wording) -> InlineKeyboardMarkup:
    """Under the note that a question was changed too late."""
    return InlineKeyboardMarkup([[_button(words.button_edited, Press.ANSWER_EDITED, turn_id)]])


def after_photo(turn_id: int, words: Wording) -> InlineKeyboardMarkup:
    """Under the question what is wanted of a photo."""
    describe = _button(words.button_describe, Press.REGENERATE, turn_id)
    return InlineKeyboardMarkup([[describe, _button(words.button_read, Press.READ, turn_id)]])


def after_answer(answer: Answer, error: BaseException | None) -> InlineKeyboardMarkup | None:
    """Under a finished answer, or under the sentence that says what went wrong."""
    if isinstance(error, _HOPELESS):
        return None
    words = answer.words
    if error is not None:
        return InlineKeyboardMarkup([[_button(words.button_retry, Press.RETRY, answer.turn_id)]])
    if answer.is_verbatim:
        return _after_reading(answer)
    row = [_button(words.button_regenerate, Press.REGENERATE, answer.turn_id)]
    if answer.photo_ids:
        row.append(_button(words.button_read, Press.READ, answer.turn_id))
    row += _to_translate(answer)
    return InlineKeyboardMarkup([row])


def _after_reading(answer: Answer) -> InlineKeyboardMarkup | None:
    row, words = [], answer.words
    if answer.status is TurnStatus.STOPPED:
        row.append(_button(words.button_regenerate, Press.REGENERATE, answer.turn_id))
    if answer.task is Task.READ:
        row.append(_button(words.button_read_by_model, Press.READ_BY_MODEL, answer.turn_id))
    text = answer.text.strip()
    if text and text != NO_TEXT and width(text) <= COPY_UNITS:
        row.append(InlineKeyboardButton(words.button_copy, copy_text=CopyTextButton(text)))
    # Three labels in a row are cut on a phone.
    rows = [row, _to_translate(answer) if text != NO_TEXT else []]
    return InlineKeyboardMarkup([row for row in rows if row]) if any(rows) else None


def _to_translate(answer: Answer) -> list[InlineKeyboardButton]:
    # A group has many languages, and its answers are short of room.
    if not answer.text.strip() or addressing.chat_of(answer.conversation) < 0:
        return []
    return [_button(answer.words.button_translate, Press.TRANSLATE, answer.turn_id)]


def _button(label: str, press: Press, turn_id: int) -> InlineKeyboardButton:
    return InlineKeyboardButton(label, callback_data=f"{press}:{turn_id}")
