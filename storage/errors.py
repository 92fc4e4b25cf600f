"""What can go wrong in storage, as data; the words for people are chosen elsewhere.

StorageError
  DatabaseDamaged    the file is there but is no sound database
  DatabaseTooNew     written by a later version of the schema
  DatabaseNotUsable  the place itself: a folder, read-only, full, in use
  TurnNotFound       no turn bears this number
  PhotoGone          the bytes are not kept any more; `source` says where they came from
  PhotoNotSaved      the bytes cannot be written
"""

from pathlib import Path


class StorageError(Exception):
    """The root of everything that storage refuses or fails at."""


class DatabaseDamaged(StorageError):
    """A file is there, but it cannot be read as a database; it is left as it was."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.path = path


class DatabaseTooNew(StorageError):
    """The database was written by a later version; it is left as it was."""

    def __init__(self, found: int, known: int) -> None:
        super().__init__(f"schema {found}, known up to {known}")
        self.found = found
        self.known = known


class DatabaseNotUsable(StorageError):
    """The place of the database cannot be used; `why` is what the system says."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path}: {why}")
        self.path = path
        self.why = why


class TurnNotFound(StorageError):
    """No turn bears this number."""

    def __init__(self, turn_id: int) -> None:
        super().__init__(str(turn_id))
        self.turn_id = turn_id


class PhotoGone(StorageError):
    """The bytes of a photo are not kept any more; `source` is empty for a photo never seen."""

    def __init__(self, photo_id: str, source: str) -> None:
        super().__init__(photo_id)
        self.photo_id = photo_id
        self.source = source


class PhotoNotSaved(StorageError):
    """The bytes of a photo cannot be written; `why` is what the system says."""

    def __init__(self, folder: Path, why: str) -> None:
        super().__init__(f"{folder}: {why}")
        self.folder = folder
        self.why = why
