"""Markup of a model becomes entities, long texts become parts."""

import pytest

from bot.telegram.formatting import Part, render, split, verbatim, width


def marks(part: Part) -> list[tuple[str, str]]:
    units = part.text.encode("utf-16-le")
    return [
        (mark.type, units[2 * mark.offset : 2 * (mark.offset + mark.length)].decode("utf-16-le"))
        for mark in part.entities
    ]


@pytest.mark.parametrize(
    ("written", "shown", "expected"),
    [
        ("a **bold** word", "a bold word", [("bold", "bold")]),
        ("a __bold__ word", "a bold word", [("bold", "bold")]),
        ("an *italic* word", "an italic word", [("italic", "italic")]),
        ("an _italic_ word", "an italic word", [("italic", "italic")]),
        ("***both***", "both", [("bold", "both"), ("italic", "both")]),
        ("some `code` here", "some code here", [("code", "code")]),
        ("`**not bold**`", "**not bold**", [("code", "**not bold**")]),
        ("## A heading", "A heading", [("bold", "A heading")]),
        ("😀 **bold** 😀 *it*", "😀 bold 😀 it", [("bold", "bold"), ("italic", "it")]),
    ],
    ids=["stars", "lines", "star", "line", "both", "code", "code-wins", "heading", "emoji"],
)
def test_markup_becomes_entities(written: str, shown: str, expected: list[tuple[str, str]]) -> None:
    (part,) = render([written])
    assert part.text == shown
    assert marks(part) == expected


@pytest.mark.parametrize(
    "text",
    [
        "* one\n* two\n- three",
        "2 * 3 * 4 = 24",
        "snake_case_name and a*b*c",
        "an unclosed **bold",
        "an unclosed `tick and [a] <b> & c",
        "#hashtag",
        "1 < 2 > 0",
        "x__init__ is_not_bold",
    ],
)
def test_what_is_no_markup_stays(text: str) -> None:
    (part,) = render([text])
    assert part == Part(text)


def test_fence_becomes_block_with_language() -> None:
    (part,) = render(["before\n```python\nx = 1  # **no**\ny = 2\n```\nafter"])
    assert part.text == "before\nx = 1  # **no**\ny = 2\nafter"
    assert marks(part) == [("pre", "x = 1  # **no**\ny = 2")]
    assert part.entities[0].language == "python"


def test_fence_goes_on_in_the_next_part() -> None:
    first, second = render(["```\none\n", "two\n```\n**end**"])
    assert marks(first) == [("pre", "one\n")]
    assert marks(second) == [("pre", "two"), ("bold", "end")]


def test_fence_that_never_closes_is_code() -> None:
    (part,) = render(["```\ncode"])
    assert marks(part) == [("pre", "code")]


@pytest.mark.parametrize(
    "text",
    [
        "word " * 3000,
        "x" * 9001,
        "😀" * 5000,
        "\n\n".join("A sentence. Another one." * 20 for _ in range(30)),
        "字" * 3899 + "。" + "后" * 5000,
        "",
        "short",
    ],
    ids=["words", "unbroken", "emoji", "paragraphs", "chinese", "empty", "short"],
)
def test_no_character_is_lost_in_splitting(text: str) -> None:
    pieces = split(text)
    assert "".join(pieces) == text
    assert all(width(piece) <= 3900 for piece in pieces)
    assert len(pieces) <= 2 * width(text) // 3900 + 1


@pytest.mark.parametrize(
    ("separator", "head"),
    [("\n\n", "a" * 60 + "\n\n"), ("\n", "a" * 60 + "\n"), (". ", "a" * 60 + ". ")],
    ids=["paragraph", "line", "sentence"],
)
def test_cut_falls_on_the_best_place(separator: str, head: str) -> None:
    assert split("a" * 60 + separator + "b c " * 20, limit=100)[0] == head


def test_growing_text_keeps_its_first_part() -> None:
    text = "Some words, and a line.\n" * 400
    firsts = {split(text[:length])[0] for length in range(4000, len(text), 97)}
    assert len(firsts) == 1


def test_verbatim_shows_every_mark() -> None:
    (part,) = verbatim(["**total** _x_\n  2.50"])
    assert part.text == "**total** _x_\n  2.50"
    assert marks(part) == [("pre", "**total** _x_\n  2.50")]


def test_note_stands_below_in_italics() -> None:
    (part,) = verbatim(["😀 text  "])
    noted = part.with_note("Stopped.")
    assert noted.text == "😀 text\n\nStopped."
    assert marks(noted) == [("pre", "😀 text"), ("italic", "Stopped.")]


def test_entities_stay_within_the_limit() -> None:
    (part,) = render(["**b** " * 150])
    assert len(part.entities) == 100
