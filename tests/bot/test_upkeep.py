"""Old photos are removed while the bot runs, and a failure does not end that."""

import asyncio
from pathlib import Path
from typing import cast

from bot.upkeep import expiring
from storage import DatabaseNotUsable, PhotoStore


class Counting:
    def __init__(self) -> None:
        self.num_calls = 0
        self.enough = asyncio.Event()

    async def expire(self) -> None:
        self.num_calls += 1
        if self.num_calls == 3:
            self.enough.set()
        raise DatabaseNotUsable(Path("a.db"), "disk I/O error")


async def test_failure_is_tried_again() -> None:
    photos = Counting()
    async with expiring(cast("PhotoStore", photos), every_s=0.0):
        await asyncio.wait_for(photos.enough.wait(), 10)
    num_calls = photos.num_calls
    await asyncio.sleep(0)
    assert photos.num_calls == num_calls
