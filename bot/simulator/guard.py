"""Guard: only this computer, and no foreign web page in its browser, may talk to the simulator.

A page elsewhere could make the browser call 127.0.0.1 (forged requests) or point its own host name
there (rebinding): Host, Origin and Sec-Fetch-Site give both away.
"""

import re
from collections.abc import Awaitable, Callable

from aiohttp import web

_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@web.middleware
async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    if not _is_ours(request):
        return web.json_response({"error": "only from this computer"}, status=403)
    try:
        response = await handler(request)
    except ConnectionResetError:
        # Whoever called went away in the middle of it: nobody reads an answer.
        return web.json_response({"error": "the caller went away"}, status=400)
    if not response.prepared:
        response.headers.update(_HEADERS)
        response.headers.setdefault("Content-Security-Policy", _POLICY)
    return response


def _is_ours(request: web.Request) -> bool:
    host = request.headers.get("Host", "")
    if re.fullmatch(r"(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?", host) is None:
        return False
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"http://{host}":
        return False
    site = request.headers.get("Sec-Fetch-Site", "none")
    opened = request.path == "/" and request.headers.get("Sec-Fetch-Mode") == "navigate"
    return site in {"none", "same-origin"} or opened
