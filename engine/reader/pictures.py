"""Draws a picture with text on it, and says which character stands where.

Knows no questions and no models.
"""

import random
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from engine.reader.colours import Rgb

Font = ImageFont.FreeTypeFont
DEJAVU = Path("/usr/share/fonts/truetype/dejavu")
PILLOW = ""
# Sizes of type, in pixels of the picture that the model is shown.
LEAST_SIZE, MOST_SIZE = 20, 44
FACES = (PILLOW, "DejaVuSans.ttf", "DejaVuSans.ttf", "DejaVuSans-Bold.ttf")


@dataclass(frozen=True, slots=True)
class Mark:
    """A character and the place of its centre, in parts of the picture's width and height."""

    character: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Layout:
    """How text stands: size and ink are those of the picture as it is drawn."""

    lines: tuple[str, ...]
    face: str
    font_size: int
    left: float
    top: float
    spacing: float
    align: float
    ink: Rgb


@lru_cache(maxsize=512)
def font_of(face: str, size: int) -> Font:
    """Pillow's own font, or one of the DejaVu family."""
    font = (
        ImageFont.load_default(size)
        if face == PILLOW
        else ImageFont.truetype(str(DEJAVU / face), size)
    )
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise RuntimeError("Pillow was built without FreeType")
    return font


@lru_cache(maxsize=65536)
def advance(face: str, size: int, character: str) -> float:
    return font_of(face, size).getlength(character)


def width_of(text: str, face: str, size: int) -> float:
    return sum(advance(face, size, character) for character in text)


def block_size(lines: tuple[str, ...], face: str, size: int, spacing: float) -> tuple[float, float]:
    """Width and height that the lines take."""
    return max(width_of(text, face, size) for text in lines), size * (
        1.15 + spacing * (len(lines) - 1)
    )


def draw_text(image: Image.Image, layout: Layout) -> tuple[Mark, ...]:
    """Draw the lines into the image."""
    draw = ImageDraw.Draw(image)
    font = font_of(layout.face, layout.font_size)
    block = max(width_of(text, layout.face, layout.font_size) for text in layout.lines)
    marks: list[Mark] = []
    for row, text in enumerate(layout.lines):
        x = layout.left + layout.align * (block - width_of(text, layout.face, layout.font_size))
        y = layout.top + row * layout.spacing * layout.font_size
        draw.text((x, y), text, font=font, fill=layout.ink)
        for character in text:
            step = advance(layout.face, layout.font_size, character)
            if character != " ":
                marks.append(
                    Mark(
                        character,
                        (x + step / 2) / image.width,
                        (y + layout.font_size * 0.62) / image.height,
                    )
                )
            x += step
    return tuple(marks)


def plain(size: tuple[int, int], colour: Rgb) -> Image.Image:
    return Image.new("RGB", size, colour)


def scenery(size: tuple[int, int], ground: Rgb, rng: random.Random) -> Image.Image:
    """A picture without text: a gradient, noise, stripes or shapes."""
    return rng.choice((_gradient, _noise, _stripes, _shapes, _shapes))(size, ground, rng)


def _any_colour(rng: random.Random) -> Rgb:
    return rng.randint(0, 255), rng.randint(0, 255), rng.randint(0, 255)


def _gradient(size: tuple[int, int], ground: Rgb, rng: random.Random) -> Image.Image:
    corners = Image.new("RGB", (2, 2), ground)
    for place in ((0, 1), (1, 0), (1, 1)):
        corners.putpixel(place, _any_colour(rng))
    return corners.resize(size, Image.Resampling.BICUBIC)


def _noise(size: tuple[int, int], ground: Rgb, rng: random.Random) -> Image.Image:
    grain = rng.choice((1, 2, 4, 8, 16))
    small = (max(1, size[0] // grain), max(1, size[1] // grain))
    picture = Image.frombytes("RGB", small, rng.randbytes(small[0] * small[1] * 3)).resize(
        size, Image.Resampling.BICUBIC
    )
    return Image.blend(plain(size, ground), picture, rng.uniform(0.15, 1.0))


def _stripes(size: tuple[int, int], ground: Rgb, rng: random.Random) -> Image.Image:
    picture = plain(size, ground)
    draw, step, ink, upright = (
        ImageDraw.Draw(picture),
        rng.randint(5, 30),
        _any_colour(rng),
        rng.random() < 0.5,
    )
    for place in range(0, max(size), step):
        draw.line(
            ((place, 0), (place, size[1])) if upright else ((0, place), (size[0], place)),
            fill=ink,
            width=rng.randint(1, step // 2 + 1),
        )
    return picture


def _shapes(size: tuple[int, int], ground: Rgb, rng: random.Random) -> Image.Image:
    picture = plain(size, ground)
    draw = ImageDraw.Draw(picture)
    for _ in range(rng.randint(0, 5)):
        x, y, wide, high = (
            rng.randint(-10, size[0]),
            rng.randint(-10, size[1]),
            rng.randint(8, size[0]),
            rng.randint(8, size[1]),
        )
        rng.choice((draw.ellipse, draw.rectangle, draw.line))(
            (x, y, x + wide // 2, y + high // 2), fill=_any_colour(rng)
        )
    return picture
