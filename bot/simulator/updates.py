"""UpdateQueue: what the bot has not fetched yet, handed out by long polling.

Knows kinds and payloads of updates, not what they mean.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.simulator.kinds import DEFAULT_KINDS, KINDS
from bot.simulator.refusal import Refusal

MESSAGE_LIFETIME_S = 24 * 3600.0
QUERY_LIFETIME_S = 150.0
MAX_WAIT_S = 50
_CONFLICT_PAUSE_S = 3.0
CONFLICT = "terminated by other getUpdates request; make sure that only one bot instance is running"
WEBHOOK_CONFLICT = (
    "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook "
    "first"
)


@dataclass(frozen=True, slots=True)
class Update:
    """One update as the bot will get it."""

    update_id: int
    kind: str
    payload: dict[str, object]
    created_at: float

    @property
    def chat_id(self) -> int | None:
        message = self.payload.get("message", self.payload)
        chat = message.get("chat") if isinstance(message, dict) else None
        number = chat.get("id") if isinstance(chat, dict) else None
        return number if isinstance(number, int) else None

    def view(self) -> dict[str, object]:
        return {"update_id": self.update_id, self.kind: self.payload}


class UpdateQueue:
    """First in, first out, until the bot's next offset says that it has them."""

    def __init__(self, clock: Callable[[], float], first_id: int) -> None:
        self._clock = clock
        self._pending: list[Update] = []
        self._next_id = first_id
        self._waiter: asyncio.Future[None] | None = None
        self.waiting = asyncio.Event()
        # For the webhook: something may be due; it is set anew; what went wrong and when.
        self.due = asyncio.Event()
        self.moved = asyncio.Event()
        self.webhook_fault: tuple[int, str] | None = None
        self._last_offset: int | None = None
        self._last_poll_at = -1e9
        self._conflict_at = -1e9
        self.allowed: frozenset[str] = DEFAULT_KINDS
        self._again: list[Update] = []
        self.on_change: Callable[[], None] = lambda: None
        self.comes_again: Callable[[int | None], bool] = lambda _: False

    @property
    def pending(self) -> Sequence[Update]:
        return tuple(self._pending)

    @property
    def next_id(self) -> int:
        return self._next_id

    def restore(self, pending: Sequence[Update], next_id: int) -> None:
        self._pending = list(pending)
        self._next_id = next_id

    def add(self, kind: str, payload: dict[str, object]) -> None:
        if kind not in self.allowed:
            return
        self._pending.append(Update(self._next_id, kind, payload, self._clock()))
        self._next_id += 1
        self.on_change()
        self._wake()

    def allow(self, kinds: Sequence[str]) -> None:
        """What from now on becomes an update; names that nobody knows are ignored."""
        self.allowed = frozenset(kinds) & KINDS or DEFAULT_KINDS
        self.on_change()

    def clear(self) -> None:
        self._pending.clear()
        self.on_change()

    def first(self) -> Update | None:
        """The next for the webhook."""
        batch = self._again[:1] or self._batch(1)
        return batch[0] if batch else None

    def take(self, update: Update) -> None:
        """The webhook has it."""
        if update in self._again:
            self._again.remove(update)
        else:
            self._acknowledge(update.update_id + 1)

    async def poll(self, offset: int, limit: int, timeout_s: int) -> list[Update]:
        await self._displace()
        now = self._clock()
        if offset == self._last_offset and now < self._last_poll_at + 3.0:
            timeout_s = max(timeout_s, 3)
            limit = 1 if now < self._last_poll_at + 0.5 else limit
        self._last_offset, self._last_poll_at = offset, now
        self._acknowledge(offset)
        batch = self._batch(limit)
        if batch or timeout_s == 0:
            return batch
        await self._wait(timeout_s)
        return self._batch(limit)

    def close(self) -> None:
        self.interrupt(Refusal(500, "Restart"))

    def interrupt(self, refusal: Refusal) -> bool:
        """Ends a poll that waits; False where none does."""
        if self._waiter is None or self._waiter.done():
            return False
        self._waiter.set_exception(refusal)
        return True

    def _batch(self, limit: int) -> list[Update]:
        now = self._clock()
        self._pending = [update for update in self._pending if _alive(update, now)]
        again, self._again = self._again[:limit], self._again[limit:]
        return again + self._pending[: limit - len(again)]

    def _acknowledge(self, offset: int) -> None:
        before = len(self._pending)
        if offset < 0:
            self._pending = self._pending[offset:]
        elif offset > 0:
            done = [update for update in self._pending if update.update_id < offset]
            # Some come once more although the bot has them: the fault "duplicate_update".
            self._again += [update for update in done if self.comes_again(update.chat_id)]
            self._pending = self._pending[len(done) :]
        if len(self._pending) != before:
            self.on_change()

    async def _displace(self) -> None:
        """The newer poll wins; the older one learns of it, later if it comes again and again."""
        waiter, self._waiter = self._waiter, None
        if waiter is None or waiter.done():
            return
        again = self._clock() < self._conflict_at + _CONFLICT_PAUSE_S
        self._conflict_at = self._clock()
        delay_s = _CONFLICT_PAUSE_S if again else 0.0
        asyncio.get_running_loop().call_later(delay_s, _refuse, waiter)

    async def _wait(self, timeout_s: int) -> None:
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiter = waiter
        self.waiting.set()
        try:
            await asyncio.wait_for(waiter, timeout_s)
        except TimeoutError:
            return
        finally:
            if self._waiter is waiter:
                self._waiter = None
                self.waiting.clear()

    def _wake(self) -> None:
        self.due.set()
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


def _refuse(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_exception(Refusal(409, CONFLICT))


def _alive(update: Update, now: float) -> bool:
    is_query = update.kind == "callback_query"
    return now - update.created_at < (QUERY_LIFETIME_S if is_query else MESSAGE_LIFETIME_S)
