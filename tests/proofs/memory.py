"""`python -m tests.proofs.memory MODEL [NUM]`: memory after 30 and after NUM mixed requests.

Not a test: what a process holds depends on its machine. Ends with 1 if it grew by over 5 %.
"""

import asyncio
import random
import sys
from pathlib import Path

from engine.backends import create_engine
from engine.base import Engine
from engine.chat import Image, Message, SamplingParams
from engine.config import EngineConfig
from tests.engine.local.tiny import noise

FIRST = 30
NUM_CHATS = 12
MOST_GROWTH = 0.05
STATUS = Path("/proc/self/status")
# For the last request to be put away.
REST_S = 1.0


def held_mib() -> float:
    """What this process holds now."""
    lines = STATUS.read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:"))


async def ask(engine: Engine, number: int) -> None:
    """A new photo or a text, of a size and in a chat that chance gives."""
    chance = random.Random(number)
    side = chance.choice((96, 224, 448, 640))
    photos = (Image(noise(side, side * 3 // 4, number)),) if chance.random() < 0.5 else ()
    text = "What is this? " * chance.randint(1, 20)
    params = SamplingParams(max_tokens=chance.choice((8, 32)), seed=number)
    session = f"chat{chance.randrange(NUM_CHATS)}/one"
    async for _ in engine.generate([Message("user", text, photos)], params, session):
        pass


async def measure(model: str, num_requests: int) -> float:
    """The growth from the first requests to the last."""
    config = EngineConfig(model=model, kv_cache_gib=0.25, feature_cache_gib=0.05)
    async with create_engine(config) as engine:
        held = []
        for start, end in ((0, FIRST), (FIRST, num_requests)):
            for number in range(start, end):
                await ask(engine, number)
            await asyncio.sleep(REST_S)
            held.append(held_mib())
            print(f"after {end} requests: {held[-1]:.0f} MiB", flush=True)
    return held[1] / held[0] - 1


def main() -> int:
    """0 if the memory stays."""
    model = sys.argv[1] if len(sys.argv) > 1 else "reader"
    num_requests = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    growth = asyncio.run(measure(model, num_requests))
    print(f"growth: {growth:.1%}")
    return int(growth > MOST_GROWTH)


if __name__ == "__main__":
    sys.exit(main())
