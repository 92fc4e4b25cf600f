"""A clock that is set by hand; nothing happens by itself."""

import asyncio
from collections.abc import Callable

from bot.telegram.clock import Clock, Timer

EPOCH_S = 1_700_000_000.0  # when the messages of the tests were written


class _HandTimer:
    def __init__(self, at: float, callback: Callable[[], None]) -> None:
        self.at = at
        self.callback = callback
        self.is_cancelled = False

    def cancel(self) -> None:
        self.is_cancelled = True


class HandClock(Clock):
    """Stands still until it is moved on."""

    def __init__(self) -> None:
        self._now = 0.0
        self._timers: list[_HandTimer] = []

    def time(self) -> float:
        return self._now

    def wall_s(self) -> float:
        return EPOCH_S + self._now

    def call_later(self, delay_s: float, callback: Callable[[], None]) -> Timer:
        timer = _HandTimer(self._now + delay_s, callback)
        self._timers.append(timer)
        return timer

    async def advance(self, seconds: float) -> None:
        """Move on, doing what falls due on the way, and let every task come to rest."""
        until = self._now + seconds
        await settle()
        while due := [timer for timer in self._timers if _is_due(timer, until)]:
            timer = min(due, key=lambda timer: timer.at)
            self._timers.remove(timer)
            self._now = max(self._now, timer.at)
            timer.callback()
            await settle()
        self._now = until


def _is_due(timer: _HandTimer, until: float) -> bool:
    return not timer.is_cancelled and timer.at <= until


async def settle() -> None:
    """Let all that can go on without time passing go on."""
    for _ in range(100):
        await asyncio.sleep(0)
