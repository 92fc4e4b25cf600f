"""The vision half of Qwen3-VL as plain arithmetic over the patches of one picture.

Source of every formula: the reference implementation in transformers, with which the tests compare
it. Patches stand in merge order: those that become one token follow one another.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Self

import torch
import torch.nn.functional as F

from engine.local.encoder_cache import ImageFeatures
from engine.local.linear import Linear, Pack
from engine.local.models.attention import attend_to_all
from engine.local.models.rotary import rotate

Load = Callable[[str], torch.Tensor]
NORM_EPS = 1e-6


@dataclass(frozen=True, slots=True)
class VisionShape:
    """Sizes of the tower; after `deepstack_layers` a feature map is taken out."""

    num_layers: int
    num_heads: int
    merge_size: int
    rope_theta: float
    deepstack_layers: tuple[int, ...]

    @classmethod
    def from_config(cls, vision_config: Any) -> Self:
        """From transformers' vision configuration, which has no types of its own."""
        return cls(
            num_layers=vision_config.depth,
            num_heads=vision_config.num_heads,
            merge_size=vision_config.spatial_merge_size,
            rope_theta=vision_config.rope_parameters["rope_theta"],
            deepstack_layers=tuple(vision_config.deepstack_visual_indexes),
        )


@dataclass(frozen=True, slots=True)
class Norm:
    """A layer norm."""

    weight: torch.Tensor
    bias: torch.Tensor

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        """Each row normed."""
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias, NORM_EPS)


@dataclass(frozen=True, slots=True)
class Block:
    """Weights of one layer."""

    attention_norm: Norm
    qkv: Linear
    out: Linear
    mlp_norm: Norm
    up: Linear
    down: Linear


@dataclass(frozen=True, slots=True)
class Merger:
    """Turns the patches of a token into its embedding; the norm sees patches or whole tokens."""

    norm: Norm
    first: Linear
    second: Linear
    token_size: int

    def merge(self, hidden: torch.Tensor) -> torch.Tensor:
        """Embeddings of tokens, (tokens, hidden of the text model)."""
        seen = hidden.view(-1, self.norm.weight.shape[0])
        joined = self.norm(seen).view(-1, self.token_size)
        return self.second(F.gelu(self.first(joined)))


@dataclass(frozen=True, slots=True)
class Parts:
    """Where the weights come from: `load` gives one as it is stored, `pack` makes layers."""

    load: Load
    dtype: torch.dtype
    pack: Pack

    def norm(self, name: str) -> Norm:
        """A norm by its name in the checkpoint."""
        return Norm(self._narrow(f"{name}.weight"), self._narrow(f"{name}.bias"))

    def linear(self, name: str) -> Linear:
        """A linear layer by its name in the checkpoint."""
        bias = self._narrow(f"{name}.bias")
        return self.pack(f"vision.{name}", lambda: self.load(f"{name}.weight").flatten(1), bias)

    def block(self, index: int) -> Block:
        """A layer of the tower."""
        name = f"blocks.{index}"
        return Block(
            attention_norm=self.norm(f"{name}.norm1"),
            qkv=self.linear(f"{name}.attn.qkv"),
            out=self.linear(f"{name}.attn.proj"),
            mlp_norm=self.norm(f"{name}.norm2"),
            up=self.linear(f"{name}.mlp.linear_fc1"),
            down=self.linear(f"{name}.mlp.linear_fc2"),
        )

    def merger(self, name: str) -> Merger:
        """A merger by its name in the checkpoint."""
        first, second = (self.linear(f"{name}.{part}") for part in ("linear_fc1", "linear_fc2"))
        size = len(self.load(f"{name}.linear_fc1.bias"))
        return Merger(self.norm(f"{name}.norm"), first, second, size)

    def _narrow(self, name: str) -> torch.Tensor:
        return self.load(name).to(self.dtype)


class VisionTower:
    """Patch embedding, layers and mergers."""

    def __init__(self, shape: VisionShape, parts: Parts) -> None:
        self._shape = shape
        self._dtype = parts.dtype
        self._embed = parts.linear("patch_embed.proj")
        table = parts.load("pos_embed.weight")
        side = int(len(table) ** 0.5)
        self._positions = table.float().view(1, side, side, -1).permute(0, 3, 1, 2)
        self._blocks = [parts.block(index) for index in range(shape.num_layers)]
        self._merger = parts.merger("merger")
        self._deepstack = {
            layer: parts.merger(f"deepstack_merger_list.{place}")
            for place, layer in enumerate(shape.deepstack_layers)
        }
        half = table.shape[1] // shape.num_heads // 2
        exponents = torch.arange(0, half, 2, dtype=torch.float) / half
        self._frequencies = (1.0 / shape.rope_theta**exponents).to(table.device)

    def encode_by_layer(
        self, patches: torch.Tensor, rows: int, columns: int
    ) -> Iterator[ImageFeatures | None]:
        """Features of one picture; patches: (rows * columns, values) in merge order.

        None comes after each layer, so that others may have a turn; the features come last.
        """
        hidden = self._embed(patches.to(self._dtype))
        hidden = hidden + self._learned_positions(rows, columns).to(hidden.dtype)
        rotation = self._rotation(rows, columns)
        deepstack: list[torch.Tensor] = []
        for index, block in enumerate(self._blocks):
            hidden = hidden + self._attend(block, hidden, rotation)
            inner = block.up(block.mlp_norm(hidden))
            hidden = hidden + block.down(F.gelu(inner, approximate="tanh"))
            if index in self._deepstack:
                deepstack.append(self._deepstack[index].merge(hidden))
            yield None
        yield ImageFeatures(self._merger.merge(hidden), tuple(deepstack))

    def _attend(
        self,
        block: Block,
        hidden: torch.Tensor,
        rotation: tuple[torch.Tensor, torch.Tensor],
    ) -> torch.Tensor:
        merged = block.qkv(block.attention_norm(hidden))
        heads = merged.view(len(hidden), 3, self._shape.num_heads, -1)
        turned = rotate(heads[:, :2].float(), rotation).to(hidden.dtype)
        queries, keys = turned.permute(1, 2, 0, 3)
        mixed = attend_to_all(queries, keys, heads[:, 2].transpose(0, 1))
        return block.out(mixed.transpose(0, 1).flatten(1))

    def _learned_positions(self, rows: int, columns: int) -> torch.Tensor:
        """The square table stretched over the picture, (patches, hidden), float32."""
        stretched = F.interpolate(
            self._positions, (rows, columns), mode="bilinear", align_corners=True
        )
        return self._in_merge_order(stretched[0].permute(1, 2, 0))

    def _rotation(self, rows: int, columns: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Cosine and sine, (patches, 1, 1, head_dim): a quarter turns with the row, the next with
        the column, and the second half as the first."""
        device = self._frequencies.device
        row, column = torch.meshgrid(
            torch.arange(rows, device=device), torch.arange(columns, device=device), indexing="ij"
        )
        places = self._in_merge_order(torch.stack([row, column], dim=-1))
        angles = (places[..., None].float() * self._frequencies).flatten(1)
        both = torch.cat([angles, angles], dim=-1)[:, None, None]
        return both.cos(), both.sin()

    def _in_merge_order(self, grid: torch.Tensor) -> torch.Tensor:
        """(rows, columns, values) to (patches, values)."""
        rows, columns, size = *grid.shape[:2], self._shape.merge_size
        blocks = grid.reshape(rows // size, size, columns // size, size, -1)
        return blocks.transpose(1, 2).flatten(0, 3)
