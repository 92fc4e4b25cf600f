"""Which size a picture has for the model: qwen-vl-utils' arithmetic, kept within its budget.

Knows sizes and pixels; neither tokens' meaning nor files.
"""

from PIL import Image
from qwen_vl_utils.vision_process import MAX_RATIO, smart_resize

# Patches of 16 pixels, merged two by two: one image token is a square of this side.
FACTOR = 32


def target_size(
    width: int, height: int, *, min_pixels: int, max_pixels: int, factor: int = FACTOR
) -> tuple[int, int]:
    """Width and height in whole tokens; never more than `max_pixels`, whatever the proportions.

    The budget wins over `min_pixels` and over the proportions. Raises ValueError when it does not
    hold a single token, or when the picture is thinner than 1 : 200 (intake pads such ones).
    """
    if max_pixels < factor**2:
        raise ValueError(f"{max_pixels} pixels do not hold one token of {factor**2}")
    if max(width, height) > MAX_RATIO * min(width, height):
        raise ValueError(f"{width}x{height} is thinner than 1 : {MAX_RATIO}")
    lower = min(min_pixels, max_pixels)
    tall, wide = smart_resize(height, width, factor, min_pixels=lower, max_pixels=max_pixels)
    # A strip in a small budget is rounded down to a side of nothing, and a picture
    # enlarged to the least size is rounded up beyond the budget.
    columns, rows = max(wide // factor, 1), max(tall // factor, 1)
    num_tokens = max_pixels // factor**2
    if columns >= rows:
        rows = min(rows, num_tokens)
        columns = min(columns, num_tokens // rows)
    else:
        columns = min(columns, num_tokens)
        rows = min(rows, num_tokens // columns)
    return columns * factor, rows * factor


def resized(
    image: Image.Image, *, max_tokens: int, min_pixels: int, factor: int = FACTOR
) -> Image.Image:
    """The picture in the size in which the model takes it, at most `max_tokens` tokens."""
    max_pixels = max_tokens * factor**2
    size = target_size(*image.size, min_pixels=min_pixels, max_pixels=max_pixels, factor=factor)
    return image if size == image.size else image.resize(size, Image.Resampling.BICUBIC)
