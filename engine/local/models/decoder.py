"""The text half of Qwen3-VL as plain arithmetic over stacked rows of several sequences.

Linear layers run once over all rows; attention runs for each sequence on its own cache. Source of
every formula: the reference implementation in transformers, with which the tests compare it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import torch
import torch.nn.functional as F

from engine.local.kv_cache import KVCache
from engine.local.models.attention import attend
from engine.local.models.rotary import rotate

Load = Callable[[str], torch.Tensor]
Linear = Callable[[torch.Tensor], torch.Tensor]
# Makes a linear layer of its name ("layers.0.qkv", "output") and its weight, in any precision.
Pack = Callable[[str, torch.Tensor], Linear]


@dataclass(frozen=True, slots=True)
class DecoderShape:
    """Sizes of the text model; `sections` are the frequencies that time, row and column turn."""

    num_layers: int
    num_heads: int
    num_kv_heads: int
    head_dim: int
    norm_eps: float
    rope_theta: float
    sections: tuple[int, int, int]

    @classmethod
    def from_config(cls, text_config: Any) -> Self:
        """From transformers' text configuration, which has no types of its own."""
        rope = text_config.rope_parameters
        return cls(
            num_layers=text_config.num_hidden_layers,
            num_heads=text_config.num_attention_heads,
            num_kv_heads=text_config.num_key_value_heads,
            head_dim=text_config.head_dim,
            norm_eps=text_config.rms_norm_eps,
            rope_theta=rope["rope_theta"],
            sections=tuple(rope["mrope_section"]),
        )


@dataclass(frozen=True, slots=True)
class Rows:
    """A run of rows that belongs to one sequence."""

    start: int
    end: int
    kv_cache: KVCache


@dataclass(frozen=True, slots=True)
class VisualRows:
    """Rows that hold a picture, and what is added to them after the first layers."""

    start: int
    end: int
    deepstack: tuple[torch.Tensor, ...]


@dataclass(frozen=True, slots=True)
class Layer:
    """Weights of one decoder layer; q, k and v are one matrix, gate and up another."""

    input_norm: torch.Tensor
    qkv: Linear
    q_norm: torch.Tensor
    k_norm: torch.Tensor
    out: Linear
    mlp_norm: torch.Tensor
    gate_up: Linear
    down: Linear


def plain(name: str, weight: torch.Tensor) -> Linear:
    """The weight as it is; the name does not matter."""
    return partial(F.linear, weight=weight)


def _load_layer(load: Load, pack: Pack, index: int) -> Layer:
    layer = f"layers.{index}"
    attention, mlp = f"{layer}.self_attn", f"{layer}.mlp"

    def packed(name: str, *parts: str) -> Linear:
        return pack(f"{layer}.{name}", torch.cat([load(f"{part}_proj.weight") for part in parts]))

    return Layer(
        input_norm=load(f"{layer}.input_layernorm.weight"),
        qkv=packed("qkv", *(f"{attention}.{part}" for part in "qkv")),
        q_norm=load(f"{attention}.q_norm.weight"),
        k_norm=load(f"{attention}.k_norm.weight"),
        out=packed("out", f"{attention}.o"),
        mlp_norm=load(f"{layer}.post_attention_layernorm.weight"),
        gate_up=packed("gate_up", f"{mlp}.gate", f"{mlp}.up"),
        down=packed("down", f"{mlp}.down"),
    )


class Decoder:
    """Embedding, layers and final norm.

    `load` gives a weight by its name, in the right format; `pack` makes linear layers of them.
    """

    def __init__(
        self, shape: DecoderShape, load: Load, output: torch.Tensor | None, pack: Pack = plain
    ) -> None:
        self._shape = shape
        self._embedding = load("embed_tokens.weight")
        self._output = pack("output", self._embedding if output is None else output)
        self._layers = [_load_layer(load, pack, i) for i in range(shape.num_layers)]
        self._norm = load("norm.weight")
        exponents = torch.arange(0, shape.head_dim, 2, dtype=torch.float) / shape.head_dim
        self._frequencies = (1.0 / shape.rope_theta**exponents).to(self._embedding.device)

    def embed(self, ids: Sequence[int]) -> torch.Tensor:
        """Embeddings of ids, (ids, hidden)."""
        return F.embedding(torch.tensor(ids, device=self._embedding.device), self._embedding)

    def logits(self, hidden: torch.Tensor) -> torch.Tensor:
        """Scores of the vocabulary for rows that left the last layer, (rows, vocabulary)."""
        return self._output(self._normed(hidden, self._norm))

    def forward(
        self,
        hidden: torch.Tensor,
        positions: torch.Tensor,
        sequences: Sequence[Rows],
        pictures: Sequence[VisualRows],
    ) -> torch.Tensor:
        """Run all layers over stacked rows.

        hidden: (rows, hidden), changed in place; positions: (3, rows). Keys and values are written
        behind the valid part of each cache; the caller advances them.
        """
        rotation = self._rotation(positions)
        for index, layer in enumerate(self._layers):
            hidden = hidden + self._attend(index, layer, hidden, rotation, sequences)
            hidden = hidden + self._mlp(layer, hidden)
            for picture in pictures:
                if index < len(picture.deepstack):
                    hidden[picture.start : picture.end] += picture.deepstack[index]
        return hidden

    def _normed(self, x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        wide = x.float()
        scale = torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self._shape.norm_eps)
        return weight * (wide * scale).to(x.dtype)

    def _rotation(self, positions: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Cosine and sine, (rows, 1, head_dim), of interleaved multimodal rotary embedding.

        Frequency i turns with time, but for i = 1, 4, 7, ... with the row and for i = 2, 5, 8, ...
        with the column, as far as the sections of the configuration reach.
        """
        device, dtype = self._frequencies.device, self._embedding.dtype
        angles = positions.to(device)[..., None].float() * self._frequencies
        mixed = angles[0].clone()
        for axis in (1, 2):
            places = slice(axis, self._shape.sections[axis] * 3, 3)
            mixed[:, places] = angles[axis][:, places]
        both = torch.cat([mixed, mixed], dim=-1).unsqueeze(1)
        return both.cos().to(dtype), both.sin().to(dtype)

    def _attend(
        self,
        index: int,
        layer: Layer,
        hidden: torch.Tensor,
        rotation: tuple[torch.Tensor, torch.Tensor],
        sequences: Sequence[Rows],
    ) -> torch.Tensor:
        merged = layer.qkv(self._normed(hidden, layer.input_norm))
        heads = merged.view(len(hidden), -1, self._shape.head_dim)
        groups = [self._shape.num_heads, *[self._shape.num_kv_heads] * 2]
        queries, keys, values = torch.split_with_sizes(heads, groups, dim=1)
        queries = rotate(self._normed(queries, layer.q_norm), rotation)
        keys = rotate(self._normed(keys, layer.k_norm), rotation)
        mixed = torch.empty_like(queries)
        for rows in sequences:
            span = slice(rows.start, rows.end)
            past = rows.kv_cache.write(
                index, keys[span].transpose(0, 1), values[span].transpose(0, 1)
            )
            mixed[span] = attend(queries[span].transpose(0, 1), *past).transpose(0, 1)
        return layer.out(mixed.flatten(1))

    def _mlp(self, layer: Layer, hidden: torch.Tensor) -> torch.Tensor:
        gate, up = layer.gate_up(self._normed(hidden, layer.mlp_norm)).chunk(2, dim=-1)
        return layer.down(F.silu(gate) * up)
