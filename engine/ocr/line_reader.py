"""RapidLineReader: asyncio on this side, the networks in a thread of their own on the other."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self

from engine.base import LineReader
from engine.chat import Line
from engine.cores import granted_cores
from engine.errors import EngineStopped, OutOfMemory
from engine.intake import original
from engine.ocr.networks import Networks
from engine.ocr.page import read_page


class RapidLineReader(LineReader):
    """Reads one picture at a time; the others wait in the order in which they came."""

    def __init__(self, num_threads: int) -> None:
        self._num_threads = num_threads or granted_cores()
        self._thread: ThreadPoolExecutor | None = None
        self._networks: Networks | None = None

    async def __aenter__(self) -> Self:
        thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="line-reader")
        try:
            loop = asyncio.get_running_loop()
            self._networks = await loop.run_in_executor(thread, _loaded, self._num_threads)
        except BaseException:
            thread.shutdown(wait=False)
            raise
        self._thread = thread
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        thread, self._thread = self._thread, None
        if thread is not None:
            await asyncio.to_thread(thread.shutdown, wait=True)
        self._networks = None

    async def read(self, data: bytes) -> list[Line]:
        """The lines in reading order, corners in pixels of the upright original."""
        if self._thread is None or self._networks is None:
            raise EngineStopped("the line reader is not open")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, _read, data, self._networks)


def _loaded(num_threads: int) -> Networks:
    networks = Networks(num_threads)
    networks.warm_up()
    return networks


def _read(data: bytes, networks: Networks) -> list[Line]:
    try:
        return read_page(original(data), networks)
    except MemoryError as error:
        raise OutOfMemory("reading a picture") from error
