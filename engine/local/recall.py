"""Sessions and picture features in memory and on disk: what leaves the one goes to the other.

Knows what an archive's tensors mean, and nothing of files or of who asks.
"""

import hashlib
import json
from collections.abc import Callable
from functools import partial
from itertools import accumulate
from pathlib import Path

from engine.config import GIB, EngineConfig
from engine.local.allotment import Allotment
from engine.local.archive import Archive, Tensors
from engine.local.encoder_cache import EncoderCache, ImageFeatures
from engine.local.kv_cache import KVCache, KVShape
from engine.local.prompt import ImageSpan, Prompt, common_prefix
from engine.local.session import Session, SessionPool
from engine.local.shelf import Entry, Shelf

# Less than this is computed sooner than it is read.
MIN_TOKENS = 32
# No session has this name: those of a chat have a slash.
PICTURES = "pictures"
# At 200 MB/s these are some three seconds.
CLOSING_BYTES = 600 * 1000**2
# Another number makes files of earlier versions foreign.
FORMAT = 2
Write = Callable[[Entry, Tensors, dict[str, str]], None]


def open_archive(config: EngineConfig, model: Path, shape: KVShape, formats: str) -> Archive | None:
    """The archive of a model's folder in the formats it really runs in, if one is wanted."""
    if config.session_folder is None:
        return None
    max_bytes = int(config.session_disk_gib * GIB)
    owner = f"{FORMAT} {_fingerprint(model)} {formats} {shape.dtype}"
    return Archive(Shelf(config.session_folder, owner, max_bytes, config.session_age_s))


class Recall:
    """The pools of the model's thread, and what of them is on disk."""

    def __init__(self, archive: Archive | None, shape: KVShape, allotment: Allotment) -> None:
        self._archive = archive
        self._shape = shape
        put = None if archive is None else archive.put
        self.sessions = SessionPool(allotment.kv_bytes, shape, put and partial(self._session, put))
        self.features = EncoderCache(allotment.feature_bytes, put and partial(self._features, put))

    def restore(self, session_id: str, prompt: Prompt) -> list[Callable[[], None]]:
        """What the model's thread has to do so that it knows what is on disk about a prompt."""
        if self._archive is None:
            return []
        # What has just left the memory may be wanted again.
        self._archive.flush()
        commands: list[Callable[[], None]] = []
        length = 0
        session = self._find_session(self._archive, session_id, prompt)
        if session is not None:
            length = common_prefix(session.ids, session.spans, prompt)
            commands.append(partial(self.sessions.keep_beside, session_id, session))
        scope = scope_of(session_id)
        for span in prompt.spans:
            features = None
            if span.end > length:
                features = self._find_features(self._archive, scope, span.key)
            if features is not None:
                commands.append(partial(self.features.put, scope, span.key, features))
        return commands

    def forget(self, session_id: str) -> None:
        """Remove the files of a session and of its chat's pictures."""
        if self._archive is not None:
            self._archive.forget(scope_of(session_id), session_id)
            self._archive.forget(scope_of(session_id), PICTURES)

    def close(self) -> None:
        """Write what is in memory, the newest last: the oldest make room for it.

        No more than a disk takes in the seconds that the end of a process has: older ones are lost.
        """
        if self._archive is None:
            return
        for scope, image_key, maps in self.features.drain():
            self._features(self._archive.put, scope, image_key, maps)
            self._archive.flush()
        for session_id, session in _newest(list(self.sessions.drain()), CLOSING_BYTES):
            self._session(self._archive.put, session_id, session)
            self._archive.flush()
        self._archive.close()

    def _find_session(self, archive: Archive, session_id: str, prompt: Prompt) -> Session | None:
        best, longest = None, MIN_TOKENS - 1
        for name, notes in archive.notes_of(scope_of(session_id), session_id):
            found = _read_notes(notes)
            if found is None:
                archive.drop(name)
                continue
            length = common_prefix(*found, prompt)
            if length > longest:
                best, longest = (name, *found), length
        if best is None:
            return None
        name, ids, spans = best
        cache = self._cache(archive.take(name), len(ids))
        return None if cache is None else Session(ids, spans, cache)

    def _find_features(self, archive: Archive, scope: str, key: str) -> ImageFeatures | None:
        tensors = archive.take_part(Entry(scope, PICTURES, key))
        if not tensors or "embeddings" not in tensors:
            return None
        maps = {name: value.to(self._shape.device) for name, value in tensors.items()}
        embeddings = maps.pop("embeddings")
        return ImageFeatures(embeddings, tuple(maps[name] for name in sorted(maps)))

    def _session(self, write: Write, session_id: str, session: Session) -> None:
        if session.kv_cache.length < MIN_TOKENS:
            return
        keys, values = session.kv_cache.rows()
        spans = [(span.start, span.key, *span.grid) for span in session.spans]
        # What was computed of the same beginning before is replaced.
        part = json.dumps([session.ids[: max(session.pictures_end, MIN_TOKENS)], spans])
        notes = {"ids": json.dumps(session.ids), "spans": json.dumps(spans)}
        entry = Entry(scope_of(session_id), session_id, part)
        write(entry, {"keys": keys, "values": values}, notes)

    def _features(self, write: Write, scope: str, key: str, features: ImageFeatures) -> None:
        maps = {f"deepstack{i:02}": level for i, level in enumerate(features.deepstack)}
        entry = Entry(scope, PICTURES, key)
        write(entry, {"embeddings": features.embeddings, **maps}, {})

    def _cache(self, tensors: Tensors | None, num_tokens: int) -> KVCache | None:
        shape = (self._shape.num_layers, self._shape.num_heads, num_tokens, self._shape.head_dim)
        if tensors is None or set(tensors) != {"keys", "values"}:
            return None
        if any(t.shape != shape or t.dtype != self._shape.dtype for t in tensors.values()):
            return None
        return KVCache.of(self._shape, tensors["keys"], tensors["values"])


def _newest(sessions: list[tuple[str, Session]], most_bytes: int) -> list[tuple[str, Session]]:
    """The last of them that fit, in order."""
    num_bytes = accumulate(session.kv_cache.nbytes for _, session in reversed(sessions))
    num_kept = sum(total <= most_bytes for total in num_bytes)
    return sessions[len(sessions) - num_kept :]


def scope_of(session_id: str) -> str:
    """The chat of a session."""
    return session_id.partition("/")[0]


def _fingerprint(model: Path) -> str:
    """Changes with any file of a model's folder."""
    files = sorted(path for path in model.iterdir() if path.is_file())
    stats = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    return hashlib.sha256(repr(stats).encode()).hexdigest()


def _read_notes(notes: dict[str, str]) -> tuple[tuple[int, ...], tuple[ImageSpan, ...]] | None:
    try:
        ids = tuple(int(token_id) for token_id in json.loads(notes["ids"]))
        spans = [
            ImageSpan(int(start), str(key), (int(height), int(width)))
            for start, key, height, width in json.loads(notes["spans"])
        ]
    except (KeyError, TypeError, ValueError):
        return None
    return ids, tuple(spans)
