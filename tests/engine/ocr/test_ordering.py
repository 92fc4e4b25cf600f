"""Receipts are read by rows, columns of prose one after the other."""

import random

import pytest

from engine.chat import Line
from engine.ocr.ordering import in_reading_order
from tests.engine.ocr.lines import line, turned


def texts(lines: list[Line]) -> str:
    return " ".join(one.text for one in lines)


def receipt(num_rows: int = 6) -> list[Line]:
    lines = [line("shop", 120, 0, 160)]
    for row in range(num_rows):
        lines += [
            line(f"item{row}", 0, 40 + 30 * row, 180),
            line(f"price{row}", 330, 42 + 30 * row, 60),
        ]
    return lines


def prose(name: str, left: float, top: float, num_rows: int = 5) -> list[Line]:
    widths = (300, 290, 296, 300, 140)
    return [line(f"{name}{row}", left, top + 30 * row, widths[row % 5]) for row in range(num_rows)]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("degrees", [0, -4, 4, 180, 90], ids=str)
def test_receipt_is_read_row_by_row(seed: int, degrees: float) -> None:
    wanted = receipt()
    lines = [turned(one, degrees) for one in wanted]
    random.Random(seed).shuffle(lines)
    assert texts(in_reading_order(lines)) == texts(wanted)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("degrees", [0, -2, 3])
@pytest.mark.parametrize("offset", [0, 7, 15])
def test_two_columns_are_read_one_after_the_other(seed: int, degrees: float, offset: float) -> None:
    wanted = prose("left", 0, 0) + prose("right", 360, offset)
    lines = [turned(one, degrees) for one in wanted]
    random.Random(seed).shuffle(lines)
    assert texts(in_reading_order(lines)) == texts(wanted)


def test_three_columns_are_read_one_after_the_other() -> None:
    wanted = prose("a", 0, 0) + prose("b", 360, 0) + prose("c", 720, 0)
    assert texts(in_reading_order(wanted[::-1])) == texts(wanted)


def test_headings_stay_above_their_columns() -> None:
    wanted = [line("TITLE", 100, 0, 460, 40)]
    wanted += prose("a", 0, 60) + prose("b", 360, 60)
    wanted += [line("SECOND", 120, 240, 420, 30)]
    wanted += prose("c", 0, 290, 4) + prose("d", 360, 290, 4)
    assert texts(in_reading_order(wanted[::-1])) == texts(wanted)


def test_bubbles_of_a_chat_keep_their_order() -> None:
    wanted = [
        line(f"message{place}", 0 if place % 2 else 400, 60 * place, 300) for place in range(8)
    ]
    assert texts(in_reading_order(wanted[::-1])) == texts(wanted)


def test_table_of_short_cells_is_read_by_rows() -> None:
    wanted = [
        line(f"{row}{column}", 120 * column, 30 * row, 60)
        for row in range(5)
        for column in range(4)
    ]
    lines = list(wanted)
    random.Random(1).shuffle(lines)
    assert texts(in_reading_order(lines)) == texts(wanted)


def test_close_lines_are_not_one_row() -> None:
    wanted = [line(f"line{place}", 0, 17 * place, 200) for place in range(6)]
    assert texts(in_reading_order(wanted[::-1])) == texts(wanted)


def test_small_print_beside_large_shares_its_row() -> None:
    lines = [line("large", 0, 0, 200, 60), line("small", 220, 25, 80, 16)]
    assert texts(in_reading_order(lines[::-1])) == "large small"


def test_nothing_stays_nothing() -> None:
    assert in_reading_order([]) == []


@pytest.mark.parametrize("seed", range(20))
def test_no_line_is_lost_or_doubled(seed: int) -> None:
    rng = random.Random(seed)
    lines = [
        line(
            str(place),
            rng.uniform(0, 800),
            rng.uniform(0, 800),
            rng.uniform(5, 400),
            rng.uniform(5, 60),
        )
        for place in range(rng.randint(1, 60))
    ]
    ordered = in_reading_order(lines)
    assert sorted(ordered, key=lambda one: int(one.text)) == lines
