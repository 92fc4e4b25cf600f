"""A JSON object of a model folder, read field by field: what is odd is said with the file's name.

Knows no meaning of any field.
"""

from collections.abc import Sequence
from typing import Any, Self

from engine.errors import ModelNotUsable


class Fields:
    """The object at `path` ("config.json: text_config") of the files in `folder`."""

    def __init__(self, folder: str, path: str, content: dict[str, Any]) -> None:
        self.content = content
        self._folder = folder
        self._path = path

    def refused(self, why: str) -> ModelNotUsable:
        """The error that names this file and what is wrong with it."""
        return ModelNotUsable(self._folder, f"{self._path}: {why}")

    def section(self, key: str) -> Self:
        """An object inside this one."""
        value = self.content.get(key)
        if not isinstance(value, dict):
            raise self.refused(f"{key} is no JSON object")
        return type(self)(self._folder, f"{self._path}: {key}", value)

    def objects(self, key: str) -> list[Self]:
        """A list of objects; none when the key is missing."""
        values = self.content.get(key) or []
        if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
            raise self.refused(f"{key} is no list of JSON objects")
        return [
            type(self)(self._folder, f"{self._path}: {key}: {place}", value)
            for place, value in enumerate(values)
        ]

    def text(self, key: str) -> str:
        """A string."""
        value = self.content.get(key)
        if not isinstance(value, str):
            raise self.refused(f"{key} is no text")
        return value

    def texts(self, key: str) -> list[str]:
        """A list of strings."""
        values = self.content.get(key)
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise self.refused(f"{key} is no list of texts")
        return values

    def flag(self, key: str, *, default: bool) -> bool:
        """True or false."""
        value = self.content.get(key, default)
        if not isinstance(value, bool):
            raise self.refused(f"{key} is neither true nor false")
        return value

    def index(self, key: str) -> int:
        """A whole number from zero on."""
        value = self._value(key)
        if not _is_index(value):
            raise self.refused(f"{key} is no whole number from 0 on")
        return int(value)

    def count(self, key: str) -> int:
        """A whole number from one on."""
        value = self._value(key)
        if not _is_index(value) or value == 0:
            raise self.refused(f"{key} is no whole number from 1 on")
        return int(value)

    def indexes(self, key: str) -> list[int]:
        """A list of whole numbers from zero on."""
        values = self.content.get(key)
        if not isinstance(values, Sequence) or not all(_is_index(value) for value in values):
            raise self.refused(f"{key} is no list of whole numbers from 0 on")
        return list(values)

    def number(self, key: str) -> float:
        """A number above zero."""
        value = self._value(key)
        if not _is_number(value) or not value > 0:
            raise self.refused(f"{key} is no number above 0")
        return float(value)

    def numbers(self, key: str, length: int) -> tuple[float, ...]:
        """A list of numbers."""
        values = self._value(key)
        is_list = isinstance(values, list) and len(values) == length
        if not is_list or not all(_is_number(value) for value in values):
            raise self.refused(f"{key} is no list of {length} numbers")
        return tuple(float(value) for value in values)

    def _value(self, key: str) -> Any:  # JSON has no types of its own
        return self.content.get(key)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_index(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
