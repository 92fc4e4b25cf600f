"""What belongs together becomes one question, at the latest after some seconds."""

import asyncio
from typing import Any

import pytest
from telegram import Message

from bot.telegram.gathering import Gathering
from tests.bot.telegram.clockwork import HandClock, settle
from tests.bot.telegram.messages import message_of, person, photo_json


class Table:
    """Puts messages in and collects the sets that come out."""

    def __init__(self, clock: HandClock, text_wait_s: float = 2.5) -> None:
        self.gathering = Gathering(clock, text_wait_s)
        self.sets: list[tuple[float, list[int]]] = []
        self.clock = clock
        self.tasks: list[asyncio.Task[None]] = []

    async def put(self, message: Message) -> None:
        gathered = self.gathering.add(message)
        if gathered is not None:

            async def collect() -> None:
                messages = await self.gathering.finish(gathered)
                self.sets.append((self.clock.time(), [one.message_id for one in messages]))

            self.tasks.append(asyncio.create_task(collect()))
        await settle()


def item(message_id: int, album: str = "a", **fields: Any) -> Message:
    return message_of(message_id, photo=photo_json("p"), media_group_id=album, **fields)


@pytest.fixture
def table(clock: HandClock) -> Table:
    return Table(clock)


async def test_album_is_one_set_after_a_quiet_while(table: Table) -> None:
    for message_id in (3, 1, 2):
        await table.put(item(message_id))
        await table.clock.advance(1.0)
    assert not table.sets
    await table.clock.advance(0.3)
    assert table.sets == [(3.2, [1, 2, 3])]


async def test_album_waits_no_longer_than_its_cap(table: Table) -> None:
    for message_id in range(1, 9):
        await table.put(item(message_id))
        await table.clock.advance(1.0)
    assert table.sets[0] == (6.0, [1, 2, 3, 4, 5, 6])


async def test_full_album_does_not_wait(table: Table) -> None:
    for message_id in range(1, 11):
        await table.put(item(message_id))
    await table.clock.advance(0.0)
    assert table.sets == [(0.0, list(range(1, 11)))]


async def test_two_albums_stay_apart(table: Table) -> None:
    await table.put(item(1, "a"))
    await table.put(item(2, "b"))
    await table.clock.advance(1.2)
    assert [ids for _, ids in table.sets] == [[1], [2]]


@pytest.mark.parametrize(
    "fields",
    [
        {"photo": photo_json("p"), "caption": "what?"},
        {"text": "what?"},
        {"photo": photo_json("p"), "chat_id": -100},
    ],
    ids=["captioned", "text", "group"],
)
async def test_what_needs_no_question_does_not_wait(
    table: Table, fields: dict[str, object]
) -> None:
    await table.put(message_of(1, **fields))  # type: ignore[arg-type]
    assert table.sets == [(0.0, [1])]


async def test_bare_photo_waits_for_its_question(table: Table) -> None:
    await table.put(message_of(1, photo=photo_json("p")))
    await table.clock.advance(1.0)
    await table.put(message_of(2, text="what is it?"))
    await table.put(message_of(3, text="and where?"))
    assert table.sets == [(1.0, [1, 2]), (1.0, [3])]


async def test_bare_photo_goes_alone_after_the_wait(table: Table) -> None:
    await table.put(message_of(1, photo=photo_json("p")))
    await table.clock.advance(2.4)
    assert not table.sets
    await table.clock.advance(0.2)
    assert table.sets == [(2.5, [1])]


async def test_no_wait_is_a_setting(clock: HandClock) -> None:
    table = Table(clock, text_wait_s=0.0)
    await table.put(message_of(1, photo=photo_json("p")))
    assert table.sets == [(0.0, [1])]


async def test_second_photo_lets_the_first_go(table: Table) -> None:
    await table.put(message_of(1, photo=photo_json("p")))
    await table.put(message_of(2, photo=photo_json("q")))
    await table.put(message_of(3, text="what is it?"))
    assert table.sets == [(0.0, [1]), (0.0, [2, 3])]


async def test_command_and_reply_and_others_do_not_join(table: Table) -> None:
    await table.put(message_of(1, photo=photo_json("p")))
    await table.put(message_of(2, text="/help"))
    reply_to = message_of(9, text="old").to_dict()
    await table.put(message_of(3, text="this one", reply_to_message=reply_to))
    await table.put(message_of(4, 8, text="somebody else", **{"from": person(8)}))
    await table.clock.advance(2.5)
    assert [ids for _, ids in table.sets] == [[2], [3], [4], [1]]


async def test_text_joins_an_album_without_words(table: Table) -> None:
    await table.put(item(1))
    await table.put(item(2))
    await table.put(message_of(3, text="which is older?"))
    assert table.sets == [(0.0, [1, 2, 3])]


async def test_text_after_a_captioned_album_is_its_own(table: Table) -> None:
    await table.put(item(1, caption="compare"))
    await table.put(message_of(2, text="thanks"))
    await table.clock.advance(1.2)
    assert [ids for _, ids in table.sets] == [[2], [1]]
