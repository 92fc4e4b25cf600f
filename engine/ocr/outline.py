"""The outline of a line of text: four corners, clockwise from the one where it begins."""

import math

from engine.chat import Corner

Outline = tuple[Corner, Corner, Corner, Corner]


def width(outline: Outline) -> float:
    """Along the text."""
    first, second, third, fourth = outline
    return max(_distance(first, second), _distance(fourth, third))


def height(outline: Outline) -> float:
    """Across the text."""
    first, second, third, fourth = outline
    return max(_distance(first, fourth), _distance(second, third))


def centre(outline: Outline) -> Corner:
    """The point in the middle."""
    return Corner(sum(c.x for c in outline) / 4, sum(c.y for c in outline) / 4)


def contains(outline: Outline, point: Corner) -> bool:
    """Whether a point lies inside; the corners run clockwise, so it is right of every side."""
    sides = zip(outline, (*outline[1:], outline[0]), strict=True)
    return all(
        (end.x - start.x) * (point.y - start.y) >= (end.y - start.y) * (point.x - start.x)
        for start, end in sides
    )


def moved(outline: Outline, across: float, down: float, scale: float = 1.0) -> Outline:
    """The outline pushed by a way, then seen at a scale."""
    first, second, third, fourth = (
        Corner((corner.x + across) * scale, (corner.y + down) * scale) for corner in outline
    )
    return first, second, third, fourth


def _distance(one: Corner, other: Corner) -> float:
    return math.hypot(one.x - other.x, one.y - other.y)
