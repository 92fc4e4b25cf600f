"""The bot with a scripted engine, a process of its own: python -m tests.proofs.worker URL FOLDER.

Ends at SIGTERM, and then says in one line of JSON how long its event loop was held up and how much
memory it took.
"""

import argparse
import asyncio
import json
import resource
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path

from telegram.request import HTTPXRequest

from bot.access import AccessPolicy
from bot.assistant import Assistant
from bot.simulator.tokens import SIMULATOR_TOKEN
from bot.telegram import TelegramConfig, TelegramPlatform
from engine import Delta, Message, SamplingParams
from storage import History, PhotoStore, UpdateStore, open_database
from tests.fakes import ScriptedEngine, ScriptedLineReader

TICK_S = 0.01
TEXT_WAIT_S = 0.2


class PacedEngine(ScriptedEngine):
    """Thinks before it speaks, so that people have to wait for each other."""

    def __init__(self, thinking_s: float, max_waiting: int) -> None:
        super().__init__(max_waiting=max_waiting)
        self._thinking_s = thinking_s

    async def _answer(
        self, messages: Sequence[Message], params: SamplingParams, prompt_ids: tuple[int, ...]
    ) -> AsyncIterator[Delta]:
        await asyncio.sleep(self._thinking_s)
        async for delta in super()._answer(messages, params, prompt_ids):
            yield delta


class Pulse:
    """Beats in the event loop, and knows by how much it was late at most."""

    def __init__(self) -> None:
        self.latest_s = 0.0

    async def beat(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            before = loop.time()
            await asyncio.sleep(TICK_S)
            self.latest_s = max(self.latest_s, loop.time() - before - TICK_S)


async def serve(asked: argparse.Namespace) -> Pulse:
    """Answer until SIGTERM."""
    config = TelegramConfig(SIMULATOR_TOKEN, asked.url, TEXT_WAIT_S)
    calling = HTTPXRequest(read_timeout=asked.timeout, httpx_kwargs={"trust_env": False})
    platform, pulse = TelegramPlatform(config, calling=calling), Pulse()
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(open_database(asked.folder / "darkroom.db"))
        engine = await stack.enter_async_context(PacedEngine(asked.thinking, asked.waiting))
        assistant = await stack.enter_async_context(
            Assistant(
                engine,
                ScriptedLineReader(),
                History(database),
                PhotoStore(database, asked.folder / "photos"),
                fetch_photo=platform.fetch_photo,
            )
        )
        beating = asyncio.create_task(pulse.beat())
        try:
            await platform.serve(assistant, AccessPolicy(open_to_all=True), UpdateStore(database))
        finally:
            beating.cancel()
            with suppress(asyncio.CancelledError):
                await beating
    return pulse


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.worker")
    parser.add_argument("url")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--thinking", type=float, default=0.02, help="seconds for each answer")
    parser.add_argument("--waiting", type=int, default=100, help="questions that may wait")
    parser.add_argument("--timeout", type=float, default=30.0, help="seconds for a call")
    pulse = asyncio.run(serve(parser.parse_args()))
    peak_bytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"latest_s": pulse.latest_s, "peak_bytes": peak_bytes}), flush=True)


if __name__ == "__main__":
    main()
