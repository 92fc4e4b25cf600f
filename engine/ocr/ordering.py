"""Reading order: rows from top to bottom, unless the text stands in columns.

A receipt is read row by row, price beside label; a page of two columns of prose is read one
column after the other. What tells them apart is the width of the lines: prices are short.
"""

from collections.abc import Sequence
from statistics import median

from engine.chat import Line
from engine.lines import Place, placed, share_row

MIN_COLUMN_ROWS = 3
# Measured in heights of a line.
MIN_COLUMN_WIDTH = 6.0
MIN_GUTTER = 0.6
# Columns stand beside each other; the bubbles of a chat, left and right, do not.
MIN_BESIDE_SHARE = 0.5
# Lines of a column mostly fill it; those of a table's column seldom do.
MIN_FILL = 0.3


def in_reading_order(lines: Sequence[Line]) -> list[Line]:
    """The lines as a person reads them."""
    return [place.line for place in _ordered(placed(lines))]


def _ordered(places: list[Place]) -> list[Place]:
    gutter = _find_gutter(places)
    if gutter is None:
        return _by_rows(places)
    ordered: list[Place] = []
    for band in _bands(places, gutter):
        left = [place for place in band if place.right <= gutter]
        right = [place for place in band if place.left >= gutter]
        if len(left) + len(right) < len(band):
            ordered += _by_rows(band)
        else:
            ordered += _ordered(left) + _ordered(right)
    return ordered


def _by_rows(places: Sequence[Place]) -> list[Place]:
    rows: list[list[Place]] = []
    for place in sorted(places, key=lambda place: place.middle):
        # Only the last two rows can be meant: a tall line may reach into the one before.
        row = next((row for row in rows[:-3:-1] if _fits(place, row)), None)
        if row is None:
            rows.append([place])
        else:
            row.append(place)
    rows.sort(key=lambda row: median(place.middle for place in row))
    return [place for row in rows for place in sorted(row, key=lambda place: place.left)]


def _fits(place: Place, row: Sequence[Place]) -> bool:
    """Beside its nearest neighbour in the row, and on top of none of them."""
    nearest = min(row, key=lambda other: max(other.left - place.right, place.left - other.right))
    if not share_row(place, nearest):
        return False
    return all(
        min(place.right, other.right) - max(place.left, other.left)
        <= 0.3 * min(place.width, other.width)
        for other in row
    )


def _find_gutter(places: Sequence[Place]) -> float | None:
    """The middle of the widest white strip between two columns, if there is one."""
    if len(places) < 2 * MIN_COLUMN_ROWS:
        return None
    height = median(place.height for place in places)
    best: tuple[int, float, float] | None = None
    for edge in sorted({place.right for place in places}):
        beyond = [place.left for place in places if place.left >= edge]
        if not beyond:
            break
        middle = (edge + min(beyond)) / 2
        left = [place for place in places if place.right <= middle]
        right = [place for place in places if place.left >= middle]
        crossing = [place for place in places if place.left < middle < place.right]
        width = min(beyond) - edge
        if width < MIN_GUTTER * height or not _are_headings(crossing, left + right):
            continue
        if _are_columns(left, right) and (best is None or (-len(crossing), width) > best[:2]):
            best = (-len(crossing), width, middle)
    return None if best is None else best[2]


def _are_headings(crossing: Sequence[Place], others: Sequence[Place]) -> bool:
    """What runs over a gutter has nothing beside it."""
    return not any(share_row(place, other) for place in crossing for other in others)


def _are_columns(left: Sequence[Place], right: Sequence[Place]) -> bool:
    if not (_is_column(left) and _is_column(right)):
        return False
    few, many = sorted((left, right), key=len)
    beside = sum(any(_overlap(one, other) for other in many) for one in few)
    return beside >= MIN_BESIDE_SHARE * len(few)


def _overlap(one: Place, other: Place) -> bool:
    return one.top < other.bottom and other.top < one.bottom


def _is_column(places: Sequence[Place]) -> bool:
    if len(places) < MIN_COLUMN_ROWS:
        return False
    whole = max(place.right for place in places) - min(place.left for place in places)
    width = median(place.width for place in places)
    height = median(place.height for place in places)
    return width >= MIN_COLUMN_WIDTH * height and width >= MIN_FILL * whole


def _bands(places: Sequence[Place], gutter: float) -> list[list[Place]]:
    """The page cut into what crosses the gutter and what lies between, from top to bottom."""
    crossing = [place for place in places if place.left < gutter < place.right]
    bands: list[list[Place]] = []
    rest = [place for place in places if place not in crossing]
    for heading in sorted(crossing, key=lambda place: place.middle):
        above = [place for place in rest if place.middle < heading.middle]
        rest = [place for place in rest if place.middle >= heading.middle]
        bands += [above, [heading]] if above else [[heading]]
    return [*bands, rest] if rest else bands
