"""One step for several sequences: their next tokens in, one sampled id each out.

Brings features and caches together with the model. Knows no threads and no order of requests.
"""

from collections.abc import Sequence as Many
from dataclasses import dataclass

import torch

from engine.local.encoder_cache import EncoderCache, ImageFeatures
from engine.local.models.base import Chunk, PlacedImage, VisionLanguageModel
from engine.local.prompt import ImageSpan
from engine.local.sequence import Sequence
from engine.local.session import SessionPool

# Long prompts go in pieces, so that running answers do not stand still meanwhile.
PREFILL_TOKENS = 512


@dataclass(frozen=True, slots=True)
class _Encoded:
    span: ImageSpan
    features: ImageFeatures


class ModelRunner:
    """A model with what it remembers: features of pictures and sessions."""

    def __init__(
        self, model: VisionLanguageModel, sessions: SessionPool, encoder_cache: EncoderCache
    ) -> None:
        self.model = model
        self._sessions = sessions
        self._encoder_cache = encoder_cache
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
        """One step: every sequence advances by a token, or by a piece of its prompt."""
        logits = self.model.forward([self._next_chunk(sequence) for sequence in batch])
        for sequence, row in zip(batch, logits, strict=True):
            if not sequence.prefilling:
                self._encoded.pop(sequence, None)
                sequence.append(sequence.sampler.sample(row, sequence.output_ids))

    def _next_chunk(self, sequence: Sequence) -> Chunk:
        start, cache, prompt = sequence.num_computed, sequence.kv_cache, sequence.prompt
        if not sequence.prefilling:
            index = start - len(prompt)
            cache.reserve(start + 1)
            position = torch.full((3, 1), prompt.next_position + index)
            return Chunk([sequence.output_ids[index]], position, (), cache)
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
