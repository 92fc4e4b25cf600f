"""Records to lines of JSON and back, by their annotations. Knows no file and no world."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass
from types import UnionType
from typing import get_args, get_origin, get_type_hints

from bot.simulator.records import Lasting
from bot.simulator.updates import Update


@dataclass(frozen=True, slots=True)
class Backlog:
    """What the bot has not fetched, and which kinds of updates it wants."""

    next_id: int
    allowed: tuple[str, ...]
    pending: tuple[Update, ...]


Kept = Lasting | Backlog
_KINDS: dict[str, type] = {kind.__name__: kind for kind in get_args(Kept)}


def encode(record: Kept) -> str:
    return json.dumps([type(record).__name__, asdict(record)])


def decode(lines: Sequence[str]) -> tuple[list[Kept], int]:
    """The records, and how many lines could not be read."""
    records: list[Kept] = []
    unread = 0
    for line in lines:
        try:
            name, value = json.loads(line)
            record = _built(_KINDS[name], value)
        except (ValueError, KeyError, TypeError):
            unread += 1
            continue
        assert isinstance(record, Kept)
        records.append(record)
    return records, unread


def _built(kind: object, value: object) -> object:
    if isinstance(kind, UnionType):
        inner = next(choice for choice in get_args(kind) if choice is not type(None))
        return None if value is None else _built(inner, value)
    if get_origin(kind) is tuple and isinstance(value, list):
        return tuple(_built(get_args(kind)[0], item) for item in value)
    if isinstance(kind, type) and is_dataclass(kind) and isinstance(value, dict):
        hints = get_type_hints(kind)
        known = [field.name for field in fields(kind) if field.name in value]
        return kind(**{name: _built(hints[name], value[name]) for name in known})
    return value
