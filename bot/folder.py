"""The folder of the data: one running bot at a time has it.

Knows nothing of what is in it; the system lets go of it for whoever is killed.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LOCK = "running.lock"


class FolderInUse(Exception):
    """Another bot has the folder; `folder` is as it was given."""

    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder))
        self.folder = folder


@contextmanager
def occupied(folder: Path) -> Iterator[None]:
    """Have a folder that is there while the context lasts; raises FolderInUse, OSError."""
    with (folder / LOCK).open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FolderInUse(folder) from None
        yield
