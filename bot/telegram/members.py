"""Who is an admin of a chat, as Telegram says.

Knows no button and no command; whoever cannot be asked about is none.
"""

import logging

from telegram import Chat, Message
from telegram.constants import ChatMemberStatus
from telegram.error import TelegramError

from bot.telegram.outbox import Outbox

ADMINS = (ChatMemberStatus.OWNER, ChatMemberStatus.ADMINISTRATOR)

logger = logging.getLogger(__name__)


async def is_admin(outbox: Outbox, chat: Chat, person_id: int) -> bool:
    """Whether this person runs the chat."""
    try:
        member = await outbox.ask(lambda: chat.get_member(person_id))
    except TelegramError as error:
        logger.info("Nobody can tell who is admin: %s", type(error).__name__)
        return False
    return member.status in ADMINS


async def is_by_admin(outbox: Outbox, message: Message) -> bool:
    """Whether an admin wrote a message, under their own name or that of the chat."""
    if message.sender_chat is not None:
        return message.sender_chat.id == message.chat.id
    sender = message.from_user
    return sender is not None and await is_admin(outbox, message.chat, sender.id)
