"""Photos: where each came from is kept, its bytes only for a while and up to a size.

Knows no picture format; a photo is named by the SHA-256 of its bytes.
"""

import asyncio
import contextlib
import hashlib
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from storage.database import Database
from storage.errors import PhotoGone, PhotoNotSaved

DAY_S = 24 * 3600.0
UNFINISHED = ".unfinished"
EXPECTED = "expected-"


class PhotoStore:
    """The cache of bytes, and for ever the platform's name of each photo."""

    def __init__(
        self,
        database: Database,
        folder: Path,
        *,
        max_age_s: float = 7 * DAY_S,
        max_bytes: int = 1024**3,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._database = database
        self._folder = folder
        self._max_age_s = max_age_s
        self._max_bytes = max_bytes
        self._clock = clock

    async def save(self, data: bytes, *, source: str) -> str:
        """Keep a photo and give its name; the newest source that is not empty wins."""
        photo_id = await asyncio.to_thread(self._put, data)
        await self._database.write(
            "INSERT INTO photos VALUES (?, ?, ?, ?) ON CONFLICT (photo_id) DO UPDATE SET "
            "source = coalesce(nullif(excluded.source, ''), source), kept_at = excluded.kept_at",
            [photo_id, source, len(data), self._clock()],
        )
        await self.expire()
        return photo_id

    async def expect(self, source: str) -> str:
        """A name for a photo that has not arrived, until `rename` gives it its own."""
        photo_id = f"{EXPECTED}{hashlib.sha256(source.encode()).hexdigest()}"
        await self._database.write(
            "INSERT OR IGNORE INTO photos VALUES (?, ?, 0, NULL)", [photo_id, source]
        )
        return photo_id

    async def rename(self, old_id: str, new_id: str) -> None:
        """What turns call by the old name is called by the new one; nothing if they are the same.

        A platform may also give other bytes than it gave before.
        """
        if old_id == new_id:
            return
        async with self._database.transaction():
            await self._database.read(
                "UPDATE turns SET photo_ids = replace(photo_ids, ?, ?)", [old_id, new_id]
            )
            await self._database.read("DELETE FROM photos WHERE photo_id = ?", [old_id])
        await asyncio.to_thread(self._remove, [old_id])

    async def load(self, photo_id: str) -> bytes:
        """The bytes; raises PhotoGone with the source to fetch them from again."""
        source = await self.source_of(photo_id)
        data = await asyncio.to_thread(self._get, photo_id)
        if data is None:
            raise PhotoGone(photo_id, source)
        return data

    async def num_shown(self, asker: str, since_s: float) -> int:
        """How many different photos a person has asked about since a moment."""
        rows = await self._database.read(
            "SELECT count(DISTINCT value) FROM turns, json_each(turns.photo_ids) "
            "WHERE asker = ? AND created_at >= ?",
            [asker, since_s],
        )
        return int(str(rows[0][0]))

    async def source_of(self, photo_id: str) -> str:
        """What the platform fetches a photo by; raises PhotoGone for a photo never saved."""
        rows = await self._database.read("SELECT source FROM photos WHERE photo_id = ?", [photo_id])
        if not rows:
            raise PhotoGone(photo_id, "")
        return str(rows[0][0])

    async def expire(self) -> None:
        """Remove bytes that are too old, and the oldest while all together are too many."""
        rows = await self._database.write(
            "UPDATE photos SET kept_at = NULL WHERE photo_id IN (SELECT photo_id FROM ("
            "SELECT photo_id, kept_at, sum(num_bytes) OVER (ORDER BY kept_at DESC, photo_id) "
            "AS total FROM photos WHERE kept_at IS NOT NULL) "
            "WHERE kept_at < ? OR total > ?) RETURNING photo_id",
            [self._clock() - self._max_age_s, self._max_bytes],
        )
        await asyncio.to_thread(self._remove, [str(row[0]) for row in rows])

    async def forget(self, photo_ids: Sequence[str]) -> None:
        """Delete photos with their names."""
        for photo_id in photo_ids:
            await self._database.write("DELETE FROM photos WHERE photo_id = ?", [photo_id])
        await asyncio.to_thread(self._remove, list(photo_ids))

    async def tidy(self) -> None:
        """Remove what a crash left behind; only before the first photo is saved."""
        rows = await self._database.read("SELECT photo_id FROM photos WHERE kept_at IS NOT NULL")
        kept = {str(row[0]) for row in rows}
        names = await asyncio.to_thread(self._names)
        await asyncio.to_thread(self._remove, [name for name in names if name not in kept])

    def _put(self, data: bytes) -> str:
        photo_id = hashlib.sha256(data).hexdigest()
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Half a photo must never bear the name of a whole one, not even after a power cut.
            handle, unfinished = tempfile.mkstemp(UNFINISHED, dir=self._folder)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(unfinished, self._folder / photo_id)
            except BaseException:
                os.unlink(unfinished)
                raise
            _flush_names(self._folder)
        except OSError as error:
            raise PhotoNotSaved(self._folder, error.strerror or str(error)) from error
        return photo_id

    def _get(self, photo_id: str) -> bytes | None:
        try:
            data = (self._folder / photo_id).read_bytes()
        except OSError:
            return None
        return data if hashlib.sha256(data).hexdigest() == photo_id else None

    def _names(self) -> list[str]:
        return os.listdir(self._folder) if self._folder.is_dir() else []

    def _remove(self, names: list[str]) -> None:
        for name in names:
            with contextlib.suppress(OSError):
                (self._folder / name).unlink()


def _flush_names(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
