"""Guesses: where they come from, what they cost at most, and that no answer shows them."""

import random

import pytest

from engine.local.lookup import MAX_CREDIT, REFILL, Lookup, SuffixIndex

END = frozenset({9})
FAR = 100


@pytest.mark.parametrize(
    ("ids", "most", "expected"),
    [
        ([1, 2, 3, 4, 5, 6, 7, 1, 2], 9, [3, 4, 5, 6]),
        ([1, 2, 3, 4, 5, 6, 7, 1, 2], 3, [3, 4, 5]),
        ([1, 2, 3, 0, 1, 2, 4, 0, 1, 2], 2, [4, 0]),
        ([8, 1, 2, 3, 0, 7, 1, 2, 4, 0, 8, 1, 2], 2, [3, 0]),
        ([1, 2, 3, 1, 2, 3], 8, [1, 2, 3, 1, 2, 3]),
        ([5, 5, 5], 9, [5, 5, 5, 5]),
        ([1, 2, 3, 2, 1], 9, []),
        ([1, 2], 9, []),
        ([], 9, []),
    ],
    ids=["copy", "limit", "latest", "longest", "loop", "one id", "new", "short", "empty"],
)
def test_continuation(ids: list[int], most: int, expected: list[int]) -> None:
    assert SuffixIndex(ids).continuation(most) == expected


def test_index_grows_as_if_built_at_once() -> None:
    chance = random.Random(1)
    index = SuffixIndex([])
    text: list[int] = []
    for _ in range(300):
        text.append(chance.randrange(4))
        index.push(text[-1])
        assert index.continuation(20) == SuffixIndex(text).continuation(20)


def test_longest_copy_wins_over_the_text() -> None:
    chance = random.Random(2)
    for _ in range(200):
        text = [chance.randrange(3) for _ in range(24)]
        guess = SuffixIndex(text).continuation(1)
        places = {place: copied(text, place) for place in range(2, len(text))}
        longest = max(places.values())
        if longest < 2:
            assert guess == []
        else:
            assert guess == [text[max(p for p, length in places.items() if length == longest)]]


def copied(text: list[int], place: int) -> int:
    length = 0
    while length < min(place, 16) and text[place - length - 1] == text[-length - 1]:
        length += 1
    return length


def test_nothing_is_guessed_behind_the_end() -> None:
    assert Lookup([1, 2, 3, 9, 4, 1, 2], END).draft(FAR, 0.1) == [3, 9]


@pytest.mark.parametrize("price", [0.1, 0.5])
def test_fresh_text_loses_no_more_than_its_credit(price: float) -> None:
    lookup = Lookup([1, 2] * 8, END)
    num_steps = 2000
    for _ in range(num_steps):
        lookup.draft(FAR, price)
    assert 0 < lookup.num_drafted * price <= MAX_CREDIT + num_steps * REFILL


def test_failing_guesses_stop_and_are_tried_again() -> None:
    lookup = Lookup([1, 2] * 8, END)
    lengths = [len(lookup.draft(10, 0.1)) for _ in range(200)]
    assert lengths[:2] == [10, 5]
    assert lengths[2:10] == [0] * 8
    assert sum(length > 0 for length in lengths[10:]) > 5


def test_success_brings_guesses_back() -> None:
    lookup = Lookup([1, 2] * 8, END)
    while lookup.draft(10, 0.1):
        pass
    while not (guess := lookup.draft(10, 0.1)):
        pass
    assert len(guess) == 2
    lookup.accept(2)
    assert len(lookup.draft(10, 0.1)) == 10
