"""Lines become text as they stand on the page, whichever way the page was held."""

import math

import pytest

from engine.chat import Corner, Line
from engine.lines import page_direction, placed, text_of
from tests.engine.ocr.lines import line, turned


def test_no_lines_are_no_text() -> None:
    assert text_of([]) == ""


def test_rows_are_lines_and_columns_are_apart() -> None:
    lines = [
        line("Tea", 0, 0, 60),
        line("2.40", 300, 2, 60),
        line("Total", 0, 40, 80),
    ]
    assert text_of(lines) == "Tea  2.40\nTotal"


def test_text_is_kept_verbatim() -> None:
    lines = [line("  *a_b* <c>", 0, 0, 90), line("#1 & 2", 0, 40, 90)]
    assert text_of(lines) == "  *a_b* <c>\n#1 & 2"


@pytest.mark.parametrize("degrees", [-12, -3, 5, 20, 90, 180, 270])
def test_tilt_changes_nothing(degrees: float) -> None:
    lines = [line("Tea", 0, 0, 60), line("2.40", 400, 0, 60), line("Total", 0, 30, 80)]
    assert text_of([turned(one, degrees) for one in lines]) == "Tea  2.40\nTotal"


def test_new_column_begins_a_new_row() -> None:
    lines = [line("left foot", 0, 400, 200), line("right head", 300, 0, 200)]
    assert text_of(lines) == "left foot\nright head"


def test_direction_ignores_a_line_across_the_page() -> None:
    along = [turned(line("text", 0, 40 * place, 300), 4) for place in range(4)]
    across = turned(line("margin", 0, 0, 250), 90)
    x, y = page_direction([*along, across])
    assert math.degrees(math.atan2(y, x)) == pytest.approx(4, abs=0.01)


def test_line_without_extent_is_placed() -> None:
    point = Corner(3, 4)
    (place,) = placed([Line(".", (point, point, point, point), 0.9)])
    assert (place.width, place.height, place.middle) == (0, 0, 4)
