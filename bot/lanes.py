"""Who is next: in each lane one at a time, in the order of coming, with places told on change.

Knows neither questions nor answers.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

TellPlace = Callable[[int], None]


class _Waiter:
    def __init__(self, tell: TellPlace | None) -> None:
        self.tell = tell
        self.is_first = asyncio.Event()


class Lanes:
    """One lane for each name; a lane exists only while somebody is in it."""

    def __init__(self) -> None:
        self._lanes: dict[str, list[_Waiter]] = {}

    @asynccontextmanager
    async def first(self, name: str, tell: TellPlace | None = None) -> AsyncIterator[None]:
        """Wait until it is our turn; `tell` hears how many are before us, 1 being next."""
        lane = self._lanes.setdefault(name, [])
        waiter = _Waiter(tell)
        lane.append(waiter)
        try:
            if len(lane) > 1:
                if tell is not None:
                    tell(len(lane) - 1)
                await waiter.is_first.wait()
            yield
        finally:
            self._leave(name, lane, waiter)

    def _leave(self, name: str, lane: list[_Waiter], waiter: _Waiter) -> None:
        index = lane.index(waiter)
        del lane[index]
        if not lane:
            del self._lanes[name]
            return
        lane[0].is_first.set()
        for place, behind in enumerate(lane):
            if behind.tell is not None and place >= max(index, 1):
                behind.tell(place)
