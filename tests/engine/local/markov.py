"""A model whose next token depends on the last one only, so that every chance is known."""

from collections.abc import Iterator, Sequence

import torch
from PIL.Image import Image

from engine.chat import Message
from engine.local.encoder_cache import ImageFeatures
from engine.local.kv_cache import KVShape
from engine.local.models.base import Chunk, VisionLanguageModel
from engine.local.prompt import Prompt, positions_of
from engine.local.sampler import SamplingDefaults


class MarkovModel(VisionLanguageModel):
    """`logits` is (vocabulary, vocabulary): a row for each last token. Counts its steps."""

    def __init__(self, logits: torch.Tensor, end_ids: frozenset[int] = frozenset()) -> None:
        self.logits = logits
        self.end_ids = end_ids
        self.kv_shape = KVShape(1, 1, 1, torch.float32, torch.device("cpu"))
        self.sampling_defaults = SamplingDefaults()
        self.max_context_tokens = 4096
        self.num_steps = 0

    def build_prompt(self, messages: Sequence[Message], image_tokens: int) -> Prompt:
        return prompt_of(*(int(word) for word in messages[-1].text.split()))

    def encode_by_layer(self, picture: Image) -> Iterator[ImageFeatures | None]:
        raise NotImplementedError

    def forward(self, chunks: Sequence[Chunk]) -> torch.Tensor:
        self.num_steps += 1
        rows: list[int] = []
        for chunk in chunks:
            chunk.kv_cache.advance(len(chunk.ids))
            rows += chunk.ids[len(chunk.ids) - chunk.num_logits :]
        return self.logits[rows]

    def bytes_of(self, token_id: int) -> bytes:
        return bytes([65 + token_id])


def prompt_of(*ids: int) -> Prompt:
    """A prompt of text only."""
    positions, following = positions_of(len(ids), [])
    return Prompt(ids, positions, following, (), ())
