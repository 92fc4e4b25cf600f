"""What is found in a text, what explicit entities must keep to, and how both are trimmed."""

import pytest

from bot.simulator.entities import utf16_length, utf16_slice
from bot.simulator.formatting import caption_text, message_text, typed_text
from bot.simulator.records import Entity
from bot.simulator.refusal import Refusal

FOUND = [
    ("/start", ["bot_command /start"]),
    ("/ocr@darkroom_bot please", ["bot_command /ocr@darkroom_bot"]),
    ("a/b and/or", []),
    ("hi @ada_k!", ["mention @ada_k"]),
    ("mail a.b@example.org", ["email a.b@example.org"]),
    ("see https://example.org/a?b=1.", ["url https://example.org/a?b=1"]),
    ("see example.org/x, ok", ["url example.org/x"]),
    ("file.txt is no link", []),
    ("#tag #1 #1a", ["hashtag #tag", "hashtag #1a"]),
    ("$USD", ["cashtag $USD"]),
    ("😀 /go", ["bot_command /go"]),
]


@pytest.mark.parametrize(("text", "found"), FOUND)
def test_server_finds_entities(text: str, found: list[str]) -> None:
    formatted = typed_text(text)
    shown = [
        f"{entity.type} {utf16_slice(formatted.text, entity.offset, entity.length)}"
        for entity in formatted.entities
    ]
    assert shown == found


def test_offsets_count_utf16_units() -> None:
    assert typed_text("😀 /go").entities[0].offset == 3
    assert utf16_length("😀a") == 3


def test_people_have_no_markup() -> None:
    assert typed_text("<b>*x*</b>").entities == ()


def test_white_space_goes_but_not_from_an_entity() -> None:
    formatted = message_text("  a <pre>  x</pre> \n", "HTML", ())
    assert formatted.text == "a   x"
    kept = message_text("<pre>  x</pre>", "HTML", ())
    assert kept.text == "  x"


def test_parse_mode_beats_entities() -> None:
    formatted = message_text("<b>x</b>", "HTML", [Entity("italic", 0, 1)])
    assert [entity.type for entity in formatted.entities] == ["bold"]


def test_only_hundred_entities_stay() -> None:
    many = [Entity("bold", 2 * place, 1) for place in range(120)]
    assert len(message_text("a " * 120, "", many).entities) == 100


@pytest.mark.parametrize(
    ("entity", "words"),
    [
        (Entity("bold", 5, 1), "entity begins after the end of the text at UTF-16 offset 5"),
        (
            Entity("bold", 1, 9),
            "entity beginning at UTF-16 offset 1 ends "
            "after the end of the text at UTF-16 offset 10",
        ),
        (Entity("bold", 0, 1), "entity ends in a middle of a UTF-16 symbol at byte offset 0"),
        (Entity("bold", -1, 1), "receive an entity with incorrect offset -1"),
    ],
)
def test_misfitting_entity_is_refused(entity: Entity, words: str) -> None:
    with pytest.raises(Refusal) as refusal:
        message_text("😀x", "", [entity])
    assert refusal.value.description == f"Bad Request: {words}"


def test_limits_count_characters_after_parsing() -> None:
    assert len(message_text(f"<b>{'😀' * 4096}</b>", "HTML", ()).text) == 4096
    assert len(caption_text(f"<b>{'a' * 1024}</b>", "HTML", ()).text) == 1024
