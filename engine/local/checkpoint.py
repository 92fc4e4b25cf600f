"""A model folder: its configuration, its weights by name, and which file is missing.

Weights stay on disk until they are asked for: the files are mapped, not read.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open

from engine.errors import ModelNotUsable
from engine.local.fields import Fields

REQUIRED = ("config.json", "tokenizer.json", "preprocessor_config.json")
SINGLE = "model.safetensors"
INDEX = "model.safetensors.index.json"


@dataclass(frozen=True, slots=True)
class Header:
    """What is written of a weight without reading it; `number_format` such as BF16."""

    path: Path
    shape: tuple[int, ...]
    number_format: str


class Checkpoint:
    """Files of a model folder in the layout that transformers writes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in REQUIRED:
            self.require(name)
        self._headers = self._read_headers()

    def require(self, name: str) -> Path:
        """The path of a file; raises ModelNotUsable with its name when it is missing."""
        path = self.folder / name
        if not path.is_file():
            raise ModelNotUsable(str(self.folder), f"{name} is missing")
        return path

    def json(self, name: str) -> dict[str, Any]:
        """A JSON file of the folder as a dict."""
        path = self.require(name)
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except (UnicodeDecodeError, json.JSONDecodeError) as error:
            raise ModelNotUsable(str(self.folder), f"{name} is not valid JSON") from error
        if not isinstance(content, dict):
            raise ModelNotUsable(str(self.folder), f"{name} holds no JSON object")
        return content

    def optional_json(self, name: str) -> dict[str, Any]:
        """As `json`, but empty when there is no such file."""
        return self.json(name) if (self.folder / name).is_file() else {}

    def fields(self, name: str) -> Fields:
        """A JSON file of the folder, to be read field by field."""
        return Fields(str(self.folder), name, self.json(name))

    def optional_fields(self, name: str) -> Fields:
        """As `fields`, but empty when there is no such file."""
        return Fields(str(self.folder), name, self.optional_json(name))

    def part(self, name: str, section: str, content: dict[str, Any]) -> Fields:
        """A section of a JSON file as a library has completed it."""
        return Fields(str(self.folder), f"{name}: {section}", content)

    @property
    def paths(self) -> list[Path]:
        """All weight files."""
        return sorted({one.path for one in self._headers.values()})

    @property
    def num_bytes(self) -> int:
        """Bytes of all weight files."""
        return sum(path.stat().st_size for path in self.paths)

    def header(self, name: str) -> Header:
        """Where a weight is and how it is stored; raises ModelNotUsable when there is none."""
        if name not in self._headers:
            listed = INDEX if (self.folder / INDEX).is_file() else SINGLE
            raise ModelNotUsable(str(self.folder), f"{listed}: the weight {name} is missing")
        return self._headers[name]

    def refused(self, name: str, why: str) -> ModelNotUsable:
        """The error that names the file of a weight and what is wrong with it."""
        return ModelNotUsable(str(self.folder), f"{self.header(name).path.name}: {why}")

    def tensor(self, name: str) -> torch.Tensor:
        """One weight, as it is stored."""
        with self._opened(self.header(name).path) as file:
            tensor: torch.Tensor = file.get_tensor(name)
        return tensor

    def _read_headers(self) -> dict[str, Header]:
        if not (self.folder / INDEX).is_file():
            return self._headers_of(self.require(SINGLE), None)
        shards = self.fields(INDEX).section("weight_map")
        names_by_file: dict[str, list[str]] = {}
        for name in shards.content:
            names_by_file.setdefault(shards.text(name), []).append(name)
        headers: dict[str, Header] = {}
        for file_name, names in names_by_file.items():
            headers |= self._headers_of(self.require(file_name), names)
        return headers

    def _headers_of(self, path: Path, names: Iterable[str] | None) -> dict[str, Header]:
        """Headers of the named weights of a file, or of all."""
        with self._opened(path) as file:
            stored = set(file.keys())
            headers: dict[str, Header] = {}
            for name in stored if names is None else names:
                if name not in stored:
                    why = f"{path.name}: the weight {name} is missing"
                    raise ModelNotUsable(str(self.folder), why)
                part = file.get_slice(name)
                headers[name] = Header(path, tuple(part.get_shape()), part.get_dtype())
            return headers

    def _opened(self, path: Path) -> Any:  # safetensors has no types
        try:
            return safe_open(path, framework="pt")
        except (SafetensorError, OSError) as error:
            raise ModelNotUsable(str(self.folder), f"{path.name} is damaged") from error
