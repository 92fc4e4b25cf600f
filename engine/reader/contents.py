"""What is in a training picture, and how the picture is drawn. Knows no questions, no tensors."""

import io
import random
from dataclasses import dataclass

from PIL import Image, ImageFilter

from engine.reader import words
from engine.reader.colours import COLOURS, WHITE, Colour, Rgb, ink_for, shade
from engine.reader.design import CELL
from engine.reader.pictures import (
    FACES,
    LEAST_SIZE,
    MOST_SIZE,
    PILLOW,
    Layout,
    Mark,
    block_size,
    draw_text,
    plain,
    scenery,
    width_of,
)

# From which part of the way on there is more than one line, none at all, and damage.
TWO_LINES, THREE_LINES, EMPTY, ROUGH = 0.4, 0.55, 0.65, 0.9
SHORTEST, LONGEST = 3, 24


@dataclass(frozen=True, slots=True)
class Content:
    """What is in a picture: the lines of text and the colour behind them, if it is one colour."""

    image: Image.Image
    marks: tuple[Mark, ...]
    lines: tuple[str, ...]
    background: Colour | None


def num_characters(level: float) -> int:
    """How long a line is at most."""
    return min(LONGEST, SHORTEST + round((LONGEST - SHORTEST) * level / TWO_LINES))


def _fitting(level: float, room: float, face: str, size: int, rng: random.Random) -> str:
    most = num_characters(level)
    for _ in range(8):
        text = words.line(rng) if most > 8 else words.brief(rng)
        if len(text) <= most and width_of(text, face, size) <= room:
            return text
    return words.digits(rng, 1, 3)


def _num_lines(level: float, height: int, rng: random.Random) -> int:
    if level < TWO_LINES:
        return 1
    wanted = rng.choice((1, 1, 2, 2, 3) if level > THREE_LINES else (1, 2))
    return max(1, min(wanted, height // 24))


def _layout(level: float, size: tuple[int, int], ink: Rgb, rng: random.Random) -> Layout:
    width, height = size
    num = _num_lines(level, height, rng)
    most = int(height / (1.2 * num))
    font_size = round(LEAST_SIZE * (MOST_SIZE / LEAST_SIZE) ** rng.random() ** 1.5)
    font_size = max(LEAST_SIZE, min(font_size, most))
    face = rng.choice((PILLOW, rng.choice(FACES)))
    loosest = (height / font_size - 1.15) / (num - 1) if num > 1 else 1.15
    spacing = rng.uniform(1.12, max(1.12, min(1.7, loosest)))
    lines = tuple(_fitting(level, width - 4, face, font_size, rng) for _ in range(num))
    wide, high = block_size(lines, face, font_size, spacing)
    left = rng.uniform(1, max(1.0, width - wide - 1))
    top = rng.uniform(0, max(0.0, height - high))
    align = rng.choice((0.0, 0.0, 0.5, 1.0)) if num > 1 else 0.0
    return Layout(lines, face, font_size, left, top, spacing, align, ink)


def drawn_size(size: tuple[int, int], rng: random.Random) -> tuple[int, int]:
    """A picture's size before the engine rounds it to whole cells."""
    width, height = (side + rng.randint(-CELL // 2 + 1, CELL // 2 - 1) for side in size)
    return width, max(26, min(height, size[1] * 5 // 4))


def draw(level: float, size: tuple[int, int], rng: random.Random) -> Content:
    """A picture of this very size, its text as long as the level says."""
    background = rng.choice(COLOURS) if rng.random() < 0.65 else WHITE
    ground = shade(background, rng)
    if level > EMPTY and rng.random() < 0.08:
        return Content(scenery(size, ground, rng), (), (), None)
    image = plain(size, ground)
    if level > EMPTY and rng.random() < 0.03:
        return Content(image, (), (), background)
    layout = _layout(level, size, ink_for(ground, rng), rng)
    return Content(image, draw_text(image, layout), layout.lines, background)


def compose(level: float, size: tuple[int, int], rng: random.Random) -> Content:
    """A picture as the model is shown it: drawn in some size near this one, then resized."""
    content = draw(level, drawn_size(size, rng), rng)
    image = content.image
    if level > ROUGH and rng.random() < 0.35:
        image = roughen(image, rng)
    if image.size != size:
        image = image.resize(size, Image.Resampling.BICUBIC)
    return Content(image, content.marks, content.lines, content.background)


def roughen(image: Image.Image, rng: random.Random) -> Image.Image:
    """As a compressed, blurred, tilted or reduced copy of the picture."""
    form = rng.randrange(4)
    if form == 0:
        return as_jpeg(image, rng.randint(45, 90))
    if form == 1:
        return image.filter(ImageFilter.GaussianBlur(rng.uniform(0.3, 0.9)))
    if form == 2:
        return tilted(image, rng.uniform(-2.0, 2.0))
    scale = rng.uniform(0.7, 0.95)
    smaller = round(image.width * scale), round(image.height * scale)
    return image.resize(smaller, Image.Resampling.BICUBIC)


def as_jpeg(image: Image.Image, quality: int) -> Image.Image:
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=quality)
    return Image.open(buffer).convert("RGB")


def tilted(image: Image.Image, degrees: float) -> Image.Image:
    corner = image.getpixel((0, 0))
    return image.rotate(degrees, Image.Resampling.BICUBIC, fillcolor=corner)
