"""What is being handled right now, so that closing ends it in good order and in time.

Knows tasks only, not what they do.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import TypeVar

First = TypeVar("First")
Second = TypeVar("Second")

CANCEL_S = 2.0


class InFlight:
    """The handlers at work."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[object]] = set()

    def tracked(
        self, handle: Callable[[First, Second], Coroutine[object, object, None]]
    ) -> Callable[[First, Second], Coroutine[object, object, None]]:
        """The same handler, known to us while it runs."""

        async def handle_tracked(first: First, second: Second) -> None:
            task = asyncio.current_task()
            if task is None:
                return
            self._tasks.add(task)
            try:
                await handle(first, second)
            finally:
                self._tasks.discard(task)

        return handle_tracked

    async def land(self, grace_s: float) -> None:
        """Wait for the handlers at work, and cancel those that need too long."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=grace_s)
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=CANCEL_S)
