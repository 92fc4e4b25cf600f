"""Who is next: in each lane one at a time, in the order of coming, with places told on change.

Knows neither questions nor answers.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

TellPlace = Callable[[int], None]


def _tell_nobody(place: int) -> None:
    return


class Place:
    """Where somebody stands in a lane."""

    def __init__(self, tell: TellPlace) -> None:
        self.tell = tell
        self._is_first = asyncio.Event()

    async def first(self) -> None:
        """Wait until nobody is before us."""
        await self._is_first.wait()

    def move_up(self, num_before: int) -> None:
        """Take note of how many are before us now."""
        if num_before:
            self.tell(num_before)
        else:
            self._is_first.set()


class Lanes:
    """One lane for each name; a lane exists only while somebody is in it."""

    def __init__(self) -> None:
        self._lanes: dict[str, list[Place]] = {}

    @contextmanager
    def enter(self, name: str, tell: TellPlace = _tell_nobody) -> Iterator[Place]:
        """Stand in a lane while the context lasts; `tell` hears how many are before, 1 is next."""
        lane = self._lanes.setdefault(name, [])
        place = Place(tell)
        lane.append(place)
        place.move_up(len(lane) - 1)
        try:
            yield place
        finally:
            index = lane.index(place)
            del lane[index]
            for num_before, behind in enumerate(lane[index:], start=index):
                behind.move_up(num_before)
            if not lane:
                del self._lanes[name]
