"""Names and bounds of what lies on disk; a name tells nothing to who does not know its words."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

SUFFIX = ".safetensors"
DIGITS = 20


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where files lie and how much may lie there; `owner` names weights and number formats."""

    folder: Path
    owner: str
    max_bytes: int
    max_age_s: float


@dataclass(frozen=True, slots=True)
class Entry:
    """A chat, something in it (a conversation, a picture) and what of it this is."""

    scope: str
    thing: str
    part: str

    def name(self, owner: str) -> str:
        """The name of its file."""
        words = (owner, self.scope, self.thing, self.part)
        return ".".join(digest(word) for word in words) + SUFFIX


def digest(word: str) -> str:
    """Some digits for a word."""
    return hashlib.sha256(word.encode()).hexdigest()[:DIGITS]
