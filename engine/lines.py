"""Lines of text seen straight: where each stands on a page that was photographed at a tilt.

Pure geometry over `Line`; knows no recogniser and no picture.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.chat import Line

GAP = "  "
# Lines whose heights overlap by this share of the lower one stand on one row.
SAME_ROW = 0.5
# A line turned further than this (as a cosine) from the others says nothing about the page.
NEARLY_PARALLEL = 0.8


@dataclass(frozen=True, slots=True)
class Place:
    """A line and its bounds once the page is turned straight."""

    line: Line
    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        """From the top of its letters to their bottom."""
        return self.bottom - self.top

    @property
    def width(self) -> float:
        """From its first letter to its last."""
        return self.right - self.left

    @property
    def middle(self) -> float:
        """How far down the page it stands."""
        return (self.top + self.bottom) / 2


def placed(lines: Sequence[Line]) -> list[Place]:
    """Where the lines stand on the straightened page, in the order in which they were given."""
    across = page_direction(lines)
    return [_place(line, across) for line in lines]


def page_direction(lines: Iterable[Line]) -> tuple[float, float]:
    """The unit vector along which most of the text runs; (1, 0) on a straight page."""
    runs = [_run(line) for line in lines]
    overall = _unit(runs)
    parallel = [run for run in runs if _cosine(run, overall) >= NEARLY_PARALLEL]
    return _unit(parallel) if parallel else overall


def runs_along(line: Line, across: tuple[float, float]) -> bool:
    """Whether a line runs in the direction of its page."""
    return _cosine(_run(line), across) >= NEARLY_PARALLEL


def share_row(one: Place, other: Place) -> bool:
    """Whether two lines stand beside each other."""
    overlap = min(one.bottom, other.bottom) - max(one.top, other.top)
    return overlap >= SAME_ROW * min(one.height, other.height)


def text_of(lines: Sequence[Line]) -> str:
    """The text of lines in reading order: a row to each line of it, two spaces between columns."""
    pieces: list[str] = []
    before: Place | None = None
    for place in placed(lines):
        if before is not None:
            beside = share_row(before, place) and place.left >= before.left
            pieces.append(GAP if beside else "\n")
        pieces.append(place.line.text)
        before = place
    return "".join(pieces)


def _place(line: Line, across: tuple[float, float]) -> Place:
    x, y = across
    along = [corner.x * x + corner.y * y for corner in line.corners]
    down = [corner.y * x - corner.x * y for corner in line.corners]
    # The mean of two corners: a skewed box is not taken for a high one.
    down.sort()
    along.sort()
    return Place(
        line,
        left=(along[0] + along[1]) / 2,
        top=(down[0] + down[1]) / 2,
        right=(along[2] + along[3]) / 2,
        bottom=(down[2] + down[3]) / 2,
    )


def _run(line: Line) -> tuple[float, float]:
    """From the left end of a line to its right end."""
    top_left, top_right, bottom_right, bottom_left = line.corners
    return (
        top_right.x - top_left.x + bottom_right.x - bottom_left.x,
        top_right.y - top_left.y + bottom_right.y - bottom_left.y,
    )


def _unit(runs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    x, y = sum(run[0] for run in runs), sum(run[1] for run in runs)
    length = math.hypot(x, y)
    return (x / length, y / length) if length else (1.0, 0.0)


def _cosine(run: tuple[float, float], unit: tuple[float, float]) -> float:
    length = math.hypot(*run)
    return (run[0] * unit[0] + run[1] * unit[1]) / length if length else 0.0
