"""What is being handled right now, so that closing ends it in good order and in time.

Knows tasks only, not what they do.
"""

import asyncio
import logging
from collections.abc import Coroutine

CANCEL_S = 2.0

logger = logging.getLogger(__name__)


class InFlight:
    """The work that was begun and has not ended."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def is_busy(self) -> bool:
        """Whether anything is at work."""
        return bool(self._tasks)

    def begin(self, work: Coroutine[object, object, None], name: str) -> None:
        """Do something beside everything else; how it fails is logged."""
        task = asyncio.create_task(work, name=name)
        # The loop itself remembers a task only weakly.
        self._tasks.add(task)
        task.add_done_callback(self._end)

    async def rest(self, limit_s: float) -> None:
        """Wait until nothing is at work, but not longer than this."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=limit_s)

    async def land(self, grace_s: float) -> None:
        """Wait for what is at work, and cancel what needs too long."""
        await self.rest(grace_s)
        for task in self._tasks:
            task.cancel()
        await self.rest(CANCEL_S)

    def _end(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("%s failed: %s", task.get_name(), type(error).__name__)
