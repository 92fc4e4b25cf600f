"""Is this message for us, and what does it ask? Commands, mentions, replies; nothing else.

Knows Telegram's messages and entities; does not download, answer or remember.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from telegram import CallbackQuery, Message, MessageEntity, Update, User
from telegram.constants import ChatType

PHOTO_COMMANDS = frozenset({"ocr", "ask"})


@dataclass(frozen=True, slots=True)
class Request:
    """What a message asks of us: a command or "", and the words that go with it."""

    command: str
    text: str


def read(messages: Sequence[Message], me: User, *, with_mentions: bool = True) -> Request | None:
    """What these messages, one album or a single one, ask of us; None when they do not."""
    for message in messages:
        command = _command(message)
        if command is None:
            continue
        name, addressee, argument = command
        if addressee and addressee != (me.username or "").lower():
            return None
        return Request(name, with_quote(message, argument))
    if not any(_is_addressed(message, me, with_mentions) for message in messages):
        return None
    words = [_without_mentions(message, me) for message in messages]
    return Request("", with_quote(messages[0], "\n".join(word for word in words if word)))


def is_private(message: Message) -> bool:
    """Whether nobody else reads along."""
    return message.chat.type == ChatType.PRIVATE


def asker_of(message: Message) -> int:
    """Who asks; for an anonymous admin or a channel it is the chat that they speak for."""
    if message.sender_chat is not None:
        return message.sender_chat.id
    return message.from_user.id if message.from_user else message.chat.id


def topic_of(message: Message) -> int | None:
    """The topic of a forum; replies outside of forums bear a thread number that is none."""
    return message.message_thread_id if message.is_topic_message else None


def conversation_of(message: Message) -> str:
    """The name of the conversation: one for each chat, topic and member."""
    return f"telegram:{message.chat.id}/{topic_of(message) or 0}/{asker_of(message)}"


def chat_of(conversation: str) -> int:
    """The number of its chat; those of groups are negative."""
    return int(conversation.split("/", 1)[0].removeprefix("telegram:"))


def message_ref(message: Message) -> str:
    """The name of a message, as history links it to a turn."""
    return f"telegram:{message.chat.id}:{message.message_id}"


def numbers_of(ref: str) -> tuple[int, int] | None:
    """The chat and the message that a name of ours stands for; None for a press of a button."""
    found = re.fullmatch(r"telegram:(-?\d+):(\d+)", ref)
    return (int(found[1]), int(found[2])) if found else None


def press_ref(query: CallbackQuery) -> str:
    """The name of a press of a button, as history links it to a turn."""
    return f"telegram:press:{query.id}"


def ref_of(update: Update) -> str:
    """The name under which history knows what an update asks; empty if it asks nothing."""
    if update.callback_query is not None:
        return press_ref(update.callback_query)
    return message_ref(update.message) if update.message is not None else ""


def replied_to(message: Message) -> Message | None:
    """The message that this one answers; the head of a topic is none."""
    reply = message.reply_to_message
    return None if reply is None or reply.forum_topic_created else reply


def with_quote(message: Message, text: str) -> str:
    """Put what was quoted of the replied message before the question."""
    if message.quote is None or not text:
        return text
    quoted = "\n".join(f"> {line}" for line in message.quote.text.splitlines())
    return f"{quoted}\n{text}"


def words_of(message: Message) -> str:
    """The text of a message or the caption of its photo."""
    return message.text or message.caption or ""


def _entities(message: Message) -> tuple[MessageEntity, ...]:
    return message.entities if message.text else message.caption_entities


def _command(message: Message) -> tuple[str, str, str] | None:
    for entity in _entities(message):
        if entity.type == MessageEntity.BOT_COMMAND and entity.offset == 0:
            before, found, after = _cut(words_of(message), entity)
            name, _, addressee = found[1:].partition("@")
            return name.lower(), addressee.lower(), f"{before}{after}".strip()
    return None


def _is_addressed(message: Message, me: User, with_mentions: bool) -> bool:
    if is_private(message):
        return True
    if with_mentions and any(_is_mention(message, entity, me) for entity in _entities(message)):
        return True
    reply = replied_to(message)
    return reply is not None and reply.from_user is not None and reply.from_user.id == me.id


def _is_mention(message: Message, entity: MessageEntity, me: User) -> bool:
    if entity.type == MessageEntity.TEXT_MENTION:
        return entity.user is not None and entity.user.id == me.id
    if entity.type != MessageEntity.MENTION or not me.username:
        return False
    return _cut(words_of(message), entity)[1].lower() == f"@{me.username}".lower()


def _without_mentions(message: Message, me: User) -> str:
    text = words_of(message)
    for entity in sorted(_entities(message), key=lambda entity: entity.offset, reverse=True):
        if _is_mention(message, entity, me):
            before, _, after = _cut(text, entity)
            gap = " " if before.rstrip() != before and after.lstrip() != after else ""
            text = f"{before.rstrip()}{gap}{after.lstrip()}" if gap else f"{before}{after}"
    return text.strip()


def _cut(text: str, entity: MessageEntity) -> tuple[str, str, str]:
    """What stands before, in and behind an entity; its places count UTF-16 units."""
    units = text.encode("utf-16-le")
    start, end = 2 * entity.offset, 2 * (entity.offset + entity.length)
    before, inside, after = units[:start], units[start:end], units[end:]
    return before.decode("utf-16-le"), inside.decode("utf-16-le"), after.decode("utf-16-le")
