"""Which messages of a group reach the bot: privacy mode, as the server applies it."""

from bot.simulator.entities import utf16_slice
from bot.simulator.records import Chat, Message
from bot.simulator.world import World


def reaches_bot(world: World, message: Message) -> bool:
    chat = world.chats[message.chat_id]
    if chat.kind == "private":
        return not chat.blocked
    if chat.bot_standing in {"left", "kicked", "gone"} or world.people[message.sender_id].is_bot:
        return False
    if chat.kind == "channel" or chat.bot_standing == "administrator":
        return True
    if not world.profile.privacy_mode:
        return True
    if message.special is not None and message.special.is_service:
        return True
    return _answers_bot(world, message) or _is_for_bot(world, chat, message)


def _answers_bot(world: World, message: Message) -> bool:
    original = world.message(message.chat_id, message.reply_to)
    return original is not None and original.sender_id == world.bot.person_id


def _is_for_bot(world: World, chat: Chat, message: Message) -> bool:
    """A command at the start: with the bot's name, or bare if no other bot spoke last.

    A mention alone is not enough, whatever the settings page of the real thing suggests.
    """
    first = next(iter(message.entities), None)
    if first is None or first.type != "bot_command" or first.offset != 0:
        return False
    command = utf16_slice(message.text, first.offset, first.length)
    _, at, name = command.partition("@")
    if at:
        return name.lower() == world.bot.username.lower()
    return world.last_bot(chat.chat_id) in {0, world.bot.person_id}
