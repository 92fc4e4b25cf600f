"""Updates are written down once, handed over to the next process, and forgotten in time."""

from pathlib import Path

import pytest

from storage import Database, DatabaseNotUsable, LeftUpdate, Update, UpdateStore, open_database
from tests.storage.conftest import StandingClock

ME, OTHER = "telegram:1", "telegram:2"


@pytest.fixture
def updates(database: Database, clock: StandingClock) -> UpdateStore:
    return UpdateStore(database, max_age_s=100.0, clock=clock)


def some(*numbers: int) -> list[Update]:
    return [Update(number, f"content {number}") for number in numbers]


async def numbers_left(updates: UpdateStore) -> list[int]:
    return [left.update.number for left in await updates.take_over(ME)]


async def test_new_updates_are_new_once(updates: UpdateStore) -> None:
    assert await updates.take_in(ME, some(5, 6)) == (5, 6)
    assert await updates.take_in(ME, some(6, 7)) == (7,)
    assert await updates.take_in(OTHER, some(6)) == (6,)


async def test_unfinished_is_taken_over_with_its_content(
    updates: UpdateStore, clock: StandingClock
) -> None:
    await updates.take_in(ME, some(5, 6))
    await updates.take_in(OTHER, some(7))
    await updates.finish(ME, [5])
    (left,) = await updates.take_over(ME)
    assert left == LeftUpdate(Update(6, "content 6"), clock.now_s, num_tries=2)
    (again,) = await updates.take_over(ME)
    assert again.num_tries == 3


async def test_left_updates_come_in_the_order_of_coming(
    updates: UpdateStore, clock: StandingClock
) -> None:
    await updates.take_in(ME, some(90, 91))
    clock.now_s += 1
    await updates.take_in(ME, some(12))  # numbers begin anew after a quiet week
    assert await numbers_left(updates) == [90, 91, 12]


async def test_finished_update_is_still_known(updates: UpdateStore) -> None:
    await updates.take_in(ME, some(5))
    await updates.finish(ME, [5])
    assert await updates.take_in(ME, some(5)) == ()
    assert await numbers_left(updates) == []


async def test_finished_content_is_nowhere_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "darkroom.db"
    async with open_database(path) as database:
        updates = UpdateStore(database)
        await updates.take_in(ME, [Update(5, "my secret question " * 1000)])
        await updates.finish(ME, [5])
    assert b"my secret question" not in path.read_bytes()


async def test_problem_of_an_update_is_kept(updates: UpdateStore) -> None:
    await updates.take_in(ME, some(5, 6))
    await updates.finish(ME, [5], problem="KeyError")
    assert await updates.problems(ME) == {5: "KeyError"}
    assert await numbers_left(updates) == [6]


async def test_old_updates_are_forgotten(updates: UpdateStore, clock: StandingClock) -> None:
    await updates.take_in(ME, some(5))
    clock.now_s += 101
    await updates.take_in(ME, some(6))
    assert await numbers_left(updates) == [6]
    assert await updates.take_in(ME, some(5)) == (5,)


async def test_all_or_none_are_written(updates: UpdateStore, database: Database) -> None:
    await database.write(
        "CREATE TRIGGER full BEFORE INSERT ON updates WHEN new.number = 6 "
        "BEGIN SELECT nonsense(); END"
    )
    with pytest.raises(DatabaseNotUsable):
        await updates.take_in(ME, some(5, 6))
    await database.write("DROP TRIGGER full")
    assert await updates.take_in(ME, some(5, 6)) == (5, 6)
