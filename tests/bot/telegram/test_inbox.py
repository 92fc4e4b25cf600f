"""What came in is handled once, whatever happens, and struck out afterwards."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from telegram import Bot, Update

from bot.telegram.flight import InFlight
from bot.telegram.inbox import Inbox
from storage import Database, DatabaseNotUsable, UpdateStore, open_database
from tests.bot.conftest import Hall
from tests.bot.telegram.messages import message_json
from tests.bot.telegram.offline import ME

POISON = {"update_id": 6, "message": {"message_id": 1, "text": "a secret"}}


def incoming(number: int, text: str = "hello") -> dict[str, Any]:
    return {"update_id": number, "message": message_json(number, text=text)}


class Desk:
    """An inbox whose updates are handled when `gate` is open."""

    def __init__(self, store: UpdateStore, bot: Bot) -> None:
        self.in_flight = InFlight()
        self.inbox = Inbox(store, bot, self.in_flight)
        self.gate = asyncio.Event()
        self.gate.set()
        self.begun: list[int] = []

    async def handle(self, update: Update) -> None:
        self.begun.append(update.update_id)
        await self.gate.wait()

    async def take_in(self, *updates: object) -> None:
        await self.inbox.take_in(updates, self.handle)

    async def left(self) -> list[int]:
        return [left.update.number for left in await self.inbox.left()]


@pytest.fixture
async def desk(hall: Hall, bot: Bot) -> AsyncIterator[Desk]:
    desk = Desk(hall.updates, bot)
    yield desk
    await desk.in_flight.land(0.0)


async def test_update_is_there_until_it_is_handled(desk: Desk) -> None:
    desk.gate.clear()
    await desk.take_in(incoming(5))
    assert await desk.left() == [5]
    desk.gate.set()
    await desk.in_flight.rest(20.0)
    assert await desk.left() == []


async def test_update_that_comes_twice_is_handled_once(desk: Desk) -> None:
    await desk.take_in(incoming(5), incoming(5))
    await desk.take_in(incoming(5), incoming(6))
    await desk.in_flight.rest(20.0)
    await desk.take_in(incoming(5))
    assert desk.begun == [5, 6]


async def test_duplicate_is_known_to_the_next_process(desk: Desk, hall: Hall, bot: Bot) -> None:
    await desk.take_in(incoming(5))
    await desk.in_flight.rest(20.0)
    later = Desk(hall.updates, bot)
    await later.take_in(incoming(5), incoming(6))
    await later.in_flight.rest(20.0)
    assert later.begun == [6]


async def test_another_bot_has_its_own_numbers(desk: Desk) -> None:
    assert desk.inbox.source == f"telegram:{ME['id']}"


@pytest.mark.parametrize(
    "content",
    [
        POISON,
        {"update_id": 6, "message": {**message_json(1), "date": "yesterday"}},
        {"update_id": 6, "message": {**message_json(1), "date": 10**30}},
        {"update_id": 6, "message": [1]},
        {"update_id": 6, "callback_query": {"id": "1"}},
    ],
    ids=["lacking", "no-date", "far-date", "list", "press"],
)
async def test_update_that_cannot_be_read_is_set_aside(
    desk: Desk, hall: Hall, content: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    await desk.take_in(incoming(5), content, incoming(7))
    await desk.in_flight.rest(20.0)
    assert desk.begun == [5, 7]
    assert list(await hall.updates.problems(desk.inbox.source)) == [6]
    assert await desk.left() == []
    (line,) = caplog.messages
    assert line.startswith("Update 6 cannot be read")
    assert "secret" not in caplog.text


async def test_what_has_no_number_is_passed_over(desk: Desk) -> None:
    await desk.take_in({"message": message_json(1)}, "what", None, incoming(7))
    await desk.in_flight.rest(20.0)
    assert desk.begun == [7]


async def test_work_that_is_cancelled_is_not_struck_out(desk: Desk) -> None:
    desk.gate.clear()
    await desk.take_in(incoming(5))
    await desk.in_flight.land(0.0)
    assert await desk.left() == [5]


async def test_closed_inbox_strikes_out_nothing(desk: Desk) -> None:
    desk.gate.clear()
    await desk.take_in(incoming(5))
    desk.inbox.close()
    desk.gate.set()
    await desk.in_flight.rest(20.0)
    assert await desk.left() == [5]


async def test_locked_database_takes_nothing_in(desk: Desk, hall: Hall, tmp_path: Path) -> None:
    async with open_database(tmp_path / "darkroom.db") as other:
        await hall.database.read("PRAGMA busy_timeout = 0")
        async with other.transaction():
            with pytest.raises(DatabaseNotUsable):
                await desk.take_in(incoming(5))
    assert (desk.begun, await desk.left()) == ([], [])
    await desk.take_in(incoming(5))
    await desk.in_flight.rest(20.0)
    assert desk.begun == [5]


async def test_update_is_struck_out_when_the_disk_has_room_again(
    desk: Desk, hall: Hall, tmp_path: Path
) -> None:
    async with open_database(tmp_path / "darkroom.db") as other:
        desk.gate.clear()
        await desk.take_in(incoming(5))
        await full(other)
        desk.gate.set()
        await desk.in_flight.rest(20.0)
        assert await desk.left() == [5]
        await other.write("DROP TRIGGER full")
    await desk.take_in(incoming(6))
    await desk.in_flight.rest(20.0)
    assert await desk.left() == []


async def full(database: Database) -> None:
    await database.write(
        "CREATE TRIGGER full BEFORE UPDATE OF content ON updates BEGIN SELECT nonsense(); END"
    )
