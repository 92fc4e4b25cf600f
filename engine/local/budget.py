"""A store with a byte budget: what was used least recently goes first. Knows no tensors."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class ByteBudget(Generic[Key, Value]):
    """Keeps values until their bytes exceed the budget; one alone above it is not kept."""

    def __init__(
        self,
        max_bytes: int,
        size_of: Callable[[Value], int],
        on_evicted: Callable[[Key, Value], None] | None = None,
    ) -> None:
        self._max_bytes = max_bytes
        self._on_evicted = on_evicted
        self._size_of = size_of
        self._values: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self.num_bytes = 0

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[Key]:
        """The keys, the least recently used first; a copy, so that they may be taken out."""
        return iter(list(self._values))

    def get(self, key: Key) -> Value | None:
        """The value, which becomes the most recently used."""
        if key not in self._values:
            return None
        self._values.move_to_end(key)
        return self._values[key][0]

    def put(self, key: Key, value: Value) -> None:
        """Keep a value; its size is taken now, so it must not grow while it is kept."""
        self.pop(key)
        num_bytes = self._size_of(value)
        if num_bytes > self._max_bytes:
            return
        self._values[key] = (value, num_bytes)
        self.num_bytes += num_bytes
        self.shrink_to(self._max_bytes)

    def shrink_to(self, num_bytes: int) -> None:
        """Let the least recently used values go until the others have no more bytes than this."""
        while self._values and self.num_bytes > num_bytes:
            self._evict(next(iter(self._values)))

    def pop(self, key: Key) -> Value | None:
        """Take a value out."""
        entry = self._values.pop(key, None)
        if entry is None:
            return None
        self.num_bytes -= entry[1]
        return entry[0]

    def drain(self) -> Iterator[tuple[Key, Value]]:
        """Take everything out, the least recently used first."""
        for key in self:
            value = self.pop(key)
            assert value is not None
            yield key, value

    def drop_where(self, matches: Callable[[Key], bool]) -> None:
        """Drop every value whose key matches."""
        for key in [key for key in self._values if matches(key)]:
            self.pop(key)

    def _evict(self, key: Key) -> None:
        value = self.pop(key)
        if self._on_evicted is not None and value is not None:
            self._on_evicted(key, value)
