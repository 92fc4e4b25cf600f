"""CallLog: which methods the bot has called, without any text, file or token."""

from collections import deque
from dataclasses import dataclass, replace
from typing import Self

MAX_CALLS = 5000


@dataclass(frozen=True, slots=True)
class Call:
    """One call: what, where, how it ended, which fault met it, and what is wrong with it."""

    method: str
    at: float
    parameters: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    chat_id: str = ""
    status: int = 200
    refusal: str = ""
    fault: str = ""
    number: int = 0

    def ended(self, status: int, refusal: str) -> Self:
        return replace(self, status=status, refusal=refusal)


class CallLog:
    """The newest calls, oldest first."""

    def __init__(self) -> None:
        self._calls: deque[Call] = deque(maxlen=MAX_CALLS)
        self._next = 1

    def note(self, call: Call) -> None:
        self._calls.append(replace(call, number=self._next))
        self._next += 1

    @property
    def newest(self) -> int:
        """The number of the newest call, 0 before the first."""
        return self._next - 1

    def all(self) -> list[Call]:
        return list(self._calls)
