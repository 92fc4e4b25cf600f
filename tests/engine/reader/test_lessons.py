"""What is drawn, asked and answered in training."""

import random

import pytest

from engine.reader.batches import (
    START,
    Mix,
    cells_for,
    conversation_ids,
    draw_batch,
    draw_pages,
)
from engine.reader.colours import COLOURS, ink_for, luminance, shade
from engine.reader.contents import compose, draw, drawn_size
from engine.reader.crew import Crew
from engine.reader.design import CELL, IM_END, IM_START, IMAGE_PAD, VISION_START
from engine.reader.lessons import converse
from engine.reader.pictures import PILLOW, Layout, draw_text, plain
from engine.reader.questions import NO_TEXT, NO_TEXT_ZH, ONLY_TEXT, answer, ask
from engine.reader.slots import BLANK, CLASS_OF, slots_of
from engine.reader.wordings import DESCRIBE, DESCRIBE_ZH, READ, READ_ZH, Kind
from engine.reader.words import CHARACTERS, line

LAYOUT = Layout(("TOTAL 12.50", "Open 9-17"), PILLOW, 20, 10, 8, 1.3, 0.0, (0, 0, 0))


def test_marks_stand_where_the_ink_is() -> None:
    image = plain((220, 70), (255, 255, 255))
    marks = draw_text(image, LAYOUT)
    assert "".join(mark.character for mark in marks) == "TOTAL12.50Open9-17"
    for mark in marks:
        x, y = round(mark.x * image.width), round(mark.y * image.height)
        near = image.crop((x - 6, y - 9, x + 6, y + 9)).convert("L")
        assert min(near.tobytes()) < 100, mark


@pytest.mark.parametrize("chinese", [False, True])
def test_answers_are_true(chinese: bool) -> None:
    red = next(colour for colour in COLOURS if colour.english == "red")

    def told(kind: Kind, *lines: str) -> str:
        return answer(kind, lines, red, chinese=chinese)

    assert told(Kind.READ, "one", "two") == "one\ntwo"
    assert told(Kind.COUNT, "one", "two", "three") == "3"
    assert told(Kind.FIRST, "one", "two") == "one"
    assert told(Kind.LAST, "one", "two") == "two"
    assert told(Kind.COLOUR, "one") == ("红色" if chinese else "red")
    assert told(Kind.READ) == (NO_TEXT_ZH if chinese else NO_TEXT)
    assert told(Kind.COUNT) == "0"
    assert (told(Kind.OTHER, "one") == ONLY_TEXT) is not chinese


def test_the_bots_own_questions_are_trained() -> None:
    rng = random.Random(1)
    asked = {ask(Kind.READ, rng, chinese=chinese) for chinese in (False, True) for _ in range(200)}
    assert asked >= {DESCRIBE, DESCRIBE_ZH, READ, READ_ZH}


def test_every_line_can_be_drawn_and_helped_with() -> None:
    rng = random.Random(2)
    assert {*"".join(line(rng) for _ in range(3000))} <= {*CHARACTERS, " "}


def test_lines_are_within_the_picture() -> None:
    for place in range(200):
        rng = random.Random(place)
        columns, rows = cells_for(1.0, rng)
        content = draw(1.0, drawn_size((columns * CELL, rows * CELL), rng), rng)
        assert all(0 < mark.x < 1 and 0 < mark.y < 1 for mark in content.marks)


def test_ink_stands_out() -> None:
    rng = random.Random(3)
    for colour in COLOURS:
        for _ in range(30):
            ground = shade(colour, rng)
            assert abs(luminance(ink_for(ground, rng)) - luminance(ground)) > 90


def test_a_conversation_is_what_the_template_writes() -> None:
    ids, answered = conversation_ids((("Read", "A1"), ("Lines?", "1")), num_cells=3)
    asked = [IM_START, *b"user\n", VISION_START, *[IMAGE_PAD] * 3, VISION_START + 1, *b"Read"]
    turn = [IM_END, *b"\n", IM_START, *b"assistant\n"]
    second = [IM_END, *b"\n", IM_START, *b"user\n", *b"Lines?"]
    assert ids == [*asked, *turn, *b"A1", *second, *turn, *b"1", IM_END]
    said = [token for token, counts in zip(ids, answered, strict=True) if counts]
    assert said == [*b"A1", IM_END, *b"1", IM_END]
    assert ids.index(IMAGE_PAD) == START


def test_the_same_seed_draws_the_same_batch() -> None:
    one, other = (draw_batch(1.0, Mix(size=4), "seed", Crew()) for _ in range(2))
    assert one.pixels.equal(other.pixels)
    assert one.ids.equal(other.ids)
    assert (one.slots != BLANK).any()


def test_an_easy_lesson_is_easy() -> None:
    rng = random.Random(4)
    content = compose(0.0, (96, 32), rng)
    assert content.image.size == (96, 32)
    assert len(content.lines[0]) <= 3
    assert converse(0.0, content, 0, rng)[0][1] == content.lines[0]


def test_slots_are_in_the_order_of_reading() -> None:
    image = plain((192, 64), (255, 255, 255))
    marks = draw_text(image, Layout(("Ab 7", "xy"), PILLOW, 20, 40, 6, 1.4, 0.0, (0, 0, 0)))
    slots = slots_of(marks, 2, 6)
    there = [int(slot) for slot in slots.flatten() if slot != BLANK]
    assert sorted(there) == sorted(CLASS_OF[character] for character in "Ab7xy")
    upper = [int(slot) for cell in slots[:6] for slot in cell if slot != BLANK]
    assert upper == [CLASS_OF[character] for character in "Ab7"]


def test_pages_are_full() -> None:
    pixels, slots = draw_pages(0.5, 240, "seed", Crew())
    assert pixels.shape[0] == slots.shape[0]
    assert slots.shape[1] == pixels.shape[1] * pixels.shape[2] // 1024
    assert (slots != BLANK).sum() > 5 * len(pixels)
