"""One page: its lines found, spelt from full detail in the right direction, and ordered."""

from dataclasses import replace
from typing import Protocol

from PIL import Image

from engine.chat import Line
from engine.lines import page_direction, runs_along
from engine.ocr.finding import find_lines
from engine.ocr.ordering import in_reading_order
from engine.ocr.outline import Outline, height, width

# The height for which the spelling network was made.
STRIP_HEIGHT = 48
MIN_CONFIDENCE = 0.5
# Below this a line may stand on its head; the other way round must be better by the margin.
SURE = 0.85
TURN_MARGIN = 0.05
# A box so much higher than wide holds a turned line and not a single letter.
TALL = 1.5
VERY_TALL = 3.0


class Reading(Protocol):
    """What a page needs of the networks."""

    def find(self, image: Image.Image) -> list[Outline]:
        """The outlines of lines."""

    def spell(self, strip: Image.Image) -> tuple[str, float]:
        """A line's text and confidence."""


def read_page(image: Image.Image, networks: Reading) -> list[Line]:
    """The lines of an upright picture in reading order, corners in its own pixels."""
    found = [_spell(image, outline, networks) for outline in find_lines(image, networks.find)]
    lines = [line for line in found if line.text and line.confidence >= MIN_CONFIDENCE]
    across = page_direction(lines)
    return in_reading_order([_agreed(image, line, across, networks) for line in lines])


def _spell(image: Image.Image, outline: Outline, networks: Reading) -> Line:
    """The line read in the direction in which it makes sense; corners begin where it begins."""
    best = Line("", outline, 0.0)
    for turned in _directions(outline):
        text, confidence = networks.spell(_strip(image, turned))
        if confidence > best.confidence + (TURN_MARGIN if best.text else 0):
            best = Line(text, turned, confidence)
        if best.confidence >= SURE:
            break
    return best


def _agreed(image: Image.Image, line: Line, across: tuple[float, float], networks: Reading) -> Line:
    """The line read as the rest of its page runs: 068 is 8.90 on a page upside down."""
    if runs_along(line, across):
        return line
    for turns in (2, 1, 3):
        first, second, third, fourth = line.corners[turns:] + line.corners[:turns]
        turned = replace(line, corners=(first, second, third, fourth))
        if runs_along(turned, across):
            text, confidence = networks.spell(_strip(image, turned.corners))
            if text and confidence >= SURE:
                return replace(turned, text=text, confidence=confidence)
    return line


def _directions(outline: Outline) -> list[Outline]:
    """Ways to hold a line, likeliest first."""
    first, second, third, fourth = outline
    ratio = height(outline) / max(width(outline), 1)
    if ratio < TALL:
        return [outline, (third, fourth, first, second)]
    upwards: Outline = (fourth, first, second, third)
    downwards: Outline = (second, third, fourth, first)
    return [upwards, downwards] if ratio >= VERY_TALL else [outline, upwards, downwards]


def _strip(image: Image.Image, outline: Outline) -> Image.Image:
    """The outline cut out of the full picture, straight and of the networks' height."""
    size = (max(round(width(outline)), 1), max(round(height(outline)), 1))
    first, second, third, fourth = outline
    # Pillow goes round the other way.
    around = (first, fourth, third, second)
    quad = tuple(value for corner in around for value in (corner.x, corner.y))
    cut = image.transform(size, Image.Transform.QUAD, quad, Image.Resampling.BICUBIC)
    wide = max(round(size[0] * STRIP_HEIGHT / size[1]), 1)
    return cut.resize((wide, STRIP_HEIGHT), Image.Resampling.BICUBIC)
