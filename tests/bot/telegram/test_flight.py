"""Closing waits for what is at work, but not for ever."""

import asyncio

import pytest

from bot.telegram.flight import InFlight


async def test_work_that_ends_is_waited_for() -> None:
    ended = []

    async def work() -> None:
        await asyncio.sleep(0)
        ended.append("a")

    in_flight = InFlight()
    in_flight.begin(work(), "work")
    await in_flight.land(grace_s=20.0)
    assert ended == ["a"]


async def test_work_that_hangs_is_cancelled() -> None:
    ended = []

    async def hang() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")

    in_flight = InFlight()
    in_flight.begin(hang(), "work")
    await asyncio.sleep(0)
    await in_flight.land(grace_s=0.0)
    assert ended == ["cancelled"]


async def test_failure_of_work_is_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        raise ValueError("what somebody wrote")

    in_flight = InFlight()
    in_flight.begin(fail(), "Update 5")
    await in_flight.rest(20.0)
    assert caplog.messages == ["Update 5 failed: ValueError"]
