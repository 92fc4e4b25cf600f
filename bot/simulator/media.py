"""Media: what a message may hold besides its text, as frozen records. Knows no bytes."""

from dataclasses import dataclass
from typing import Literal

MediaKind = Literal[
    "photo",
    "live_photo",
    "document",
    "sticker",
    "animation",
    "video",
    "video_note",
    "voice",
    "audio",
]
SpecialKind = Literal[
    "location", "contact", "dice", "topic_created", "migrated_to", "migrated_from"
]
SERVICE_KINDS = frozenset({"topic_created", "migrated_to", "migrated_from"})


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file that somebody sent: where its bytes are, never the bytes themselves."""

    key: int
    path: str
    digest: str
    num_bytes: int
    mime_type: str = ""
    width: int = 0
    height: int = 0


@dataclass(frozen=True, slots=True)
class Media:
    """The file of a message: all sizes of a photo, or a file and its preview.

    A live photo is a photo with a clip; a sticker is a still, or one that moves and has a preview.
    """

    kind: MediaKind
    files: tuple[StoredFile, ...]
    thumbnail: StoredFile | None = None
    file_name: str = ""
    emoji: str = ""
    clip: StoredFile | None = None
    moves: bool = False

    @property
    def best(self) -> StoredFile:
        return self.files[-1]

    @property
    def all_files(self) -> tuple[StoredFile, ...]:
        return (*self.files, *(file for file in (self.thumbnail, self.clip) if file is not None))


@dataclass(frozen=True, slots=True)
class Special:
    """Neither text nor file: a place, a contact, or what the server says about the chat."""

    kind: SpecialKind
    number: int = 0
    text: str = ""

    @property
    def is_service(self) -> bool:
        return self.kind in SERVICE_KINDS
