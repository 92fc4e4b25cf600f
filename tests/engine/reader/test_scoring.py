"""How answers are scored."""

import pytest

from engine.reader.scoring import Reading, num_edits, part_of_characters, part_of_lines


@pytest.mark.parametrize(
    ("one", "other", "edits"),
    [("", "", 0), ("abc", "abc", 0), ("abc", "", 3), ("", "ab", 2), ("kitten", "sitting", 3)],
)
def test_edits(one: str, other: str, edits: int) -> None:
    assert num_edits(one, other) == edits
    assert num_edits(other, one) == edits


def test_lines_count_in_their_place() -> None:
    readings = [Reading(("a", "b"), "a\nx"), Reading(("c",), "z\nc"), Reading(("d", "e"), "d\ne")]
    assert part_of_lines(readings) == pytest.approx(3 / 5)


def test_characters_count_edits() -> None:
    assert part_of_characters([Reading(("abcd", "e"), "abxd\ne")]) == pytest.approx(5 / 6)
