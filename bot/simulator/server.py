"""The Bot API over HTTP: tokens, routes, bodies and error answers as the real server gives them."""

import logging
from dataclasses import replace

from aiohttp import web

from bot.simulator.calls import Call, CallLog
from bot.simulator.faults import DOWNLOAD, Fault, FaultKind
from bot.simulator.ledger import Ledger
from bot.simulator.methods import Methods
from bot.simulator.parameters import Parameters, read_parameters
from bot.simulator.refusal import Refusal, bad_request
from bot.simulator.scene import Scene
from bot.simulator.schema import METHODS
from bot.simulator.spoiling import Spoiling, refused
from bot.simulator.tokens import SIMULATOR_TOKEN, looks_real

logger = logging.getLogger(__name__)


class BotServer:
    """Answers the bot. Logs neither texts nor tokens."""

    def __init__(self, scene: Scene, ledger: Ledger, calls: CallLog, *, strict: bool) -> None:
        self._scene = scene
        self._ledger = ledger
        self._calls = calls
        self._strict = strict
        self._methods = Methods(scene)
        self._spoiling = Spoiling(scene.clock)

    def add_routes(self, router: web.UrlDispatcher) -> None:
        for path in ("/bot{token:[^/]*}/{method:[^/]*}", "/bot{token:[^/]*}/test/{method:[^/]*}"):
            router.add_get(path, self._call, allow_head=False)
            router.add_post(path, self._call)
        router.add_get("/file/bot{token:[^/]*}/{path:.+}", self._download)

    async def _call(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["method"]
        try:
            _check_token(request.match_info["token"])
            parameters = await read_parameters(request)
        except Refusal as refusal:
            return refused(refusal)
        call = self._described(name, parameters)
        chat_id = parameters.integer("chat_id")
        fault = self._scene.faults.take(call.method, chat_id or None)
        if fault is None:
            wait_s = self._scene.floods.wait_s(call.method, self._scene.world.chats.get(chat_id))
            fault = Fault(FaultKind.FLOOD, retry_after_s=wait_s) if wait_s else None
        if fault is None:
            return await self._answer(call, name, parameters)
        call = replace(call, fault=fault.kind)
        instead = await self._spoiling.before(fault, request)
        if instead is not None:
            self._calls.note(replace(call, status=instead.status))
            return instead
        response = await self._answer(call, name, parameters)
        return await self._spoiling.after(fault, request, response)

    async def _answer(self, call: Call, name: str, parameters: Parameters) -> web.Response:
        try:
            if self._strict and call.problems:
                raise bad_request(call.problems[0])
            answer = await self._methods.call(name, parameters)
        except Refusal as refusal:
            self._calls.note(call.ended(refusal.code, refusal.description))
            return refused(refusal)
        finally:
            await self._ledger.commit()
        self._calls.note(call)
        return web.json_response({"ok": True, "result": answer})

    async def _download(self, request: web.Request) -> web.StreamResponse:
        fault = self._scene.faults.take(DOWNLOAD)
        instead = await self._spoiling.before(fault, request) if fault else None
        if instead is not None:
            return instead
        try:
            _check_token(request.match_info["token"])
            file = self._scene.files.by_link(request.match_info["path"])
            body = await self._scene.files.read(file)
        except Refusal as refusal:
            return refused(refusal)
        response = web.Response(body=body, content_type="application/octet-stream")
        return await self._spoiling.after(fault, request, response) if fault else response

    def _described(self, name: str, parameters: Parameters) -> Call:
        signature = METHODS.get(name.lower())
        names = parameters.names
        return Call(
            signature.name if signature else "(unknown)",
            self._scene.clock(),
            parameters=tuple(sorted(names)) if signature else (),
            problems=signature.problems(names) if signature else ("unknown method",),
            chat_id=parameters.text("chat_id")[:20],
        )


def _check_token(token: str) -> None:
    if token == SIMULATOR_TOKEN:
        return
    if looks_real(token):
        logger.warning("A real bot token was sent to the simulator: refused and not kept")
        raise Refusal(401)
    raise Refusal(401, "Invalid token specified")
