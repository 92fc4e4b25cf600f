"""Feed: every change as an event for whoever watches, such as the page."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from bot.simulator.records import (
    Action,
    Change,
    Chat,
    Deletion,
    Draft,
    Menu,
    Message,
    Person,
    Profile,
    Reply,
)
from bot.simulator.rendering import CHANNEL_BOT, View, reactions_view
from bot.simulator.shapes import Json
from bot.simulator.world import World


class Feed:
    """Hands each event to each watcher; a closed feed hands out None."""

    def __init__(self, world: World, view: View) -> None:
        self._view = view
        self._watchers: set[asyncio.Queue[Json | None]] = set()
        self.watched = asyncio.Event()
        world.listen(lambda change: self.publish(self._event(change)))

    @contextmanager
    def watch(self) -> Iterator[asyncio.Queue[Json | None]]:
        queue: asyncio.Queue[Json | None] = asyncio.Queue()
        self._watchers.add(queue)
        self.watched.set()
        try:
            yield queue
        finally:
            self._watchers.discard(queue)

    def close(self) -> None:
        for queue in self._watchers:
            queue.put_nowait(None)

    def message(self, message: Message) -> Json:
        """A message as the API shows it, with the reactions, and always with a sender."""
        stand_in: Json = {"from": self._view.person(CHANNEL_BOT)}
        view = stand_in | self._view.message(message)
        original = view.get("reply_to_message")
        if isinstance(original, dict):
            view["reply_to_message"] = stand_in | original
        return view | {"reactions": reactions_view(message.reactions)}

    def publish(self, event: Json) -> None:
        for queue in self._watchers if event else ():
            queue.put_nowait(event)

    def _event(self, change: Change) -> Json:
        match change:
            case Message(chat_id=chat_id):
                return {"type": "message", "chat_id": chat_id, "message": self.message(change)}
            case Deletion(chat_id=chat_id, message_id=number):
                return {"type": "deleted", "chat_id": chat_id, "message_id": number}
            case Action(chat_id=chat_id, action=action):
                return {"type": "action", "chat_id": chat_id, "action": action}
            case Draft(chat_id=chat_id, text=text):
                entities = self._view.entities(change.entities)
                return {"type": "draft", "chat_id": chat_id, "text": text, "entities": entities}
            case Reply():
                return {
                    "type": "answer",
                    "query_id": change.query_id,
                    "person_id": change.person_id,
                    "text": change.text,
                    "show_alert": change.show_alert,
                    "url": change.url,
                }
            case Person() | Chat() | Menu() | Profile():
                return {"type": "state"}
        return {}
