"""What is done now and then while the bot runs: what is too old is removed.

Knows no platform; a failure is logged, and the next hour tries again.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Protocol

from storage import StorageError

HOUR_S = 3600.0

logger = logging.getLogger(__name__)


class Expires(Protocol):
    """Keeps things for a time."""

    async def expire(self) -> None:
        """Remove what is too old; raises StorageError."""


@asynccontextmanager
async def expiring(*keepers: Expires, every_s: float = HOUR_S) -> AsyncIterator[None]:
    """Remove old things at once, and again each hour while the context lasts."""
    work = asyncio.create_task(_expire(keepers, every_s), name="expire")
    try:
        yield
    finally:
        work.cancel()
        await asyncio.wait([work])


async def _expire(keepers: Sequence[Expires], every_s: float) -> None:
    while True:
        for keeper in keepers:
            try:
                await keeper.expire()
            except StorageError as error:
                logger.warning("Old things were not removed: %s", type(error).__name__)
        await asyncio.sleep(every_s)
