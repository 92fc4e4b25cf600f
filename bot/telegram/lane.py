"""What waits to be said in one chat, and when the next of it may go.

Knows ranks, paces and time; calls nobody.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import IntEnum

BURST = 3
SLOWEST_PACE_S = 30.0
SIGN_S = 1.0  # for so long words let a sign arrive that is on its way
REST_S = 60.0


class Rank(IntEnum):
    """What goes first; the sign that we are typing comes after all and never waits.

    A sentence is what we say to a command, at once; the end of an answer may wait for it.
    """

    SENTENCE = 0
    FINAL = 1
    PREVIEW = 2


@dataclass(slots=True, eq=False)
class Letter:
    """A call that waits for its turn; it is given the chat, decides then what it says, and may be
    made again after a failure. Nobody wants it any more when `done` is cancelled."""

    call: Callable[[int], Awaitable[None]]
    rank: Rank
    number: int
    done: asyncio.Future[None]
    num_tries: int = 0

    def place(self) -> tuple[int, int]:
        """What has the lowest goes first."""
        return self.rank, self.number

    def fail(self, error: BaseException) -> None:
        """Tell whoever waits."""
        if not self.done.done():
            self.done.set_exception(error)


class Bucket:
    """So many calls at once, and one more each `refill_s`."""

    def __init__(self, size: int, refill_s: float) -> None:
        self._size = size
        self._level = float(size)
        self._at = -math.inf
        self.refill_s = refill_s

    def level(self, now: float) -> float:
        """How many calls may go now."""
        self._level = min(self._size, self._level + max(now - self._at, 0.0) / self.refill_s)
        self._at = now
        return self._level

    def take(self, now: float) -> None:
        """One call goes."""
        self._level = self.level(now) - 1

    def ready_at(self, now: float, num_calls: int = 1) -> float:
        """When so many may go."""
        # A little early would be too early again and again, for no clock is that exact.
        missing = num_calls - self.level(now)
        return now + (missing * self.refill_s + 1e-6 if missing > 1e-9 else 0.0)


@dataclass(slots=True, eq=False)
class Lane:
    """The letters of one chat, one at a time."""

    chat_id: int
    pace_s: float
    paused_until: float = -math.inf
    is_busy: bool = False
    is_hurried: bool = False
    _bucket: Bucket = field(init=False)
    _letters: list[Letter] = field(default_factory=list)
    _last_at: float = -math.inf
    _sign_until: float = -math.inf

    def __post_init__(self) -> None:
        self._bucket = Bucket(BURST, self.pace_s)

    def put(self, letter: Letter) -> None:
        """Let it wait for its turn."""
        self._letters.append(letter)

    def clear(self) -> list[Letter]:
        """Nothing waits any more; gives what did."""
        letters, self._letters = self._letters, []
        return letters

    def first(self) -> Letter | None:
        """The letter whose turn is next."""
        self._letters = [letter for letter in self._letters if not letter.done.done()]
        return min(self._letters, key=Letter.place, default=None)

    def place(self) -> tuple[int, int]:
        """The place of its first letter; there must be one."""
        return min(letter.place() for letter in self._letters)

    def due_at(self, now: float) -> float:
        """When the first letter may go; never while another one is on its way."""
        letter = self.first()
        if letter is None or self.is_busy:
            return math.inf
        if self.is_hurried:
            return max(now, self.paused_until)
        # A preview leaves one call over, so that the end of an answer need not wait.
        is_preview = letter.rank is Rank.PREVIEW
        ready_at = max(self._bucket.ready_at(now, 2 if is_preview else 1), self._sign_until)
        apart_at = self._last_at + self.pace_s if is_preview else now
        return max(ready_at, apart_at, self.paused_until)

    def take(self, now: float) -> Letter:
        """The first letter is on its way; there must be one."""
        letter = min(self._letters, key=Letter.place)
        self._letters.remove(letter)
        self._bucket.take(now)
        self._last_at = now
        self.is_busy = True
        return letter

    def pause(self, until: float) -> None:
        """Nothing goes before this."""
        self.paused_until = max(self.paused_until, until)

    def slow_down(self) -> None:
        """Telegram complained: from now on half as often, until the chat has rested."""
        self.pace_s = min(2 * self.pace_s, SLOWEST_PACE_S)
        self._bucket.refill_s = self.pace_s

    def take_sign(self, now: float) -> bool:
        """Let a sign go if nothing else is to be said; it leaves the burst to that."""
        may_go = self._is_free(now) and self._bucket.level(now) >= BURST - 1e-9
        if may_go:
            self._bucket.take(now)
            self._sign_until = now + SIGN_S
        return may_go

    def end_sign(self) -> None:
        """The sign has arrived, or never will."""
        self._sign_until = -math.inf

    def is_at_rest(self, now: float) -> bool:
        """Whether the lane can be forgotten."""
        return self._is_free(now) and now - max(self._last_at, self.paused_until) > REST_S

    def _is_free(self, now: float) -> bool:
        is_quiet = not self.is_busy and self.first() is None
        return is_quiet and now >= max(self.paused_until, self._sign_until)
