"""Lines of text at chosen places, for tests that need no picture."""

import math

from engine.chat import Corner, Line


def line(text: str, left: float, top: float, width: float, height: float = 20) -> Line:
    """A level line of text."""
    right, bottom = left + width, top + height
    corners = (Corner(left, top), Corner(right, top), Corner(right, bottom), Corner(left, bottom))
    return Line(text, corners, 0.99)


def turned(one: Line, degrees: float) -> Line:
    """The line on a page that lies turned clockwise."""
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    first, second, third, fourth = (
        Corner(corner.x * cosine - corner.y * sine, corner.x * sine + corner.y * cosine)
        for corner in one.corners
    )
    return Line(one.text, (first, second, third, fourth), one.confidence)
