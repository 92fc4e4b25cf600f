"""Closing waits for what is at work, but not for ever."""

import asyncio

from bot.telegram.flight import InFlight


async def test_work_that_ends_is_waited_for() -> None:
    ended = []

    async def work(first: str, second: str) -> None:
        await asyncio.sleep(0)
        ended.append(first + second)

    in_flight = InFlight()
    task = asyncio.create_task(in_flight.tracked(work)("a", "b"))
    await asyncio.sleep(0)
    await in_flight.land(grace_s=20.0)
    await task
    assert ended == ["ab"]


async def test_work_that_hangs_is_cancelled() -> None:
    async def hang(first: str, second: str) -> None:
        await asyncio.Event().wait()

    in_flight = InFlight()
    task = asyncio.create_task(in_flight.tracked(hang)("a", "b"))
    await asyncio.sleep(0)
    await in_flight.land(grace_s=0.0)
    assert task.cancelled()
