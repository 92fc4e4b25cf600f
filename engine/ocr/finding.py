"""Where the lines of a picture are, large ones and small print, within a bounded effort.

Most pictures are seen once, shrunk. Where that shows nothing, or small lines only, it is
looked at again closely, in strips: the network overlooks a little print on a large blank.
"""

import math
from collections.abc import Callable, Iterator
from statistics import median
from typing import cast

from PIL import Image

from engine.ocr.outline import Outline, centre, contains, height, moved, width

Finder = Callable[[Image.Image], list[Outline]]

COARSE_PIXELS = 1_600_000
FINE_PIXELS = 6_000_000
STRIP_PIXELS = 1_500_000
# Strips share this part of their rows, so that a line cut by one is whole in the next.
OVERLAP = 0.25
# Lines lower than this, in pixels of the coarse view, are spelt badly or not seen at all.
SMALL_HEIGHT = 14
# Less than this between the darkest and the lightest grey is no print.
MIN_CONTRAST = 16


def find_lines(image: Image.Image, find: Finder) -> list[Outline]:
    """The outlines of all lines, in pixels of the picture, in no order."""
    small, scale = shrunk(image, COARSE_PIXELS)
    coarse = [moved(outline, 0, 0, 1 / scale) for outline in find(small)]
    if scale == 1:
        return coarse
    if coarse and median(height(outline) for outline in coarse) * scale >= SMALL_HEIGHT:
        return coarse
    close, scale = shrunk(image, FINE_PIXELS)
    # What is higher than two strips share is whole in the coarse view only.
    limit = OVERLAP * _rows_of_strip(close.width) / scale
    found = [outline for outline in coarse if height(outline) > limit]
    # Then the longest first: the piece of a cut line is known once its whole is.
    for outline in sorted(_find_closely(close, scale, find), key=width, reverse=True):
        if not _known(outline, found):
            found.append(outline)
    return found


def shrunk(image: Image.Image, num_pixels: int) -> tuple[Image.Image, float]:
    """The picture with at most so many pixels, and its scale."""
    scale = min(1.0, math.sqrt(num_pixels / (image.width * image.height)))
    if scale == 1:
        return image, scale
    size = (max(int(image.width * scale), 1), max(int(image.height * scale), 1))
    return image.resize(size, Image.Resampling.BICUBIC), scale


def strips(num_columns: int, num_rows: int) -> Iterator[tuple[int, int]]:
    """First row and end row of the strips of a picture, overlapping, from the top."""
    tall = _rows_of_strip(num_columns)
    if num_rows <= tall:
        yield 0, num_rows
        return
    step = tall - int(tall * OVERLAP)
    num_strips = math.ceil((num_rows - tall) / step) + 1
    for place in range(num_strips):
        top = round(place * (num_rows - tall) / (num_strips - 1))
        yield top, top + tall


def _rows_of_strip(num_columns: int) -> int:
    return max(STRIP_PIXELS // num_columns, 64)


def _find_closely(close: Image.Image, scale: float, find: Finder) -> Iterator[Outline]:
    for top, end in strips(*close.size):
        strip = close.crop((0, top, close.width, end))
        if not _is_blank(strip):
            for outline in find(strip):
                yield moved(outline, 0, top, 1 / scale)


def _is_blank(strip: Image.Image) -> bool:
    lowest, highest = cast(tuple[int, int], strip.convert("L").getextrema())
    return highest - lowest < MIN_CONTRAST


def _known(outline: Outline, others: list[Outline]) -> bool:
    """Whether it is the same line as one of the others, or a piece of it."""
    middle = centre(outline)
    return any(contains(other, middle) or contains(outline, centre(other)) for other in others)
