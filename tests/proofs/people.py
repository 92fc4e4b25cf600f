"""People in the simulator, and the process that answers them. Knows no proof."""

import asyncio
import math
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from bot.simulator import SAMPLES, Place, Simulator
from bot.simulator.records import Chat, Message, Person

FIRST_PERSON = 600_000_001
NOTE = (SAMPLES / "note.png").read_bytes()
ROOT = Path(__file__).parents[2]
LOOK_S = 0.02


async def until(condition: Callable[[], bool], most_s: float = math.inf) -> bool:
    """Wait for something to become true; False if the time was over before."""
    ends_at = time.monotonic() + most_s
    while not condition():
        if time.monotonic() > ends_at:
            return False
        await asyncio.sleep(LOOK_S)
    return True


class People:
    """Those who write to the bot, and what they see of it."""

    def __init__(self, simulator: Simulator) -> None:
        self.simulator = simulator

    def settle(self, number: int) -> Place:
        """A new person with a private chat."""
        person = Person(FIRST_PERSON + number, f"Person {number}")
        self.simulator.scene.world.put(person)
        self.simulator.scene.world.put(Chat(person.person_id, "private"))
        return self.place_of(number)

    @staticmethod
    def place_of(number: int) -> Place:
        """Where this person writes."""
        return Place(FIRST_PERSON + number, FIRST_PERSON + number)

    def from_bot(self, place: Place) -> list[Message]:
        world = self.simulator.scene.world
        return [one for one in world.history(place.chat_id) if one.sender_id != place.person_id]

    def press(self, place: Place, message: Message, label: str) -> bool:
        """Press the button of this name; False if there is none."""
        buttons = [button for row in message.keyboard for button in row if button.text == label]
        for button in buttons:
            self.simulator.scene.gestures.press(
                place.person_id, place.chat_id, message.message_id, button.callback_data
            )
        return bool(buttons)


class Worker:
    """The bot in its process, started as often as it ends."""

    def __init__(self, simulator: Simulator, folder: Path, *options: str) -> None:
        self._simulator = simulator
        self._arguments = ("-m", "tests.proofs.worker", simulator.api_url, str(folder), *options)

    async def start(self) -> None:
        """Back when it fetches updates."""
        seen = self._simulator.calls.newest
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, *self._arguments, stdout=asyncio.subprocess.PIPE, cwd=ROOT
        )
        await until(lambda: self.has_ended or self._polls_since(seen))

    def _polls_since(self, number: int) -> bool:
        calls = self._simulator.calls.all()
        return any(call.method == "getUpdates" for call in calls if call.number > number)

    @property
    def has_ended(self) -> bool:
        return self._process.returncode is not None

    async def kill(self) -> None:
        """As a power cut would."""
        if not self.has_ended:
            self._process.send_signal(signal.SIGKILL)
        await self._process.wait()

    async def stop(self) -> bytes:
        """As an owner would; what it says at its end."""
        if not self.has_ended:
            self._process.send_signal(signal.SIGTERM)
        told, _ = await self._process.communicate()
        return told
