"""HTML and the two Markdowns: texts, entities and the server's words for what is wrong."""

import pytest

from bot.simulator.formatting import message_text
from bot.simulator.records import Entity, Formatted
from bot.simulator.refusal import Refusal


def parsed(source: str, mode: str) -> Formatted:
    return message_text(source, mode, ())


def marked(kind: str, offset: int, length: int, **more: str) -> Entity:
    return Entity(kind, offset, length, **more)  # type: ignore[arg-type]


GOOD = [
    ("HTML", "<b>a<i>b</i></b>c", "abc", [marked("bold", 0, 2), marked("italic", 1, 1)]),
    ("html", "<STRONG>a</STRONG>", "a", [marked("bold", 0, 1)]),
    ("HTML", "😀<u>x</u>", "😀x", [marked("underline", 2, 1)]),
    ("HTML", "&lt;&#65;&#x42;&amp;&nbsp;", "<AB&&nbsp;", []),
    (
        "HTML",
        "<a href='https://x.org/?a=1&amp;b'>l</a>",
        "l",
        [("text_link", "https://x.org/?a=1&b")],
    ),
    ("HTML", '<a href="x.org">l</a>', "l", [("text_link", "http://x.org/")]),
    ("HTML", "<a href='javascript:1'>l</a>", "l", []),
    ("HTML", "<a href='tg://user?id=5'>l</a>", "l", [Entity("text_mention", 0, 1, person_id=5)]),
    ("HTML", "<pre>x\n y</pre>", "x\n y", [marked("pre", 0, 4)]),
    (
        "HTML",
        '<pre><code class="language-py">x</code></pre>',
        "x",
        [marked("pre", 0, 1, language="py")],
    ),
    ("HTML", '<code class="language-py">x</code>', "x", [marked("code", 0, 1)]),
    ("HTML", '<span class="tg-spoiler">x</span>', "x", [marked("spoiler", 0, 1)]),
    ("HTML", "<blockquote expandable>x</blockquote>", "x", [marked("expandable_blockquote", 0, 1)]),
    ("HTML", "<b></b>x", "x", []),
    ("HTML", "<b>x</>", "x", [marked("bold", 0, 1)]),
    ("HTML", "<code>@someone</code>", "@someone", [marked("code", 0, 8)]),
    ("MarkdownV2", "*a _b_*", "a b", [marked("bold", 0, 3), marked("italic", 2, 1)]),
    ("MarkdownV2", "__a__ ~b~ ||c||", "a b c", ["underline", "strikethrough", "spoiler"]),
    ("MarkdownV2", "__a _b_**__", "a b", [marked("underline", 0, 3), marked("italic", 2, 1)]),
    ("MarkdownV2", r"1\. a\-b", "1. a-b", []),
    ("MarkdownV2", "`a_b`", "a_b", [marked("code", 0, 3)]),
    ("MarkdownV2", "```py\nx = 1```", "x = 1", [marked("pre", 0, 5, language="py")]),
    ("MarkdownV2", r"[l](https://x.org/a\)b)", "l", [("text_link", "https://x.org/a)b")]),
    ("MarkdownV2", ">a\n>b\nc", "a\nb\nc", [marked("blockquote", 0, 3)]),
    ("MarkdownV2", ">a\n>b||", "a\nb", [marked("expandable_blockquote", 0, 3)]),
    ("Markdown", "*a* _b_ `c` d-e", "a b c d-e", ["bold", "italic", "code"]),
    ("Markdown", "[l](x.org)", "l", [("text_link", "http://x.org/")]),
    ("Markdown", r"a\_b", "a_b", []),
    ("Markdown", "```\nx```", "x", [marked("pre", 0, 1)]),
]


@pytest.mark.parametrize(("mode", "source", "text", "entities"), GOOD)
def test_markup_becomes_entities(
    mode: str, source: str, text: str, entities: list[Entity | str | tuple[str, str]]
) -> None:
    formatted = parsed(source, mode)
    assert formatted.text == text
    assert len(formatted.entities) == len(entities)
    for found, expected in zip(formatted.entities, entities, strict=True):
        if isinstance(expected, Entity):
            assert found == expected
        elif isinstance(expected, tuple):
            assert (found.type, found.url) == expected
        else:
            assert found.type == expected


RESERVED = "is reserved and must be escaped with the preceding '\\'"
BAD = [
    ("HTML", "é<x>", 'Unsupported start tag "x" at byte offset 2'),
    ("HTML", "<b>x", 'Can\'t find end tag corresponding to start tag "b"'),
    ("HTML", "<b>x</i>", 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'),
    ("HTML", "x</b>", "Unexpected end tag at byte offset 1"),
    ("HTML", "a <b", "Unclosed start tag at byte offset 2"),
    ("HTML", "<b>x</b", "Unclosed end tag at byte offset 4"),
    ("HTML", "<span>x</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
    ("HTML", "<a =1>", 'Empty attribute name in the tag "a" at byte offset 0'),
    (
        "HTML",
        "<a href>x</a>",
        'Expected equal sign in declaration of an attribute of the tag "a" at byte offset 0',
    ),
    ("HTML", "<a href=x_y>x</a>", "Unexpected end of name token at byte offset 8"),
    ("MarkdownV2", "a-b", f"Character '-' {RESERVED}"),
    ("MarkdownV2", "a|b", f"Character '|' {RESERVED}"),
    ("MarkdownV2", "wow!", f"Character '!' {RESERVED}"),
    ("MarkdownV2", "é *b", "Can't find end of Bold entity at byte offset 3"),
    ("MarkdownV2", "```py\nx", "Can't find end of PreCode entity at byte offset 0"),
    ("MarkdownV2", "[a](b", "Can't find end of a URL at byte offset 4"),
    ("Markdown", "a *b", "Can't find end of the entity starting at byte offset 2"),
]


@pytest.mark.parametrize(("mode", "source", "words"), BAD)
def test_broken_markup_is_named(mode: str, source: str, words: str) -> None:
    with pytest.raises(Refusal) as refusal:
        parsed(source, mode)
    assert refusal.value.description == f"Bad Request: can't parse entities: {words}"
