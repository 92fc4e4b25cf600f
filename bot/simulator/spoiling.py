"""What a fault does to one request: a refusal, a broken connection, an answer that comes late."""

import socket
import struct
from contextlib import suppress

from aiohttp import web

from bot.simulator.clock import Clock
from bot.simulator.faults import Fault, FaultKind
from bot.simulator.refusal import Refusal
from bot.simulator.updates import CONFLICT, WEBHOOK_CONFLICT

_PAGE = (
    "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n"
    "<body><center><h1>502 Bad Gateway</h1></center></body>\r\n</html>\r\n"
)
# Linger on, for no time at all: closing throws away what is unsent and sends a reset.
_AT_ONCE = struct.pack("ii", 1, 0)


class Spoiling:
    """Acts before a call has its effect, or after; what is held back goes by the clock."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    async def before(self, fault: Fault, request: web.Request) -> web.Response | None:
        """The answer that comes instead of the effect; None where the call goes on."""
        match fault.kind:
            case FaultKind.DELAY_BEFORE:
                await self._clock.sleep(fault.delay_s)
            case FaultKind.RESET_BEFORE:
                return reset(request)
            case FaultKind.EXPIRED_DOWNLOAD:
                return refused(Refusal(404))
            case FaultKind.HTML:
                return web.Response(status=502, text=_PAGE, content_type="text/html")
            case _:
                refusal = refusal_of(fault)
                return refused(refusal) if refusal else None
        return None

    async def after(
        self, fault: Fault, request: web.Request, response: web.Response
    ) -> web.StreamResponse:
        """What becomes of the answer once everything is done."""
        match fault.kind:
            case FaultKind.DELAY_AFTER:
                await self._clock.sleep(fault.delay_s)
            case FaultKind.RESET_AFTER:
                return reset(request)
            case FaultKind.TRUNCATED:
                return await cut_short(request, response)
            case FaultKind.SLOW_DOWNLOAD:
                return await self._trickled(fault, request, response)
        return response

    async def _trickled(
        self, fault: Fault, request: web.Request, response: web.Response
    ) -> web.StreamResponse:
        slow, rest = await begun(request, response)
        await self._clock.sleep(fault.delay_s)
        # Whoever did not wait is gone.
        with suppress(ConnectionError):
            await slow.write(rest)
        return slow


def refusal_of(fault: Fault) -> Refusal | None:
    match fault.kind:
        case FaultKind.FLOOD:
            return flood(fault.retry_after_s)
        case FaultKind.ERROR:
            return Refusal(fault.status, "Restart" if fault.status == 500 else "")
        case FaultKind.REVOKED_TOKEN:
            return Refusal(401)
        case FaultKind.SECOND_POLLER:
            return Refusal(409, CONFLICT)
        case FaultKind.WEBHOOK_SET:
            return Refusal(409, WEBHOOK_CONFLICT)
    return None


def flood(retry_after_s: int) -> Refusal:
    return Refusal(429, f"Retry after {retry_after_s}", {"retry_after": retry_after_s})


def refused(refusal: Refusal) -> web.Response:
    wait_s = refusal.parameters.get("retry_after")
    headers = {"Retry-After": str(wait_s)} if wait_s else None
    return web.json_response(refusal.body(), status=refusal.code, headers=headers)


def reset(request: web.Request) -> web.Response:
    """Breaks the connection; the response that is returned reaches nobody."""
    if request.transport is not None:
        plain = request.transport.get_extra_info("socket")
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
        request.transport.abort()
    return web.Response(status=499)


async def cut_short(request: web.Request, response: web.Response) -> web.StreamResponse:
    """Promises the whole body and breaks off in its middle."""
    half, _ = await begun(request, response)
    if request.transport is not None:
        request.transport.close()
    return half


async def begun(request: web.Request, response: web.Response) -> tuple[web.StreamResponse, bytes]:
    """An answer of which the first half is sent, and its second half."""
    body = response.body if isinstance(response.body, bytes) else b""
    half = web.StreamResponse(status=response.status)
    half.content_type = response.content_type
    half.content_length = len(body)
    await half.prepare(request)
    await half.write(body[: len(body) // 2])
    return half, body[len(body) // 2 :]
