"""What is kept of a conversation between two questions: the ids it has seen, and their cache."""

from dataclasses import dataclass

from engine.local.budget import ByteBudget
from engine.local.kv_cache import KVCache, KVShape
from engine.local.prompt import ImageSpan, Prompt, common_prefix


@dataclass(frozen=True, slots=True)
class Session:
    """Ids, image spans and the cache that holds exactly these ids."""

    ids: tuple[int, ...]
    spans: tuple[ImageSpan, ...]
    kv_cache: KVCache


class SessionPool:
    """Sessions by id within a byte budget.

    A session is taken out while an answer uses its cache: nobody else can write into it, and a
    second question of the same conversation at the same time begins with an empty cache.
    """

    def __init__(self, max_bytes: int, shape: KVShape) -> None:
        self._shape = shape
        self._sessions: ByteBudget[str, Session] = ByteBudget(
            max_bytes, lambda session: session.kv_cache.nbytes
        )

    def resume(self, session_id: str, prompt: Prompt) -> KVCache:
        """A cache that holds the common prefix of the session and the prompt.

        The last token of the prompt is never part of it: its logits have to be computed.
        """
        session = self._sessions.pop(session_id)
        if session is None:
            return KVCache(self._shape)
        length = common_prefix(session.ids, session.spans, prompt)
        if length == len(prompt):
            length = _before_last(prompt)
        session.kv_cache.crop_to(length)
        return session.kv_cache

    def keep(self, session_id: str, session: Session) -> None:
        """Keep a session; the least recently used ones make room."""
        self._sessions.put(session_id, session)

    def forget(self, session_id: str) -> None:
        """Drop a session."""
        self._sessions.pop(session_id)

    @property
    def num_bytes(self) -> int:
        """Bytes in use by kept sessions."""
        return self._sessions.num_bytes


def _before_last(prompt: Prompt) -> int:
    length = len(prompt) - 1
    for span in prompt.spans:
        if span.start < length < span.end:
            return span.start
    return length
