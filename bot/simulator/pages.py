"""Pages: the chat page's own files, read once at the start and served from memory."""

import asyncio
from pathlib import Path

from aiohttp import web

_FOLDER = Path(__file__).parent / "page"
_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".png": "image/png",
    ".jpg": "image/jpeg",
}


class Pages:
    """Nothing is served that was not in the folder at the start."""

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}

    async def load(self) -> None:
        self._files = await asyncio.to_thread(_read_all)

    def add_routes(self, router: web.UrlDispatcher) -> None:
        router.add_get("/", self._serve)
        router.add_get("/page/{path:.+}", self._serve)

    async def _serve(self, request: web.Request) -> web.Response:
        path = request.match_info.get("path", "index.html")
        body = self._files.get(path)
        if body is None:
            raise web.HTTPNotFound
        kind = _TYPES[path[path.rindex(".") :]]
        charset = "utf-8" if kind.startswith("text/") else None
        headers = {"Cache-Control": "no-cache"}
        return web.Response(body=body, content_type=kind, charset=charset, headers=headers)


def _read_all() -> dict[str, bytes]:
    found = (path for path in _FOLDER.rglob("*") if path.suffix in _TYPES)
    return {path.relative_to(_FOLDER).as_posix(): path.read_bytes() for path in found}
