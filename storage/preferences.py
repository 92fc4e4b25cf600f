"""What people have set for themselves, and whom the owners have let in or shut out.

Knows ids as text; what a language or an id means is the caller's business.
"""

from storage.database import Database


class Preferences:
    """A row for each person who set something."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def languages(self) -> dict[str, str]:
        """The languages that were chosen, by person."""
        rows = await self._database.read("SELECT asker, language FROM preferences")
        return {str(asker): str(language) for asker, language in rows}

    async def choose_language(self, asker: str, language: str) -> None:
        """Write down the language of a person."""
        await self._database.write(
            "INSERT INTO preferences (asker, language) VALUES (?, ?) "
            "ON CONFLICT (asker) DO UPDATE SET language = excluded.language",
            [asker, language],
        )

    async def permissions(self) -> dict[str, bool]:
        """Who was let in (True) or shut out (False)."""
        rows = await self._database.read("SELECT who, is_allowed FROM permissions")
        return {str(who): bool(is_allowed) for who, is_allowed in rows}

    async def permit(self, who: str, *, is_allowed: bool) -> None:
        """Let a person or a group in, or shut them out."""
        await self._database.write(
            "INSERT INTO permissions (who, is_allowed) VALUES (?, ?) "
            "ON CONFLICT (who) DO UPDATE SET is_allowed = excluded.is_allowed",
            [who, is_allowed],
        )

    async def forget(self, asker: str) -> None:
        """Nothing is set by this person any more; whether they may ask stays the owners' word."""
        await self._database.write("DELETE FROM preferences WHERE asker = ?", [asker])
