"""Two hundred people at once: python -m tests.proofs.load.

Everybody sends a photo with a question and asks on; meanwhile others send commands. Says whether
everybody was answered, each with their own question, and how long the commands took.
"""

import argparse
import asyncio
import json
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from bot.simulator import SAMPLES, Place, Simulator
from bot.simulator.records import Chat, Message, Person
from tests.bot.town import labels

FIRST_PERSON = 600_000_001
NOTE = (SAMPLES / "note.png").read_bytes()
REFUSED_PAUSE_S, LOOK_S = 0.5, 0.02
COMMAND_LIMIT_S, LATE_LIMIT_S = 1.0, 0.1
MIB = 1024**2
NUM_COMMANDING = 10


@dataclass
class Crowd:
    """What the people saw."""

    simulator: Simulator
    num_answers: int = 0
    num_refusals: int = 0
    mixed_up: list[str] = field(default_factory=list)
    command_s: list[float] = field(default_factory=list)

    def settle(self, number: int) -> Place:
        """A new person with a private chat."""
        person = Person(FIRST_PERSON + number, f"Person {number}")
        self.simulator.scene.world.put(person)
        self.simulator.scene.world.put(Chat(person.person_id, "private"))
        return Place(person.person_id, person.person_id)

    def from_bot(self, place: Place) -> list[Message]:
        world = self.simulator.scene.world
        return [one for one in world.history(place.chat_id) if one.sender_id != place.person_id]

    async def ended(self, place: Place, number: int) -> Message:
        """The bot's message of this number at its end; what was refused is retried."""
        while True:
            await asyncio.sleep(LOOK_S)
            said = self.from_bot(place)[number:]
            if said and self._press(place, said[0], "Try again"):
                self.num_refusals += 1
                await asyncio.sleep(REFUSED_PAUSE_S)
            elif said and "Regenerate" in labels(said[0]):
                return said[0]

    def _press(self, place: Place, message: Message, label: str) -> bool:
        """Press the button of this name; False if there is none."""
        buttons = [button for row in message.keyboard for button in row if button.text == label]
        for button in buttons:
            self.simulator.scene.gestures.press(
                place.person_id, place.chat_id, message.message_id, button.callback_data
            )
        return bool(buttons)

    async def ask_twice(self, number: int) -> None:
        """A photo with a question, then one more question."""
        place, crowd = self.settle(number), self.simulator.scene.crowd
        await crowd.show_photo(place, NOTE, f"Question {number}?")
        self._check(await self.ended(place, 0), f"1 shown, 1 said: Question {number}?")
        crowd.say(place, f"And {number}?")
        self._check(await self.ended(place, 1), f"1 shown, 3 said: And {number}?")

    def _check(self, answer: Message, start: str) -> None:
        self.num_answers += 1
        if not answer.text.startswith(start):
            self.mixed_up.append(f"{start!r} was answered by {answer.text[:60]!r}")

    async def command(self, place: Place) -> None:
        """One command, and how long its answer took."""
        before, since = len(self.from_bot(place)), time.monotonic()
        self.simulator.scene.crowd.say(place, "/help")
        await until(lambda: len(self.from_bot(place)) > before)
        self.command_s.append(time.monotonic() - since)

    async def command_on(self, number: int, over: asyncio.Event) -> None:
        """Commands, one after the other, until everything is over."""
        place = self.settle(number)
        while not over.is_set():
            await self.command(place)
            await asyncio.sleep(0.5)


async def until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110 - the other side is a process
        await asyncio.sleep(LOOK_S)


async def visit(crowd: Crowd, num_people: int) -> float:
    """Let everybody ask while others send commands; how long it took, in seconds."""
    over, since = asyncio.Event(), time.monotonic()
    async with asyncio.TaskGroup() as others:
        for number in range(NUM_COMMANDING):
            others.create_task(crowd.command_on(num_people + number, over))
        await asyncio.gather(*(crowd.ask_twice(number) for number in range(num_people)))
        over.set()
    return time.monotonic() - since


async def run(num_people: int, waiting: int) -> int:
    """The proof; 0 if everybody was answered."""
    with tempfile.TemporaryDirectory() as folder:
        async with Simulator(demo=False) as simulator:
            crowd = Crowd(simulator)
            worker = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tests.proofs.worker", simulator.api_url, folder,
                "--waiting", str(waiting), stdout=asyncio.subprocess.PIPE,
                cwd=Path(__file__).parents[2],
            )  # fmt: skip
            await until(lambda: any(c.method == "setMyCommands" for c in simulator.calls.all()))
            try:
                wall_s = await visit(crowd, num_people)
            finally:
                worker.send_signal(signal.SIGTERM)
                told, _ = await worker.communicate()
    return report(crowd, num_people, wall_s, json.loads(told))


def report(crowd: Crowd, num_people: int, wall_s: float, worker: dict[str, float]) -> int:
    """Print what was seen."""
    print(f"people {num_people}, answers {crowd.num_answers} of {2 * num_people}, {wall_s:.1f} s")
    print(f"refused once and answered after a retry {crowd.num_refusals}")
    print(f"answers to somebody else's question {len(crowd.mixed_up)}")
    slowest = max(crowd.command_s)
    print(f"commands {len(crowd.command_s)}, slowest {slowest:.2f} s (asked {COMMAND_LIMIT_S} s)")
    late_ms, limit_ms = worker["latest_s"] * 1000, LATE_LIMIT_S * 1000
    print(f"event loop late at most {late_ms:.0f} ms (asked {limit_ms:.0f} ms)")
    print(f"peak memory {worker['peak_bytes'] / MIB:.0f} MiB")
    for line in crowd.mixed_up[:5]:
        print(line)
    return int(bool(crowd.mixed_up) or crowd.num_answers < 2 * num_people)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.load")
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--waiting", type=int, default=100, help="questions that may wait")
    asked = parser.parse_args()
    return asyncio.run(run(asked.people, asked.waiting))


if __name__ == "__main__":
    sys.exit(main())
