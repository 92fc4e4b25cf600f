"""What people and groups have chosen in their settings.

Knows names and values as text only; what they mean is the caller's business.
"""

from storage.database import Database


class ChoiceStore:
    """A row for each setting that somebody changed."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> dict[tuple[str, str], str]:
        """What was chosen, by owner and setting."""
        rows = await self._database.read("SELECT owner, setting, value FROM choices")
        return {(str(owner), str(setting)): str(value) for owner, setting, value in rows}

    async def choose(self, owner: str, setting: str, value: str) -> None:
        """Write one choice down."""
        await self._database.write(
            "INSERT INTO choices VALUES (?, ?, ?) "
            "ON CONFLICT (owner, setting) DO UPDATE SET value = excluded.value",
            [owner, setting, value],
        )

    async def move(self, owner: str, heir: str) -> None:
        """From now on these are the choices of somebody else."""
        await self._database.write(
            "UPDATE OR REPLACE choices SET owner = ? WHERE owner = ?", [heir, owner]
        )

    async def forget(self, owner: str) -> None:
        """Nothing is chosen by this owner any more."""
        await self._database.write("DELETE FROM choices WHERE owner = ?", [owner])
