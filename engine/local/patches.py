"""An image cut into the patches that a vision tower takes. Knows the arithmetic, not the tower."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import torch
from PIL import Image as Picture

from engine.local.fields import Fields


@dataclass(frozen=True, slots=True)
class PatchGeometry:
    """Sizes and scales of a checkpoint's preprocessor file; pixel counts are areas, not sides."""

    patch_size: int
    merge_size: int
    temporal_patch_size: int
    min_pixels: int
    max_pixels: int
    mean: tuple[float, ...]
    std: tuple[float, ...]

    @classmethod
    def from_fields(cls, fields: Fields) -> Self:
        """From preprocessor_config.json; raises ModelNotUsable."""
        size, std = fields.section("size"), fields.numbers("image_std", 3)
        if not all(std):
            raise fields.refused("image_std is zero")
        geometry = cls(
            patch_size=fields.count("patch_size"),
            merge_size=fields.count("merge_size"),
            temporal_patch_size=fields.count("temporal_patch_size"),
            min_pixels=size.count("shortest_edge"),
            max_pixels=size.count("longest_edge"),
            mean=fields.numbers("image_mean", 3),
            std=std,
        )
        if geometry.max_pixels < geometry.factor**2:
            raise size.refused("longest_edge does not hold one token")
        return geometry

    @property
    def factor(self) -> int:
        """Side of a merged token in pixels: both sides of an image are multiples of it."""
        return self.patch_size * self.merge_size

    @property
    def values_per_patch(self) -> int:
        """Colour values of one patch in all its temporal slices."""
        return 3 * self.temporal_patch_size * self.patch_size**2

    def grid_of(self, image: Picture.Image) -> tuple[int, int]:
        """(height, width) in merged tokens."""
        return image.height // self.factor, image.width // self.factor


def to_patches(image: Picture.Image, geometry: PatchGeometry) -> torch.Tensor:
    """Patches of an RGB image, (patches, channels * temporal * patch * patch), float32.

    The order is that of the checkpoint's own image processor: the patches of one merged token
    stand together, and a still picture fills every temporal slice.
    """
    size, merge, (rows, columns) = geometry.patch_size, geometry.merge_size, geometry.grid_of(image)
    pixels = torch.from_numpy(np.array(image, dtype=np.uint8)).permute(2, 0, 1).float()
    mean = torch.tensor(geometry.mean).view(3, 1, 1) * 255
    std = torch.tensor(geometry.std).view(3, 1, 1) * 255
    blocks = ((pixels - mean) / std).view(3, rows, merge, size, columns, merge, size)
    ordered = blocks.permute(1, 4, 2, 5, 0, 3, 6)
    flat = ordered.reshape(rows * columns * merge * merge, 3, 1, size * size)
    return flat.expand(-1, -1, geometry.temporal_patch_size, -1).flatten(1)
