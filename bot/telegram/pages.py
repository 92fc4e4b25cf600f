"""What an answer looks like at a moment: the messages it fills, the notes and buttons under it.

Knows answers and sentences; sends nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from telegram import InlineKeyboardMarkup

from bot.answers import Answer
from bot.telegram import keyboards
from bot.telegram.errors import sentence_of
from bot.telegram.formatting import Part, render, split, verbatim
from bot.texts import NO_TEXT
from storage import TurnStatus


@dataclass(frozen=True, slots=True)
class Page:
    """What one message shows."""

    part: Part
    keyboard: InlineKeyboardMarkup | None = None


def preview_pages(answer: Answer, place: int | None) -> list[Page]:
    """What there is so far; before the first word, that it is waited for."""
    words = answer.words
    waiting = Part(words.thinking if place is None else words.place_in_line(place))
    keyboard = keyboards.while_running(answer, is_waiting=place is not None)
    return _pages(_parts_of(answer) or [waiting], keyboard)


def final_pages(answer: Answer, error: BaseException | None) -> list[Page]:
    """The whole text, and under it what has to be said of it."""
    parts = _parts_of(answer)
    note = "\n".join(_notes(answer, error))
    if not parts:
        parts = [Part(note or _nothing(answer))]
    elif note:
        parts[-1] = parts[-1].with_note(note)
    return _pages(parts, keyboards.after_answer(answer, error))


def _pages(parts: Sequence[Part], keyboard: InlineKeyboardMarkup | None) -> list[Page]:
    return [*(Page(part) for part in parts[:-1]), Page(parts[-1], keyboard)]


def _parts_of(answer: Answer) -> list[Part]:
    """One part for each message; no part is without something to see."""
    if not answer.text.strip():
        return []
    if answer.is_verbatim and answer.text == NO_TEXT:
        return [Part(answer.words.no_text)]
    pieces = split(answer.text.rstrip())
    parts = verbatim(pieces) if answer.is_verbatim else render(pieces)
    shown = [part for part in parts if part.text.strip()]
    return shown or [Part(piece) for piece in pieces if piece.strip()]


def _notes(answer: Answer, error: BaseException | None) -> list[str]:
    if error is not None:
        return [sentence_of(error, answer.words)]
    stopped = answer.words.stopped if answer.status is TurnStatus.STOPPED else ""
    notes = (stopped, answer.words.note_for(answer.finish_reason), answer.hint)
    return [note for note in notes if note]


def _nothing(answer: Answer) -> str:
    return answer.words.no_text if answer.is_verbatim else answer.words.empty_answer
