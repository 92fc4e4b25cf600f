"""Pictures full of text, for the eyes alone: no questions. Knows no tensors."""

import random

from PIL import Image, ImageFilter

from engine.reader import words
from engine.reader.colours import COLOURS, WHITE, ink_for, shade
from engine.reader.pictures import (
    FACES,
    LEAST_SIZE,
    MOST_SIZE,
    Layout,
    Mark,
    draw_text,
    plain,
    width_of,
)

SIZES = (
    (128, 128),
    (160, 96),
    (192, 64),
    (224, 96),
    (256, 64),
    (256, 96),
    (320, 96),
    (320, 128),
)


def _line(room: float, face: str, size: int, rng: random.Random) -> str:
    """As many words as fit, or fewer; nothing if not even one does."""
    text = ""
    while True:
        longer = f"{text} {words.line(rng)}".strip()
        if width_of(longer, face, size) > room:
            single = text or words.word(rng)
            return single if width_of(single, face, size) <= room else ""
        text = longer
        if rng.random() < 0.25:
            return text


def page(size: tuple[int, int], ease: float, rng: random.Random) -> tuple[Image.Image, list[Mark]]:
    """A page of this size; with ease 1 it is black on white in a middling size of type."""
    ground = shade(WHITE if rng.random() < ease else rng.choice(COLOURS), rng)
    ink = (0, 0, 0) if rng.random() < ease else ink_for(ground, rng)
    drawn = size[0] + rng.randint(-15, 15), size[1] + rng.randint(-12, 12)
    image = plain(drawn, ground)
    varied = round(LEAST_SIZE * (MOST_SIZE / LEAST_SIZE) ** rng.random() ** 1.5)
    type_size = rng.randint(18, 24) if rng.random() < ease else varied
    face, top = rng.choice(FACES), rng.uniform(0, type_size)
    marks: list[Mark] = []
    while top + type_size * 1.2 < drawn[1]:
        left = rng.uniform(1, 14)
        text = _line(drawn[0] - 2 - left, face, type_size, rng)
        if text:
            layout = Layout((text,), face, type_size, left, top, 1.15, 0.0, ink)
            marks += draw_text(image, layout)
        top += type_size * rng.uniform(1.1, 1.6)
    if rng.random() < 0.12:
        image = image.filter(ImageFilter.GaussianBlur(rng.uniform(0.3, 0.8)))
    return image.resize(size, Image.Resampling.BICUBIC), marks
