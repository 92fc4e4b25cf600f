"""Finds an answer that runs in a circle. Knows ids, and the text of one round only."""

from collections.abc import Callable, Sequence

MAX_PERIOD = 128
MIN_REPEATS = 4
MIN_TOKENS = 128
# Rulers, dotted lines and empty table rows repeat for long, and rightly so.
RULER = frozenset(" \t\r\n-_=.:·•*+|/\\~#─━═│┃")
MIN_RULER_TOKENS = 512
CHECK_EVERY = 8


def find_loop(ids: Sequence[int], text_of: Callable[[Sequence[int]], str]) -> int:
    """How many ids at the end repeat what stands before them; 0 if the end is no loop.

    The end is a loop when its last p ids (p <= 128) stand there at least four times in a row and
    fill at least 128 ids; 512 when they are no more than a ruler. The first copy is not counted:
    it may stay.
    """
    for period in range(1, min(MAX_PERIOD, len(ids) // MIN_REPEATS) + 1):
        covered = _covered(ids, period)
        if covered >= max(MIN_TOKENS, MIN_REPEATS * period):
            is_ruler = RULER.issuperset(text_of(ids[-period:]))
            return 0 if is_ruler and covered < MIN_RULER_TOKENS else covered - period
    return 0


def _covered(ids: Sequence[int], period: int) -> int:
    """The length of the tail that has this period."""
    index = len(ids) - 1 - period
    while index >= 0 and ids[index] == ids[index + period]:
        index -= 1
    return len(ids) - 1 - index
