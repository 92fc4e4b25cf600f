"""The pictures of running prompts: encoded a few layers a step, kept for the next question.

Knows the model and its features, not who runs when.
"""

from collections.abc import Iterator

from engine.local.encoder_cache import EncoderCache, ImageFeatures
from engine.local.models.base import PlacedImage, VisionLanguageModel
from engine.local.prompt import ImageSpan
from engine.local.sequence import Sequence

# A whole picture takes as long as dozens of written tokens: nobody who writes waits for it.
LAYERS_PER_STEP = 4


class Encoder:
    """Features for prompts that are being read in."""

    def __init__(self, model: VisionLanguageModel, cache: EncoderCache) -> None:
        self._model = model
        self._cache = cache
        self._features: dict[Sequence, dict[str, ImageFeatures]] = {}
        self._encoding: dict[Sequence, Iterator[ImageFeatures | None]] = {}

    def advance(self, sequence: Sequence, start: int, end: int) -> bool:
        """Work a little on the pictures between two ids; whether all of them are ready."""
        prompt = sequence.prompt
        for span, picture in zip(prompt.spans, prompt.pictures, strict=True):
            if span.end <= start or span.start >= end or self._is_known(sequence, span):
                continue
            if sequence not in self._encoding:
                sequence.image_cached = False
                self._encoding[sequence] = self._model.encode_by_layer(picture)
            features = self._some_layers(sequence)
            if features is None:
                return False
            self._features[sequence][span.key] = features
            self._cache.put(sequence.scope, span.key, features)
        return True

    def placed(self, sequence: Sequence, start: int, end: int) -> tuple[PlacedImage, ...]:
        """The features between two ids, once they are ready; rows count from the first."""
        images: list[PlacedImage] = []
        for span in sequence.prompt.spans:
            first, last = max(span.start, start), min(span.end, end)
            if first < last:
                features = self._features[sequence][span.key]
                part = features.part(first - span.start, last - span.start)
                images.append(PlacedImage(first - start, part))
        return tuple(images)

    def release(self, sequence: Sequence) -> None:
        """Let go of what a prompt needed; the chat keeps what its budget allows."""
        self._features.pop(sequence, None)
        self._encoding.pop(sequence, None)

    def forget(self, scope: str) -> None:
        """Drop every picture of a chat."""
        self._cache.forget(scope)

    def _is_known(self, sequence: Sequence, span: ImageSpan) -> bool:
        held = self._features.setdefault(sequence, {})
        if span.key not in held and (kept := self._cache.get(sequence.scope, span.key)):
            held[span.key] = kept
        return span.key in held

    def _some_layers(self, sequence: Sequence) -> ImageFeatures | None:
        for _ in range(LAYERS_PER_STEP):
            features = next(self._encoding[sequence])
            if features is not None:
                del self._encoding[sequence]
                return features
        return None
