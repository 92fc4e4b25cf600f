"""A model folder: its configuration, its weights by name, and which file is missing.

Weights stay on disk until they are asked for: the files are mapped, not read.
"""

import json
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open

from engine.errors import ModelNotUsable

REQUIRED = ("config.json", "tokenizer.json", "preprocessor_config.json")
SINGLE = "model.safetensors"
INDEX = "model.safetensors.index.json"


class Checkpoint:
    """Files of a model folder in the layout that transformers writes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in REQUIRED:
            self.require(name)
        self._places = self._find_tensors()

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

    @property
    def num_bytes(self) -> int:
        """Bytes of all weight files."""
        return sum(path.stat().st_size for path in set(self._places.values()))

    def tensors(self, prefix: str) -> dict[str, torch.Tensor]:
        """All weights whose name begins with `prefix`, by the rest of their name."""
        names = [name for name in self._places if name.startswith(prefix)]
        return {name.removeprefix(prefix): self.tensor(name) for name in names}

    def tensor(self, name: str) -> torch.Tensor:
        """One weight, as it is stored."""
        if name not in self._places:
            raise ModelNotUsable(str(self.folder), f"the weight {name} is missing")
        with self._opened(self._places[name]) as file:
            tensor: torch.Tensor = file.get_tensor(name)
        return tensor

    def _find_tensors(self) -> dict[str, Path]:
        if (self.folder / INDEX).is_file():
            shards = self.json(INDEX).get("weight_map")
            if not isinstance(shards, dict):
                raise ModelNotUsable(str(self.folder), f"{INDEX} names no weights")
            return {name: self.require(shard) for name, shard in shards.items()}
        path = self.require(SINGLE)
        with self._opened(path) as file:
            return dict.fromkeys(file.keys(), path)

    def _opened(self, path: Path) -> Any:  # safetensors has no types
        try:
            return safe_open(path, framework="pt")
        except (SafetensorError, OSError) as error:
            raise ModelNotUsable(str(self.folder), f"{path.name} is damaged") from error
