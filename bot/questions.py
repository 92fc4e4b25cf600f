"""What is asked: a question with its photos, as a platform hands it to the assistant.

Knows no chat platform; conversations and references are names that the platform makes up.
"""

from dataclasses import dataclass
from enum import StrEnum


class Task(StrEnum):
    """What is wanted: an answer, or the text in the photo."""

    ASK = "ask"
    READ = "read"
    READ_BY_MODEL = "read_by_model"


@dataclass(frozen=True, slots=True)
class Photo:
    """A photo as it was sent; `source` is what the platform fetches it by again.

    Its bytes are None while they have not arrived.
    """

    data: bytes | None
    source: str


@dataclass(frozen=True, slots=True)
class Question:
    """One question of an asker.

    `conversation` reads "platform:chat/topic/asker": what stands before the first slash shares
    the features of its photos. `message_ref` and `reply_to` name messages of the platform.
    `language` is the asker's own, as an IETF tag, if the platform knows it. `other_refs` are the
    further messages of the same question.
    """

    conversation: str
    asker: str
    task: Task
    text: str
    photos: tuple[Photo, ...] = ()
    message_ref: str = ""
    reply_to: str | None = None
    language: str = ""
    other_refs: tuple[str, ...] = ()


class NoPhoto(Exception):
    """Text was to be read, but there is no photo to read it from."""


class TooManyWaiting(Exception):
    """A person has as many questions waiting as they may have."""

    def __init__(self, num_waiting: int) -> None:
        super().__init__(f"{num_waiting} waiting")
        self.num_waiting = num_waiting


class AlbumUnusable(Exception):
    """None of several photos can be used."""

    def __init__(self, num_photos: int) -> None:
        super().__init__(f"{num_photos} photos")
        self.num_photos = num_photos


class Interrupted(Exception):
    """The bot ended before the answer did, and it is too late to go on."""


class PhotoNotFetched(Exception):
    """The platform does not give a photo; `is_gone` says that it never will again."""

    def __init__(self, *, is_gone: bool) -> None:
        super().__init__("gone" if is_gone else "not now")
        self.is_gone = is_gone
