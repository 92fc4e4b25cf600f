"""What outlives the process: named tensors in files that only their owner can read.

Writes on a thread of its own, in order. A cache: whatever cannot be written, read or believed is
dropped. Knows nothing of what the tensors mean.
"""

import logging
import os
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG
from threading import Lock

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from engine.local.shelf import SUFFIX, Entry, Shelf, digest

CHECKSUM = "checksum"
# What waits to be written holds memory that its budget no longer counts.
MAX_WAITING_BYTES = 256 * 1024**2

logger = logging.getLogger(__name__)

Tensors = dict[str, torch.Tensor]


class Archive:
    """Files of one shelf; the oldest make room."""

    def __init__(self, shelf: Shelf, clock: Callable[[], float] = time.time) -> None:
        self._shelf = shelf
        self._clock = clock
        self._lock = Lock()
        # Sizes by name, the oldest first.
        self._sizes: dict[str, int] = {}
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="archive")
        self._waiting_bytes = 0
        self._is_writable = shelf.max_bytes > 0
        self._attempt(self._open)

    def put(self, entry: Entry, tensors: Tensors, notes: dict[str, str]) -> None:
        """Write soon what nobody changes any more."""
        num_bytes = _size(tensors)
        with self._lock:
            most = max(MAX_WAITING_BYTES - num_bytes, 0)
            if not self._is_writable or self._waiting_bytes > most:
                return
            self._waiting_bytes += num_bytes
        self._writer.submit(
            self._attempt, self._write, entry.name(self._shelf.owner), tensors, notes
        )

    def flush(self) -> None:
        """Return when all that waits is written."""
        if self._waiting_bytes:
            self._writer.submit(int).result()

    def notes_of(self, scope: str, thing: str) -> Iterator[tuple[str, dict[str, str]]]:
        """Names and notes of all parts of a thing."""
        for name in self._names(scope, thing):
            try:
                with safe_open(self._shelf.folder / name, framework="pt") as file:
                    notes = dict(file.metadata() or {})
            except (OSError, SafetensorError):
                self.drop(name)
                continue
            yield name, notes

    def take_part(self, entry: Entry) -> Tensors | None:
        """The tensors of one part, if there is one."""
        name = entry.name(self._shelf.owner)
        return self.take(name) if name in self._sizes else None

    def take(self, name: str) -> Tensors | None:
        """The tensors of a file, which is removed; None where it is not what was written."""
        try:
            with safe_open(self._shelf.folder / name, framework="pt") as file:
                wanted = (file.metadata() or {}).get(CHECKSUM)
                tensors = {key: file.get_tensor(key).clone() for key in file.keys()}  # noqa: SIM118
        except (OSError, SafetensorError):
            return None
        finally:
            self.drop(name)
        return tensors if wanted == _checksum(tensors) else None

    def drop(self, name: str) -> None:
        """Remove a file."""
        with self._lock:
            self._sizes.pop(name, None)
        with suppress(OSError):
            (self._shelf.folder / name).unlink(missing_ok=True)

    def forget(self, scope: str, thing: str | None = None) -> None:
        """Remove a thing, or all of a chat, behind whatever waits to be written."""

        def work() -> None:
            for name in self._names(scope, thing):
                self.drop(name)

        self._writer.submit(work)

    def close(self) -> None:
        """Return when everything is written."""
        self._writer.shutdown()

    def _names(self, scope: str, thing: str | None) -> list[str]:
        words = (self._shelf.owner, scope) if thing is None else (self._shelf.owner, scope, thing)
        start = ".".join(digest(word) for word in words) + "."
        with self._lock:
            return [name for name in self._sizes if name.startswith(start)]

    def _attempt(self, work: Callable[..., None], *details: object) -> None:
        try:
            work(*details)
        except (OSError, SafetensorError) as error:
            was_writable, self._is_writable = self._is_writable, False
            if was_writable:
                logger.warning("Sessions are no longer kept on disk: %s", _why(error))

    def _open(self) -> None:
        """Learn what is there; remove what is unfinished, too old, or of another owner."""
        folder = self._shelf.folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        found: list[tuple[float, str, int]] = []
        for path in folder.iterdir():
            status = path.lstat()
            is_ours = path.name.startswith(digest(self._shelf.owner) + ".")
            is_young = self._clock() - status.st_mtime <= self._shelf.max_age_s
            if is_ours and is_young and path.suffix == SUFFIX and S_ISREG(status.st_mode):
                found.append((status.st_mtime, path.name, status.st_size))
            elif not path.is_dir() or path.is_symlink():
                path.unlink(missing_ok=True)
        with self._lock:
            self._sizes = {name: size for _, name, size in sorted(found)}
        self._make_room(0)

    def _write(self, name: str, tensors: Tensors, notes: dict[str, str]) -> None:
        num_bytes = _size(tensors)
        try:
            if num_bytes <= self._shelf.max_bytes and self._is_writable:
                self._make_room(num_bytes)
                self._save(name, {key: tensors[key].cpu().contiguous() for key in tensors}, notes)
        finally:
            with self._lock:
                self._waiting_bytes -= num_bytes

    def _save(self, name: str, tensors: Tensors, notes: dict[str, str]) -> None:
        # Made with the rights of its owner alone, and seen under its name only when complete.
        handle, unfinished = tempfile.mkstemp(".part", dir=self._shelf.folder)
        os.close(handle)
        try:
            save_file(tensors, unfinished, {**notes, CHECKSUM: _checksum(tensors)})
            os.chmod(unfinished, 0o600)
            os.utime(unfinished, (self._clock(), self._clock()))
            os.replace(unfinished, self._shelf.folder / name)
        finally:
            Path(unfinished).unlink(missing_ok=True)
        with self._lock:
            self._sizes.pop(name, None)
            self._sizes[name] = (self._shelf.folder / name).stat().st_size

    def _make_room(self, num_bytes: int) -> None:
        with self._lock:
            total = sum(self._sizes.values()) + num_bytes
            leaving: list[str] = []
            for name, size in self._sizes.items():
                if total <= self._shelf.max_bytes:
                    break
                leaving.append(name)
                total -= size
        for name in leaving:
            self.drop(name)


def _size(tensors: Tensors) -> int:
    return sum(tensor.nbytes for tensor in tensors.values())


def _checksum(tensors: Tensors) -> str:
    value = 0
    for key in sorted(tensors):
        value = zlib.crc32(
            tensors[key].contiguous().flatten().view(torch.uint8).numpy().data, value
        )
    return f"{value:08x}"


def _why(error: Exception) -> str:
    # Of the system's errors the words alone: a path would tell nobody anything.
    return (error.strerror if isinstance(error, OSError) else None) or type(error).__name__
