"""The forward pass of Qwen3-VL for a batch of equally large pictures, without a loop over them.

The parameters are those of transformers' own modules; the tests compare the two.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from transformers import Qwen3VLForConditionalGeneration
from transformers.vision_utils import (
    get_vision_interpolation_indices_and_weights,
    get_vision_position_ids,
)

from engine.reader.design import MERGE, PATCH
from engine.reader.rows import normed, turned


@dataclass(frozen=True, slots=True)
class Features:
    """What the vision tower says of pictures, [pictures, cells, width], and the DeepStack maps."""

    main: Tensor
    deep: tuple[Tensor, ...]


def patches_of(pixels: Tensor) -> Tensor:
    """[B, H, W, 3] bytes -> [B, N, 3 * 16 * 16], in the order of the merged cells."""
    batch, height, width, _ = pixels.shape
    rows, columns = height // PATCH // MERGE, width // PATCH // MERGE
    scaled = pixels.float() / 127.5 - 1.0
    grid = scaled.view(batch, rows, MERGE, PATCH, columns, MERGE, PATCH, 3)
    return grid.permute(0, 1, 4, 2, 5, 7, 3, 6).reshape(
        batch, rows * columns * MERGE * MERGE, 3 * PATCH * PATCH
    )


def picture_positions(rows: int, columns: int, start: int) -> Tensor:
    """[3, cells]: time, height, width of each merged cell."""
    cells = torch.arange(rows * columns)
    return torch.stack((torch.zeros_like(cells), cells // columns, cells % columns)) + start


def positions_of(prefix: int, rows: int, columns: int, length: int) -> Tensor:
    """[3, length]: a prefix, one picture, then text."""
    lead = torch.arange(prefix).expand(3, -1)
    follow = length - prefix - rows * columns
    tail = (torch.arange(follow) + prefix + max(rows, columns)).expand(3, -1)
    return torch.cat((lead, picture_positions(rows, columns, prefix), tail), dim=1)


def _norm(module: Any, hidden: Tensor) -> Tensor:
    return normed(hidden, module.weight, module.variance_epsilon)


class FastReader(nn.Module):
    """Runs a Qwen3-VL's own parameters over a batch whose pictures all have one size."""

    def __init__(self, model: Qwen3VLForConditionalGeneration) -> None:
        super().__init__()
        self.model = model
        # transformers' modules have no types for what they hold.
        self.visual: Any = model.model.visual
        self.text: Any = model.model.language_model
        config: Any = model.config.text_config
        self.num_heads, self.num_kv_heads, self.head_dim = (
            config.num_attention_heads,
            config.num_key_value_heads,
            config.head_dim,
        )
        section = self.text.rotary_emb.mrope_section
        axis = torch.zeros(self.head_dim // 2, dtype=torch.long)
        for dimension in (1, 2):
            axis[dimension : section[dimension] * 3 : 3] = dimension
        self.axis = axis
        self.places = lru_cache(maxsize=64)(self._places)

    def _places(self, rows: int, columns: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        grid = torch.tensor([[1, rows * MERGE, columns * MERGE]])
        indices, weights = get_vision_interpolation_indices_and_weights(
            grid,
            num_grid_per_side=self.visual.num_grid_per_side,
            mode="bilinear",
            align_corners=True,
            spatial_merge_size=MERGE,
        )
        cos, sin = self.visual.rotary_pos_emb(torch.zeros(1), get_vision_position_ids(grid, MERGE))
        return indices, weights, cos, sin

    def see(self, pixels: Tensor) -> Features:
        """The vision tower over [B, H, W, 3] bytes."""
        visual = self.visual
        rows, columns = pixels.shape[1] // PATCH // MERGE, pixels.shape[2] // PATCH // MERGE
        indices, weights, cos, sin = self.places(rows, columns)
        # Both frames of the temporal patch are the same picture: their kernels add up.
        kernel = visual.patch_embed.proj.weight.sum(2).flatten(1)
        hidden = F.linear(patches_of(pixels), kernel, visual.patch_embed.proj.bias)
        hidden = hidden + (visual.pos_embed(indices) * weights[:, :, None]).sum(1)
        deep: list[Tensor] = []
        for place, block in enumerate(visual.blocks):
            hidden = hidden + self._look(block.attn, block.norm1(hidden), cos, sin)
            hidden = hidden + block.mlp(block.norm2(hidden))
            if place in visual.deepstack_visual_indexes:
                merger = visual.deepstack_merger_list[visual.deepstack_visual_indexes.index(place)]
                deep.append(merger(hidden).view(len(pixels), rows * columns, -1))
        return Features(visual.merger(hidden).view(len(pixels), rows * columns, -1), tuple(deep))

    def _look(self, attention: Any, hidden: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        batch, num, width = hidden.shape
        split = attention.qkv(hidden).view(batch, num, 3, attention.num_heads, -1)
        query, key, value = split.permute(2, 0, 3, 1, 4)
        query, key = turned(query, cos, sin), turned(key, cos, sin)
        seen = F.scaled_dot_product_attention(query, key, value)
        out: Tensor = attention.proj(seen.transpose(1, 2).reshape(batch, num, width))
        return out

    def think(
        self,
        ids: Tensor,
        positions: Tensor,
        features: Features | None,
        start: int,
        wanted: Tensor | None = None,
    ) -> Tensor:
        """Hidden states of [B, T] right-padded ids, or only of the wanted ones.

        The picture's cells stand from `start` on in every row.
        """
        text = self.text
        hidden = text.embed_tokens(ids)
        freqs = positions[self.axis].T.float() * text.rotary_emb.inv_freq
        angles = torch.cat((freqs, freqs), dim=-1)
        cos, sin = angles.cos().to(hidden.dtype), angles.sin().to(hidden.dtype)
        if features:
            hidden = self._insert(hidden, features.main, start)
        for place, layer in enumerate(text.layers):
            before = _norm(layer.input_layernorm, hidden)
            hidden = hidden + self._attend(layer.self_attn, before, cos, sin)
            if wanted is not None and place == len(text.layers) - 1:
                hidden = hidden[wanted]
            hidden = hidden + layer.mlp(_norm(layer.post_attention_layernorm, hidden))
            if features and place < len(features.deep):
                deep = features.deep[place]
                hidden = hidden + F.pad(
                    deep, (0, 0, start, hidden.shape[1] - start - deep.shape[1])
                ).to(hidden.dtype)
        out: Tensor = _norm(text.norm, hidden)
        return out

    def _insert(self, hidden: Tensor, main: Tensor, start: int) -> Tensor:
        return torch.cat(
            (hidden[:, :start], main.to(hidden.dtype), hidden[:, start + main.shape[1] :]), dim=1
        )

    def _attend(self, attention: Any, hidden: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        batch, num, _ = hidden.shape
        query = attention.q_proj(hidden).view(batch, num, self.num_heads, -1)
        key = attention.k_proj(hidden).view(batch, num, self.num_kv_heads, -1)
        value = attention.v_proj(hidden).view(batch, num, self.num_kv_heads, -1).transpose(1, 2)
        query = turned(_norm(attention.q_norm, query).transpose(1, 2), cos, sin)
        key = turned(_norm(attention.k_norm, key).transpose(1, 2), cos, sin)
        groups = self.num_heads // self.num_kv_heads
        key, value = key.repeat_interleave(groups, dim=1), value.repeat_interleave(groups, dim=1)
        seen = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        out: Tensor = attention.o_proj(seen.transpose(1, 2).reshape(batch, num, -1))
        return out

    def score(self, hidden: Tensor) -> Tensor:
        out: Tensor = self.model.lm_head(hidden)
        return out

    def forward(self, ids: Tensor, positions: Tensor, pixels: Tensor | None, start: int) -> Tensor:
        """Logits of every position."""
        return self.score(
            self.think(ids, positions, self.see(pixels) if pixels is not None else None, start)
        )
