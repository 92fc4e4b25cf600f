"""The typing sign: shown while somebody waits for us, and never longer than it makes sense.

Knows a chat and a topic; a sign that cannot be shown is no failure.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator

from telegram import Bot
from telegram.constants import ChatAction
from telegram.error import RetryAfter, TelegramError

from bot.telegram.clock import Clock
from bot.telegram.errors import wait_s
from bot.telegram.target import Target

RENEW_S = 4.0
MAX_RENEWALS = 150

logger = logging.getLogger(__name__)


@contextlib.asynccontextmanager
async def typing(bot: Bot, target: Target, clock: Clock) -> AsyncIterator[None]:
    """Show that we are at work, until the block is left."""
    sign = asyncio.create_task(_show(bot, target, clock), name="typing sign")
    try:
        yield
    finally:
        sign.cancel()
        await asyncio.wait([sign])


async def _show(bot: Bot, target: Target, clock: Clock) -> None:
    for _ in range(MAX_RENEWALS):
        pause_s = RENEW_S
        try:
            await bot.send_chat_action(
                target.chat_id, ChatAction.TYPING, message_thread_id=target.topic
            )
        except RetryAfter as error:
            pause_s = max(pause_s, wait_s(error))
        except TelegramError as error:
            logger.debug("No typing sign: %s", type(error).__name__)
            return
        await clock.sleep(pause_s)
