"""What a platform told us: written down before it is acknowledged, known again when it comes twice.

Knows nothing of what an update means; its content is kept only as long as it has to be handled.
"""

import time
from collections.abc import Callable, Sequence
from typing import cast

from storage.database import Database
from storage.records import LeftUpdate, Update

DAY_S = 24 * 3600.0


class UpdateStore:
    """The updates of one source; numbers are unique within it."""

    def __init__(
        self,
        database: Database,
        *,
        max_age_s: float = 2 * DAY_S,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._database = database
        self._max_age_s = max_age_s
        self._clock = clock

    async def take_in(self, source: str, updates: Sequence[Update]) -> tuple[int, ...]:
        """Write down all or none; gives the numbers of those that were not known yet."""
        now, fresh = self._clock(), []
        async with self._database.transaction():
            await self._forget_before(now - self._max_age_s)
            for one in updates:
                fresh += await self._database.read(
                    "INSERT INTO updates (source, number, content, taken_at) VALUES (?, ?, ?, ?) "
                    "ON CONFLICT DO NOTHING RETURNING number",
                    [source, one.number, one.content, now],
                )
        return tuple(cast("int", row[0]) for row in fresh)

    async def finish(self, source: str, numbers: Sequence[int], *, problem: str = "") -> None:
        """Nothing more is to be done, or can be; only the number stays, and the problem."""
        async with self._database.transaction():
            for number in numbers:
                await self._database.read(
                    "UPDATE updates SET content = NULL, problem = ? "
                    "WHERE source = ? AND number = ?",
                    [problem, source, number],
                )

    async def take_over(self, source: str) -> tuple[LeftUpdate, ...]:
        """What an earlier process did not finish, in the order of coming; counts as one more try.

        Only before this process has taken in anything itself.
        """
        await self._database.write(
            "UPDATE updates SET num_tries = num_tries + 1 WHERE source = ? AND content IS NOT NULL",
            [source],
        )
        rows = await self._database.read(
            "SELECT number, content, taken_at, num_tries FROM updates "
            "WHERE source = ? AND content IS NOT NULL ORDER BY taken_at, number",
            [source],
        )
        return tuple(
            LeftUpdate(
                Update(cast("int", number), str(content)),
                cast("float", taken_at),
                cast("int", num_tries),
            )
            for number, content, taken_at, num_tries in rows
        )

    async def problems(self, source: str) -> dict[int, str]:
        """The updates that could not be handled, and why."""
        rows = await self._database.read(
            "SELECT number, problem FROM updates WHERE source = ? AND problem != ''", [source]
        )
        return {cast("int", number): str(problem) for number, problem in rows}

    async def _forget_before(self, moment: float) -> None:
        await self._database.read("DELETE FROM updates WHERE taken_at < ?", [moment])
