"""The control interface: what the people in the simulator do and see, over HTTP.

GET  /control/state                     about, bot, people, chats with members, topics and menus
GET  /control/chats/ID/messages         transcript; messages as in the Bot API, plus `reactions`
GET  /control/calls                     calls of the bot: method, parameter names, status, problems
GET  /control/events                    server-sent events: message (new or edited), deleted,
                                        action, draft, answer (to a press), state and faults
                                        (ask again)
GET  /control/faults                    what is planted, whether floods are limited, the time now
GET  /control/files/FILE_ID             the bytes of a file in a message
POST /control/people                    first_name, last_name, username, language_code, is_bot
POST /control/people/ID                 language_code, deactivated
POST /control/chats                     kind, title, member_ids, admin_ids, is_forum; for
                                        kind=private: person_id, who thereby starts the bot
POST /control/chats/ID                  title, bot_standing, blocked, silent (the bot may not
                                        write), migrated_to, topics (names; all at once)
POST /control/topics                    person_id, chat_id, name -> thread_id
POST /control/topics/THREAD_ID          chat_id, closed, deleted
POST /control/migrations                chat_id: the group becomes a supergroup with a new number
POST /control/messages                  person_id, chat_id, text
POST /control/photos                    person_id, chat_id, file, caption, hd
POST /control/documents                 person_id, chat_id, file, caption
POST /control/stickers                  person_id, chat_id, file, emoji
POST /control/albums                    person_id, chat_id, file1 ... file10, caption1 ..., as_files
                                        and backwards (last item first); or one late item:
                                        album_id, file, caption, as_files
POST /control/clips                     person_id, chat_id, kind, file, still, caption; kind:
                                        sticker (one that moves), live_photo, animation, video ...
POST /control/shares                    person_id, chat_id, kind (location, contact, dice), name
POST /control/forwards                  person_id, chat_id, from_chat_id, message_id
POST /control/edits                     person_id, chat_id, message_id, text
POST /control/deletions                 person_id, chat_id, message_id
POST /control/presses                   person_id, chat_id, message_id, data -> query_id
POST /control/reactions                 person_id, chat_id, message_id, emoji ("" takes it back)
POST /control/profile                   privacy_mode; webhook_door: where on this computer the
                                        address of the bot's webhook leads
POST /control/faults                    kind, method, chat_id, count, retry_after_s, delay_s, status
POST /control/faults/NUMBER             takes it back; "clear" takes all back and ends all delays
POST /control/floods                    on: the server counts calls and answers 429 (floods.py)
POST /control/clock                     advance_s, or now (Unix seconds)

Bodies are JSON, forms or multipart; whatever posts a message also takes reply_to, quote, thread_id
and as_chat_id (an admin in the name of the group or of a channel), and answers with the message,
albums with a list. What is impossible answers {"error": text} with status 400. The kinds of faults
stand in faults.py; `method` may have wildcards and is "download" for files, `*` is also the
polling, and a count of 0 stays until it is taken back.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import asdict

from aiohttp import web

from bot.simulator.calls import CallLog
from bot.simulator.directing import Directing
from bot.simulator.feed import Feed
from bot.simulator.founding import Founding
from bot.simulator.ledger import Ledger
from bot.simulator.mischief import Mischief
from bot.simulator.parameters import Parameters, read_parameters
from bot.simulator.records import Chat, Menu
from bot.simulator.refusal import Refusal
from bot.simulator.scene import Scene
from bot.simulator.shapes import Json

_SHOWN = frozenset({"image/jpeg", "image/png", "image/webp", "image/gif"})
_HEARTBEAT_S = 15.0


class Control:
    """Watching is done here, acting in Directing."""

    def __init__(
        self, scene: Scene, ledger: Ledger, feed: Feed, calls: CallLog, *, about: str
    ) -> None:
        self._scene = scene
        self._ledger = ledger
        self._feed = feed
        self._calls = calls
        self.about = about
        self._directing = Directing(scene, feed)
        self._mischief = Mischief(scene, feed)
        self._numbered = Founding(scene).actions | self._mischief.actions

    def add_routes(self, router: web.UrlDispatcher) -> None:
        router.add_get("/control/state", self._state)
        router.add_get("/control/calls", self._all_calls)
        router.add_get("/control/events", self._events)
        router.add_get("/control/faults", self._faults)
        router.add_get("/control/chats/{chat_id}/messages", self._transcript)
        router.add_get("/control/files/{file_id}", self._file)
        router.add_post("/control/{action}", self._act)
        router.add_post("/control/{action}/{number}", self._act)

    async def _act(self, request: web.Request) -> web.Response:
        name = request.match_info["action"]
        try:
            parameters = await read_parameters(request)
            number = request.match_info.get("number", "")
            result = await self._acting(name, number)(parameters)
        except Refusal as refusal:
            reason = refusal.description.removeprefix("Bad Request: ")
            return web.json_response({"error": reason}, status=refusal.code)
        finally:
            await self._ledger.commit()
        return web.json_response(result)

    def _acting(self, name: str, number: str) -> Callable[[Parameters], Awaitable[object]]:
        action = self._numbered.get(name)
        if action is not None:
            return lambda parameters: action(parameters, number)
        if number or name not in self._directing.actions:
            raise Refusal(404)
        return self._directing.actions[name]

    async def _state(self, _: web.Request) -> web.Response:
        world, view = self._scene.world, self._scene.view
        return web.json_response(
            {
                "about": self.about,
                "bot": view.person(world.bot),
                "privacy_mode": world.profile.privacy_mode,
                "people": [view.person(person) for person in world.people.values()],
                "chats": [self._chat(chat) for chat in world.chats.values()],
            }
        )

    async def _all_calls(self, _: web.Request) -> web.Response:
        return web.json_response([asdict(call) for call in self._calls.all()])

    async def _faults(self, _: web.Request) -> web.Response:
        return web.json_response(self._mischief.view())

    async def _transcript(self, request: web.Request) -> web.Response:
        name = request.match_info["chat_id"]
        chat_id = int(name) if name.removeprefix("-").isdigit() else 0
        if chat_id not in self._scene.world.chats:
            return web.json_response({"error": "chat not found"}, status=404)
        history = self._scene.world.history(chat_id)
        return web.json_response([self._feed.message(message) for message in history])

    async def _file(self, request: web.Request) -> web.Response:
        try:
            file = self._scene.files.by_file_id(request.match_info["file_id"])
            body = await self._scene.files.read(file)
        except Refusal as refusal:
            return web.json_response({"error": refusal.description}, status=404)
        headers = {"Cache-Control": "private, max-age=86400"}
        if file.mime_type in _SHOWN:
            return web.Response(body=body, content_type=file.mime_type, headers=headers)
        # Never shown in the page's own origin: a document may be a web page.
        name = self._scene.files.media_of(file).file_name.replace('"', "'")
        safe = name.encode("ascii", "replace").decode()
        headers["Content-Disposition"] = f'attachment; filename="{safe}"'
        return web.Response(body=body, content_type="application/octet-stream", headers=headers)

    async def _events(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(
            headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"}
        )
        with self._feed.watch() as events:
            await response.prepare(request)
            # A watcher who leaves is no fault.
            with suppress(ConnectionError):
                await _stream(events, response)
        return response

    def _chat(self, chat: Chat) -> Json:
        world = self._scene.world
        return self._scene.view.chat(chat) | {
            "member_ids": list(world.members(chat)),
            "admin_ids": list(chat.admin_ids),
            "bot_standing": chat.bot_standing,
            "blocked": chat.blocked,
            "silent": chat.silent,
            "migrated_to": chat.migrated_to,
            "topics": [asdict(topic) for topic in chat.topics],
            "commands": _commands(world.menus, chat),
        }


async def _stream(events: asyncio.Queue[Json | None], response: web.StreamResponse) -> None:
    await response.write(b"retry: 1000\n\n")
    while True:
        try:
            event = await asyncio.wait_for(events.get(), _HEARTBEAT_S)
        except TimeoutError:
            await response.write(b": still here\n\n")
            continue
        if event is None:
            return
        await response.write(f"data: {json.dumps(event)}\n\n".encode())


def _commands(menus: dict[tuple[str, str], Menu], chat: Chat) -> list[Json]:
    """The menu that people see there: the narrowest scope that has one."""
    wide = "all_private_chats" if chat.kind == "private" else "all_group_chats"
    for scope in (f"chat:{chat.chat_id}", wide, "default"):
        menu = menus.get((scope, ""))
        if menu is not None and menu.commands:
            return [asdict(command) for command in menu.commands]
    return []
