"""Clock: the simulator's time. It runs with a given one and can be put ahead, also while one waits.

Everything dated in the simulator asks it; only the length of a long poll is the bot's own time.
"""

import asyncio
from collections.abc import Callable


class Clock:
    """Unix seconds; moving it wakes whoever sleeps by it."""

    def __init__(self, base: Callable[[], float]) -> None:
        self._base = base
        self.ahead_s = 0.0
        self._sleepers: dict[asyncio.Future[None], float] = {}
        self._stopped = False
        self.sleeping = asyncio.Event()

    def __call__(self) -> float:
        return self._base() + self.ahead_s

    def advance(self, seconds: float) -> None:
        self.ahead_s += seconds
        for sleeper in tuple(self._sleepers):
            self._look(sleeper)

    def set(self, now: float) -> None:
        self.advance(now - self())

    def release(self) -> None:
        """Whoever sleeps goes on at once."""
        for sleeper in self._sleepers:
            if not sleeper.done():
                sleeper.set_result(None)

    def stop(self) -> None:
        """From now on nobody sleeps: the simulator closes."""
        self._stopped = True
        self.release()

    async def sleep(self, seconds: float) -> None:
        if self._stopped:
            return
        sleeper: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers[sleeper] = self() + seconds
        self._look(sleeper)
        self.sleeping.set()
        try:
            await sleeper
        finally:
            del self._sleepers[sleeper]
            if not self._sleepers:
                self.sleeping.clear()

    def _look(self, sleeper: asyncio.Future[None]) -> None:
        until = self._sleepers.get(sleeper)
        if until is None or sleeper.done():
            return
        left_s = until - self()
        if left_s <= 0:
            sleeper.set_result(None)
        else:
            asyncio.get_running_loop().call_later(left_s, self._look, sleeper)
