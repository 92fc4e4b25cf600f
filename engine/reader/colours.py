"""Colours with names: backgrounds that can be told apart, and ink that stands out on them."""

import random
from dataclasses import dataclass

Rgb = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Colour:
    """A colour by its names, with examples; every mixture of two examples bears the name too."""

    english: str
    chinese: str
    examples: tuple[Rgb, ...]


WHITE = Colour("white", "白色", ((255, 255, 255), (248, 248, 246), (240, 240, 240)))
BLACK = Colour("black", "黑色", ((0, 0, 0), (15, 15, 18), (28, 28, 28)))
COLOURS = (
    WHITE,
    BLACK,
    Colour("grey", "灰色", ((128, 128, 128), (100, 100, 102), (160, 160, 160), (185, 185, 188))),
    Colour("red", "红色", ((255, 0, 0), (220, 40, 40), (200, 20, 30))),
    Colour("green", "绿色", ((0, 128, 0), (40, 170, 70), (0, 200, 60), (20, 100, 40))),
    Colour("blue", "蓝色", ((0, 0, 255), (30, 90, 220), (70, 140, 240), (10, 30, 140))),
    Colour("yellow", "黄色", ((255, 255, 0), (250, 220, 60), (255, 240, 120))),
    Colour("orange", "橙色", ((255, 165, 0), (255, 140, 20), (240, 120, 20))),
    Colour("purple", "紫色", ((128, 0, 128), (120, 50, 180), (150, 70, 200))),
    Colour("pink", "粉色", ((255, 192, 203), (255, 150, 190), (255, 110, 180))),
    Colour("brown", "棕色", ((139, 69, 19), (120, 70, 30), (150, 90, 50), (165, 42, 42))),
)


def shade(colour: Colour, rng: random.Random) -> Rgb:
    """One shade of the colour: two of its examples mixed."""
    first, second, part = rng.choice(colour.examples), rng.choice(colour.examples), rng.random()
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(first, second, strict=True))
    return red, green, blue


def luminance(rgb: Rgb) -> float:
    return 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]


def ink_for(background: Rgb, rng: random.Random, *, least: float = 110.0) -> Rgb:
    """A colour that can be read on the background."""
    for _ in range(8):
        ink = shade(rng.choice(COLOURS), rng)
        if abs(luminance(ink) - luminance(background)) >= least:
            return ink
    return (0, 0, 0) if luminance(background) > 127 else (255, 255, 255)
