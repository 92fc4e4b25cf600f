"""Ledger: every change as a line in a file, so that a killed simulator wakes up where it was.

A change is on disk before the request that made it is answered. Knows no meaning of the lines.
"""

import asyncio
import os
from collections.abc import Iterable
from pathlib import Path

from bot.simulator.codec import Kept, decode, encode


class Ledger:
    """Appends; rewrites the file as short as possible once, at the start."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines: list[str] = []
        self._writing = asyncio.Lock()

    async def load(self) -> list[Kept]:
        return decode(await asyncio.to_thread(_read_lines, self._path))

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
    return path.read_text(encoding="utf-8", errors="replace").splitlines()


def _replace(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".part")
    draft.write_text(text, encoding="utf-8")
    os.replace(draft, path)


def _append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(text)
