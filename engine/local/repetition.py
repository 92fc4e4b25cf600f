"""Finds an answer that runs in a circle. Knows ids, not what they mean."""

from collections.abc import Sequence

MAX_PERIOD = 128
MIN_REPEATS = 4
MIN_TOKENS = 128
# Rulers, dotted lines and empty table rows repeat one or two tokens for long and rightly so.
SHORT_PERIOD = 2
MIN_TOKENS_SHORT = 512
CHECK_EVERY = 8


def find_loop(ids: Sequence[int]) -> int:
    """How many ids at the end repeat what stands before them; 0 if the end is no loop.

    The end is a loop when its last p ids (p <= 128) stand there at least four times in a row and
    fill at least 128 ids, 512 where p is 1 or 2. One copy is not counted: it may stay.
    """
    for period in range(1, min(MAX_PERIOD, len(ids) // MIN_REPEATS) + 1):
        needed = max(MIN_TOKENS_SHORT if period <= SHORT_PERIOD else MIN_TOKENS, 4 * period)
        covered = _covered(ids, period, needed)
        if covered >= needed:
            return _covered(ids, period, len(ids)) - period
    return 0


def _covered(ids: Sequence[int], period: int, enough: int) -> int:
    """The length of the tail that has this period, counted no further than `enough`."""
    index = len(ids) - 1 - period
    while index >= 0 and ids[index] == ids[index + period] and len(ids) - index <= enough:
        index -= 1
    return len(ids) - 1 - index
