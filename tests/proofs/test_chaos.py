"""What the proof counts as a failure; the storm itself is not part of the tests."""

from collections import Counter

import pytest

from tests.proofs.chaos import Tally, report


def tally(answers: dict[str, int], *, lost: list[str] | None = None, unsure: str = "") -> Tally:
    return Tally(
        num_asked=400,
        lost=lost or [],
        answers=Counter(answers),
        unsure={unsure} if unsure else set(),
    )


@pytest.mark.parametrize(
    ("seen", "status"),
    [
        (tally({"<1-1>": 1, "<2-1>": 1}), 0),
        (tally({"<1-1>": 1}, lost=["<2-1>"]), 1),
        (tally({"<1-1>": 2}), 1),
        (tally({"<1-1>": 2}, unsure="<1"), 0),
        (tally({"<11-1>": 2}, unsure="<1"), 1),
        (tally({"<1-1>": 2, "<1-2>": 2}, unsure="<1"), 0),
        (tally({"<1-1>": 2, "<1-2>": 2, "<1-3>": 2}, unsure="<1"), 1),
    ],
)
def test_only_what_nobody_could_know_is_forgiven(seen: Tally, status: int) -> None:
    assert report(seen, 1.0) == status
