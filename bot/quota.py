"""How many photos a person may show in a day; a day ends at midnight where the bot runs.

Counts what history holds, so that a restart changes nothing; knows no platform.
"""

import time
from collections.abc import Callable, Collection
from datetime import datetime, timedelta

from storage import PhotoStore


class QuotaExceeded(Exception):
    """No more photos today; `until` is when there are new ones, in the clock's own time."""

    def __init__(self, limit: int, until: datetime) -> None:
        super().__init__(f"{limit} a day")
        self.limit = limit
        self.until = until


class Quota:
    """The same for everybody but a few; a limit of 0 is none."""

    def __init__(
        self,
        photos: PhotoStore,
        limit: int,
        unlimited: Collection[str] = (),
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._photos = photos
        self._limit = limit
        self._unlimited = unlimited
        self._clock = clock

    async def check(self, asker: str, num_new: int) -> None:
        """Raise QuotaExceeded where a person has no room for so many further photos."""
        if not self._limit or not num_new or asker in self._unlimited:
            return
        now = datetime.fromtimestamp(self._clock())
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        num_shown = await self._photos.num_shown(asker, midnight.timestamp())
        if num_shown + num_new > self._limit:
            raise QuotaExceeded(self._limit, midnight + timedelta(days=1))
