"""Two hundred people at once: python -m tests.proofs.load.

Everybody sends a photo with a question and asks on; meanwhile others send commands. Says whether
everybody was answered, each with their own question, and how long the commands took.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from bot.simulator import Place, Simulator
from bot.simulator.records import Message
from tests.bot.town import labels
from tests.proofs.people import LOOK_S, NOTE, People, Worker, until

PAUSE_S = 0.5
NUM_COMMANDING = 10
COMMAND_LIMIT_S, LATE_LIMIT_S = 1.0, 0.1
MIB = 1024**2


@dataclass
class Visit:
    """What the people do, and what they saw."""

    people: People
    num_answers: int = 0
    num_refusals: int = 0
    mixed_up: list[str] = field(default_factory=list)
    command_s: list[float] = field(default_factory=list)

    async def ended(self, place: Place, number: int) -> Message:
        """The bot's message of this number at its end; what was refused is retried."""
        while True:
            await asyncio.sleep(LOOK_S)
            said = self.people.from_bot(place)[number:]
            if said and self.people.press(place, said[0], "Try again"):
                self.num_refusals += 1
                await asyncio.sleep(PAUSE_S)
            elif said and "Regenerate" in labels(said[0]):
                return said[0]

    async def ask_twice(self, number: int) -> None:
        """A photo with a question, then one more question."""
        place, crowd = self.people.settle(number), self.people.simulator.scene.crowd
        await crowd.show_photo(place, NOTE, f"Question {number}?")
        self._check(await self.ended(place, 0), f"1 shown, 1 said: Question {number}?")
        crowd.say(place, f"And {number}?")
        self._check(await self.ended(place, 1), f"1 shown, 3 said: And {number}?")

    def _check(self, answer: Message, start: str) -> None:
        self.num_answers += 1
        if not answer.text.startswith(start):
            self.mixed_up.append(f"{start!r} was answered by {answer.text[:60]!r}")

    async def command_on(self, number: int, over: asyncio.Event) -> None:
        """Commands, one after the other, until everything is over."""
        place = self.people.settle(number)
        while not over.is_set():
            before, since = len(self.people.from_bot(place)), time.monotonic()
            self.people.simulator.scene.crowd.say(place, "/help")
            await until(partial(self._has_more_than, place, before))
            self.command_s.append(time.monotonic() - since)
            await asyncio.sleep(PAUSE_S)

    def _has_more_than(self, place: Place, number: int) -> bool:
        return len(self.people.from_bot(place)) > number

    async def last(self, num_people: int) -> float:
        """Let everybody ask while others send commands; how long it took, in seconds."""
        over, since = asyncio.Event(), time.monotonic()
        async with asyncio.TaskGroup() as others:
            for number in range(NUM_COMMANDING):
                others.create_task(self.command_on(num_people + number, over))
            await asyncio.gather(*(self.ask_twice(number) for number in range(num_people)))
            over.set()
        return time.monotonic() - since


async def run(num_people: int, waiting: int) -> int:
    """The proof; 0 if everybody was answered."""
    with tempfile.TemporaryDirectory() as folder:
        async with Simulator(demo=False) as simulator:
            visit = Visit(People(simulator))
            worker = Worker(simulator, Path(folder), "--waiting", str(waiting))
            await worker.start()
            try:
                wall_s = await visit.last(num_people)
            finally:
                told = await worker.stop()
    return report(visit, num_people, wall_s, json.loads(told))


def report(visit: Visit, num_people: int, wall_s: float, worker: dict[str, float]) -> int:
    """Print what was seen."""
    slowest_s, late_ms = max(visit.command_s), worker["latest_s"] * 1000
    limit_ms = LATE_LIMIT_S * 1000
    print(f"people {num_people}, answers {visit.num_answers} of {2 * num_people}, {wall_s:.1f} s")
    print(f"refused and answered after a retry {visit.num_refusals}")
    print(f"answers to somebody else's question {len(visit.mixed_up)}")
    print(f"commands {len(visit.command_s)}, slowest {slowest_s:.2f} s (asked {COMMAND_LIMIT_S} s)")
    print(f"event loop late at most {late_ms:.0f} ms (asked {limit_ms:.0f} ms)")
    print(f"peak memory {worker['peak_bytes'] / MIB:.0f} MiB")
    for line in visit.mixed_up[:5]:
        print(line)
    return int(bool(visit.mixed_up) or visit.num_answers < 2 * num_people)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.load")
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--waiting", type=int, default=100, help="questions that may wait")
    asked = parser.parse_args()
    return asyncio.run(run(asked.people, asked.waiting))


if __name__ == "__main__":
    sys.exit(main())
