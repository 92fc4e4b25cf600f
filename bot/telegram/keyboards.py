"""The buttons under an answer; each bears what to do and the number of its turn.

Knows how a button is labelled and read back, not what pressing it does.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from telegram import CopyTextButton, InlineKeyboardButton, InlineKeyboardMarkup

from bot import texts
from bot.answers import Answer
from bot.questions import AlbumUnusable, Task
from bot.telegram.formatting import width
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


def while_running(turn_id: int) -> InlineKeyboardMarkup:
    """Under an answer that is being written."""
    return InlineKeyboardMarkup([[_button(texts.BUTTON_STOP, Press.STOP, turn_id)]])


def after_answer(answer: Answer, error: BaseException | None) -> InlineKeyboardMarkup | None:
    """Under a finished answer, or under the sentence that says what went wrong."""
    if isinstance(error, _HOPELESS):
        return None
    if error is not None:
        return InlineKeyboardMarkup([[_button(texts.BUTTON_RETRY, Press.RETRY, answer.turn_id)]])
    if answer.is_verbatim:
        return _after_reading(answer)
    row = [_button(texts.BUTTON_REGENERATE, Press.REGENERATE, answer.turn_id)]
    if answer.photo_ids:
        row.append(_button(texts.BUTTON_READ, Press.READ, answer.turn_id))
    return InlineKeyboardMarkup([row])


def _after_reading(answer: Answer) -> InlineKeyboardMarkup | None:
    row = []
    if answer.status is TurnStatus.STOPPED:
        row.append(_button(texts.BUTTON_REGENERATE, Press.REGENERATE, answer.turn_id))
    if answer.task is Task.READ:
        row.append(_button(texts.BUTTON_READ_BY_MODEL, Press.READ_BY_MODEL, answer.turn_id))
    text = answer.text.strip()
    if text and text != texts.NO_TEXT and width(text) <= COPY_UNITS:
        row.append(InlineKeyboardButton(texts.BUTTON_COPY, copy_text=CopyTextButton(text)))
    return InlineKeyboardMarkup([row]) if row else None


def _button(label: str, press: Press, turn_id: int) -> InlineKeyboardButton:
    return InlineKeyboardButton(label, callback_data=f"{press}:{turn_id}")
