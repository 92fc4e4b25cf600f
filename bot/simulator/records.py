"""What the world consists of: people, chats, messages and their parts, as frozen records.

Knows nothing of HTTP nor of the JSON of the Bot API.
"""

from dataclasses import dataclass
from typing import Literal

from bot.simulator.media import Media, Special

ChatKind = Literal["private", "group", "supergroup", "channel"]
Standing = Literal["member", "administrator", "left", "kicked", "gone"]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with an account: a person, or a bot."""

    person_id: int
    first_name: str
    last_name: str = ""
    username: str = ""
    language_code: str = "en"
    is_bot: bool = False
    deactivated: bool = False


@dataclass(frozen=True, slots=True)
class Topic:
    """One thread of a forum."""

    thread_id: int
    name: str
    closed: bool = False
    deleted: bool = False


@dataclass(frozen=True, slots=True)
class Chat:
    """A conversation; a private one has the number of its person.

    Where it is `silent`, the bot is a member who may not write.
    """

    chat_id: int
    kind: ChatKind
    title: str = ""
    member_ids: tuple[int, ...] = ()
    admin_ids: tuple[int, ...] = ()
    bot_standing: Standing = "member"
    blocked: bool = False
    migrated_to: int = 0
    topics: tuple[Topic, ...] = ()
    is_forum: bool = False
    silent: bool = False


@dataclass(frozen=True, slots=True)
class Entity:
    """A marked stretch of a text; offset and length count UTF-16 units."""

    type: str
    offset: int
    length: int
    url: str = ""
    language: str = ""
    person_id: int = 0
    custom_emoji_id: str = ""


@dataclass(frozen=True, slots=True)
class Formatted:
    """A text and what is marked in it."""

    text: str = ""
    entities: tuple[Entity, ...] = ()


@dataclass(frozen=True, slots=True)
class Button:
    """One inline button; exactly one of the three values is set."""

    text: str
    callback_data: str = ""
    url: str = ""
    copy_text: str = ""
    style: str = ""


@dataclass(frozen=True, slots=True)
class Reaction:
    """One emoji that somebody put on a message."""

    person_id: int
    emoji: str


Keyboard = tuple[tuple[Button, ...], ...]


@dataclass(frozen=True, slots=True)
class Message:
    """One message; `text` is the caption where there is a file.

    With `sender_chat_id` somebody writes as the group itself, or as a channel.
    """

    chat_id: int
    message_id: int
    sender_id: int
    date: int
    text: str = ""
    entities: tuple[Entity, ...] = ()
    media: Media | None = None
    reply_to: int = 0
    quote: str = ""
    thread_id: int = 0
    album_id: str = ""
    keyboard: Keyboard = ()
    edit_date: int = 0
    reactions: tuple[Reaction, ...] = ()
    forwarded_from: int = 0
    forwarded_date: int = 0
    special: Special | None = None
    sender_chat_id: int = 0


@dataclass(frozen=True, slots=True)
class Query:
    """A pressed button that waits for the bot's answer."""

    query_id: str
    person_id: int
    chat_id: int
    message_id: int
    data: str
    created_at: float


@dataclass(frozen=True, slots=True)
class Deletion:
    """A message is gone."""

    chat_id: int
    message_id: int


@dataclass(frozen=True, slots=True)
class Action:
    """The bot shows that it is busy ("typing"); lasts five seconds or until its next message."""

    chat_id: int
    action: str
    thread_id: int = 0


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer that grows before the eyes; gone after half a minute or with the next message."""

    chat_id: int
    draft_id: int
    text: str = ""
    entities: tuple[Entity, ...] = ()
    thread_id: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """What the bot says to somebody who pressed a button."""

    query_id: str
    person_id: int
    text: str = ""
    show_alert: bool = False
    url: str = ""


@dataclass(frozen=True, slots=True)
class Command:
    """One line of the bot's menu."""

    command: str
    description: str


@dataclass(frozen=True, slots=True)
class Menu:
    """The bot's commands for one scope and language; empty means none set."""

    scope: str
    language_code: str
    commands: tuple[Command, ...]


@dataclass(frozen=True, slots=True)
class Profile:
    """What the bot's owner and the bot itself have set about it.

    The door is where the address of the webhook leads on this computer; ahead is the clock.
    """

    privacy_mode: bool = True
    description: str = ""
    short_description: str = ""
    webhook_url: str = ""
    webhook_secret: str = ""
    webhook_door: str = ""
    ahead_s: float = 0.0


# What stays true until something else is said, and what only passes by.
Lasting = Person | Chat | Message | Deletion | Query | Menu | Profile
Change = Lasting | Action | Draft | Reply
