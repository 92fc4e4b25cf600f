"""What a person is told about an error, in their language; never its trace, never what was asked.

Knows the errors of all rooms; other modules raise them and leave the words to this one.
"""

from bot.access import AccessDenied
from bot.questions import AlbumUnusable, Interrupted, NoPhoto, PhotoNotFetched, TooManyWaiting
from bot.quota import QuotaExceeded
from bot.texts.english import ENGLISH
from bot.texts.wording import Wording
from engine import (
    EngineStopped,
    ImageRejected,
    OutOfMemory,
    PromptTooLong,
    QuestionTooLong,
    QueueFull,
    RejectReason,
)
from storage import DatabaseNotUsable, PhotoGone, PhotoNotSaved, TurnNotFound


def sentence_for(error: BaseException, words: Wording = ENGLISH) -> str:
    """The sentence for an error."""
    match error:
        case ImageRejected():
            return _rejected(error.reason, words)
        case AlbumUnusable():
            return words.album_unusable.format(num_photos=error.num_photos)
        case NoPhoto():
            return words.ocr_how
        case Interrupted():
            return words.interrupted
        case QuotaExceeded():
            time = f"{error.until:%H:%M}"
            return words.quota_exceeded.format(limit=error.limit, time=time)
        case TooManyWaiting():
            return words.too_many_waiting.format(num_waiting=error.num_waiting)
        case PhotoNotFetched():
            return words.file_not_fetched
        case PhotoGone():
            return words.photo_gone
        case TurnNotFound():
            return words.turn_gone
        case AccessDenied():
            return words.access_denied.format(asker=error.asker)
        case _:
            return _machine(error, words)


def _machine(error: BaseException, words: Wording) -> str:
    match error:
        case QueueFull():
            return words.queue_full.format(num_waiting=error.num_waiting)
        case QuestionTooLong():
            return words.question_too_long.format(num_tokens=error.num_tokens, limit=error.limit)
        case PromptTooLong():
            return words.prompt_too_long
        case OutOfMemory():
            return words.out_of_memory
        case EngineStopped():
            return words.engine_stopped
        case DatabaseNotUsable():
            return words.not_written
        case PhotoNotSaved():
            return words.photo_not_kept
        case _:
            return words.unknown_failure


def _rejected(reason: RejectReason, words: Wording) -> str:
    match reason:
        case RejectReason.EMPTY:
            return words.file_empty
        case RejectReason.NOT_AN_IMAGE:
            return words.not_an_image
        case RejectReason.NOT_SUPPORTED:
            return words.not_supported
        case RejectReason.DAMAGED:
            return words.damaged
        case RejectReason.TOO_MANY_BYTES:
            return words.too_many_bytes
        case RejectReason.TOO_MANY_PIXELS:
            return words.too_many_pixels
