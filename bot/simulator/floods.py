"""Floods: how many calls are too many, per chat, per group and for the whole bot.

Telegram publishes rough figures and no windows: these are guesses of the right size.
"""

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from bot.simulator.records import Chat


@dataclass(frozen=True, slots=True)
class Window:
    """At most so many calls within so many seconds."""

    num_calls: int
    seconds: float


# About one a second in every chat with room for a short burst, twenty a minute in groups.
CHAT = (Window(5, 3.0), Window(30, 30.0))
GROUP = (*CHAT, Window(20, 60.0))
BOT = (Window(30, 1.0),)
_EVERYWHERE = 0
_COUNTED = ("send", "edit", "copy", "forward", "delete", "setmessagereaction")


class Floods:
    """Counts what was let through; off until somebody switches it on."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._passed: dict[int, deque[float]] = {}
        self.are_limited = False

    def limit(self, on: bool) -> None:
        self.are_limited = on
        self._passed.clear()

    def wait_s(self, method: str, chat: Chat | None) -> int:
        """0 and the call is counted; else the whole seconds until it would be let through."""
        if not self.are_limited or chat is None or not method.lower().startswith(_COUNTED):
            return 0
        own = CHAT if chat.kind == "private" else GROUP
        left_s = max(self._left_s(chat.chat_id, own), self._left_s(_EVERYWHERE, BOT))
        if left_s > 0:
            return math.ceil(left_s)
        for key in (chat.chat_id, _EVERYWHERE):
            self._passed.setdefault(key, deque(maxlen=30)).append(self._clock())
        return 0

    def _left_s(self, key: int, windows: tuple[Window, ...]) -> float:
        passed, now = self._passed.get(key, ()), self._clock()
        oldest = (
            (passed[-window.num_calls], window)
            for window in windows
            if len(passed) >= window.num_calls
        )
        return max((at + window.seconds - now for at, window in oldest), default=0.0)
