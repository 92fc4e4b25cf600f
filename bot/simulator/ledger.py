"""Ledger: every change as a line in a file, so that a killed simulator wakes up where it was.

A change is on disk before the request that made it is answered. Knows no meaning of the lines.
"""

import asyncio
import logging
import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from bot.simulator.codec import Kept, decode, encode

logger = logging.getLogger(__name__)


class Ledger:
    """Appends; rewrites the file as short as possible once, at the start."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines: list[str] = []
        self._writing = asyncio.Lock()

    async def load(self) -> list[Kept]:
        """Everything that can be read; where that is not all, the old file is kept beside."""
        records, unread = decode(await asyncio.to_thread(_read_lines, self._path))
        if unread:
            copy = self._path.with_suffix(".damaged")
            await asyncio.to_thread(shutil.copyfile, self._path, copy)
            logger.warning("%s: %d lines could not be read, kept in %s", self._path, unread, copy)
        return records

    async def rewrite(self, records: Iterable[Kept]) -> None:
        text = "".join(f"{encode(record)}\n" for record in records)
        await asyncio.to_thread(_replace, self._path, text)

    def note(self, record: Kept) -> None:
        self._lines.append(encode(record))

    async def commit(self) -> None:
        """Returns once everything noted before is in the file."""
        async with self._writing:
            if not self._lines:
                return
            lines, self._lines = self._lines, []
            await asyncio.to_thread(_append, self._path, "".join(f"{line}\n" for line in lines))


def _read_lines(path: Path) -> list[str]:
    if not path.exists():
        return []
    # A last line without its end is what a killed process could not finish.
    *whole, _ = path.read_text(encoding="utf-8", errors="replace").split("\n")
    return whole


def _replace(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".part")
    draft.write_text(text, encoding="utf-8")
    os.replace(draft, path)


def _append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(text)
