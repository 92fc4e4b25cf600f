"""One step for several sequences: their next tokens in, a sampled id or more each out.

Brings features and caches together with the model. Knows no threads and no order of requests.
"""

from collections.abc import Sequence as Many
from dataclasses import dataclass

import torch

from engine.local.encoder_cache import EncoderCache, ImageFeatures
from engine.local.lookup import ROW_COST
from engine.local.models.base import Chunk, PlacedImage, VisionLanguageModel
from engine.local.prompt import ImageSpan
from engine.local.sequence import Sequence, Status
from engine.local.session import SessionPool

# Long prompts go in pieces, so that running answers do not stand still meanwhile.
PREFILL_TOKENS = 512
# Up to here a step is bound by reading the weights, and further rows are cheap.
CHEAP_ROWS = 16


@dataclass(frozen=True, slots=True)
class _Encoded:
    span: ImageSpan
    features: ImageFeatures


class ModelRunner:
    """A model with what it remembers: features of pictures and sessions."""

    def __init__(
        self,
        model: VisionLanguageModel,
        sessions: SessionPool,
        encoder_cache: EncoderCache,
        max_draft_tokens: int,
    ) -> None:
        self.model = model
        self._sessions = sessions
        self._encoder_cache = encoder_cache
        self._max_draft_tokens = max_draft_tokens
        self._encoded: dict[Sequence, list[_Encoded]] = {}

    def admit(self, sequence: Sequence) -> None:
        """Give a request its cache, with what its session already knows of the prompt."""
        sequence.admit(self._sessions.resume(sequence.session_id, sequence.prompt))

    def release(self, sequence: Sequence) -> None:
        """Take back what an ended request used, and keep it for the next question."""
        self._encoded.pop(sequence, None)
        self._sessions.keep(sequence.session_id, sequence.session())

    def discard(self, sequence: Sequence) -> None:
        """Drop what a failed request used."""
        self._encoded.pop(sequence, None)

    def forget(self, session_id: str) -> None:
        """Drop a session and the pictures of its chat."""
        self._sessions.forget(session_id)
        self._encoder_cache.forget(session_id.partition("/")[0])

    def run(self, batch: Many[Sequence]) -> None:
        """One step: every sequence advances by a token or more, or by a piece of its prompt."""
        num_writing = sum(not sequence.prefilling for sequence in batch)
        chunks = [
            self._read_in(sequence) if sequence.prefilling else self._write(sequence, num_writing)
            for sequence in batch
        ]
        rows = self.model.forward(chunks)
        end = 0
        for sequence, chunk in zip(batch, chunks, strict=True):
            start, end = end, end + chunk.num_logits
            if not sequence.prefilling:
                self._encoded.pop(sequence, None)
                self._take(sequence, rows[start:end], chunk.ids[len(chunk.ids) - end + start + 1 :])

    def _take(self, sequence: Sequence, logits: torch.Tensor, draft: Many[int]) -> None:
        """Sample row by row, as long as the draft says the same.

        Each row is sampled as if it had come alone, with the chance of its own place. A drafted id
        is therefore accepted with just its probability, any other comes with its own, and the
        same seed gives the same answer with and without drafts.
        """
        num_accepted = 0
        for row, drafted in zip(logits, [*draft, None], strict=True):
            token_id = sequence.sampler.sample(row, sequence.output_ids)
            sequence.append(token_id)
            if token_id != drafted or sequence.cancelled or sequence.status is Status.FINISHED:
                break
            num_accepted += 1
        sequence.accept(num_accepted)

    def _write(self, sequence: Sequence, num_writing: int) -> Chunk:
        """The newest id of an answer, and guesses at what follows it."""
        start, prompt = sequence.num_computed, sequence.prompt
        most = min(self._max_draft_tokens, (CHEAP_ROWS - num_writing) // num_writing)
        draft = sequence.draft(most, ROW_COST * num_writing) if most > 0 else []
        ids = [*sequence.output_ids[start - len(prompt) :], *draft]
        sequence.kv_cache.reserve(start + len(ids))
        first = prompt.next_position + start - len(prompt)
        positions = torch.arange(first, first + len(ids)).expand(3, -1)
        return Chunk(ids, positions, (), sequence.kv_cache, num_logits=len(ids))

    def _read_in(self, sequence: Sequence) -> Chunk:
        """The next piece of a prompt."""
        start, cache, prompt = sequence.num_computed, sequence.kv_cache, sequence.prompt
        end = min(start + PREFILL_TOKENS, len(prompt))
        cache.reserve(end)
        images = self._images_between(sequence, start, end)
        return Chunk(prompt.ids[start:end], prompt.positions[:, start:end], images, cache)

    def _images_between(self, sequence: Sequence, start: int, end: int) -> tuple[PlacedImage, ...]:
        if sequence not in self._encoded:
            self._encoded[sequence] = self._encode_from(sequence, start)
        placed: list[PlacedImage] = []
        for image in self._encoded[sequence]:
            first, last = max(image.span.start, start), min(image.span.end, end)
            if first < last:
                part = image.features.part(first - image.span.start, last - image.span.start)
                placed.append(PlacedImage(first - start, part))
        return tuple(placed)

    def _encode_from(self, sequence: Sequence, start: int) -> list[_Encoded]:
        """Features of all pictures that do not stand in the cache yet."""
        prompt = sequence.prompt
        encoded: list[_Encoded] = []
        for span, picture in zip(prompt.spans, prompt.pictures, strict=True):
            if span.end <= start:
                continue
            features = self._encoder_cache.get(sequence.scope, span.key)
            if features is None:
                sequence.image_cached = False
                features = self.model.encode_image(picture)
                self._encoder_cache.put(sequence.scope, span.key, features)
            encoded.append(_Encoded(span, features))
        return encoded
