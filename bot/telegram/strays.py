"""Messages that may have arrived though nobody told us: found again before they are sent twice.

Knows how Telegram numbers messages, not what they say. An own message can be edited and no other
one can, so asking to change a number tells whether it is the one that was lost.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from telegram import Bot, InlineKeyboardMarkup, Message
from telegram.error import BadRequest, TelegramError

from bot.telegram.clock import Clock

AHEAD = 3
# Of many people who write at once, not everybody's messages are known.
MAX_PROBES = 48
MAX_KNOWN = 1000
# Private chats and small groups count their messages together, bigger groups each for itself.
_SHARED = 0
_FIRST_OF_ITS_OWN = -1_000_000_000_000
# What a server did after we had lost patience comes to light only then.
LATER_S = (2.0, 10.0, 60.0)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Doubt:
    """A message may be there above a number.

    `is_it` is shown each that is found; nothing of one without buttons, for it cannot be read.
    """

    after: int
    is_it: Callable[[Message | None], bool] = lambda _: True


class Strays:
    """Remembers the numbers of messages, so that an unknown one stands out."""

    def __init__(self, bot: Bot, clock: Clock | None = None) -> None:
        self._bot = bot
        self._clock = clock or Clock()
        self._known: dict[int, deque[int]] = {}
        self._looks: set[asyncio.Task[None]] = set()

    def note(self, chat_id: int, message_id: int) -> None:
        """This message is none that was lost."""
        self._known.setdefault(_row(chat_id), deque(maxlen=MAX_KNOWN)).append(message_id)

    def last(self, chat_id: int) -> int:
        """The highest number so far where this chat counts; what is lost will be above it."""
        return max(self._known.get(_row(chat_id), ()), default=0)

    async def find(
        self, chat_id: int, doubt: Doubt, keyboard: InlineKeyboardMarkup | None = None
    ) -> int | None:
        """The number of a message of ours that nobody told us of; it is given these buttons.

        One that has them already is no other: they bear the number of their turn.
        """
        if not doubt.after:  # then we know nothing of this chat, and everything would stand out
            return None
        known = self._known.get(_row(chat_id), ())
        until = self.last(chat_id) + AHEAD
        unknown = [number for number in range(doubt.after + 1, until + 1) if number not in known]
        for number in unknown[:MAX_PROBES]:
            found = await self._look_at(chat_id, number, keyboard)
            has_them = found is True and keyboard is not None
            if found and (has_them or doubt.is_it(found if found is not True else None)):
                self.note(chat_id, number)
                return number
        return None

    def look_later(self, look: Callable[[], Awaitable[bool]]) -> None:
        """Look again a few times, until it is found."""
        looks = asyncio.create_task(self._look_later(look), name="late look")
        self._looks.add(looks)
        looks.add_done_callback(self._looks.discard)

    def close(self) -> None:
        """Look for nothing more."""
        for looks in self._looks:
            looks.cancel()

    async def _look_later(self, look: Callable[[], Awaitable[bool]]) -> None:
        try:
            for pause_s in LATER_S:
                await self._clock.sleep(pause_s)
                if await look():
                    return
        except TelegramError as error:
            logger.info("No late look: %s", type(error).__name__)

    async def _look_at(
        self, chat_id: int, message_id: int, keyboard: InlineKeyboardMarkup | None
    ) -> Message | bool:
        try:
            return await self._bot.edit_message_reply_markup(
                chat_id, message_id, reply_markup=keyboard
            )
        except BadRequest as error:
            return "not modified" in error.message.lower()


def _row(chat_id: int) -> int:
    return chat_id if chat_id < _FIRST_OF_ITS_OWN else _SHARED
