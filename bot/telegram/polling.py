"""Fetches updates as they are on the wire, through every fault, and says which cannot be borne.

Knows no update: whoever takes them in acknowledges them by taking them in.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from urllib.parse import urlencode

from telegram import Bot, Update
from telegram.error import Conflict, InvalidToken, RetryAfter, TelegramError, TimedOut
from telegram.request import BaseRequest

from bot.telegram.clock import Clock
from bot.telegram.errors import PolledElsewhere, TokenRejected, wait_s
from storage import StorageError

UPDATES = (Update.MESSAGE, Update.EDITED_MESSAGE, Update.CALLBACK_QUERY)
MAX_UPDATES = 100
POLL_S = 20
READ_S = POLL_S + 10.0
HANG_S = POLL_S + 25.0
PAUSES_S = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
FAILURES_TO_RENEW = 3
CONFLICTS_TO_END = 6
# What the library raises, or trips over, when an answer is not what Telegram would say.
_NO_ANSWER = (TelegramError, AttributeError, LookupError, TypeError, ValueError)

TakeIn = Callable[[list[object], bool], Awaitable[None]]
logger = logging.getLogger(__name__)


class Polling:
    """One poll after another."""

    def __init__(self, bot: Bot, request: BaseRequest, clock: Clock) -> None:
        self._bot = bot
        self._request = request
        self._clock = clock
        self._offset = 0
        self._num_failures = 0
        self._num_conflicts = 0
        self._has_webhook = True
        self._is_behind = True
        self._finished_at: float | None = None

    @property
    def silent_s(self) -> float | None:
        """For how long no poll has succeeded; None before the first one."""
        return None if self._finished_at is None else self._clock.time() - self._finished_at

    async def run(self, take_in: TakeIn) -> None:
        """Fetch and hand over until cancelled; raises TokenRejected, PolledElsewhere.

        `take_in` hears too whether updates may have waited for us. When it raises StorageError,
        the same updates come again.
        """
        while True:
            await self._clock.sleep(await self._round(take_in))

    async def _round(self, take_in: TakeIn) -> float:
        """One poll; gives the pause after it."""
        is_rejected = False
        try:
            await self._drop_webhook()
            await self._hand_over(await self._poll(), take_in)
        except InvalidToken:
            is_rejected = True
        except Conflict as error:
            return self._conflict(error)
        except RetryAfter as error:
            self._fail("Telegram asks for a pause")
            return wait_s(error)
        except StorageError as error:
            # It names the file and what the system says: only the owner can help.
            self._fail(f"{type(error).__name__}: {error}")
            return self._pause_s
        except _NO_ANSWER as error:
            self._fail(type(error).__name__)
            await self._renew(error)
            return self._pause_s
        if is_rejected:  # raised out here, so that no cause in the chain bears the token
            raise TokenRejected
        return 0.0

    async def _drop_webhook(self) -> None:
        if self._has_webhook:
            await self._bot.delete_webhook(drop_pending_updates=False)
            self._has_webhook = False

    async def _poll(self) -> list[object]:
        asked = {
            "offset": self._offset,
            "limit": MAX_UPDATES,
            "timeout": POLL_S,
            "allowed_updates": json.dumps(UPDATES),
        }
        url = f"{self._bot.base_url}/getUpdates?{urlencode(asked)}"
        poll = asyncio.create_task(self._request.post(url, read_timeout=READ_S), name="poll")
        watch = self._clock.call_later(HANG_S, lambda: _cancel(poll))
        try:
            await asyncio.wait([poll])
        finally:
            watch.cancel()
            poll.cancel()
        if poll.cancelled():
            raise TimedOut("a poll did not end")
        updates: object = poll.result()
        if not isinstance(updates, list):
            raise TypeError("no list of updates")
        return updates

    async def _hand_over(self, updates: list[object], take_in: TakeIn) -> None:
        numbers = [number for one in updates if (number := number_of(one)) is not None]
        if updates and not numbers:
            raise ValueError("no update has a number")
        await take_in(updates, self._is_behind)
        self._is_behind = self._is_behind and len(updates) == MAX_UPDATES
        # Not the highest ever seen: after a quiet week the numbers begin anew.
        self._offset = max(numbers) + 1 if numbers else self._offset
        if self._num_failures or self._num_conflicts:
            logger.info("Messages are fetched again")
        self._num_failures = self._num_conflicts = 0
        self._finished_at = self._clock.time()

    def _fail(self, why: str) -> None:
        self._is_behind = True
        self._num_failures += 1
        if self._num_failures == 1:
            logger.warning("Messages cannot be fetched, trying again: %s", why)

    def _conflict(self, error: Conflict) -> float:
        self._is_behind = True
        self._num_conflicts += 1
        self._has_webhook = "webhook" in error.message.lower()
        if self._num_conflicts == 1:
            logger.error("Another program fetches the messages of this bot; stop one of the two")
        if self._num_conflicts >= CONFLICTS_TO_END:
            raise PolledElsewhere from None
        return PAUSES_S[self._num_conflicts - 1]

    @property
    def _pause_s(self) -> float:
        return PAUSES_S[min(self._num_failures, len(PAUSES_S)) - 1]

    async def _renew(self, error: BaseException) -> None:
        """Take new connections: those there are may be what hangs."""
        if isinstance(error, TimedOut) or self._num_failures % FAILURES_TO_RENEW == 0:
            with suppress(TelegramError, RuntimeError, OSError):
                await self._request.shutdown()
            await self._request.initialize()


def number_of(update: object) -> int | None:
    """The number of an update as it is on the wire."""
    number = update.get("update_id") if isinstance(update, dict) else None
    return number if isinstance(number, int) else None


def _cancel(poll: asyncio.Task[object]) -> None:
    poll.cancel()
