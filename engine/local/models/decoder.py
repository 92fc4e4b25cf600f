"""The text half of Qwen3-VL as plain arithmetic over stacked rows of several sequences.

Linear layers run once over all rows; attention runs for each sequence on its own cache. Source of
every formula: the reference implementation in transformers, with which the tests compare it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import torch
import torch.nn.functional as F

from engine.local.kv_cache import KVCache
from engine.local.linear import Linear, Pack, Read
from engine.local.models.attention import attend
from engine.local.models.rotary import rotate

Load = Callable[[str], torch.Tensor]


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


class Decoder:
    """Embedding, layers and final norm, with activations of one format.

    `load` gives a weight by its name, as it is stored; `pack` makes linear layers of them.
    """

    def __init__(
        self,
        shape: DecoderShape,
        load: Load,
        *,
        dtype: torch.dtype,
        pack: Pack,
        output: Read | None = None,
    ) -> None:
        self._shape = shape
        self._dtype = dtype
        # Rows are converted when they are looked up: the table may stay on the disk.
        self._embedding = load("embed_tokens.weight")
        self._output = pack("output", output or (lambda: self._embedding), None)
        self._layers = [self._load_layer(load, pack, i) for i in range(shape.num_layers)]
        self._norm = load("norm.weight").to(dtype)
        exponents = torch.arange(0, shape.head_dim, 2, dtype=torch.float) / shape.head_dim
        self._frequencies = (1.0 / shape.rope_theta**exponents).to(self._embedding.device)

    def _load_layer(self, load: Load, pack: Pack, index: int) -> Layer:
        layer = f"layers.{index}"
        attention, mlp = f"{layer}.self_attn", f"{layer}.mlp"

        def norm(name: str) -> torch.Tensor:
            return load(f"{name}norm.weight").to(self._dtype)

        def packed(name: str, *parts: str) -> Linear:
            names = [f"{part}_proj.weight" for part in parts]
            return pack(f"{layer}.{name}", lambda: torch.cat([load(name) for name in names]), None)

        return Layer(
            input_norm=norm(f"{layer}.input_layer"),
            qkv=packed("qkv", *(f"{attention}.{part}" for part in "qkv")),
            q_norm=norm(f"{attention}.q_"),
            k_norm=norm(f"{attention}.k_"),
            out=packed("out", f"{attention}.o"),
            mlp_norm=norm(f"{layer}.post_attention_layer"),
            gate_up=packed("gate_up", f"{mlp}.gate", f"{mlp}.up"),
            down=packed("down", f"{mlp}.down"),
        )

    def embed(self, ids: Sequence[int]) -> torch.Tensor:
        """Embeddings of ids, (ids, hidden)."""
        looked_up = torch.tensor(ids, device=self._embedding.device)
        return F.embedding(looked_up, self._embedding).to(self._dtype)

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
        angles = positions.to(self._frequencies.device)[..., None].float() * self._frequencies
        mixed = angles[0].clone()
        for axis in (1, 2):
            places = slice(axis, self._shape.sections[axis] * 3, 3)
            mixed[:, places] = angles[axis][:, places]
        both = torch.cat([mixed, mixed], dim=-1).unsqueeze(1)
        return both.cos().to(self._dtype), both.sin().to(self._dtype)

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
