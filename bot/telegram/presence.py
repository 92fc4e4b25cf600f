"""The typing sign: shown while somebody waits for us, and never longer than it makes sense.

Knows one place; a sign that cannot be shown is no failure.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator

from telegram.error import TelegramError

from bot.telegram.clock import Clock
from bot.telegram.writer import ChatWriter

RENEW_S = 4.0
MAX_RENEWALS = 150

logger = logging.getLogger(__name__)


@contextlib.asynccontextmanager
async def typing(writer: ChatWriter, clock: Clock) -> AsyncIterator[None]:
    """Show that we are at work, until the block is left."""
    sign = asyncio.create_task(_show(writer, clock), name="typing sign")
    try:
        yield
    finally:
        sign.cancel()
        await asyncio.wait([sign])


async def _show(writer: ChatWriter, clock: Clock) -> None:
    for _ in range(MAX_RENEWALS):
        try:
            await writer.sign()
        except TelegramError as error:
            logger.debug("No typing sign: %s", type(error).__name__)
            return
        await clock.sleep(RENEW_S)
