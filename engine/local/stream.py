"""One request seen from the event loop: handed to the model's thread, read as it is written."""

import asyncio
from collections.abc import AsyncIterator, Callable

from engine.chat import Delta
from engine.errors import EngineError
from engine.local.inference_thread import InferenceThread
from engine.local.sequence import Deliver, Sequence

Item = Delta | EngineError


async def stream(
    thread: InferenceThread, begin: Callable[[Deliver], Sequence]
) -> AsyncIterator[Delta]:
    """The deltas of a request; closing this ends it at the next token."""
    loop = asyncio.get_running_loop()
    arrived: asyncio.Queue[Item] = asyncio.Queue()
    request = begin(lambda item: _cross(loop, arrived, item))
    thread.submit(request)
    try:
        while True:
            item = await arrived.get()
            if isinstance(item, EngineError):
                raise item
            yield item
            if item.finish_reason is not None:
                return
    finally:
        thread.cancel(request)


def _cross(loop: asyncio.AbstractEventLoop, arrived: asyncio.Queue[Item], item: Item) -> None:
    try:
        loop.call_soon_threadsafe(arrived.put_nowait, item)
    except RuntimeError:
        # The loop is closed: nobody is left who could read it.
        return
