"""World: the people, chats, messages and menus, and who is told when something changes.

Knows nothing of HTTP, of JSON nor of how updates travel.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from bot.simulator.records import (
    Change,
    Chat,
    Deletion,
    Lasting,
    Menu,
    Message,
    Person,
    Profile,
    Query,
)

# Private chats and basic groups share one row of message numbers; the others have their own.
_COMMON = 0


class World:
    """Everything that is true at the moment; records are replaced, never altered."""

    def __init__(self, bot: Person, clock: Callable[[], float]) -> None:
        self.bot = bot
        self.clock = clock
        self.people: dict[int, Person] = {bot.person_id: bot}
        self.chats: dict[int, Chat] = {}
        self.queries: dict[str, Query] = {}
        self.menus: dict[tuple[str, str], Menu] = {}
        self.profile = Profile()
        self._messages: dict[int, dict[int, Message]] = {}
        self._last_ids: dict[int, int] = {}
        self._listeners: list[Callable[[Change], None]] = []

    def listen(self, listener: Callable[[Change], None]) -> None:
        self._listeners.append(listener)

    def tell(self, change: Change) -> None:
        for listener in self._listeners:
            listener(change)

    def apply(self, change: Change) -> None:
        """Makes a change true without telling anybody: also how the past is read back."""
        match change:
            case Person():
                self.people[change.person_id] = change
            case Chat():
                self.chats[change.chat_id] = change
            case Message():
                self._messages.setdefault(change.chat_id, {})[change.message_id] = change
                self._count(change.chat_id, change.message_id)
            case Deletion():
                self._messages.get(change.chat_id, {}).pop(change.message_id, None)
                self._count(change.chat_id, change.message_id)
            case Query():
                self.queries[change.query_id] = change
            case Menu():
                self.menus[change.scope, change.language_code] = change
            case Profile():
                self.profile = change

    def put(self, change: Change) -> None:
        self.apply(change)
        self.tell(change)

    def post(self, message: Message) -> Message:
        """A new message gets its number and its date here."""
        number = self.next_number(message.chat_id)
        posted = replace(message, message_id=number, date=int(self.clock()))
        self.put(posted)
        return posted

    def next_number(self, chat_id: int) -> int:
        return self._last_ids.get(self._row(chat_id), 0) + 1

    def message(self, chat_id: int, message_id: int) -> Message | None:
        return self._messages.get(chat_id, {}).get(message_id)

    def history(self, chat_id: int) -> Sequence[Message]:
        kept = self._messages.get(chat_id, {})
        return [kept[number] for number in sorted(kept)]

    def last_bot(self, chat_id: int) -> int:
        """The bot that wrote last in a chat, 0 for none."""
        for message in reversed(self.history(chat_id)):
            if self.people[message.sender_id].is_bot:
                return message.sender_id
        return 0

    def members(self, chat: Chat) -> tuple[int, ...]:
        if chat.kind == "private":
            return (chat.chat_id, self.bot.person_id)
        with_bot = chat.bot_standing in {"member", "administrator"}
        return (*chat.member_ids, self.bot.person_id) if with_bot else chat.member_ids

    def everything(self) -> Iterator[Lasting]:
        """The shortest list of changes that leads here."""
        yield from self.people.values()
        yield from self.chats.values()
        yield self.profile
        yield from self.menus.values()
        for chat_id in self._messages:
            yield from self.history(chat_id)
        for row, number in self._last_ids.items():
            # The number of a deleted newest message is never given out again.
            if self.message(row, number) is None:
                yield Deletion(row, number)

    def _row(self, chat_id: int) -> int:
        chat = self.chats.get(chat_id)
        own = chat is not None and chat.kind in {"supergroup", "channel"}
        return chat_id if own else _COMMON

    def _count(self, chat_id: int, number: int) -> None:
        row = self._row(chat_id)
        self._last_ids[row] = max(self._last_ids.get(row, 0), number)
