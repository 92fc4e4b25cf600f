"""What is kept of a conversation between two questions: the ids it has seen, and their cache."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count

from engine.local.budget import ByteBudget
from engine.local.kv_cache import KVCache, KVShape
from engine.local.prompt import ImageSpan, Prompt, common_prefix

# A conversation about several photos has a session for each, as far as the budget allows.
MAX_BRANCHES = 4

Key = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Session:
    """Ids, image spans and the cache that holds exactly these ids."""

    ids: tuple[int, ...]
    spans: tuple[ImageSpan, ...]
    kv_cache: KVCache

    @property
    def pictures_end(self) -> int:
        """The index behind the last picture that stands in the cache; 0 if there is none."""
        return max((span.end for span in self.spans if span.end <= len(self.ids)), default=0)

    def covers(self, other: "Session") -> bool:
        """Whether it has all pictures of another one, at the same place behind the same ids."""
        end = other.pictures_end
        spans = {span for span in other.spans if span.end <= end}
        return self.ids[:end] == other.ids[:end] and spans.issubset(self.spans)

    def continues(self, other: "Session") -> bool:
        """Whether it begins with all of another one."""
        return self.covers(other) and self.ids[: len(other.ids)] == other.ids


@dataclass(frozen=True, slots=True)
class _Match:
    key: Key
    session: Session
    length: int


class SessionPool:
    """Sessions by conversation, within a byte budget that they share with answers under way.

    Text is soon read again, a picture is not: a conversation keeps a session for each of its
    photos, and a session is cut down only to where its pictures end. One is taken out while an
    answer uses its cache, so that nobody else can write into it.
    """

    def __init__(
        self,
        max_bytes: int,
        shape: KVShape,
        on_evicted: Callable[[str, Session], None] | None = None,
    ) -> None:
        self._shape = shape
        self._max_bytes = max_bytes
        # Caches in use, and the bytes that each may grow to.
        self._lent: dict[KVCache, int] = {}
        self._numbers = count()
        self._sessions: ByteBudget[Key, Session] = ByteBudget(
            max_bytes,
            lambda session: session.kv_cache.nbytes,
            (lambda key, session: on_evicted(key[0], session)) if on_evicted else None,
        )

    def resume(self, session_id: str, prompt: Prompt) -> KVCache:
        """A cache that holds the longest common prefix of a session and the prompt.

        The last token of the prompt is never part of it: its logits have to be computed.
        """
        match = self._longest(session_id, prompt)
        if match is None:
            return KVCache(self._shape)
        if match.length < match.session.pictures_end:
            return match.session.kv_cache.copy(match.length)
        self._sessions.pop(match.key)
        match.session.kv_cache.crop_to(match.length)
        return match.session.kv_cache

    def branch(self, session_id: str, prompt: Prompt) -> KVCache:
        """The same, but all sessions stay as they are."""
        match = self._longest(session_id, prompt)
        return match.session.kv_cache.copy(match.length) if match else KVCache(self._shape)

    def keep(self, session_id: str, session: Session) -> None:
        """Keep a session instead of those whose pictures it has; others make room if they must."""
        for key in self._keys(session_id):
            older = self._sessions.get(key)
            if older is not None and session.covers(older):
                self._sessions.pop(key)
        self.keep_beside(session_id, session)

    def keep_beside(self, session_id: str, session: Session) -> None:
        """Keep a session for later, and all others but those of which it is a continuation."""
        for key in self._keys(session_id):
            older = self._sessions.get(key)
            if older is not None and session.continues(older):
                self._sessions.pop(key)
        self._sessions.put((session_id, next(self._numbers)), session)
        self.make_room()
        for key in self._keys(session_id)[:-MAX_BRANCHES]:
            self._sessions.pop(key)

    def fits(self, num_tokens: int) -> bool:
        """Whether one more answer of so many tokens fits beside those under way.

        One always does, and with a budget of nothing any number: then nothing is counted.
        """
        if not self._lent or not self._max_bytes:
            return True
        num_bytes = num_tokens * self._shape.bytes_per_token
        return sum(self._lent.values()) + num_bytes <= self._max_bytes

    def lend(self, cache: KVCache, num_tokens: int) -> None:
        """Count a cache that is in use, and that may grow to so many tokens."""
        self._lent[cache] = num_tokens * self._shape.bytes_per_token
        self.make_room()

    def take_back(self, cache: KVCache) -> None:
        """Count a cache no longer."""
        self._lent.pop(cache, None)

    def make_room(self) -> None:
        """Let kept sessions go as caches in use grow."""
        in_use = sum(cache.nbytes for cache in self._lent)
        self._sessions.shrink_to(max(self._max_bytes - in_use, 0))

    def drain(self) -> Iterator[tuple[str, Session]]:
        """Take everything out, the least recently used first."""
        for (session_id, _), session in self._sessions.drain():
            yield session_id, session

    def forget(self, session_id: str) -> None:
        """Drop the sessions of a conversation."""
        self._sessions.drop_where(lambda key: key[0] == session_id)

    @property
    def num_bytes(self) -> int:
        """Bytes in use by kept sessions."""
        return self._sessions.num_bytes

    def _keys(self, session_id: str) -> list[Key]:
        return [key for key in self._sessions if key[0] == session_id]

    def _longest(self, session_id: str, prompt: Prompt) -> _Match | None:
        best: _Match | None = None
        for key in self._keys(session_id):
            session = self._sessions.get(key)
            assert session is not None
            length = _usable(session, prompt)
            if length and (best is None or length > best.length):
                best = _Match(key, session, length)
        return best


def _usable(session: Session, prompt: Prompt) -> int:
    length = common_prefix(session.ids, session.spans, prompt)
    return _before_last(prompt) if length == len(prompt) else length


def _before_last(prompt: Prompt) -> int:
    length = len(prompt) - 1
    for span in prompt.spans:
        if span.start < length < span.end:
            return span.start
    return length
