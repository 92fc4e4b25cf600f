"""Time as the chat side needs it: now, later, and a pause; tests put in their own.

Knows no chat and no message.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    """Something that will happen later and can be called off."""

    def cancel(self) -> None:
        """Do not let it happen."""


class Clock:
    """The event loop's own time."""

    def time(self) -> float:
        """Seconds since some moment."""
        return asyncio.get_running_loop().time()

    def wall_s(self) -> float:
        """Seconds since 1970, as messages and rows are dated."""
        return time.time()

    def call_later(self, delay_s: float, callback: Callable[[], None]) -> Timer:
        """Call back after so many seconds."""
        return asyncio.get_running_loop().call_later(delay_s, callback)

    async def sleep(self, delay_s: float) -> None:
        """Pause this task only."""
        if delay_s <= 0:
            return
        over = asyncio.Event()
        timer = self.call_later(delay_s, over.set)
        try:
            await over.wait()
        finally:
            timer.cancel()
