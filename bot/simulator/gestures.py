"""Gestures: what people do to messages without writing. They press buttons and react."""

import itertools
from dataclasses import replace

from bot.simulator.crowd import known_chat, known_message
from bot.simulator.records import Message, Query, Reaction
from bot.simulator.refusal import bad_request
from bot.simulator.rendering import View, reactions_view
from bot.simulator.updates import UpdateQueue
from bot.simulator.world import World


class Gestures:
    """Every gesture changes the world and tells the bot what it may know of it."""

    def __init__(self, world: World, updates: UpdateQueue, view: View) -> None:
        self._world = world
        self._updates = updates
        self._view = view
        self._queries = itertools.count(int(world.clock() * 1_000_000))

    def press(self, person_id: int, chat_id: int, message_id: int, data: str) -> Query:
        known_chat(self._world, person_id, chat_id)
        message = known_message(self._world, chat_id, message_id)
        if not any(button.callback_data == data for row in message.keyboard for button in row):
            raise bad_request("There is no such button under the message")
        number = str(next(self._queries))
        query = Query(number, person_id, chat_id, message_id, data, self._world.clock())
        self._world.put(query)
        self._updates.add("callback_query", self._view.query(query, message))
        return query

    def react(self, person_id: int, chat_id: int, message_id: int, emoji: str) -> Message:
        """An empty emoji takes the reaction back."""
        chat = known_chat(self._world, person_id, chat_id)
        message = known_message(self._world, chat_id, message_id)
        old = tuple(r for r in message.reactions if r.person_id == person_id)
        new = (Reaction(person_id, emoji),) if emoji else ()
        changed = with_reaction(message, person_id, emoji)
        self._world.put(changed)
        if chat.kind == "private" or chat.bot_standing == "administrator":
            payload: dict[str, object] = {
                "chat": self._view.chat(chat),
                "message_id": message_id,
                "user": self._view.person(self._world.people[person_id]),
                "date": int(self._world.clock()),
                "old_reaction": reactions_view(old),
                "new_reaction": reactions_view(new),
            }
            self._updates.add("message_reaction", payload)
        return changed


def with_reaction(message: Message, person_id: int, emoji: str) -> Message:
    others = tuple(r for r in message.reactions if r.person_id != person_id)
    mine = (Reaction(person_id, emoji),) if emoji else ()
    return replace(message, reactions=others + mine)
