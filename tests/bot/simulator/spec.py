"""The trimmed specification, and a check of answers against it."""

import json
from dataclasses import dataclass
from pathlib import Path

_TOO_NEW = frozenset({"10.1", "10.2", "10.3"})
# A union of the specification, and the type of ours that stands for it.
_UNIONS = {
    "ChatMember": (
        "ChatMemberOwner ChatMemberAdministrator ChatMemberMember ChatMemberLeft ChatMemberBanned"
    ),
    "MaybeInaccessibleMessage": "Message",
    "MessageOrigin": "MessageOriginUser",
    "ReactionType": "ReactionTypeEmoji",
}


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a type, or one parameter of a method."""

    types: tuple[str, ...]
    required: bool
    since: str

    @property
    def is_newer(self) -> bool:
        return self.since in _TOO_NEW


def _fields(source: dict[str, list[object]]) -> dict[str, Field]:
    made = {}
    for name, (types, required, since) in source.items():
        assert isinstance(types, list)
        made[name] = Field(tuple(types), bool(required), str(since))
    return made


_RAW = json.loads(Path(__file__).with_name("spec.json").read_text(encoding="utf-8"))
METHODS = {name: _fields(method["fields"]) for name, method in _RAW["methods"].items()}
RETURNS = {name: tuple(method["returns"]) for name, method in _RAW["methods"].items()}
TYPES = {name: _fields(fields) for name, fields in _RAW["types"].items()}


def objections(value: object, types: tuple[str, ...], where: str = "") -> list[str]:
    """What is wrong with a value that claims to be of one of these types."""
    found = [_objections(value, name, where) for name in types]
    return min(found, key=len)


def _objections(value: object, name: str, where: str) -> list[str]:
    if name.startswith("Array of "):
        if not isinstance(value, list):
            return [f"{where} is no list"]
        inner = name.removeprefix("Array of ")
        return [
            wrong
            for place, item in enumerate(value)
            for wrong in objections(item, (inner,), f"{where}[{place}]")
        ]
    if name in _UNIONS:
        return objections(value, tuple(_UNIONS[name].split()), where)
    plain = {"Integer": int, "String": str, "Boolean": bool, "True": bool, "Float": float}
    if name in plain:
        right = isinstance(value, plain[name]) and (
            name == "Boolean" or not isinstance(value, bool)
        )
        return [] if right or (name == "True" and value is True) else [f"{where} is no {name}"]
    if name not in TYPES:
        return [f"{where}: {name} is not in the copy of the specification"]
    if not isinstance(value, dict):
        return [f"{where} is no {name}"]
    return _object_objections(value, TYPES[name], f"{where}.{name}")


def _object_objections(value: dict[str, object], fields: dict[str, Field], where: str) -> list[str]:
    missing = [
        f"{where} lacks {name}"
        for name, field in fields.items()
        if field.required and not field.is_newer and name not in value
    ]
    strange = [f"{where} has {name}" for name in value if name not in fields]
    inner = [
        wrong
        for name, item in value.items()
        if name in fields
        for wrong in objections(item, fields[name].types, f"{where}.{name}")
    ]
    return missing + strange + inner
