"""A process killed at the worst moments: afterwards everybody has one answer, not two."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.simulator import Place, Simulator
from bot.simulator.faults import Fault, FaultKind
from bot.simulator.records import Message
from bot.texts import ENGLISH
from tests.bot.town import labels
from tests.proofs.people import NOTE, People, Worker, until

PATIENCE_S = 60.0
FOR_EVER = ("--thinking", "1000")

pytestmark = pytest.mark.slow


class Town:
    """One person, and a bot that is killed."""

    def __init__(self, simulator: Simulator, folder: Path) -> None:
        self.simulator = simulator
        self.people = People(simulator)
        self.place: Place = self.people.settle(1)
        self.worker = Worker(simulator, folder)
        self._folder = folder

    async def start(self, *options: str) -> None:
        self.worker = Worker(self.simulator, self._folder, *options)
        await self.worker.start()

    def said(self) -> list[Message]:
        return self.people.from_bot(self.place)

    async def see(self, label: str) -> None:
        """Wait until a message of the bot bears a button."""
        assert await until(lambda: any(label in labels(one) for one in self.said()), PATIENCE_S)

    async def see_placeholders(self, number: int) -> None:
        """Wait until the bot has sent so many messages, and written down that it did."""
        path = self._folder / "darkroom.db"
        with closing(sqlite3.connect(path)) as database:

            def are_known() -> bool:
                noted = database.execute("SELECT count(*) FROM message_links WHERE is_answer")
                return (number, len(self.said())) == (*noted.fetchone(), number)

            assert await until(are_known, PATIENCE_S)

    async def called(self, method: str) -> None:
        assert await until(
            lambda: any(call.method == method for call in self.simulator.calls.all()), PATIENCE_S
        )

    async def come_to_rest(self, *answers: str) -> None:
        """Start again, and find exactly these answers, in whatever order they were begun."""
        await self.start()
        assert await until(lambda: len(self._complete()) == len(answers), PATIENCE_S)
        await self.worker.stop()
        assert sorted(one.text.split(" #")[0] for one in self.said()) == sorted(answers)

    def _complete(self) -> list[Message]:
        return [one for one in self.said() if ENGLISH.button_regenerate in labels(one)]


@pytest.fixture
async def town(tmp_path: Path) -> AsyncIterator[Town]:
    async with Simulator(demo=False) as simulator:
        town = Town(simulator, tmp_path)
        yield town
        await town.worker.kill()


async def test_killed_before_the_photo_came(town: Town) -> None:
    await town.start()
    slow = Fault(FaultKind.SLOW_DOWNLOAD, delay_s=1000.0)
    town.simulator.scene.faults.plant(slow)
    await town.simulator.scene.crowd.show_photo(town.place, NOTE, "What?")
    await town.called("getFile")
    await town.worker.kill()
    town.simulator.scene.faults.clear()
    await town.come_to_rest("1 shown, 1 said: What?")


async def test_killed_while_an_album_was_gathered(town: Town) -> None:
    await town.start()
    items = [(NOTE, "What?"), (NOTE, ""), (NOTE, "")]
    await town.simulator.scene.crowd.show_album(town.place, items)
    await town.called("sendChatAction")
    await town.worker.kill()
    await town.come_to_rest("3 shown, 1 said: What?")


async def test_killed_while_the_model_thought(town: Town) -> None:
    await town.start(*FOR_EVER)
    crowd = town.simulator.scene.crowd
    await crowd.show_photo(town.place, NOTE, "What?")
    crowd.say(town.place, "And why?")
    await town.see_placeholders(2)
    await town.worker.kill()
    await town.come_to_rest("1 shown, 1 said: What?", "1 shown, 3 said: And why?")


async def test_killed_before_a_message_was_noted(town: Town) -> None:
    await town.start(*FOR_EVER)
    await town.simulator.scene.crowd.show_photo(town.place, NOTE, "What?")
    await town.see(ENGLISH.button_stop)
    await town.worker.kill()
    await town.come_to_rest("1 shown, 1 said: What?")


async def test_killed_while_an_answer_was_written_anew(town: Town) -> None:
    await town.start()
    await town.simulator.scene.crowd.show_photo(town.place, NOTE, "What?")
    await town.see(ENGLISH.button_regenerate)
    await town.worker.stop()
    await town.start(*FOR_EVER)
    town.people.press(town.place, town.said()[0], ENGLISH.button_regenerate)
    await town.see_placeholders(2)
    await town.worker.kill()
    await town.come_to_rest("1 shown, 1 said: What?", "1 shown, 1 said: What?")


async def test_ended_in_order_keeps_the_queue(town: Town) -> None:
    await town.start(*FOR_EVER)
    await town.simulator.scene.crowd.show_photo(town.place, NOTE, "What?")
    await town.see_placeholders(1)
    assert await town.worker.stop()
    (waiting,) = town.said()
    assert (waiting.text, labels(waiting)) == (ENGLISH.thinking, [ENGLISH.button_stop])
    await town.come_to_rest("1 shown, 1 said: What?")


async def test_updates_that_come_twice_or_cannot_be_read(town: Town) -> None:
    await town.start()
    twice = Fault(FaultKind.DUPLICATE_UPDATE, count=0)
    town.simulator.scene.faults.plant(twice)
    town.simulator.scene.updates.add("message", {"text": "?"})
    await town.simulator.scene.crowd.show_photo(town.place, NOTE, "What?")
    await town.see(ENGLISH.button_regenerate)
    await town.worker.kill()
    await town.come_to_rest("1 shown, 1 said: What?")
