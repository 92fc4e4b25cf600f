"""The small server answers what it knows, refuses the rest, and never hangs on what is odd."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.loopback import MAX_BODY_BYTES, MAX_HEAD_BYTES, Asked, Loopback, PortTaken, Said


async def echo(asked: Asked) -> Said:
    return Said(body=asked.headers.get("x-name", "").encode() + b":" + asked.body)


@pytest.fixture
async def server() -> AsyncIterator[Loopback]:
    async with Loopback(0, {("POST", "/echo"): echo, ("GET", "/echo"): echo}) as server:
        yield server


async def ask(server: Loopback, request: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(request)
    writer.write_eof()
    said = await reader.read()
    writer.close()
    return said


async def status(server: Loopback, request: bytes) -> int:
    return int((await ask(server, request)).split(b" ")[1])


async def test_body_and_headers_arrive(server: Loopback) -> None:
    said = await ask(
        server, b"POST /echo?a=1 HTTP/1.1\r\nX-Name:  Ada \r\ncontent-length: 5\r\n\r\nhello"
    )
    head, _, body = said.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"Content-Length: 9" in head
    assert body == b"Ada:hello"


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (b"GET /other HTTP/1.1\r\n\r\n", 404),
        (b"PUT /echo HTTP/1.1\r\n\r\n", 405),
        (b"nonsense\r\n\r\n", 400),
        (b"GET /echo SPDY/9\r\n\r\n", 400),
        (b"POST /echo HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
        (b"POST /echo HTTP/1.1\r\nContent-Length: many\r\n\r\n", 400),
        (b"POST /echo HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
        (b"POST /echo HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % (MAX_BODY_BYTES + 1), 413),
        (b"POST /echo HTTP/1.1\r\nContent-Length: %s\r\n\r\n" % (b"9" * 5000), 413),
        (b"GET /echo HTTP/1.1\r\nX: " + b"x" * 2 * MAX_HEAD_BYTES + b"\r\n\r\n", 431),
    ],
    ids=["path", "method", "line", "version", "minus", "word", "chunks", "large", "huge", "head"],
)
async def test_odd_request_is_refused(server: Loopback, request_: bytes, expected: int) -> None:
    assert await status(server, request_) == expected
    assert await status(server, b"GET /echo HTTP/1.1\r\n\r\n") == 200


async def test_request_that_breaks_off_is_dropped(server: Loopback) -> None:
    assert await ask(server, b"POST /echo HTTP/1.1\r\nContent-Length: 5\r\n\r\nhe") == b""
    assert await ask(server, b"GET /ec") == b""


async def test_only_this_machine_is_served(server: Loopback) -> None:
    addresses = [one.getsockname()[0] for one in server._server.sockets]
    assert addresses == ["127.0.0.1"]


async def test_taken_port_is_an_error(server: Loopback) -> None:
    with pytest.raises(PortTaken) as caught:
        await Loopback(server.port, {}).__aenter__()
    assert caught.value.port == server.port
