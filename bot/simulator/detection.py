"""What the server finds in a text by itself: commands, mentions, hashtags, links, addresses."""

import re

from bot.simulator.entities import utf16_length
from bot.simulator.records import Entity

_TOP_LEVELS = (
    "com org net edu gov info biz io me dev app ai co de uk fr es it nl pl ru ua cn jp kr in br "
    "eu us ca au ch at se no fi dk cz be pt gr tr ir il za mx ar xyz site online shop tv"
)
_HOST = r"(?:[\w-]+\.)+(?:" + "|".join(sorted(_TOP_LEVELS.split(), key=len, reverse=True)) + r")"
_REST = r"(?::\d{1,5})?(?:[/?#][^\s<>\"]*)?"
# Punctuation at the end belongs to the sentence, not to the link.
_TRAILING = ".,:;!?'\"()[]{}"

# In the order in which they win a place: an address before the mention inside it.
_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("email", re.compile(r"(?<![\w.+-])[\w.+-]+@" + _HOST + r"(?![\w-])", re.IGNORECASE)),
    (
        "url",
        re.compile(
            r"(?<![\w@.])(?:(?:https?|ftp|tg)://[^\s<>\"]+|" + _HOST + r"(?![\w@-])" + _REST + ")",
            re.IGNORECASE,
        ),
    ),
    (
        "bot_command",
        re.compile(r"(?<![\w/<>])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\w/<>])"),
    ),
    ("mention", re.compile(r"(?<![\w@/])@[A-Za-z0-9_]{3,32}(?!\w)")),
    ("hashtag", re.compile(r"(?<![\w#])#(?=\d*[^\W\d])\w{1,256}(?!\w|#)")),
    ("cashtag", re.compile(r"(?<![\w$])\$[A-Z]{1,8}(?![\w$])")),
)


def found_entities(text: str) -> tuple[Entity, ...]:
    taken: list[tuple[int, int, str]] = []
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            start = match.start()
            end = start + len(match[0].rstrip(_TRAILING) if kind == "url" else match[0])
            if all(end <= begin or start >= stop for begin, stop, _ in taken):
                taken.append((start, end, kind))
    return tuple(
        Entity(kind, utf16_length(text[:start]), utf16_length(text[start:end]))
        for start, end, kind in sorted(taken)
    )
