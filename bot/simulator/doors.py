"""Doors: whether the bot may enter a chat and write there, with the server's words when not."""

from dataclasses import replace

from bot.simulator.parameters import Parameters
from bot.simulator.records import Chat, Formatted, Message
from bot.simulator.refusal import Refusal, bad_request
from bot.simulator.world import World


def open_chat(world: World, parameters: Parameters) -> Chat:
    """The chat that the request names, if the bot can see it."""
    name = parameters.text("chat_id").strip()
    if not name:
        raise bad_request("Chat_id is empty")
    chat = _by_name(world, name)
    if chat is None:
        raise bad_request("Chat not found")
    if chat.migrated_to:
        to = {"migrate_to_chat_id": chat.migrated_to}
        raise Refusal(400, "Group chat was upgraded to a supergroup chat", to)
    if chat.kind != "private":
        _check_membership(chat)
    return chat


def writable_chat(world: World, parameters: Parameters, what: str = "text messages") -> Chat:
    """The chat that the request names, if the bot can send that there."""
    chat = open_chat(world, parameters)
    if chat.silent:
        raise bad_request(f"Not enough rights to send {what} to the chat")
    if chat.kind != "private":
        return chat
    if chat.blocked:
        raise Refusal(403, "Bot was blocked by the user")
    if world.people[chat.chat_id].deactivated:
        raise Refusal(403, "User is deactivated")
    return chat


def open_thread(parameters: Parameters, chat: Chat) -> int:
    """The topic that the request names; 0 where the chat has none or none is named."""
    number = parameters.integer("message_thread_id")
    if not number:
        return 0
    topic = next((topic for topic in chat.topics if topic.thread_id == number), None)
    if topic is None:
        raise bad_request("Message thread not found")
    if topic.deleted:
        raise bad_request("TOPIC_DELETED")
    if topic.closed:
        raise bad_request("TOPIC_CLOSED")
    return number


def own_message(world: World, parameters: Parameters, chat: Chat, purpose: str) -> Message:
    """The message that the request names, for a purpose such as "edit"."""
    number = parameters.integer("message_id")
    message = world.message(chat.chat_id, number) if number > 0 else None
    if message is None:
        raise bad_request(f"Message to {purpose} not found")
    return message


def with_known_people(world: World, formatted: Formatted) -> Formatted:
    """A mention of somebody whom the bot has never met is dropped in silence."""
    known = tuple(e for e in formatted.entities if e.person_id in {0, *world.people})
    return replace(formatted, entities=known)


def _by_name(world: World, name: str) -> Chat | None:
    if not name.removeprefix("-").isdigit():
        return None
    number = int(name)
    chat = world.chats.get(number)
    if chat is None and number in world.people:
        if world.people[number].is_bot:
            raise Refusal(403, "Bot can't send messages to bots")
        raise Refusal(403, "Bot can't initiate conversation with a user")
    return chat


def _check_membership(chat: Chat) -> None:
    if chat.bot_standing == "gone":
        raise Refusal(403, "The group chat was deleted")
    if chat.bot_standing == "kicked":
        raise Refusal(403, f"Bot was kicked from the {chat.kind} chat")
    if chat.bot_standing == "left":
        raise Refusal(403, f"Bot is not a member of the {chat.kind} chat")
