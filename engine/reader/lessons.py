"""One training picture with its questions and answers, as difficult as it is told.

Knows no tensors.
"""

import io
import random
from dataclasses import dataclass

from PIL import Image, ImageFilter

from engine.reader import words
from engine.reader.colours import COLOURS, WHITE, Colour, ink_for, shade
from engine.reader.design import CELL
from engine.reader.pictures import (
    FACES,
    PILLOW,
    Layout,
    Mark,
    block_size,
    draw_text,
    plain,
    scenery,
)
from engine.reader.questions import answer, ask
from engine.reader.wordings import Kind

# From which part of the way on something is varied; below it, it is fixed.
(
    ALONG,
    ACROSS,
    CAPITALS,
    SIZES,
    FONTS,
    INKS,
    WORDING,
    WORDS,
    RESIZED,
    LINES,
    FOLLOW_UPS,
    EMPTY,
    ROUGH,
) = (0.02, 0.06, 0.11, 0.20, 0.28, 0.36, 0.42, 0.45, 0.55, 0.62, 0.70, 0.78, 0.90)
FIXED_SIZE, LEAST_SIZE, MOST_SIZE = 20, 14, 32
# Most of a conversation is question; these leave the time for reading.
BRIEF, BRIEF_ZH = ("Read", "ocr", "Text?"), ("读一下。",)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A picture, what stands where in it, and a conversation about it."""

    image: Image.Image
    marks: tuple[Mark, ...]
    turns: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Content:
    """What is in a picture: the lines of text and the colour behind them, if it is one colour."""

    image: Image.Image
    marks: tuple[Mark, ...]
    lines: tuple[str, ...]
    background: Colour | None


def _text(level: float, rng: random.Random) -> str:
    if level < CAPITALS or (level < WORDS and rng.random() < 0.4):
        return words.digits(rng, 1, 3)
    if level < WORDS:
        return "".join(
            rng.choice(words.SURE_CAPITALS + "23456789") for _ in range(rng.randint(1, 3))
        )
    return words.line(rng) if rng.random() < 0.85 else words.word(rng)


def _fitting(level: float, room: float, face: str, size: int, rng: random.Random) -> str:
    for _ in range(6):
        text = _text(level, rng)
        if block_size((text,), face, size, 1.0)[0] <= room:
            return text
    return words.digits(rng, 1, 2)


def _layout(
    level: float, size: tuple[int, int], ink: tuple[int, int, int], rng: random.Random
) -> Layout:
    width, height = size
    num = min(rng.choice((1, 1, 2, 2, 3)), height // 18) if level > LINES else 1
    most = min(MOST_SIZE, int(height / (1.2 * num)))
    font_size = FIXED_SIZE
    if level > SIZES:
        font_size = min(
            most, round(LEAST_SIZE * (MOST_SIZE / LEAST_SIZE) ** rng.random() ** 1.3) + 1
        )
    font_size = max(10, min(font_size, most))
    face = rng.choice(FACES) if level > FONTS and rng.random() < 0.6 else PILLOW
    spacing = (
        rng.uniform(1.12, max(1.12, min(1.7, (height / font_size - 1.15) / (num - 1))))
        if num > 1
        else 1.15
    )
    lines = tuple(_fitting(level, width - 4, face, font_size, rng) for _ in range(num))
    wide, high = block_size(lines, face, font_size, spacing)
    left = rng.uniform(1, max(1.0, width - wide - 1)) if level > ALONG else 8.0
    top = rng.uniform(0, max(0.0, height - high)) if level > ACROSS else 4.0
    align = rng.choice((0.0, 0.0, 0.5, 1.0)) if num > 1 else 0.0
    return Layout(lines, face, font_size, left, top, spacing, align, ink)


def drawn_size(level: float, size: tuple[int, int], rng: random.Random) -> tuple[int, int]:
    """A picture's size before the engine rounds it to whole cells."""
    if level < RESIZED:
        return size
    width, height = (side + rng.randint(-CELL // 2 + 1, CELL // 2 - 1) for side in size)
    return width, max(26, min(height, size[1] * 5 // 4))


def draw(level: float, size: tuple[int, int], rng: random.Random) -> Content:
    """A picture of this very size whose contents are as varied as the level says."""
    background = rng.choice(COLOURS) if level > INKS and rng.random() < 0.65 else WHITE
    ground = shade(background, rng) if level > INKS else (255, 255, 255)
    if level > EMPTY and rng.random() < 0.1:
        return Content(scenery(size, ground, rng), (), (), None)
    image = plain(size, ground)
    if level > EMPTY and rng.random() < 0.03:
        return Content(image, (), (), background)
    layout = _layout(level, size, ink_for(ground, rng) if level > INKS else (0, 0, 0), rng)
    return Content(image, draw_text(image, layout), layout.lines, background)


def compose(level: float, size: tuple[int, int], rng: random.Random) -> Content:
    """A picture as the model is shown it: drawn in some size near this one, then resized."""
    content = draw(level, drawn_size(level, size, rng), rng)
    image = content.image
    if level > ROUGH and rng.random() < 0.35:
        image = roughen(image, rng)
    if image.size != size:
        image = image.resize(size, Image.Resampling.BICUBIC)
    return Content(image, content.marks, content.lines, content.background)


def roughen(image: Image.Image, rng: random.Random) -> Image.Image:
    """As a compressed, blurred or tilted copy of the picture."""
    form = rng.randrange(4)
    if form == 0:
        return as_jpeg(image, rng.randint(45, 90))
    if form == 1:
        return image.filter(ImageFilter.GaussianBlur(rng.uniform(0.3, 0.9)))
    if form == 2:
        return tilted(image, rng.uniform(-2.0, 2.0))
    scale = rng.uniform(0.7, 0.95)
    return image.resize(
        (round(image.width * scale), round(image.height * scale)), Image.Resampling.BICUBIC
    )


def as_jpeg(image: Image.Image, quality: int) -> Image.Image:
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=quality)
    return Image.open(buffer).convert("RGB")


def tilted(image: Image.Image, degrees: float) -> Image.Image:
    corner = image.getpixel((0, 0))
    return image.rotate(degrees, Image.Resampling.BICUBIC, fillcolor=corner)


def _kinds(level: float, content: Content, rng: random.Random) -> list[Kind]:
    if level < INKS:
        return [Kind.READ]
    kinds = [Kind.READ]
    if content.background:
        kinds.append(Kind.COLOUR)
    if level > LINES:
        kinds.append(Kind.COUNT)
    if level > FOLLOW_UPS:
        kinds += [Kind.FIRST, Kind.LAST]
    if level > EMPTY and rng.random() < 0.4:
        kinds.append(Kind.OTHER)
    rng.shuffle(kinds)
    if rng.random() < (1.0 if level < LINES else 0.5):
        kinds.remove(Kind.READ)
        kinds.insert(0, Kind.READ)
    return kinds


def converse(
    level: float, content: Content, budget: int, rng: random.Random
) -> tuple[tuple[str, str], ...]:
    """Questions and answers until the budget of bytes is used up; with none, one brief question."""
    if not budget:
        chinese = level > WORDING and rng.random() < 0.25
        said = answer(Kind.READ, content.lines, content.background, chinese=chinese)
        return ((rng.choice(BRIEF_ZH if chinese else BRIEF), said),)
    turns: list[tuple[str, str]] = []
    for kind in _kinds(level, content, rng):
        chinese = level > WORDING and rng.random() < 0.25
        question = (
            ask(kind, rng, chinese=chinese)
            if level > WORDING
            else ("Read" if kind is Kind.READ else "Background?")
        )
        turns.append((question, answer(kind, content.lines, content.background, chinese=chinese)))
        budget -= len((turns[-1][0] + turns[-1][1]).encode()) + 22
        if budget < 40:
            break
    return tuple(turns)


def lesson(level: float, size: tuple[int, int], budget: int, rng: random.Random) -> Lesson:
    """A picture of this size and a conversation of about this many bytes."""
    content = compose(level, size, rng)
    return Lesson(content.image, content.marks, converse(level, content, budget, rng))
