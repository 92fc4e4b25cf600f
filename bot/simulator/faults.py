"""Faults: what shall go wrong, for which method and chat, and how often.

Knows when a fault is due, not how it is done to a connection (spoiling.py does that).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fnmatch import fnmatchcase

DOWNLOAD = "download"


class FaultKind(StrEnum):
    """One kind of trouble; the names are those of the control interface."""

    FLOOD = "flood"
    ERROR = "error"
    HTML = "html"
    RESET_BEFORE = "reset_before"
    RESET_AFTER = "reset_after"
    DELAY_BEFORE = "delay_before"
    DELAY_AFTER = "delay_after"
    TRUNCATED = "truncated"
    REVOKED_TOKEN = "revoked_token"
    SECOND_POLLER = "second_poller"
    WEBHOOK_SET = "webhook_set"
    SLOW_DOWNLOAD = "slow_download"
    EXPIRED_DOWNLOAD = "expired_download"
    DUPLICATE_UPDATE = "duplicate_update"
    POISON_UPDATE = "poison_update"


_POLLING = frozenset({FaultKind.SECOND_POLLER, FaultKind.WEBHOOK_SET})
_DOWNLOADING = frozenset({FaultKind.SLOW_DOWNLOAD, FaultKind.EXPIRED_DOWNLOAD})
_UPDATING = frozenset({FaultKind.DUPLICATE_UPDATE, FaultKind.POISON_UPDATE})
_CALLING = frozenset(FaultKind) - _POLLING - _DOWNLOADING - _UPDATING


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that waits for its call; a count of 0 stays until it is cleared."""

    kind: FaultKind
    method: str = "*"
    chat_id: int | None = None
    count: int = 1
    retry_after_s: int = 5
    delay_s: float = 60.0
    status: int = 500
    number: int = 0

    def hits(self, method: str, chat_id: int | None) -> bool:
        if self.chat_id is not None and self.chat_id != chat_id:
            return False
        if self.kind in _POLLING:
            return method == "getUpdates"
        if self.kind in _DOWNLOADING:
            return method == DOWNLOAD
        return self.kind in _CALLING and fnmatchcase(method.lower(), self.method.lower())


class Faults:
    """What is planted, in the order of planting; the first that fits is taken."""

    def __init__(self) -> None:
        self._planted: list[Fault] = []
        self._next = 1
        self.on_change: Callable[[], None] = lambda: None

    @property
    def planted(self) -> Sequence[Fault]:
        return tuple(self._planted)

    def plant(self, fault: Fault) -> Fault:
        planted = replace(fault, number=self._next)
        self._next += 1
        self._planted.append(planted)
        self.on_change()
        return planted

    def clear(self, number: int = 0) -> None:
        """Takes back one fault, or all of them."""
        self._planted = [fault for fault in self._planted if number not in (0, fault.number)]
        self.on_change()

    def clear_kind(self, kind: FaultKind) -> None:
        self._planted = [fault for fault in self._planted if fault.kind is not kind]
        self.on_change()

    def take(self, method: str, chat_id: int | None = None) -> Fault | None:
        """The fault that this call meets, if any; it is used up by that."""
        return self._take(lambda fault: fault.hits(method, chat_id))

    def take_duplicate(self, chat_id: int | None) -> bool:
        """Whether an update that the bot has acknowledged shall come once more."""

        def is_due(fault: Fault) -> bool:
            return fault.kind is FaultKind.DUPLICATE_UPDATE and fault.chat_id in (None, chat_id)

        return self._take(is_due) is not None

    def _take(self, is_due: Callable[[Fault], bool]) -> Fault | None:
        fault = next(filter(is_due, self._planted), None)
        if fault is not None and fault.count:
            place = self._planted.index(fault)
            rest = [replace(fault, count=fault.count - 1)] if fault.count > 1 else []
            self._planted[place : place + 1] = rest
            self.on_change()
        return fault
