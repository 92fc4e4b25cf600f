"""What a model family must provide. Knows nothing of requests, scheduling or sampling."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from PIL.Image import Image

from engine.chat import Message
from engine.local.encoder_cache import ImageFeatures
from engine.local.kv_cache import KVCache, KVShape
from engine.local.linear import Pack
from engine.local.prompt import Prompt
from engine.local.sampler import SamplingDefaults


@dataclass(frozen=True, slots=True)
class Formats:
    """Number formats of activations in the text model and in the tower, and who makes layers."""

    text: torch.dtype
    tower: torch.dtype
    pack: Pack


@dataclass(frozen=True, slots=True)
class PlacedImage:
    """Features of (a part of) a picture and the row of the chunk where they begin."""

    row: int
    features: ImageFeatures


@dataclass(frozen=True, slots=True)
class Chunk:
    """The next tokens of one sequence; positions: (3, tokens).

    `num_logits` of its last tokens are scored: one for the next token, more to check a guess.
    """

    ids: Sequence[int]
    positions: torch.Tensor
    images: tuple[PlacedImage, ...]
    kv_cache: KVCache
    num_logits: int = 1


class VisionLanguageModel(ABC):
    """One loaded checkpoint of a family."""

    kv_shape: KVShape
    # Tells models of the same weights apart whose keys and values differ.
    formats: str = ""
    end_ids: frozenset[int]
    sampling_defaults: SamplingDefaults
    max_context_tokens: int

    @abstractmethod
    def build_prompt(self, messages: Sequence[Message], image_tokens: int) -> Prompt:
        """Ids, positions and pictures of a conversation whose answer is to be written next.

        `image_tokens` is the budget of pictures that bring none of their own. Runs outside the
        model thread. Raises ImageRejected.
        """

    @abstractmethod
    def encode_by_layer(self, picture: Image) -> Iterator[ImageFeatures | None]:
        """Features of one picture of a prompt: None after each layer, and they come last."""

    def encode_image(self, picture: Image) -> ImageFeatures:
        """The same at once."""
        *_, features = self.encode_by_layer(picture)
        assert features is not None
        return features

    @abstractmethod
    def forward(self, chunks: Sequence[Chunk]) -> torch.Tensor:
        """Run the next tokens of several sequences and write their keys and values.

        Returns logits of each chunk's last `num_logits` tokens, one below the other, (rows,
        vocabulary). The caches have room (`KVCache.reserve`) and are advanced here.
        """

    @abstractmethod
    def bytes_of(self, token_id: int) -> bytes:
        """The bytes of text that a token stands for."""
