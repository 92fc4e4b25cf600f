"""One request in flight: what went in, what came out so far, and why it ended.

Belongs to the model thread; `cancel` alone may be called from outside.
"""

import time
from collections.abc import Callable
from collections.abc import Sequence as Many
from enum import Enum, auto

from engine.chat import Delta, FinishReason, SamplingParams, Usage
from engine.errors import EngineError
from engine.local.detokenizer import Detokenizer
from engine.local.kv_cache import KVCache
from engine.local.lookup import Lookup
from engine.local.models.base import VisionLanguageModel
from engine.local.prompt import Prompt
from engine.local.repetition import CHECK_EVERY, find_loop
from engine.local.sampler import Sampler
from engine.local.session import Session

Deliver = Callable[[Delta | EngineError], None]


class Status(Enum):
    """Where a request stands."""

    WAITING = auto()
    RUNNING = auto()
    FINISHED = auto()


class Sequence:
    """A prompt and the answer that grows from it."""

    def __init__(
        self,
        prompt: Prompt,
        params: SamplingParams,
        session_id: str,
        *,
        model: VisionLanguageModel,
        deliver: Deliver,
        started_at: float,
        is_ahead: bool = False,
    ) -> None:
        self.prompt = prompt
        self.session_id = session_id
        self.deliver = deliver
        self.status = Status.WAITING
        self.cancelled = False
        # Only read in, before anybody asks; nothing is written.
        self.is_ahead = is_ahead
        self.place = 0
        self.due: float | None = None
        self.output_ids: list[int] = []
        self.sampler = Sampler(params, model.sampling_defaults)
        self._max_tokens = params.max_tokens
        self._end_ids = model.end_ids
        self._detokenizer = Detokenizer(model.bytes_of)
        self._model = model
        self._kv_cache: KVCache | None = None
        self._lookup: Lookup | None = None
        self._num_cached = 0
        self.image_cached = bool(prompt.spans)
        self._started_at = started_at
        self._first_at = 0.0

    @property
    def scope(self) -> str:
        """The chat inside which picture features are shared."""
        return self.session_id.partition("/")[0]

    @property
    def most_tokens(self) -> int:
        """How many tokens it can come to in all."""
        return len(self.prompt) + self._max_tokens

    @property
    def kv_cache(self) -> KVCache:
        """Its own cache, from admission on."""
        assert self._kv_cache is not None, "admitted without a cache"
        return self._kv_cache

    @property
    def num_computed(self) -> int:
        """How many of its tokens stand in the cache."""
        return self.kv_cache.length

    @property
    def prefilling(self) -> bool:
        """Whether a part of the prompt has still to be computed."""
        return self.num_computed < len(self.prompt)

    def cancel(self) -> None:
        """Ask for an end at the next token; safe from any thread."""
        self.cancelled = True

    def admit(self, kv_cache: KVCache) -> None:
        """Begin to run, on a cache that may already hold the beginning of the prompt."""
        self._kv_cache = kv_cache
        self._num_cached = kv_cache.length
        self.status = Status.RUNNING

    def draft(self, most: int, price: float) -> list[int]:
        """Ids that may come next, never beyond the last that the answer may have."""
        if self._lookup is None:
            self._lookup = Lookup((*self.prompt.ids, *self.output_ids), self._end_ids)
        return self._lookup.draft(min(most, self._max_tokens - len(self.output_ids) - 1), price)

    def accept(self, num_ids: int) -> None:
        """Drop from the cache what was drafted beyond `num_ids` accepted ones."""
        if self._lookup is not None:
            self._lookup.accept(num_ids)
        self.kv_cache.crop_to(len(self.prompt) + len(self.output_ids) - 1)

    def append(self, token_id: int) -> None:
        """Take the next sampled token: deliver its text, or the end."""
        self._first_at = self._first_at or time.perf_counter()
        self.output_ids.append(token_id)
        if self._lookup is not None:
            self._lookup.push(token_id)
        if token_id in self._end_ids:
            self._finish(FinishReason.STOP)
            return
        text = self._detokenizer.push(token_id)
        if text:
            self.deliver(Delta(text=text))
        if len(self.output_ids) % CHECK_EVERY == 0 and (extra := self._loop()):
            del self.output_ids[-extra:]
            self._finish(FinishReason.REPETITION)
        elif len(self.output_ids) >= self._max_tokens:
            self._finish(FinishReason.LENGTH)

    def end(self) -> None:
        """End without a word: all that was to be done is done."""
        self.status = Status.FINISHED

    def fail(self, error: EngineError) -> None:
        """End with an error."""
        self.status = Status.FINISHED
        self.deliver(error)

    def session(self) -> Session:
        """What the cache holds now, to be kept for the next question."""
        ids = (*self.prompt.ids, *self.output_ids)
        length = min(self.num_computed, len(ids))
        self.kv_cache.crop_to(length)
        return Session(ids[:length], self.prompt.spans, self.kv_cache)

    def usage(self) -> Usage:
        """What it has cost so far."""
        seconds = time.perf_counter() - self._first_at
        num_decoded = len(self.output_ids) - 1
        return Usage(
            prompt_ids=self.prompt.ids,
            output_ids=tuple(self.output_ids),
            cached_tokens=self._num_cached,
            image_cached=self.image_cached,
            drafted_tokens=self._lookup.num_drafted if self._lookup else 0,
            accepted_tokens=self._lookup.num_accepted if self._lookup else 0,
            ttft_s=self._first_at - self._started_at,
            decode_tokens_per_s=num_decoded / seconds if num_decoded > 0 and seconds > 0 else 0.0,
        )

    def _finish(self, reason: FinishReason) -> None:
        self.status = Status.FINISHED
        rest = self._detokenizer.flush()
        self.deliver(
            Delta(
                text=rest,
                answer=self._text_of(self.output_ids),
                finish_reason=reason,
                usage=self.usage(),
            )
        )

    def _loop(self) -> int:
        return find_loop(self.output_ids, self._text_of)

    def _text_of(self, ids: Many[int]) -> str:
        return b"".join(self._model.bytes_of(i) for i in ids).decode(errors="replace")
