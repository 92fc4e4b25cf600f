"""Whom the owner let in or turned away from the chat, beside those that the settings name.

Knows ids as text, and the name under which somebody asked to be let in.
"""

from dataclasses import dataclass

from storage.database import Database


@dataclass(frozen=True, slots=True)
class Guest:
    """A person or a group, and what was decided."""

    asker: str
    name: str
    is_allowed: bool


class Guests:
    """A row for each decision; the last one holds."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> tuple[Guest, ...]:
        """Everybody about whom was decided, by id."""
        rows = await self._database.read("SELECT asker, name, is_allowed FROM guests")
        return tuple(Guest(str(row[0]), str(row[1]), bool(row[2])) for row in rows)

    async def decide(self, guest: Guest) -> None:
        """Write a decision down; a name that is known is kept where none comes with it."""
        await self._database.write(
            "INSERT INTO guests (asker, name, is_allowed) VALUES (?, ?, ?) ON CONFLICT (asker) "
            "DO UPDATE SET is_allowed = excluded.is_allowed, "
            "name = coalesce(nullif(excluded.name, ''), name)",
            [guest.asker, guest.name, guest.is_allowed],
        )
