"""Every call to Telegram: one at a time in each chat, at its pace and at the bot's, patiently.

Knows chats, ranks and errors, not what is said. A chat that is told to wait holds up no other.
"""

import asyncio
import itertools
import logging
import math
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeVar

from telegram.error import (
    BadRequest,
    ChatMigrated,
    Forbidden,
    InvalidToken,
    RetryAfter,
    TelegramError,
)

from bot.telegram.clock import Clock, Timer
from bot.telegram.errors import wait_s
from bot.telegram.lane import Bucket, Lane, Letter, Rank
from bot.telegram.target import Target

# Thirty a second is what Telegram grants a bot; one second never has more than burst and rate.
BOT_BURST = 5
BOT_REFILL_S = 1 / 25
SIGNS_LEAVE = 3  # a typing sign leaves so many of the bot's calls to what is said
NUM_TRIES = 10
LONGEST_PAUSE_S = 30.0
LONGEST_WAIT_S = 3600.0
MANY_LANES = 256

Result = TypeVar("Result")
logger = logging.getLogger(__name__)


class Outbox:
    """Makes calls when their time has come; `on_...` hear of lost chats and a lost token."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._bucket = Bucket(BOT_BURST, BOT_REFILL_S)
        self._lanes: dict[int, Lane] = {}
        self._moved: dict[int, int] = {}
        self._gates: deque[asyncio.Future[None]] = deque()
        self._flights: set[asyncio.Future[None]] = set()
        self._numbers = itertools.count()
        self._timer: Timer | None = None
        self._is_hurried = False
        self.on_closed: Callable[[int], None] = lambda chat_id: None
        self.on_rejected: Callable[[], None] = lambda: None

    async def deliver(
        self, target: Target, call: Callable[[int], Awaitable[Result]], rank: Rank
    ) -> Result:
        """Make this call, which may be made several times; whoever leaves while it waits calls it
        off. Raises what Telegram says when repeating is of no use."""
        results: list[Result] = []

        async def run(chat_id: int) -> None:
            results.append(await call(chat_id))

        done = asyncio.get_running_loop().create_future()
        self._lane(target).put(Letter(run, rank, next(self._numbers), done))
        self._pump()
        await done
        return results[0]

    async def ask(self, call: Callable[[], Awaitable[Result]]) -> Result:
        """Make a call once that no chat counts: files, members, answers to buttons."""
        gate = asyncio.get_running_loop().create_future()
        self._gates.append(gate)
        self._pump()
        await gate
        return await call()

    async def sign(self, target: Target, call: Callable[[int], Awaitable[object]]) -> None:
        """Make a call now, or not at all if anything else is to be said.

        What comes to be said meanwhile lets it arrive, so that no sign follows the last words.
        """
        lane, now = self._lane(target), self._clock.time()
        if self._bucket.level(now) <= SIGNS_LEAVE or not lane.take_sign(now):
            return
        self._bucket.take(now)
        try:
            await call(lane.chat_id)
        except RetryAfter as error:
            lane.pause(self._clock.time() + wait_s(error))
        except Forbidden as error:
            self._close(lane, error)
            raise
        finally:
            lane.end_sign()
            self._pump()

    def home_of(self, chat_id: int) -> int:
        """Where a chat is now, if it has moved."""
        return self._moved.get(chat_id, chat_id)

    def hurry(self) -> None:
        """The end is near: previews are dropped, and the last words wait for no pace."""
        self._is_hurried = True
        for lane in self._lanes.values():
            lane.is_hurried = True
        self._pump()

    async def close(self) -> None:
        """Make no more calls."""
        flights = list(self._flights)
        for flight in flights:
            flight.cancel()
        if flights:
            await asyncio.wait(flights)
        if self._timer is not None:
            self._timer.cancel()

    def _lane(self, target: Target) -> Lane:
        chat_id = self.home_of(target.chat_id)
        if chat_id not in self._lanes:
            self._forget()
            self._lanes[chat_id] = Lane(chat_id, target.pace_s, is_hurried=self._is_hurried)
        return self._lanes[chat_id]

    def _forget(self) -> None:
        if len(self._lanes) >= MANY_LANES:
            now = self._clock.time()
            self._lanes = {
                chat_id: lane for chat_id, lane in self._lanes.items() if not lane.is_at_rest(now)
            }

    def _pump(self) -> None:
        """Let go what may go, and come back when the next may."""
        now = self._clock.time()
        next_at = self._bucket.ready_at(now)
        while next_at <= now and self._let_go(now):
            next_at = self._bucket.ready_at(now)
        waiting = [lane.due_at(now) for lane in self._lanes.values()]
        due_at = now if self._gates else min(waiting, default=math.inf)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if due_at < math.inf:
            self._timer = self._clock.call_later(max(due_at, next_at) - now, self._pump)

    def _let_go(self, now: float) -> bool:
        due = [lane for lane in self._lanes.values() if lane.due_at(now) <= now]
        lane = min(due, key=Lane.place, default=None)
        # Whoever sends a command waits for no queue of photos that are fetched.
        if self._gates and (lane is None or lane.place()[0] is not Rank.SENTENCE):
            gate = self._gates.popleft()
            if not gate.done():
                self._bucket.take(now)
                gate.set_result(None)
        elif lane is not None:
            self._bucket.take(now)
            self._fly(lane, lane.take(now))
        return bool(self._gates or due)

    def _fly(self, lane: Lane, letter: Letter) -> None:
        # Its own task: a caller that leaves must not break off a message on its way.
        flight = asyncio.ensure_future(letter.call(lane.chat_id))
        self._flights.add(flight)
        flight.add_done_callback(lambda ended: self._land(lane, letter, ended))

    def _land(self, lane: Lane, letter: Letter, flight: asyncio.Future[None]) -> None:
        self._flights.discard(flight)
        lane.is_busy = False
        if flight.cancelled():
            letter.done.cancel()
        elif (error := flight.exception()) is not None:
            self._judge(lane, letter, error)
        elif not letter.done.done():
            letter.done.set_result(None)
        self._pump()

    def _judge(self, lane: Lane, letter: Letter, error: BaseException) -> None:
        match error:
            case RetryAfter() if wait_s(error) <= LONGEST_WAIT_S:
                lane.slow_down()
                lane.pause(self._clock.time() + wait_s(error))
                lane.put(letter)
            case ChatMigrated():
                self._move(lane, letter, error.new_chat_id)
            case Forbidden():
                letter.fail(error)
                self._close(lane, error)
            case InvalidToken():
                self.on_rejected()
                letter.fail(error)
            case RetryAfter() | BadRequest():
                letter.fail(error)
            case TelegramError() if letter.num_tries < NUM_TRIES - 1:
                lane.pause(self._clock.time() + min(2.0**letter.num_tries, LONGEST_PAUSE_S))
                letter.num_tries += 1
                lane.put(letter)
            case _:
                letter.fail(error)

    def _move(self, lane: Lane, letter: Letter, chat_id: int) -> None:
        self._lanes.pop(lane.chat_id, None)
        self._moved = {
            old: chat_id if new == lane.chat_id else new for old, new in self._moved.items()
        }
        self._moved[lane.chat_id] = chat_id
        home = self._lanes.setdefault(
            chat_id, Lane(chat_id, lane.pace_s, is_hurried=lane.is_hurried)
        )
        for waiting in (letter, *lane.clear()):
            home.put(waiting)

    def _close(self, lane: Lane, error: Forbidden) -> None:
        logger.info("A chat is closed to us")
        for letter in lane.clear():
            letter.fail(error)
        self.on_closed(lane.chat_id)
