"""Directing: the actions of the control interface, from their parameters to the people's hands."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from bot.simulator.crowd import Place
from bot.simulator.feed import Feed
from bot.simulator.parameters import Parameters, Upload
from bot.simulator.photos import LARGE_SIDE, STANDARD_SIDE
from bot.simulator.records import Chat, ChatKind, Person, Standing, Topic
from bot.simulator.refusal import Refusal, bad_request
from bot.simulator.scene import Scene

_KINDS: dict[str, ChatKind] = {"private": "private", "group": "group", "supergroup": "supergroup"}
_STANDINGS: dict[str, Standing] = {
    "member": "member",
    "administrator": "administrator",
    "left": "left",
    "kicked": "kicked",
}
_FIRST_PERSON_ID = 500_001_000


class Directing:
    """Each action answers with what it made, as JSON."""

    def __init__(self, scene: Scene, feed: Feed) -> None:
        self._scene = scene
        self._feed = feed
        self._actions: dict[str, Callable[[Parameters], Awaitable[object]]] = {
            "people": self._add_person,
            "chats": self._add_chat,
            "messages": self._say,
            "photos": self._show_photo,
            "documents": self._show_document,
            "stickers": self._show_sticker,
            "albums": self._show_album,
            "forwards": self._forward,
            "edits": self._edit,
            "deletions": self._delete,
            "presses": self._press,
            "reactions": self._react,
            "profile": self._set_profile,
        }

    async def act(self, name: str, number: str, parameters: Parameters) -> object:
        if name == "chats" and number:
            return self._change_chat(number, parameters)
        action = self._actions.get(name)
        if action is None or number:
            raise Refusal(404)
        return await action(parameters)

    async def _add_person(self, parameters: Parameters) -> object:
        ids = [_FIRST_PERSON_ID, *self._scene.world.people]
        known = [number for number in ids if number < self._scene.world.bot.person_id]
        person = Person(
            max(known) + 1,
            _required(parameters, "first_name"),
            parameters.text("last_name"),
            parameters.text("username"),
            parameters.text("language_code") or "en",
            parameters.flag("is_bot"),
        )
        self._scene.world.put(person)
        return self._scene.view.person(person)

    async def _add_chat(self, parameters: Parameters) -> object:
        kind = _KINDS.get(parameters.text("kind"))
        if kind is None:
            raise bad_request("kind is one of private, group, supergroup")
        if kind == "private":
            person_id = parameters.integer("person_id")
            if person_id not in self._scene.world.people:
                raise bad_request("person_id names nobody")
            chat = Chat(person_id, kind)
        else:
            members = _numbers(parameters, "member_ids")
            if not set(members) <= self._scene.world.people.keys():
                raise bad_request("member_ids names somebody who does not exist")
            chat = Chat(
                self._next_chat_id(kind),
                kind,
                _required(parameters, "title"),
                members,
                _numbers(parameters, "admin_ids") or members[:1],
                is_forum=parameters.flag("is_forum"),
            )
        self._scene.world.put(chat)
        return self._scene.view.chat(chat)

    def _change_chat(self, number: str, parameters: Parameters) -> object:
        chat = self._scene.world.chats.get(Parameters({"id": number}).integer("id"))
        if chat is None:
            raise bad_request("Chat not found")
        if parameters.has("title"):
            chat = replace(chat, title=parameters.text("title"))
        if parameters.has("bot_standing"):
            standing = _STANDINGS.get(parameters.text("bot_standing"))
            if standing is None:
                raise bad_request(f"bot_standing is one of {', '.join(_STANDINGS)}")
            chat = replace(chat, bot_standing=standing)
        if parameters.has("blocked"):
            chat = replace(chat, blocked=parameters.flag("blocked"))
        if parameters.has("migrated_to"):
            chat = replace(chat, migrated_to=parameters.integer("migrated_to"))
        if parameters.has("topics"):
            names = parameters.structure("topics", "topics is a list of names")
            listed = names if isinstance(names, list) else []
            topics = tuple(Topic(10 + place, str(name)) for place, name in enumerate(listed))
            chat = replace(chat, topics=topics, is_forum=bool(topics))
        self._scene.world.put(chat)
        return self._scene.view.chat(chat)

    async def _say(self, parameters: Parameters) -> object:
        message = self._scene.crowd.say(_place(parameters), parameters.text("text"))
        return self._feed.message(message)

    async def _show_photo(self, parameters: Parameters) -> object:
        side = LARGE_SIDE if parameters.flag("hd") else STANDARD_SIDE
        data, caption = _file(parameters).data, parameters.text("caption")
        shown = await self._scene.crowd.show_photo(
            _place(parameters), data, caption, largest_side=side
        )
        return self._feed.message(shown)

    async def _show_document(self, parameters: Parameters) -> object:
        file, caption = _file(parameters), parameters.text("caption")
        shown = await self._scene.crowd.show_document(
            _place(parameters), file.data, file.name, caption, mime_type=file.mime_type
        )
        return self._feed.message(shown)

    async def _show_sticker(self, parameters: Parameters) -> object:
        data, emoji = _file(parameters).data, parameters.text("emoji")
        return self._feed.message(
            await self._scene.crowd.show_sticker(_place(parameters), data, emoji)
        )

    async def _show_album(self, parameters: Parameters) -> object:
        items = [
            (upload.data, parameters.text(f"caption{number}"))
            for number in range(1, 12)
            if (upload := parameters.upload(f"file{number}")) is not None
        ]
        as_files = parameters.flag("as_files")
        shown = await self._scene.crowd.show_album(_place(parameters), items, as_files=as_files)
        return [self._feed.message(message) for message in shown]

    async def _forward(self, parameters: Parameters) -> object:
        from_chat_id = parameters.integer("from_chat_id")
        number = parameters.integer("message_id")
        message = self._scene.crowd.forward(_place(parameters), from_chat_id, number)
        return self._feed.message(message)

    async def _edit(self, parameters: Parameters) -> object:
        text = parameters.text("text")
        return self._feed.message(self._scene.crowd.edit(*_pointed(parameters), text))

    async def _delete(self, parameters: Parameters) -> object:
        self._scene.crowd.delete(*_pointed(parameters))
        return {"deleted": True}

    async def _press(self, parameters: Parameters) -> object:
        query = self._scene.gestures.press(*_pointed(parameters), parameters.text("data"))
        return {"query_id": query.query_id}

    async def _react(self, parameters: Parameters) -> object:
        emoji = parameters.text("emoji")
        return self._feed.message(self._scene.gestures.react(*_pointed(parameters), emoji))

    async def _set_profile(self, parameters: Parameters) -> object:
        mode = parameters.flag("privacy_mode")
        self._scene.world.put(replace(self._scene.world.profile, privacy_mode=mode))
        return {"privacy_mode": mode}

    def _next_chat_id(self, kind: ChatKind) -> int:
        first = -1_001_000_000_000 if kind == "supergroup" else -4_000_000
        near = [number for number in self._scene.world.chats if abs(number - first) < 1_000_000]
        return min([first, *near]) - 1


def _place(parameters: Parameters) -> Place:
    return Place(
        parameters.integer("person_id"),
        parameters.integer("chat_id"),
        parameters.integer("reply_to"),
        parameters.integer("thread_id"),
        parameters.text("quote"),
    )


def _pointed(parameters: Parameters) -> tuple[int, int, int]:
    names = ("person_id", "chat_id", "message_id")
    person_id, chat_id, message_id = (parameters.integer(name) for name in names)
    return person_id, chat_id, message_id


def _file(parameters: Parameters) -> Upload:
    upload = parameters.upload("file")
    if upload is None:
        raise bad_request("There is no file in the request")
    return upload


def _required(parameters: Parameters, name: str) -> str:
    if not parameters.has(name):
        raise bad_request(f"{name} is empty")
    return parameters.text(name)


def _numbers(parameters: Parameters, name: str) -> tuple[int, ...]:
    value = parameters.structure(name, f"{name} is a list of numbers")
    if not isinstance(value, list):
        return ()
    return tuple(item for item in value if isinstance(item, int))
