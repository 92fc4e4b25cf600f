"""A small HTTP server for this machine only: what a supervisor, Prometheus and a proxy ask of us.

Knows nothing of what it serves. One request is one connection, bounded in size and in time.
"""

import asyncio
import contextlib
import errno
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from types import TracebackType
from typing import Self

HOST = "127.0.0.1"
MAX_HEAD_BYTES = 16 * 1024
MAX_BODY_BYTES = 1024 * 1024
LIMIT_S = 20.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request; the names of headers are in small letters."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Said:
    """What is answered."""

    status: HTTPStatus = HTTPStatus.OK
    body: bytes = b""
    kind: str = "text/plain; charset=utf-8"


Route = Callable[[Asked], Awaitable[Said]]


class PortTaken(Exception):
    """Another program listens at a port of ours."""

    def __init__(self, port: int) -> None:
        super().__init__(str(port))
        self.port = port


class _Refused(Exception):
    """A request that is not even looked at."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status.phrase)
        self.status = status


class Loopback:
    """Listens while the context lasts; `routes` are by method and path."""

    def __init__(self, port: int, routes: Mapping[tuple[str, str], Route]) -> None:
        self._port = port
        self._routes = dict(routes)

    @property
    def port(self) -> int:
        """Where it listens; known once it does, if any free port was asked for."""
        return self._port

    async def __aenter__(self) -> Self:
        """Begin to listen; raises PortTaken."""
        try:
            self._server = await asyncio.start_server(
                self._serve, HOST, self._port, limit=MAX_HEAD_BYTES
            )
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            raise PortTaken(self._port) from None
        self._port = int(self._server.sockets[0].getsockname()[1])
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, TimeoutError, asyncio.IncompleteReadError):
            try:
                async with asyncio.timeout(LIMIT_S):
                    said = await self._answer(reader)
                    writer.write(_written(said))
                    await writer.drain()
            finally:
                writer.close()

    async def _answer(self, reader: asyncio.StreamReader) -> Said:
        try:
            asked = await _read(reader)
            route = self._routes.get((asked.method, asked.path))
            if route is None:
                is_known = any(path == asked.path for _, path in self._routes)
                unknown = HTTPStatus.METHOD_NOT_ALLOWED if is_known else HTTPStatus.NOT_FOUND
                raise _Refused(unknown)
        except _Refused as refused:
            return Said(refused.status, refused.status.phrase.encode())
        return await route(asked)


async def _read(reader: asyncio.StreamReader) -> Asked:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.LimitOverrunError:
        raise _Refused(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE) from None
    first, *lines = head.decode("latin-1").split("\r\n")[:-2]
    match first.split(" "):
        case [method, target, "HTTP/1.0" | "HTTP/1.1"]:
            pass
        case _:
            raise _Refused(HTTPStatus.BAD_REQUEST)
    pairs = [line.partition(":") for line in lines]
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    body = await reader.readexactly(_length(headers))
    return Asked(method, target.partition("?")[0], headers, body)


def _length(headers: Mapping[str, str]) -> int:
    if "transfer-encoding" in headers:
        raise _Refused(HTTPStatus.LENGTH_REQUIRED)
    told = headers.get("content-length", "0")
    if not (told.isascii() and told.isdigit()):
        raise _Refused(HTTPStatus.BAD_REQUEST)
    if len(told) > len(str(MAX_BODY_BYTES)) or int(told) > MAX_BODY_BYTES:
        raise _Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    return int(told)


def _written(said: Said) -> bytes:
    head = (
        f"HTTP/1.1 {said.status.value} {said.status.phrase}\r\n"
        f"Content-Type: {said.kind}\r\n"
        f"Content-Length: {len(said.body)}\r\n"
        "Connection: close\r\n\r\n"
    )
    return head.encode("latin-1") + said.body
