"""From the first call to the last: connects, listens until told to end, stops in order.

Knows no message; closing takes a bounded time, whatever hangs.
"""

import asyncio
import contextlib
import logging
import signal
from collections.abc import Awaitable, Iterator
from functools import partial

from telegram import User
from telegram.error import InvalidToken, NetworkError, RetryAfter, TelegramError
from telegram.request import BaseRequest

from bot.telegram.application import App
from bot.telegram.clock import Clock
from bot.telegram.errors import TelegramUnreachable, TokenRejected
from bot.telegram.menus import menus
from bot.telegram.outbox import Outbox
from bot.telegram.polling import Polling, TakeIn
from bot.telegram.webhook import Webhook

CONNECT_PAUSES_S = (1.0, 2.0, 4.0)
STEP_S = 5.0

logger = logging.getLogger(__name__)


class Connection:
    """One application, connected."""

    def __init__(
        self,
        application: App,
        source: Polling | Webhook,
        requests: tuple[BaseRequest, BaseRequest],
        *,
        outbox: Outbox,
        clock: Clock,
    ) -> None:
        self._application = application
        self._source = source
        self._requests = requests
        self._outbox = outbox
        self._clock = clock
        self._rejected = asyncio.Event()

    @property
    def silent_s(self) -> float | None:
        """For how long no updates could be fetched; None before the first time."""
        return self._source.silent_s

    async def open(self, api_url: str) -> None:
        """Ask Telegram who we are; raises TokenRejected, TelegramUnreachable."""
        is_rejected = False
        for pause_s in (*CONNECT_PAUSES_S, None):
            try:
                await self._application.initialize()
                _tell_of_privacy_mode(self._application.bot.bot)
                return
            except InvalidToken:
                is_rejected = True
                break
            except (NetworkError, RetryAfter) as error:
                logger.warning("Telegram does not answer: %s", type(error).__name__)
            if pause_s is not None:
                await self._clock.sleep(pause_s)
        # Raised out here, so that no cause in the chain bears the token.
        raise TokenRejected if is_rejected else TelegramUnreachable(api_url)

    async def listen(self, take_in: TakeIn) -> None:
        """Take updates in until the process is told to end; raises what the source does."""
        polling = asyncio.create_task(self._source.run(take_in), name="updates")
        telling = asyncio.create_task(self._tell_commands(), name="menus")
        try:
            with _signals() as told:
                logger.info("Listening as @%s", self._application.bot.username)
                await _first_of(told.wait(), self._rejected.wait(), polling)
        finally:
            telling.cancel()
            polling.cancel()
            await asyncio.wait([polling, telling])
        if self._rejected.is_set():
            raise TokenRejected
        if not polling.cancelled():
            polling.result()

    def reject(self) -> None:
        """A call was told that the token is no longer taken."""
        self._rejected.set()

    async def close(self) -> None:
        """Let go."""
        await _within(STEP_S, self._application.shutdown())
        for request in self._requests:
            await _within(STEP_S, request.shutdown())

    async def _tell_commands(self) -> None:
        bot = self._application.bot
        try:
            for menu in menus():
                tell = partial(
                    bot.set_my_commands,
                    menu.commands,
                    scope=menu.scope,
                    language_code=menu.language_code,
                )
                await self._outbox.ask(tell)
        except TelegramError as error:
            logger.warning("The menu of commands stays as it was: %s", type(error).__name__)


def _tell_of_privacy_mode(me: User) -> None:
    if not me.can_read_all_group_messages:
        logger.info("Privacy mode is on: in groups only commands and replies to the bot arrive.")


async def _within(limit_s: float, step: Awaitable[None]) -> None:
    """One step of closing; what it fails at must not keep the next ones from happening."""
    try:
        async with asyncio.timeout(limit_s):
            await step
    except (TimeoutError, TelegramError, RuntimeError) as error:
        logger.warning("Closing: %s", type(error).__name__)


async def _first_of(
    told: Awaitable[object], rejected: Awaitable[object], polling: asyncio.Task[None]
) -> None:
    waiting = [asyncio.ensure_future(told), asyncio.ensure_future(rejected)]
    try:
        await asyncio.wait([*waiting, polling], return_when=asyncio.FIRST_COMPLETED)
    finally:
        for one in waiting:
            one.cancel()


@contextlib.contextmanager
def _signals() -> Iterator[asyncio.Event]:
    """An event that is set when the process is told to end."""
    told, loop = asyncio.Event(), asyncio.get_running_loop()
    handled = []
    # Only the main thread hears signals, and not every system has them.
    with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, told.set)
            handled.append(number)
    try:
        yield told
    finally:
        for number in handled:
            loop.remove_signal_handler(number)
