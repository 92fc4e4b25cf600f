"""Every line is looked for at a scale at which it can be seen, and found once."""

from itertools import pairwise

import pytest
from PIL import Image, ImageDraw

from engine.chat import Corner
from engine.ocr.finding import (
    COARSE_PIXELS,
    FINE_PIXELS,
    SMALL_HEIGHT,
    STRIP_PIXELS,
    find_lines,
    strips,
)
from engine.ocr.outline import Outline, centre, contains, height, moved, width


def outline(left: float, top: float, right: float, bottom: float) -> Outline:
    return Corner(left, top), Corner(right, top), Corner(right, bottom), Corner(left, bottom)


class BarFinder:
    """Finds black bars of a picture, like the network none that are lower than five pixels."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, int]] = []

    def __call__(self, image: Image.Image) -> list[Outline]:
        self.seen.append(image.size)
        dark = image.convert("L").point(lambda level: 255 if level < 100 else 0)
        found: list[Outline] = []
        while (box := dark.getbbox()) is not None:
            left, top, right, _ = box
            column = dark.crop((left, top, left + 1, dark.height)).tobytes()
            bottom = top + (column + b"\0").index(0)
            dark.paste(0, (left, top, right, bottom))
            if bottom - top >= 5:
                found.append(outline(left, top, right, bottom))
        return found


def barred(size: tuple[int, int], *bars: tuple[int, int, int, int]) -> Image.Image:
    image = Image.new("RGB", size, "white")
    for left, top, right, bottom in bars:
        ImageDraw.Draw(image).rectangle((left, top, right - 1, bottom - 1), "black")
    return image


def test_usual_picture_is_seen_once_at_its_own_scale() -> None:
    finder = BarFinder()
    found = find_lines(barred((800, 600), (50, 60, 400, 80)), finder)
    assert found == [outline(50, 60, 400, 80)]
    assert finder.seen == [(800, 600)]


def test_large_picture_with_large_lines_is_seen_once_and_shrunk() -> None:
    finder = BarFinder()
    (found,) = find_lines(barred((4000, 3000), (500, 600, 3000, 700)), finder)
    assert len(finder.seen) == 1
    assert finder.seen[0][0] * finder.seen[0][1] <= COARSE_PIXELS
    assert width(found) == pytest.approx(2500, abs=8)
    assert height(found) == pytest.approx(100, abs=8)


def test_small_print_of_a_large_picture_is_found_closely() -> None:
    bars = [(300, 500 + 40 * row, 1500, 514 + 40 * row) for row in range(20)]
    finder = BarFinder()
    found = find_lines(barred((3000, 2000), *bars), finder)
    assert len(found) == 20
    tops = sorted(one[0].y for one in found)
    assert tops == pytest.approx([top for _, top, _, _ in bars], abs=3)
    assert sum(columns * rows for columns, rows in finder.seen[1:]) < 2 * FINE_PIXELS


def test_heading_over_small_print_is_found_once() -> None:
    bars = [(300, 800 + 40 * row, 1500, 816 + 40 * row) for row in range(12)]
    found = find_lines(barred((3000, 2000), (300, 300, 2500, 700), *bars), BarFinder())
    assert len(found) == 13
    assert max(height(one) for one in found) == pytest.approx(400, abs=10)


def test_blank_strips_are_not_looked_at() -> None:
    finder = BarFinder()
    assert find_lines(Image.new("RGB", (4000, 3000), "white"), finder) == []
    assert len(finder.seen) == 1


@pytest.mark.parametrize("num_columns", [40, 800, 3000, 200_000])
@pytest.mark.parametrize("num_rows", [1, 64, 1000, 7777])
def test_strips_cover_every_row_and_overlap(num_columns: int, num_rows: int) -> None:
    parts = list(strips(num_columns, num_rows))
    assert parts[0][0] == 0
    assert parts[-1][1] == num_rows
    assert all(end - top <= max(STRIP_PIXELS // num_columns, 64) for top, end in parts)
    for (_, end), (top, _) in pairwise(parts):
        assert end - top >= SMALL_HEIGHT


def test_outline_knows_what_lies_inside() -> None:
    slanted = (Corner(0, 10), Corner(100, 0), Corner(104, 20), Corner(4, 30))
    assert contains(slanted, centre(slanted))
    assert not contains(slanted, Corner(2, 2))
    assert not contains(slanted, Corner(100, 29))
    assert moved(slanted, 10, 5, 2)[0] == Corner(20, 30)
