"""Faults and power cuts without end: python -m tests.proofs.chaos.

Twenty people ask five hundred questions, each with a mark of its own, while calls go wrong in every
way that the simulator knows and the bot's process is killed again and again. Every question must
end in one answer; an error with a retry is retried, as a person would.
"""

import argparse
import asyncio
import random
import re
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from bot.simulator import Place, Simulator
from bot.simulator.faults import Fault, FaultKind
from bot.simulator.records import Message
from tests.bot.town import labels
from tests.proofs.people import FIRST_PERSON, LOOK_S, NOTE, People, Worker, until

PATIENCE_S = 120.0
RETRY_PAUSE_S = 1.0
MOST_PLANTED = 3
FAULT_PAUSE_S, LIFE_S = (0.2, 1.5), (4.0, 15.0)
# Past the patience of the bot's client in this proof, and short of everybody else's.
DELAY_S, CLIENT_TIMEOUT_S = 4.0, 3.0
# The message is there, and the bot is not told.
LATE_FAULTS = (FaultKind.DELAY_AFTER, FaultKind.RESET_AFTER, FaultKind.TRUNCATED)
METHODS = ("*", "send*", "edit*", "getFile", "getUpdates", "answerCallbackQuery", "sendMessage")


@dataclass
class Tally:
    """What was asked and what came of it."""

    num_asked: int = 0
    num_retries: int = 0
    num_kills: int = 0
    num_ended_alone: int = 0
    lost: list[str] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    unsure: set[str] = field(default_factory=set)

    def twice(self, *, unsure: bool) -> list[str]:
        """Marks with more than one answer, by whether nobody could know that one had been sent."""
        return [
            mark
            for mark, number in self.answers.items()
            if number > 1 and (mark.partition("-")[0] in self.unsure) is unsure
        ]


class Storm:
    """People who ask, faults that are planted, a process that is killed."""

    def __init__(self, simulator: Simulator, worker: Worker, seed: str) -> None:
        self._simulator = simulator
        self._people = People(simulator)
        self._worker = worker
        self._seed = seed
        self._over = asyncio.Event()
        self.tally = Tally()

    async def last(self, num_people: int, num_each: int) -> None:
        """Until everybody has an answer to everything, or has lost patience."""
        async with asyncio.TaskGroup() as others:
            others.create_task(self._plant())
            others.create_task(self._kill())
            await asyncio.gather(*(self._live(one, num_each) for one in range(num_people)))
            self._over.set()
        self._simulator.scene.faults.clear()
        self._simulator.scene.clock.release()
        for number in range(num_people):
            self._count(self._people.place_of(number))

    async def _live(self, number: int, num_each: int) -> None:
        place, crowd = self._people.settle(number), self._simulator.scene.crowd
        for turn in range(num_each):
            mark = f"<{number}-{turn}>"
            self.tally.num_asked += 1
            if turn % 4 == 0:
                question = await crowd.show_photo(place, NOTE, f"What is this {mark}?")
            else:
                question = crowd.say(place, f"And this {mark}?")
            if not await self._ended(place, question, mark):
                self.tally.lost.append(mark)

    async def _ended(self, place: Place, question: Message, mark: str) -> bool:
        """Whether the question was answered; whoever is told to try again does."""
        ends_at = time.monotonic() + PATIENCE_S
        while time.monotonic() < ends_at:
            await asyncio.sleep(LOOK_S)
            said = self._said_after(place, question)
            if any(mark in one.text and "Regenerate" in labels(one) for one in said):
                return True
            if said and self._people.press(place, said[-1], "Try again"):
                self.tally.num_retries += 1
                await asyncio.sleep(RETRY_PAUSE_S)
        return False

    def _said_after(self, place: Place, question: Message) -> list[Message]:
        said = self._people.from_bot(place)
        return [one for one in said if one.message_id > question.message_id]

    def _count(self, place: Place) -> None:
        for message in self._people.from_bot(place):
            if found := re.search(r"<\d+-\d+>", message.text):
                self.tally.answers[found.group()] += 1

    async def _plant(self) -> None:
        rng = random.Random(f"{self._seed} faults")
        while not self._over.is_set():
            await asyncio.sleep(rng.uniform(*FAULT_PAUSE_S))
            # More at once would only keep the bot from starting.
            if len(planted := self._simulator.scene.faults.planted) >= MOST_PLANTED:
                self._simulator.scene.faults.clear(planted[0].number)
            kind = rng.choice([*FaultKind])
            self.tally.faults[kind] += 1
            if kind is FaultKind.POISON_UPDATE:
                self._simulator.scene.updates.add("message", {"text": "?"})
                continue
            self._simulator.scene.faults.plant(
                Fault(
                    kind,
                    rng.choice(METHODS),
                    count=rng.randint(1, 3),
                    retry_after_s=rng.randint(1, 3),
                    delay_s=DELAY_S,
                    status=rng.choice((500, 502)),
                )
            )

    async def _kill(self) -> None:
        """Kill it at random points; what ended by itself is started again, as a supervisor does."""
        rng, since = random.Random(f"{self._seed} kills"), 0
        while not self._over.is_set():
            ended_alone = await until(lambda: self._worker.has_ended, rng.uniform(*LIFE_S))
            self.tally.num_ended_alone += ended_alone
            self.tally.num_kills += not ended_alone
            await self._worker.kill()
            self._note_unsure(since)
            since = self._simulator.calls.newest
            await self._worker.start()

    def _note_unsure(self, since: int) -> None:
        """In these chats a message was sent, its answer got lost, and then so did the process."""
        for call in self._simulator.calls.all():
            if call.number > since and call.method == "sendMessage" and call.fault in LATE_FAULTS:
                self.tally.unsure.add(f"<{int(call.chat_id) - FIRST_PERSON}")


async def run(num_people: int, num_each: int, seed: str) -> int:
    """The proof; 0 if nothing was lost and nothing answered twice."""
    with tempfile.TemporaryDirectory() as folder:
        async with Simulator(demo=False) as simulator:
            timeout = str(CLIENT_TIMEOUT_S)
            worker = Worker(simulator, Path(folder), "--timeout", timeout, "--waiting", "100")
            await worker.start()
            storm, since = Storm(simulator, worker, seed), time.monotonic()
            try:
                await storm.last(num_people, num_each)
            finally:
                await worker.stop()
    return report(storm.tally, time.monotonic() - since)


def report(tally: Tally, wall_s: float) -> int:
    """Print what was seen."""
    twice, unsure = tally.twice(unsure=False), tally.twice(unsure=True)
    kinds = ", ".join(f"{kind} {number}" for kind, number in sorted(tally.faults.items()))
    print(f"requests {tally.num_asked}, answers {len(tally.answers)}, {wall_s:.0f} s")
    print(f"kills {tally.num_kills}, ends by itself {tally.num_ended_alone}")
    print(f"retries that people were offered and took {tally.num_retries}")
    print(f"faults: {kinds}")
    print(f"lost {len(tally.lost)} {tally.lost[:10]}")
    print(f"answered twice {len(twice)} {twice[:10]}")
    print(f"answered twice after a lost reply and a kill {len(unsure)} {unsure[:10]}")
    return int(bool(tally.lost or twice) or len(unsure) > tally.num_asked // 200)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.chaos")
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--each", type=int, default=25, help="questions of each person")
    parser.add_argument("--seed", default="1")
    asked = parser.parse_args()
    return asyncio.run(run(asked.people, asked.each, asked.seed))


if __name__ == "__main__":
    sys.exit(main())
