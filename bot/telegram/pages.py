"""What an answer looks like at a moment: the messages it fills, and the notes under it.

Knows answers and sentences; sends nothing.
"""

from bot import texts
from bot.answers import Answer
from bot.telegram.errors import sentence_of
from bot.telegram.formatting import Part, render, split, verbatim
from storage import TurnStatus


def pages_of(answer: Answer) -> list[Part]:
    """The text so far, one part for each message; no part is without something to see."""
    if not answer.text.strip():
        return []
    if answer.is_verbatim and answer.text == texts.NO_TEXT:
        return [Part(answer.text)]
    pieces = split(answer.text.rstrip())
    parts = verbatim(pieces) if answer.is_verbatim else render(pieces)
    shown = [part for part in parts if part.text.strip()]
    return shown or [Part(piece) for piece in pieces if piece.strip()]


def final_pages(answer: Answer, error: BaseException | None) -> list[Part]:
    """The whole text, and under it what has to be said of it."""
    pages = pages_of(answer)
    note = "\n".join(_notes(answer, error))
    if not pages:
        return [Part(note or _nothing(answer))]
    if note:
        pages[-1] = pages[-1].with_note(note)
    return pages


def waiting_page(place: int | None) -> Part:
    """What stands there before the first word."""
    return Part(texts.THINKING if place is None else texts.place_in_line(place))


def _notes(answer: Answer, error: BaseException | None) -> list[str]:
    if error is not None:
        return [sentence_of(error)]
    stopped = texts.STOPPED if answer.status is TurnStatus.STOPPED else ""
    notes = (stopped, texts.note_for(answer.finish_reason), answer.hint)
    return [note for note in notes if note]


def _nothing(answer: Answer) -> str:
    return texts.NO_TEXT if answer.is_verbatim else texts.EMPTY_ANSWER
