"""What is done now and then while the bot runs: photos that are too old are removed.

Knows no platform; a failure is logged, and the next hour tries again.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from storage import PhotoStore, StorageError

HOUR_S = 3600.0

logger = logging.getLogger(__name__)


@asynccontextmanager
async def expiring(photos: PhotoStore, *, every_s: float = HOUR_S) -> AsyncIterator[None]:
    """Remove old bytes at once, and again each hour while the context lasts."""
    work = asyncio.create_task(_expire(photos, every_s), name="expire photos")
    try:
        yield
    finally:
        work.cancel()
        await asyncio.wait([work])


async def _expire(photos: PhotoStore, every_s: float) -> None:
    while True:
        try:
            await photos.expire()
        except StorageError as error:
            logger.warning("Old photos were not removed: %s", type(error).__name__)
        await asyncio.sleep(every_s)
