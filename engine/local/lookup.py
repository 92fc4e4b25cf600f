"""Guessing ahead from what was said before: text that quotes or repeats is written in long steps.

Knows ids only. A guess costs rows of a step and changes no answer: the model has the last word.
"""

from collections.abc import Collection, Iterable

# A guess begins behind an earlier copy of the end of the text; this much of it must be the same.
SHORTEST_MATCH = 2
LONGEST_MATCH = 16
# The latest places are compared only, or a text of few words would be searched through each time.
MAX_PLACES = 32
MIN_GUESS = 2
# Measured on two cores in int8: a second row adds about a tenth to a step of one.
ROW_COST = 0.1
MAX_CREDIT = 1.5
REFILL = 1 / 64


class SuffixIndex:
    """A growing text, and where the end of it stood before."""

    def __init__(self, ids: Iterable[int]) -> None:
        self._ids: list[int] = []
        # The index behind the latest copy of each pair; and of each index, that of the copy before.
        self._latest: dict[tuple[int, ...], int] = {}
        self._earlier: list[int] = []
        for token_id in ids:
            self.push(token_id)

    def push(self, token_id: int) -> None:
        """Let the text grow by an id."""
        index = len(self._ids)
        pair = tuple(self._ids[-SHORTEST_MATCH:])
        self._earlier.append(self._latest.get(pair, 0))
        # A pair is found only once something stands behind it, so the end never finds itself.
        if len(pair) == SHORTEST_MATCH:
            self._latest[pair] = index
        self._ids.append(token_id)

    def continuation(self, most: int) -> list[int]:
        """What followed the longest earlier copy of the end; twice as long as the copy at most.

        A copy that reaches into the end itself is a loop, and goes on as one.
        """
        place, length = self._longest()
        if not length:
            return []
        period = len(self._ids) - place
        num_ids = min(most, 2 * length)
        return [self._ids[place + index % period] for index in range(num_ids)]

    def _longest(self) -> tuple[int, int]:
        best = longest = 0
        place = self._latest.get(tuple(self._ids[-SHORTEST_MATCH:]), 0)
        for _ in range(MAX_PLACES):
            if not place or longest == LONGEST_MATCH:
                break
            length = self._shared(place)
            if length > longest:
                best, longest = place, length
            place = self._earlier[place]
        return best, longest

    def _shared(self, place: int) -> int:
        """How many ids before `place` equal those at the end."""
        ids, length = self._ids, SHORTEST_MATCH
        while length < min(place, LONGEST_MATCH) and ids[place - length - 1] == ids[-length - 1]:
            length += 1
        return length


class Lookup:
    """Guesses for one answer, as long as they pay.

    Guesses live on credit, counted in steps: a drafted row takes its price, an accepted id brings
    the step that it saved. Where nothing repeats the first credit is soon spent, and what refills
    it costs one step in 64: by more than that no text becomes slower.
    """

    def __init__(self, ids: Iterable[int], end_ids: Collection[int]) -> None:
        self._index = SuffixIndex(ids)
        self._end_ids = end_ids
        self._credit = MAX_CREDIT
        self.num_drafted = 0
        self.num_accepted = 0

    def push(self, token_id: int) -> None:
        """Take note of an id of the answer."""
        self._index.push(token_id)

    def draft(self, most: int, price: float) -> list[int]:
        """Ids that may come next; `price` is what each costs everybody, in steps."""
        self._credit = min(MAX_CREDIT, self._credit + REFILL)
        num_ids = min(most, int(self._credit / price))
        if num_ids < MIN_GUESS:
            return []
        guess = self._index.continuation(num_ids)
        for index, token_id in enumerate(guess, start=1):
            if token_id in self._end_ids:
                guess = guess[:index]
                break
        self._credit -= price * len(guess)
        self.num_drafted += len(guess)
        return guess

    def accept(self, num_ids: int) -> None:
        """Count the drafted ids that the model chose as well."""
        self._credit = min(MAX_CREDIT, self._credit + num_ids)
        self.num_accepted += num_ids
