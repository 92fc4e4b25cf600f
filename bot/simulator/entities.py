"""Texts as the server keeps them: UTF-16 arithmetic, explicit entities, trimming, merging.

Knows neither markup languages nor messages.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.simulator.records import Entity, Formatted
from bot.simulator.refusal import bad_request

MAX_ENTITIES = 100
_BARRIERS = frozenset({"pre", "code", "text_link", "text_mention"})
_RANK = ("expandable_blockquote", "blockquote", "text_link", "text_mention", "pre", "code")
MARKED = frozenset(
    {
        "bold",
        "italic",
        "underline",
        "strikethrough",
        "spoiler",
        "code",
        "pre",
        "text_link",
        "text_mention",
        "blockquote",
        "expandable_blockquote",
        "custom_emoji",
    }
)
# What the server finds by itself: given explicitly, it is ignored.
FOUND = frozenset(
    {
        "mention",
        "hashtag",
        "cashtag",
        "bot_command",
        "url",
        "email",
        "phone_number",
        "bank_card_number",
    }
)


def utf16_length(text: str) -> int:
    return len(text) + sum(char > "\uffff" for char in text)


def utf16_slice(text: str, offset: int, length: int) -> str:
    units = text.encode("utf-16-le")
    return units[2 * offset : 2 * (offset + length)].decode("utf-16-le", "replace")


def in_order(entities: Iterable[Entity]) -> tuple[Entity, ...]:
    """Outer before inner, as the server lists them."""

    def key(entity: Entity) -> tuple[int, int, int]:
        rank = _RANK.index(entity.type) if entity.type in _RANK else len(_RANK)
        return entity.offset, -entity.length, rank

    return tuple(sorted(entities, key=key))


def checked(text: str, entities: Sequence[Entity]) -> tuple[Entity, ...]:
    """Explicit entities, refused where they do not fit the text."""
    starts, total = _symbol_starts(text)
    for entity in entities:
        if not 0 <= entity.offset <= 1_000_000:
            raise bad_request(f"Receive an entity with incorrect offset {entity.offset}")
        if not 0 <= entity.length <= 1_000_000:
            raise bad_request(f"Receive an entity with incorrect length {entity.length}")
        end = entity.offset + entity.length
        if entity.offset > total:
            where = f"at UTF-16 offset {entity.offset}"
            raise bad_request(f"Entity begins after the end of the text {where}")
        if end > total:
            where = f"after the end of the text at UTF-16 offset {end}"
            raise bad_request(f"Entity beginning at UTF-16 offset {entity.offset} ends {where}")
        for verb, place in (("begins", entity.offset), ("ends", end)):
            if place not in starts:
                where = f"at byte offset {starts[place - 1]}"
                raise bad_request(f"Entity {verb} in a middle of a UTF-16 symbol {where}")
    kept = [entity for entity in entities if entity.length > 0]
    return in_order(kept[:MAX_ENTITIES])


def trimmed(formatted: Formatted) -> Formatted:
    """Without white space around, but never without the start of an entity."""
    text = formatted.text.rstrip()
    total = utf16_length(text)
    clipped = [
        replace(entity, length=min(entity.length, total - entity.offset))
        for entity in formatted.entities
        if entity.offset < total
    ]
    first = min((entity.offset for entity in clipped), default=total)
    blanks = min(len(text) - len(text.lstrip()), first)
    moved = [replace(entity, offset=entity.offset - blanks) for entity in clipped]
    return Formatted(text[blanks:], in_order(moved))


def merged(formatted: Formatted, found: Iterable[Entity]) -> Formatted:
    """Adds what was found in the text where nothing explicit forbids it."""
    barriers = [entity for entity in formatted.entities if entity.type in _BARRIERS]
    free = [
        entity for entity in found if not any(_overlap(entity, barrier) for barrier in barriers)
    ]
    return replace(formatted, entities=in_order((*formatted.entities, *free)))


def _overlap(one: Entity, other: Entity) -> bool:
    return one.offset < other.offset + other.length and other.offset < one.offset + one.length


def _symbol_starts(text: str) -> tuple[dict[int, int], int]:
    """UTF-16 offset of each symbol (and of the end) -> its byte offset."""
    starts: dict[int, int] = {}
    units = num_bytes = 0
    for char in text:
        starts[units] = num_bytes
        units += 2 if char > "\uffff" else 1
        num_bytes += len(char.encode("utf-8", "surrogatepass"))
    starts[units] = num_bytes
    return starts, units
