"""Simulator: opens the world, serves it on loopback, and closes it. The only door from outside."""

import asyncio
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from aiohttp import web

from bot.simulator.calls import CallLog
from bot.simulator.codec import Backlog
from bot.simulator.control import Control
from bot.simulator.courier import Courier
from bot.simulator.demo import BOT, furnish
from bot.simulator.feed import Feed
from bot.simulator.guard import guard
from bot.simulator.ledger import Ledger
from bot.simulator.pages import Pages
from bot.simulator.records import Action, Change, Draft, Reply
from bot.simulator.scene import Scene
from bot.simulator.server import BotServer
from bot.simulator.tokens import SIMULATOR_TOKEN

_HOST = "127.0.0.1"


class Simulator:
    """A Telegram on this computer; with a folder, one that remembers."""

    def __init__(
        self,
        *,
        port: int = 0,
        about: str = "Nothing is said about what answers here.",
        folder: Path | None = None,
        clock: Callable[[], float] = time.time,
        demo: bool = True,
        strict: bool = False,
    ) -> None:
        self._port = port
        self._about = about
        self._passes = folder is None
        self.folder = folder or Path()
        self._clock = clock
        self._demo = demo
        self._strict = strict

    @property
    def url(self) -> str:
        return f"http://{_HOST}:{self._port}"

    @property
    def api_url(self) -> str:
        """What stands before `/bot<token>/METHOD` and `/file/bot<token>/PATH`."""
        return self.url

    @property
    def token(self) -> str:
        return SIMULATOR_TOKEN

    @property
    def bot_username(self) -> str:
        return BOT.username

    @property
    def port(self) -> int:
        return self._port

    @property
    def addresses(self) -> list[tuple[str, int]]:
        """Where it really listens."""
        return [(str(address[0]), int(address[1])) for address in self._runner.addresses]

    def describe(self, about: str) -> None:
        """Let the page say something else of what answers."""
        self._control.about = about
        self.feed.publish({"type": "state"})

    async def __aenter__(self) -> Self:
        if self._passes:
            self.folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="simulator-"))
        self.scene = Scene(BOT, self.folder / "files", self._clock)
        self.calls = CallLog()
        self._ledger = Ledger(self.folder / "world.jsonl")
        await self._remember()
        self.feed = Feed(self.scene.world, self.scene.view)
        await self._serve()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.scene.updates.close()
        self.scene.clock.stop()
        self._courier.cancel()
        with suppress(asyncio.CancelledError):
            await self._courier
        self.feed.close()
        await self._runner.cleanup()
        await self._ledger.commit()
        if self._passes:
            await asyncio.to_thread(shutil.rmtree, self.folder)

    async def _remember(self) -> None:
        scene, ledger = self.scene, self._ledger
        for record in await ledger.load():
            if isinstance(record, Backlog):
                scene.updates.restore(record.pending, record.next_id)
                scene.updates.allow(record.allowed)
            else:
                scene.take_in(record)
        scene.clock.advance(scene.world.profile.ahead_s)
        scene.world.listen(self._note)
        scene.updates.on_change = self._note_backlog
        if self._demo and not scene.world.chats:
            await furnish(scene)
        await ledger.rewrite([*scene.world.everything(), self._backlog()])

    async def _serve(self) -> None:
        app = web.Application(middlewares=[guard])
        server = BotServer(self.scene, self._ledger, self.calls, strict=self._strict)
        server.add_routes(app.router)
        self._control = Control(self.scene, self._ledger, self.feed, self.calls, about=self._about)
        self._control.add_routes(app.router)
        pages = Pages()
        await pages.load()
        pages.add_routes(app.router)
        app.router.add_route("*", "/{path:.*}", _not_found)
        # No access log: its lines would hold the token.
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, _HOST, self._port)
        await site.start()
        self._courier = asyncio.create_task(Courier(self.scene, self._ledger).run())
        self._port = self.addresses[0][1]

    def _note(self, change: Change) -> None:
        if not isinstance(change, Action | Draft | Reply):
            self._ledger.note(change)

    def _note_backlog(self) -> None:
        self._ledger.note(self._backlog())

    def _backlog(self) -> Backlog:
        updates = self.scene.updates
        return Backlog(updates.next_id, tuple(sorted(updates.allowed)), tuple(updates.pending))


async def _not_found(_: web.Request) -> web.Response:
    body = {"ok": False, "error_code": 404, "description": "Not Found"}
    return web.json_response(body, status=404)
