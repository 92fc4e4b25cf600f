"""From any of Pillow's modes to opaque RGB: deep greys scaled, transparency on a readable ground.

Knows nothing of files and sizes.
"""

from typing import cast

from PIL import Image

WHITE, BLACK, GREY = 255, 0, 128
# Ink closer to its ground than this, in levels of grey, is taken as lost.
MIN_CONTRAST = 56
MAX_LOST_SHARE = 0.1
MIN_VISIBLE_ALPHA = 64
# The full scales that are met in practice: 8 bits, 12 bits of scanners, 16 bits.
FULL_SCALES = (255, 4095, 65535)


def opaque(image: Image.Image) -> Image.Image:
    """The same picture in mode RGB; the pixels must have been decoded."""
    if image.mode in ("I", "F") or image.mode.startswith("I;16"):
        return _scaled(image).convert("RGB")
    if not image.has_transparency_data:
        return image.convert("RGB")
    layer = image.convert("RGBA")
    shade = _ground(layer)
    ground = Image.new("RGBA", layer.size, (shade, shade, shade, 255))
    return Image.alpha_composite(ground, layer).convert("RGB")


def _scaled(image: Image.Image) -> Image.Image:
    """Deep grey brought to eight bits by the smallest usual full scale that holds it."""
    deep = image.convert("F")
    lowest, highest = cast(tuple[float, float], deep.getextrema())
    if not lowest <= highest:
        raise ValueError("a grey picture without a number in it")
    base = min(lowest, 0.0)
    span = highest - base
    full = next((scale for scale in FULL_SCALES if span <= scale), span)
    if image.mode == "F" and base >= 0 and highest <= 1:
        full = 1
    scale = 255 / full
    offset = 0.5 - base * scale
    return deep.point(lambda level: level * scale + offset).convert("L")


def _ground(layer: Image.Image) -> int:
    """White, unless much of the visible ink would be lost on it."""
    visible = layer.getchannel("A").point(lambda alpha: 255 if alpha >= MIN_VISIBLE_ALPHA else 0)
    levels = layer.convert("RGB").convert("L").histogram(visible)
    num_visible = sum(levels)
    lost = {
        shade: sum(levels[max(shade - MIN_CONTRAST, 0) : shade + MIN_CONTRAST])
        for shade in (WHITE, BLACK, GREY)
    }
    for shade, num_lost in lost.items():
        if num_lost <= MAX_LOST_SHARE * num_visible:
            return shade
    return min(lost, key=lambda shade: lost[shade])
