"""A conversation as token ids, positions and image spans: what a model is given.

Prefix equality lives here and nowhere else. Knows neither tokenizer nor model.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from PIL.Image import Image


@dataclass(frozen=True, slots=True)
class ImageSpan:
    """Where a picture stands among the ids, and which one it is.

    `key` names pixels and size; `grid` is (height, width) in merged tokens, so that the span is
    height x width placeholders long.
    """

    start: int
    key: str
    grid: tuple[int, int]

    @property
    def num_tokens(self) -> int:
        """Placeholders of the span."""
        return self.grid[0] * self.grid[1]

    @property
    def end(self) -> int:
        """The index behind the last placeholder."""
        return self.start + self.num_tokens


@dataclass(frozen=True, slots=True)
class Prompt:
    """Token ids with their places in time, row and column.

    `positions` is (3, tokens). A picture takes as many ids as it has merged tokens, but moves the
    position by its longer side only: `next_position` is not the number of ids. `pictures` belong
    to the spans, resized and ready for the vision tower.
    """

    ids: tuple[int, ...]
    positions: torch.Tensor
    next_position: int
    spans: tuple[ImageSpan, ...]
    pictures: tuple[Image, ...]

    def __len__(self) -> int:
        return len(self.ids)


def positions_of(num_ids: int, spans: Sequence[ImageSpan]) -> tuple[torch.Tensor, int]:
    """Positions (3, num_ids) and the position that follows them.

    Text counts on along all three axes; a picture that begins at p has time p, rows p + 0..h-1,
    columns p + 0..w-1, and the text after it begins at p + max(h, w). Source: the model's own
    multimodal rotary embedding in transformers (`get_rope_index`).
    """
    parts: list[torch.Tensor] = []
    index = position = 0
    for span in spans:
        parts.append(_text_positions(position, span.start - index))
        position += span.start - index
        parts.append(_image_positions(position, span.grid))
        position += max(span.grid)
        index = span.end
    parts.append(_text_positions(position, num_ids - index))
    return torch.cat(parts, dim=1), position + num_ids - index


def _text_positions(first: int, count: int) -> torch.Tensor:
    return torch.arange(first, first + count).expand(3, count)


def _image_positions(first: int, grid: tuple[int, int]) -> torch.Tensor:
    height, width = grid
    rows = torch.arange(height).repeat_interleave(width)
    columns = torch.arange(width).repeat(height)
    return torch.stack([torch.zeros_like(rows), rows, columns]) + first


def common_prefix(ids: Sequence[int], spans: Sequence[ImageSpan], prompt: Prompt) -> int:
    """How many first tokens two sequences share, pixels included; never ends inside a picture.

    All placeholders are the same id, so equal ids alone say nothing about the picture behind them.
    """
    limit = min(len(ids), len(prompt.ids))
    length = next((i for i in range(limit) if ids[i] != prompt.ids[i]), limit)
    known = set(spans)
    for span in (*spans, *prompt.spans):
        shared = span in known and span in prompt.spans
        if span.start < length and not (shared and span.end <= length):
            length = span.start
    return length
