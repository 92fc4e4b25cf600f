"""Every sentence that an asker reads, and every prompt that we write to the model.

Knows the errors of all rooms; other modules raise them and leave the words to this one.
"""

from bot.access import AccessDenied
from bot.questions import AlbumUnusable, Interrupted, NoPhoto
from engine import (
    EngineStopped,
    FinishReason,
    ImageRejected,
    OutOfMemory,
    PromptTooLong,
    QuestionTooLong,
    QueueFull,
    RejectReason,
)
from storage import (
    DatabaseNotUsable,
    PhotoGone,
    PhotoNotSaved,
    TurnNotFound,
)

# The reading model was trained on exactly these four.
DESCRIBE = "Describe this photo in two or three sentences. If it is mainly a document, say so."
DESCRIBE_ZH = "请用两三句话描述这张照片。如果主要是文档，请说明。"
READ = "Read all the text in this photo exactly, line by line. Answer with the text only."
READ_ZH = "请逐行准确读出图中的全部文字，只回答文字。"

EARLIER_PHOTO = "[an earlier photo]"
EARLIER_PHOTOS = "[{} earlier photos]"

HELLO = (
    "Send me a photo and I will tell you what is in it. Put a question in its caption, or ask "
    "on afterwards: I keep the photo in mind. /help lists the commands."
)
HELP = (
    "Send a photo, with or without a question in its caption.\n"
    "Ask on in plain text: it is about the newest photo.\n"
    "Reply to an older photo or answer to go back to it.\n"
    "/ocr reads the text of a photo, as a reply to it or in its caption.\n"
    "/new begins a new conversation.\n"
    "/stop stops the answer that is being written."
)
HELP_GROUP = (
    "Reply to a photo with /ocr to read its text.\n"
    "Reply to a photo with /ask and your question.\n"
    "Reply to my answer to ask on. I keep silent otherwise."
)
NEW = "A new conversation begins; the earlier photos are closed."
STOPPED = "Stopped."
NOTHING_TO_STOP = "Nothing is being answered right now."
THINKING = "Looking at it…"
EMPTY_ANSWER = "I have no answer to that."
NO_PHOTO_HINT = "(No photo is open, so I answer from the text alone. Send one to ask about it.)"
NO_TEXT = "No readable text in this photo."
OCR_HOW = "Reply to a photo with /ocr, or write /ocr in its caption."
ASK_HOW = "Reply to a photo with /ask and your question."
INTERRUPTED = "I was interrupted before I could answer."
AWAY = "I was away when you wrote. Please ask again what you still want to know."
AT_WORK = "I am at it already."
NOT_YOURS = "Only the one who asked can use this button."
UNKNOWN_FAILURE = "Something went wrong on my side. Please try again."
TURN_GONE = "I no longer know that answer. Please send the photo again."
PHOTO_GONE = "I no longer have that photo, please send it again."
SEND_AGAIN = "Please send them again, as photos or as JPEG files."

BUTTON_STOP = "Stop"
BUTTON_REGENERATE = "Regenerate"
BUTTON_READ = "Read text"
BUTTON_READ_BY_MODEL = "Read with the model"
BUTTON_RETRY = "Try again"
BUTTON_COPY = "Copy"

UNSUPPORTED = "I can look at photos, picture files and still stickers; that is something else."
UNKNOWN_COMMAND = "I do not know that command. /help lists those I know."
FILE_TOO_BIG = "That file is larger than 20 MB, which bots may not download. Send a smaller one."
FILE_NOT_FETCHED = "The photo did not arrive from Telegram. Please try again in a moment."
BUTTON_TOO_OLD = "That button belongs to a message I can no longer see."

COMMANDS = {
    "ocr": "Read the text of a photo",
    "ask": "Ask about a photo",
    "new": "Begin a new conversation",
    "stop": "Stop the answer that is being written",
    "help": "What I can do",
}

_REJECTED = {
    RejectReason.EMPTY: "That file is empty. Please send the photo again.",
    RejectReason.NOT_AN_IMAGE: "That file is not a picture I can open. Send a JPEG, PNG or WebP.",
    RejectReason.NOT_SUPPORTED: "I cannot open that kind of picture. Send it as a photo or a JPEG.",
    RejectReason.DAMAGED: "That picture is damaged and cannot be opened. Please send it again.",
    RejectReason.TOO_MANY_BYTES: "That file is too large for me. Please send a smaller one.",
    RejectReason.TOO_MANY_PIXELS: "That picture has too many pixels. Please send a smaller one.",
}

_NOTES = {
    FinishReason.LENGTH: "(cut: the answer reached its length limit)",
    FinishReason.REPETITION: "(stopped: repeated output)",
}


def is_chinese(text: str) -> bool:
    """Whether a text is written in Chinese: one ideograph is enough, unless kana stand by it."""
    has_kana = any("\u3040" <= character <= "\u30ff" for character in text)
    return not has_kana and any("\u4e00" <= character <= "\u9fff" for character in text)


def describe_prompt(*, is_chinese: bool) -> str:
    """What the model is asked about a photo that came without words."""
    return DESCRIBE_ZH if is_chinese else DESCRIBE


def read_prompt(*, is_chinese: bool) -> str:
    """What the model is asked when the text of a photo is wanted."""
    return READ_ZH if is_chinese else READ


def place_in_line(place: int) -> str:
    """What is shown while an answer waits; 1 is next."""
    return "In line: next." if place <= 1 else f"In line: number {place}."


def photo_heading(number: int) -> str:
    """What stands above the text of one photo among several."""
    return f"Photo {number}:"


def photo_missing(number: int, why: str) -> str:
    """What is said of one photo of several that could not be used."""
    return f"Photo {number} is left out. {why}"


def failure(code: str) -> str:
    """What is said of a failure that nobody foresaw; the owner finds the code in the log."""
    return f"{UNKNOWN_FAILURE} (code {code})"


def earlier_photos(num_photos: int) -> str:
    """What the model reads in the place of photos that are no longer in question."""
    return EARLIER_PHOTO if num_photos == 1 else EARLIER_PHOTOS.format(num_photos)


def note_for(reason: FinishReason | None) -> str:
    """What is added under an answer that ended otherwise than by itself; empty if it did not."""
    return _NOTES.get(reason, "") if reason is not None else ""


def sentence_for(error: BaseException) -> str:
    """What a person is told about an error; never its trace, never what was asked."""
    match error:
        case ImageRejected():
            return _REJECTED.get(error.reason, UNKNOWN_FAILURE)
        case AlbumUnusable():
            return f"I can open none of these {error.num_photos} photos. {SEND_AGAIN}"
        case NoPhoto():
            return OCR_HOW
        case Interrupted():
            return INTERRUPTED
        case PhotoGone():
            return PHOTO_GONE
        case TurnNotFound():
            return TURN_GONE
        case AccessDenied():
            return (
                "This bot answers invited people only. "
                f"To be invited, give its owner this number: {error.asker}"
            )
        case _:
            return _sentence_for_machine(error)


def _sentence_for_machine(error: BaseException) -> str:
    match error:
        case QueueFull():
            return (
                f"{error.num_waiting} questions are waiting already. "
                "Please try again in a few minutes."
            )
        case QuestionTooLong():
            return (
                f"Your question is too long for me: {error.num_tokens} tokens, and {error.limit} "
                "are the most. Please ask with less text, or about fewer photos."
            )
        case PromptTooLong():
            return "This conversation has become too long. Begin a new one with /new."
        case OutOfMemory():
            return "There was not enough memory for this photo. Please try a smaller one."
        case EngineStopped():
            return "The bot is being restarted. Please ask again in a minute."
        case DatabaseNotUsable():
            return "I could not write this down: the disk may be full. Please tell the owner."
        case PhotoNotSaved():
            return "I could not keep your photo: the disk may be full. Please tell the owner."
        case _:
            return UNKNOWN_FAILURE
