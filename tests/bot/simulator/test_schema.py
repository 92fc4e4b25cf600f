"""The simulator's table of methods says what the specification says."""

import re

import pytest

from bot.simulator.schema import METHODS
from tests.bot.simulator import spec


def test_table_has_exactly_these_methods() -> None:
    assert {signature.name for signature in METHODS.values()} == set(spec.METHODS)


@pytest.mark.parametrize("name", spec.METHODS)
def test_parameters_are_those_specified(name: str) -> None:
    fields, signature = spec.METHODS[name], METHODS[name.lower()]
    assert signature.known == set(fields)
    assert signature.required == {key for key, field in fields.items() if field.required}
    assert signature.newer == {key for key, field in fields.items() if field.is_newer}


def test_problems_are_named() -> None:
    given = frozenset({"text", "colour", "ephemeral_message_parameters"})
    assert METHODS["sendmessage"].problems(given) == (
        "missing chat_id",
        "unknown colour",
        "newer than 10.0: ephemeral_message_parameters",
    )


def test_checker_finds_faults() -> None:
    wrong = {"id": "1", "first_name": "A", "hat": 1}
    found = " ".join(spec.objections(wrong, ("User",)))
    assert re.search("lacks is_bot", found)
    assert re.search("has hat", found)
    assert re.search("id is no Integer", found)
