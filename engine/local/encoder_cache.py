"""Image features that are kept, so that a picture is encoded once in a chat.

Knows no model: features come in and go out.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch

from engine.local.budget import ByteBudget


@dataclass(frozen=True, slots=True)
class ImageFeatures:
    """What the vision tower makes of one picture; all maps are (image tokens, hidden).

    The DeepStack maps belong to it: a cache of the main map alone gives silently worse answers.
    """

    embeddings: torch.Tensor
    deepstack: tuple[torch.Tensor, ...]

    @property
    def nbytes(self) -> int:
        """Bytes of all maps."""
        return self.embeddings.nbytes + sum(level.nbytes for level in self.deepstack)

    def part(self, start: int, end: int) -> "ImageFeatures":
        """The features of some of the tokens: views, nothing is copied."""
        return ImageFeatures(
            self.embeddings[start:end], tuple(level[start:end] for level in self.deepstack)
        )


class EncoderCache:
    """Features by chat and picture; a chat never sees what another one has paid for."""

    def __init__(
        self,
        max_bytes: int,
        on_evicted: Callable[[str, str, ImageFeatures], None] | None = None,
    ) -> None:
        self._features: ByteBudget[tuple[str, str], ImageFeatures] = ByteBudget(
            max_bytes,
            lambda features: features.nbytes,
            (lambda key, features: on_evicted(*key, features)) if on_evicted else None,
        )

    def get(self, scope: str, image_key: str) -> ImageFeatures | None:
        """The features of a picture in this chat."""
        return self._features.get((scope, image_key))

    def put(self, scope: str, image_key: str, features: ImageFeatures) -> None:
        """Keep the features of a picture for this chat."""
        self._features.put((scope, image_key), features)

    def drain(self) -> Iterator[tuple[str, str, ImageFeatures]]:
        """Take everything out, the least recently used first."""
        for (scope, image_key), features in self._features.drain():
            yield scope, image_key, features

    def forget(self, scope: str) -> None:
        """Drop every picture of a chat."""
        self._features.drop_where(lambda key: key[0] == scope)

    @property
    def num_bytes(self) -> int:
        """Bytes in use."""
        return self._features.num_bytes
