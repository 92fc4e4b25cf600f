"""From the first call to the last: connects, fetches updates until told to end, stops in order.

Knows no message; closing takes a bounded time, whatever hangs.
"""

import asyncio
import contextlib
import logging
import signal
from collections.abc import Awaitable, Iterator

from telegram import BotCommand, Update
from telegram.error import Conflict, InvalidToken, NetworkError, RetryAfter, TelegramError
from telegram.ext import Updater
from telegram.request import BaseRequest

from bot import texts
from bot.telegram.application import App
from bot.telegram.clock import Clock
from bot.telegram.delivery import Delivery
from bot.telegram.errors import TelegramUnreachable, TokenRejected
from bot.telegram.flight import InFlight
from bot.telegram.requests import PollingRequest

UPDATES = [Update.MESSAGE, Update.CALLBACK_QUERY]
CONNECT_PAUSES_S = (1.0, 2.0, 4.0)
BOOTSTRAP_RETRIES = 3
GRACE_S = 8.0
STEP_S = 5.0

logger = logging.getLogger(__name__)


class Connection:
    """One application, connected."""

    def __init__(
        self, application: App, calling: BaseRequest, polling: PollingRequest, clock: Clock
    ) -> None:
        self._application = application
        self._updater = Updater(application.bot, application.update_queue)
        self._calling = calling
        self._polling = polling
        self._clock = clock

    async def open(self, api_url: str) -> None:
        """Ask Telegram who we are; raises TokenRejected, TelegramUnreachable."""
        is_rejected = False
        for pause_s in (*CONNECT_PAUSES_S, None):
            try:
                await self._application.initialize()
                await self._updater.initialize()
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

    async def listen(self) -> None:
        """Fetch updates until the process is told to end; raises TokenRejected."""
        await self._application.start()
        await self._start_polling()
        await self._tell_commands()
        logger.info("Listening as @%s", self._application.bot.username)
        with _signals() as told:
            await _first_of(told.wait(), self._polling.rejected.wait())
        if self._polling.rejected.is_set():
            raise TokenRejected

    async def close(self, delivery: Delivery, in_flight: InFlight) -> None:
        """Fetch no more, end what is being answered, and let go."""
        delivery.close()
        await asyncio.gather(self._stop_polling(), in_flight.land(GRACE_S))
        if self._application.running:
            await _within(STEP_S, self._application.stop())
        await _within(STEP_S, self._application.shutdown())
        await _within(STEP_S, self._updater.shutdown())
        for request in (self._calling, self._polling):
            await _within(STEP_S, request.shutdown())

    async def _stop_polling(self) -> None:
        if self._updater.running:
            await _within(STEP_S, self._updater.stop())

    async def _start_polling(self) -> None:
        is_rejected = False
        try:
            await self._updater.start_polling(
                bootstrap_retries=BOOTSTRAP_RETRIES,
                allowed_updates=UPDATES,
                drop_pending_updates=False,
                error_callback=_log_polling,
            )
        except InvalidToken:
            is_rejected = True
        if is_rejected:
            raise TokenRejected

    async def _tell_commands(self) -> None:
        commands = [BotCommand(name, about) for name, about in texts.COMMANDS.items()]
        try:
            await self._application.bot.set_my_commands(commands)
        except TelegramError as error:
            logger.warning("The menu of commands stays as it was: %s", type(error).__name__)


def _log_polling(error: TelegramError) -> None:
    if isinstance(error, Conflict):
        logger.error("Another program fetches the messages of this bot; stop one of the two")
    else:
        logger.warning("Fetching messages failed: %s", type(error).__name__)


async def _within(limit_s: float, step: Awaitable[None]) -> None:
    """One step of closing; what it fails at must not keep the next ones from happening."""
    try:
        async with asyncio.timeout(limit_s):
            await step
    except (TimeoutError, TelegramError, RuntimeError) as error:
        logger.warning("Closing: %s", type(error).__name__)


async def _first_of(*waits: Awaitable[object]) -> None:
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()


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
