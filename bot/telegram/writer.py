"""Sends and edits the messages of one chat, through the faults that Telegram is known for.

Knows parts and buttons, not answers; a message that may have been sent is never sent again.
"""

import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

import httpx
from telegram import Bot, InlineKeyboardMarkup, LinkPreviewOptions, MessageEntity, ReplyParameters
from telegram.error import BadRequest, ChatMigrated, NetworkError, RetryAfter, TelegramError

from bot.telegram.clock import Clock
from bot.telegram.errors import wait_s
from bot.telegram.formatting import Part
from bot.telegram.target import Target

NUM_TRIES = 5
PAUSE_S = 1.0
LONGEST_WAIT_S = 3600.0
_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)

Result = TypeVar("Result")
logger = logging.getLogger(__name__)


class ChatWriter:
    """The pen for one place."""

    def __init__(self, bot: Bot, target: Target, clock: Clock) -> None:
        self.target = target
        self._bot = bot
        self._clock = clock
        self._chat_id = target.chat_id

    async def send(
        self, part: Part, keyboard: InlineKeyboardMarkup | None = None, *, is_reply: bool = True
    ) -> int:
        """Send a message, with several tries while it cannot have arrived; gives its number."""
        return await self._patiently(
            lambda: self.try_send(part, keyboard, is_reply=is_reply), is_repeatable=False
        )

    async def try_send(
        self, part: Part, keyboard: InlineKeyboardMarkup | None = None, *, is_reply: bool = True
    ) -> int:
        """One try to send a message; gives its number."""

        async def call(entities: tuple[MessageEntity, ...]) -> int:
            message = await self._bot.send_message(
                self._chat_id,
                part.text,
                entities=entities or None,
                reply_parameters=self._reply() if is_reply else None,
                reply_markup=keyboard,
                message_thread_id=self.target.topic,
                link_preview_options=LinkPreviewOptions(is_disabled=True),
            )
            return message.message_id

        return await _or_plain(call, part)

    async def edit(
        self, message_id: int, part: Part, keyboard: InlineKeyboardMarkup | None
    ) -> bool:
        """Bring a message to this state, whatever it takes; False if it is not there any more."""
        return await self._patiently(
            lambda: self.try_edit(message_id, part, keyboard), is_repeatable=True
        )

    async def try_edit(
        self, message_id: int, part: Part, keyboard: InlineKeyboardMarkup | None
    ) -> bool:
        """One try to edit a message; False if it is not there any more."""

        async def call(entities: tuple[MessageEntity, ...]) -> bool:
            await self._bot.edit_message_text(
                part.text,
                self._chat_id,
                message_id,
                entities=entities or None,
                reply_markup=keyboard,
                link_preview_options=LinkPreviewOptions(is_disabled=True),
            )
            return True

        try:
            return await _or_plain(call, part)
        except BadRequest as error:
            reason = error.message.lower()
            if "not modified" in reason:
                return True
            if "to edit not found" in reason or "can't be edited" in reason:
                return False
            raise

    async def delete(self, message_id: int) -> None:
        """Take a message away if that is possible."""
        try:
            await self._bot.delete_message(self._chat_id, message_id)
        except TelegramError as error:
            logger.info("A message stays: %s", type(error).__name__)

    def _reply(self) -> ReplyParameters | None:
        if self.target.reply_to is None:
            return None
        return ReplyParameters(self.target.reply_to, allow_sending_without_reply=True)

    async def _patiently(
        self, call: Callable[[], Awaitable[Result]], *, is_repeatable: bool
    ) -> Result:
        for _ in range(NUM_TRIES - 1):
            try:
                return await call()
            except ChatMigrated as error:
                self._chat_id = error.new_chat_id
            except RetryAfter as error:
                if wait_s(error) > LONGEST_WAIT_S:
                    raise
                await self._clock.sleep(wait_s(error))
            except BadRequest:
                raise
            except NetworkError as error:
                if not is_repeatable and not isinstance(error.__cause__, _NEVER_SENT):
                    raise
                await self._clock.sleep(PAUSE_S)
        return await call()


async def _or_plain(
    call: Callable[[tuple[MessageEntity, ...]], Awaitable[Result]], part: Part
) -> Result:
    try:
        return await call(part.entities)
    except BadRequest as error:
        if not part.entities or "entit" not in error.message.lower():
            raise
        logger.warning("Telegram refused the markup of an answer; it is shown plain")
        return await call(())
