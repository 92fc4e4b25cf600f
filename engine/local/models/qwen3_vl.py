"""Qwen3-VL of any size: prompt, picture features and the next tokens' logits.

Configuration, weights and template are the checkpoint's; the arithmetic is ours (`vision.py`,
`decoder.py`), so that every sequence brings its own positions and its own cache.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from PIL.Image import Image
from transformers import Qwen3VLConfig

from engine.chat import Message
from engine.errors import ImageRejected
from engine.intake import content_key, upright
from engine.local.checkpoint import Checkpoint
from engine.local.encoder_cache import ImageFeatures
from engine.local.fields import Fields
from engine.local.kv_cache import KVShape
from engine.local.models.base import Chunk, Formats, VisionLanguageModel
from engine.local.models.configuration import check_weights, read_config, read_geometry
from engine.local.models.decoder import Decoder, DecoderShape, Rows, VisualRows
from engine.local.models.layout import OUTPUT, TEXT, VISION
from engine.local.models.template import ChatTemplate
from engine.local.models.vision import Parts, VisionShape, VisionTower
from engine.local.patches import to_patches
from engine.local.prompt import Prompt, positions_of
from engine.local.resizing import resized
from engine.local.sampler import SamplingDefaults
from engine.local.vocabulary import Vocabulary


class Qwen3VL(VisionLanguageModel):
    """A loaded Qwen3-VL checkpoint."""

    def __init__(self, folder: Path, device: torch.device, formats: Formats) -> None:
        checkpoint = Checkpoint(folder)
        config = read_config(checkpoint)
        check_weights(checkpoint, config)
        text: Any = config.text_config
        self._vocabulary = Vocabulary(checkpoint)
        self._vocabulary.check_rows(text.vocab_size)
        generation = checkpoint.optional_fields("generation_config.json")
        self.sampling_defaults = _sampling_defaults(generation)
        self.end_ids = _end_ids(generation, self._vocabulary)
        self._template = ChatTemplate(self._vocabulary, self.end_ids)
        self._template.check(checkpoint)
        self._geometry = read_geometry(checkpoint, config)
        self._device = device
        weights = Weights(checkpoint, device, formats)
        self._vision = weights.tower(config)
        self._decoder = weights.decoder(config)
        heads, size = text.num_key_value_heads, text.head_dim
        self.kv_shape = KVShape(text.num_hidden_layers, heads, size, formats.text, device)
        self.max_context_tokens = text.max_position_embeddings

    def bytes_of(self, token_id: int) -> bytes:
        """The bytes of text that a token stands for."""
        return self._vocabulary.bytes_of(token_id)

    def build_prompt(self, messages: Sequence[Message], image_tokens: int) -> Prompt:
        """Ids, positions and pictures of a conversation."""
        images = [image for message in messages for image in message.images]
        pictures = [
            self._prepare(index, image.data, image.max_tokens or image_tokens)
            for index, image in enumerate(images)
        ]
        named = [(content_key(picture), self._geometry.grid_of(picture)) for picture in pictures]
        ids, spans = self._template.assemble(messages, named)
        positions, next_position = positions_of(len(ids), spans)
        return Prompt(tuple(ids), positions, next_position, tuple(spans), tuple(pictures))

    def _prepare(self, index: int, data: bytes, max_tokens: int) -> Image:
        geometry = self._geometry
        most = min(max_tokens, geometry.max_pixels // geometry.factor**2)
        try:
            picture = upright(data)
        except ImageRejected as error:
            raise ImageRejected(error.reason, error.detail, index) from error
        return resized(
            picture,
            max_tokens=most,
            min_pixels=geometry.min_pixels,
            factor=geometry.factor,
        )

    @torch.inference_mode()
    def encode_by_layer(self, picture: Image) -> Iterator[ImageFeatures | None]:
        """Features of one picture of a prompt: None after each layer, and they come last."""
        patches = to_patches(picture, self._geometry).to(self._device)
        size = self._geometry.patch_size
        rows, columns = picture.height // size, picture.width // size
        yield from self._vision.encode_by_layer(patches, rows, columns)

    @torch.inference_mode()
    def forward(self, chunks: Sequence[Chunk]) -> torch.Tensor:
        """Logits of each chunk's last tokens, (rows, vocabulary)."""
        hidden = self._decoder.embed([token for chunk in chunks for token in chunk.ids])
        sequences: list[Rows] = []
        pictures: list[VisualRows] = []
        scored: list[int] = []
        start = 0
        for chunk in chunks:
            sequences.append(Rows(start, start + len(chunk.ids), chunk.kv_cache))
            for image in chunk.images:
                first, features = start + image.row, image.features
                last = first + len(features.embeddings)
                hidden[first:last] = features.embeddings
                pictures.append(VisualRows(first, last, features.deepstack))
            start += len(chunk.ids)
            scored += range(start - chunk.num_logits, start)
        positions = torch.cat([chunk.positions for chunk in chunks], dim=1)
        hidden = self._decoder.forward(hidden, positions, sequences, pictures)
        for rows in sequences:
            rows.kv_cache.advance(rows.end - rows.start)
        return self._decoder.logits(hidden[scored])


@dataclass(frozen=True, slots=True)
class Weights:
    """Both halves of a checkpoint, in the formats that are asked for."""

    checkpoint: Checkpoint
    device: torch.device
    formats: Formats

    def decoder(self, config: Qwen3VLConfig) -> Decoder:
        """The text half."""
        shape, formats = DecoderShape.from_config(config.text_config), self.formats
        output = None if config.tie_word_embeddings else (lambda: self._load(OUTPUT))
        return Decoder(
            shape,
            lambda name: self._load(TEXT + name),
            dtype=formats.text,
            pack=formats.pack,
            output=output,
        )

    def tower(self, config: Qwen3VLConfig) -> VisionTower:
        """The vision half."""
        formats = self.formats
        parts = Parts(lambda name: self._load(VISION + name), formats.tower, formats.pack)
        return VisionTower(VisionShape.from_config(config.vision_config), parts)

    def _load(self, name: str) -> torch.Tensor:
        return self.checkpoint.tensor(name).to(self.device)


def _sampling_defaults(generation: Fields) -> SamplingDefaults:
    given = {name for name, value in generation.content.items() if value}
    return SamplingDefaults(
        greedy=not generation.flag("do_sample", default=False),
        temperature=generation.number("temperature") if "temperature" in given else 1.0,
        top_p=generation.number("top_p") if "top_p" in given else 1.0,
        top_k=generation.count("top_k") if "top_k" in given else 0,
    )


def _end_ids(generation: Fields, vocabulary: Vocabulary) -> frozenset[int]:
    name, end = "eos_token_id", vocabulary.special("<|im_end|>")
    if generation.content.get(name) is None:
        return frozenset([end])
    is_list = isinstance(generation.content[name], list)
    return frozenset([*(generation.indexes(name) if is_list else [generation.index(name)]), end])
