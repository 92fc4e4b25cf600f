"""Positions and prefixes, the two places where pictures make ids lie."""

import pytest
import torch

from engine.local.prompt import ImageSpan, Prompt, common_prefix, positions_of

PAD = 9


def prompt(ids: list[int], *spans: ImageSpan) -> Prompt:
    positions, following = positions_of(len(ids), spans)
    return Prompt(tuple(ids), positions, following, spans, ())


def test_text_counts_on() -> None:
    positions, following = positions_of(4, [])
    assert positions.tolist() == [[0, 1, 2, 3]] * 3
    assert following == 4


def test_picture_moves_by_its_longer_side() -> None:
    positions, following = positions_of(9, [ImageSpan(2, "a", (2, 3))])
    assert positions[0].tolist() == [0, 1, 2, 2, 2, 2, 2, 2, 5]
    assert positions[1].tolist() == [0, 1, 2, 2, 2, 3, 3, 3, 5]
    assert positions[2].tolist() == [0, 1, 2, 3, 4, 2, 3, 4, 5]
    assert following == 6


def test_two_pictures_follow_each_other() -> None:
    spans = [ImageSpan(1, "a", (1, 4)), ImageSpan(6, "b", (3, 1))]
    positions, following = positions_of(10, spans)
    assert positions[:, 5].tolist() == [5, 5, 5]
    assert positions[:, 8].tolist() == [6, 8, 6]
    assert following == 10
    assert positions.dtype == torch.long


SPAN = ImageSpan(1, "cat", (1, 3))
IDS = [1, PAD, PAD, PAD, 2, 3]


@pytest.mark.parametrize(
    ("other", "length"),
    [
        (prompt(IDS, SPAN), 6),
        (prompt([*IDS[:5], 7], SPAN), 5),
        (prompt(IDS, ImageSpan(1, "dog", (1, 3))), 1),
        (prompt(IDS, ImageSpan(1, "cat", (3, 1))), 1),
        (prompt([1, PAD, PAD, PAD, PAD, 3], ImageSpan(1, "cat", (2, 2))), 1),
        (prompt([1, PAD, PAD, PAD, 2], SPAN), 5),
        (prompt(IDS), 1),
        (prompt([5, 6]), 0),
    ],
    ids=["same", "text", "picture", "shape", "size", "shorter", "no picture", "nothing"],
)
def test_common_prefix(other: Prompt, length: int) -> None:
    assert common_prefix(IDS, [SPAN], other) == length


def test_prefix_never_ends_inside_a_picture() -> None:
    assert common_prefix(IDS[:3], [SPAN], prompt(IDS, SPAN)) == 1
