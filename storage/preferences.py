"""What people have set for themselves.

Knows ids as text; what a language means is the caller's business.
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

    async def forget(self, asker: str) -> None:
        """Nothing is set by this person any more."""
        await self._database.write("DELETE FROM preferences WHERE asker = ?", [asker])
