"""Founding: the actions of the control interface that make and change people, chats and topics."""

from collections.abc import Awaitable, Callable
from dataclasses import asdict, replace

from bot.simulator.crowd import Place, known_chat
from bot.simulator.media import Special
from bot.simulator.members import standing_view
from bot.simulator.parameters import Parameters, numbers, required
from bot.simulator.records import Chat, ChatKind, Deletion, Person, Standing, Topic
from bot.simulator.refusal import bad_request
from bot.simulator.scene import Scene

_KINDS: dict[str, ChatKind] = {
    "private": "private",
    "group": "group",
    "supergroup": "supergroup",
    "channel": "channel",
}
_STANDINGS: dict[str, Standing] = {
    "member": "member",
    "administrator": "administrator",
    "left": "left",
    "kicked": "kicked",
    "gone": "gone",
}
_FIRST_PERSON_ID = 500_001_000


class Founding:
    """Each action answers with what it made, as JSON."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._world = scene.world
        self.actions: dict[str, Callable[[Parameters, str], Awaitable[object]]] = {
            "people": self._people,
            "chats": self._chats,
            "topics": self._topics,
            "migrations": self._migrate,
        }

    async def _people(self, parameters: Parameters, number: str) -> object:
        person = self._known_person(number) if number else self._new_person(parameters)
        if parameters.has("language_code"):
            person = replace(person, language_code=parameters.text("language_code"))
        if parameters.has("deactivated"):
            person = replace(person, deactivated=parameters.flag("deactivated"))
        self._world.put(person)
        return self._scene.view.person(person)

    def _known_person(self, number: str) -> Person:
        person = self._world.people.get(int(number) if number.isdigit() else 0)
        if person is None:
            raise bad_request("User not found")
        return person

    def _new_person(self, parameters: Parameters) -> Person:
        ids = [_FIRST_PERSON_ID, *self._world.people]
        return Person(
            max(known for known in ids if known < self._world.bot.person_id) + 1,
            required(parameters, "first_name"),
            parameters.text("last_name"),
            parameters.text("username"),
            is_bot=parameters.flag("is_bot"),
        )

    async def _chats(self, parameters: Parameters, number: str) -> object:
        if not number:
            return self._add_chat(parameters)
        chat = self._known_chat(Parameters({"id": number}).integer("id"))
        changed = _changed(chat, parameters)
        self._put_chat(chat, changed)
        return self._scene.view.chat(changed)

    def _add_chat(self, parameters: Parameters) -> object:
        kind = _KINDS.get(parameters.text("kind"))
        if kind is None:
            raise bad_request(f"kind is one of {', '.join(_KINDS)}")
        if kind == "private":
            person_id = parameters.integer("person_id")
            if person_id not in self._world.people:
                raise bad_request("person_id names nobody")
            chat = Chat(person_id, kind)
            self._world.put(chat)
            return self._scene.view.chat(chat)
        members = numbers(parameters, "member_ids")
        if not set(members) <= self._world.people.keys():
            raise bad_request("member_ids names somebody who does not exist")
        chat = Chat(
            self._next_chat_id(kind),
            kind,
            required(parameters, "title"),
            members,
            numbers(parameters, "admin_ids") or members[:1],
            is_forum=parameters.flag("is_forum"),
        )
        self._put_chat(replace(chat, bot_standing="left"), chat)
        return self._scene.view.chat(chat)

    async def _topics(self, parameters: Parameters, number: str) -> object:
        chat = self._known_chat(parameters.integer("chat_id"))
        if not number:
            return self._open_topic(chat, parameters)
        thread_id = int(number) if number.isdigit() else 0
        topic = next((topic for topic in chat.topics if topic.thread_id == thread_id), None)
        if topic is None:
            raise bad_request("Message thread not found")
        changed = replace(
            topic, closed=parameters.flag("closed"), deleted=parameters.flag("deleted")
        )
        kept = tuple(changed if one is topic else one for one in chat.topics)
        self._world.put(replace(chat, topics=kept))
        if changed.deleted:
            for message in self._world.history(chat.chat_id):
                if message.thread_id == thread_id:
                    self._world.put(Deletion(chat.chat_id, message.message_id))
        return asdict(changed)

    def _open_topic(self, chat: Chat, parameters: Parameters) -> object:
        """A topic bears the number of the message by which it was opened."""
        place = Place(parameters.integer("person_id"), chat.chat_id)
        known_chat(self._world, place.person_id, chat.chat_id)
        if chat.kind != "supergroup":
            raise bad_request("Only a supergroup has topics")
        name = required(parameters, "name")
        self._world.put(replace(chat, is_forum=True))
        opened = self._scene.crowd.declare(place, Special("topic_created", text=name))
        topic = Topic(opened.thread_id, name)
        self._world.put(replace(chat, is_forum=True, topics=(*chat.topics, topic)))
        return asdict(topic)

    async def _migrate(self, parameters: Parameters, _: str) -> object:
        """A basic group becomes a supergroup with another number; both are told."""
        chat = self._known_chat(parameters.integer("chat_id"))
        if chat.kind != "group" or chat.migrated_to:
            raise bad_request("Only a basic group becomes a supergroup, and once")
        heir = replace(chat, chat_id=self._next_chat_id("supergroup"), kind="supergroup")
        self._world.put(heir)
        owner_id = next(iter(chat.admin_ids), 0)
        to, back = Special("migrated_to", heir.chat_id), Special("migrated_from", chat.chat_id)
        self._scene.crowd.declare(Place(owner_id, chat.chat_id), to)
        self._world.put(replace(chat, migrated_to=heir.chat_id))
        self._scene.crowd.declare(Place(owner_id, heir.chat_id), back)
        return self._scene.view.chat(heir)

    def _put_chat(self, before: Chat, after: Chat) -> None:
        self._world.put(after)
        standing = standing_view(self._world, self._scene.view, before, after)
        if standing:
            self._scene.updates.add("my_chat_member", standing)

    def _known_chat(self, chat_id: int) -> Chat:
        chat = self._world.chats.get(chat_id)
        if chat is None:
            raise bad_request("Chat not found")
        return chat

    def _next_chat_id(self, kind: ChatKind) -> int:
        first = -4_000_000 if kind == "group" else -1_001_000_000_000
        near = [number for number in self._world.chats if abs(number - first) < 1_000_000]
        return min([first, *near]) - 1


def _changed(chat: Chat, parameters: Parameters) -> Chat:
    if parameters.has("title"):
        chat = replace(chat, title=parameters.text("title"))
    if parameters.has("bot_standing"):
        standing = _STANDINGS.get(parameters.text("bot_standing"))
        if standing is None:
            raise bad_request(f"bot_standing is one of {', '.join(_STANDINGS)}")
        chat = replace(chat, bot_standing=standing)
    if parameters.has("blocked"):
        chat = replace(chat, blocked=parameters.flag("blocked"))
    if parameters.has("silent"):
        chat = replace(chat, silent=parameters.flag("silent"))
    if parameters.has("migrated_to"):
        chat = replace(chat, migrated_to=parameters.integer("migrated_to"))
    if parameters.has("topics"):
        names = parameters.structure("topics", "topics is a list of names")
        listed = names if isinstance(names, list) else []
        topics = tuple(Topic(10 + place, str(name)) for place, name in enumerate(listed))
        chat = replace(chat, topics=topics, is_forum=bool(topics))
    return chat
