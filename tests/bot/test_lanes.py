"""A lane serves in the order of coming and tells each change of place."""

import asyncio

import pytest

from bot.lanes import Lanes


async def stand(lanes: Lanes, name: str, seen: list[object], until: asyncio.Event) -> None:
    with lanes.enter(name, seen.append) as place:
        await place.first()
        seen.append("first")
        await until.wait()


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_places_move_up_in_order() -> None:
    lanes, until = Lanes(), [asyncio.Event() for _ in range(3)]
    seen: list[list[object]] = [[], [], []]
    tasks = [asyncio.create_task(stand(lanes, "a", *one)) for one in zip(seen, until, strict=True)]
    await settle()
    assert seen == [["first"], [1], [2]]
    until[0].set()
    await settle()
    assert seen == [["first"], [1, "first"], [2, 1]]
    for event in until:
        event.set()
    await asyncio.gather(*tasks)
    assert seen[2] == [2, 1, "first"]


async def test_leaving_the_middle_moves_those_behind() -> None:
    lanes, until = Lanes(), asyncio.Event()
    seen: list[list[object]] = [[], [], []]
    tasks = [asyncio.create_task(stand(lanes, "a", one, until)) for one in seen]
    await settle()
    tasks[1].cancel()
    await settle()
    assert seen == [["first"], [1], [2, 1]]
    until.set()
    await asyncio.wait(tasks)
    assert seen[2] == [2, 1, "first"]


async def test_lanes_do_not_wait_for_each_other() -> None:
    lanes = Lanes()
    with lanes.enter("a"), lanes.enter("b") as other:
        await asyncio.wait_for(other.first(), 1)


async def test_failure_leaves_the_lane() -> None:
    lanes = Lanes()
    with pytest.raises(ZeroDivisionError), lanes.enter("a"):
        raise ZeroDivisionError
    with lanes.enter("a") as place:
        await asyncio.wait_for(place.first(), 1)
