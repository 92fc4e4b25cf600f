"""Updates are written down before they are acknowledged, and struck out once they are handled.

Knows no message; what was left by an earlier process is the business of recovery.
"""

import json
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence

from telegram import Bot, Update

from bot.telegram.flight import InFlight
from bot.telegram.polling import number_of
from storage import LeftUpdate, StorageError, UpdateStore
from storage import Update as Taken

Handle = Callable[[Update], Awaitable[None]]
# What the library raises for an update that lacks what it should have.
_UNREADABLE = (AttributeError, LookupError, TypeError, ValueError, ArithmeticError, OSError)

logger = logging.getLogger(__name__)


class Inbox:
    """The updates of one bot; `fates` counts what becomes of them."""

    def __init__(
        self,
        store: UpdateStore,
        bot: Bot,
        in_flight: InFlight,
        fates: Counter[str] | None = None,
    ) -> None:
        self._store = store
        self._bot = bot
        self._in_flight = in_flight
        self._fates = Counter[str]() if fates is None else fates
        self._unmarked: list[int] = []
        self._is_closed = False

    @property
    def source(self) -> str:
        """Whose updates these are: another bot numbers its own."""
        return f"telegram:{self._bot.id}"

    async def take_in(self, updates: Sequence[object], handle: Handle) -> None:
        """Write down, and begin to handle what is new; raises StorageError, and did nothing."""
        taken = {
            number: Taken(number, json.dumps(update, ensure_ascii=False))
            for update in updates
            if (number := number_of(update)) is not None
        }
        if not taken:
            return
        fresh = await self._store.take_in(self.source, list(taken.values()))
        self._fates["known"] += len(taken) - len(fresh)
        for number in fresh:
            update = await self.read(taken[number])
            if update is not None:
                self.begin(update, handle)

    async def left(self) -> tuple[LeftUpdate, ...]:
        """What an earlier process did not finish; asked before anything is taken in."""
        return await self._store.take_over(self.source)

    async def read(self, taken: Taken) -> Update | None:
        """The update as the library sees it; None for one that is set aside."""
        try:
            return Update.de_json(json.loads(taken.content), self._bot)
        except _UNREADABLE as error:
            reason = type(error).__name__
            logger.error("Update %d cannot be read (%s) and is set aside", taken.number, reason)
            self._fates["set aside"] += 1
            await self._finish(taken.number, problem=reason)
            return None

    def begin(self, update: Update, handle: Handle) -> None:
        """Handle an update beside the others, and strike it out when that has ended."""
        name = f"Update {update.update_id}"
        self._in_flight.begin(self._handle(update, handle), name)

    def close(self) -> None:
        """Strike out nothing more: what ends from now on ends for want of a connection."""
        self._is_closed = True

    async def _handle(self, update: Update, handle: Handle) -> None:
        await handle(update)
        if not self._is_closed:
            self._fates["handled"] += 1
            await self._finish(update.update_id)

    async def _finish(self, number: int, problem: str = "") -> None:
        try:
            await self._store.finish(self.source, [number], problem=problem)
            unmarked, self._unmarked = self._unmarked, []
            if unmarked:
                await self._store.finish(self.source, unmarked)
        except StorageError as error:
            # Handled all the same; the next one that ends takes it along.
            self._unmarked.append(number)
            logger.error("Update %d is not struck out: %s", number, error)
