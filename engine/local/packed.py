"""Packed weights on the disk: a folder for each model and way of packing, complete or not there.

Layers are written one by one into a folder beside it, which takes its name once all of them are
in it. Knows no model and no layer's purpose.
"""

import hashlib
import json
import os
import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from engine.local.linear import Int8Weight

LAYERS = "layers.json"
FINDINGS = "findings.json"


class PackedDamaged(Exception):
    """A packed folder cannot be used; `path` is the file that is wrong."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.path = path


class PackedFolder:
    """The int8 layers of one model under a key; whatever else the key says is another folder."""

    def __init__(self, root: Path, model: str, key: Mapping[str, object]) -> None:
        self._root = root
        self._prefix = _digest(model)
        self.folder = root / f"{self._prefix}-{_digest(json.dumps(key, sort_keys=True))}"
        self._sums: dict[str, int] = {}

    def is_there(self) -> bool:
        """Whether there is a complete folder of this key."""
        return (self.folder / LAYERS).is_file()

    def open(self) -> None:
        """Read which layers there are; raises PackedDamaged."""
        path = self.folder / LAYERS
        try:
            content: Any = json.loads(path.read_text(encoding="utf-8"))
            self._sums = {str(name): int(total) for name, total in content.items()}
        except (OSError, ValueError, AttributeError, TypeError) as error:
            raise PackedDamaged(path) from error

    def __contains__(self, name: str) -> bool:
        return name in self._sums

    def read(self, name: str) -> Int8Weight:
        """A layer as it was written; raises PackedDamaged."""
        path = self.folder / f"{name}.safetensors"
        try:
            stored = load_file(path)
            weight = Int8Weight(stored["values"], stored["scales"])
        except (OSError, SafetensorError, KeyError) as error:
            raise PackedDamaged(path) from error
        if _checksum(weight) != self._sums[name]:
            raise PackedDamaged(path)
        return weight

    @contextmanager
    def writing(self) -> Iterator[Callable[[str, Int8Weight], None]]:
        """A function that writes layers; the folder is there when the block ends without error."""
        self._root.mkdir(parents=True, exist_ok=True)
        self._sums = {}
        with tempfile.TemporaryDirectory(dir=self._root, ignore_cleanup_errors=True) as beside:
            new = Path(beside) / "new"
            new.mkdir()

            def write(name: str, weight: Int8Weight) -> None:
                tensors = {"values": weight.values, "scales": weight.scales}
                save_file(tensors, new / f"{name}.safetensors")
                self._sums[name] = _checksum(weight)

            yield write
            _write(new / LAYERS, json.dumps(self._sums))
            self._remove_older()
            new.replace(self.folder)

    def leave_out(self, name: str) -> None:
        """Do without a layer that was written."""
        del self._sums[name]

    def leave_all_out(self) -> None:
        """Do without every layer, at later starts too."""
        self._sums = {}
        _write(self.folder / LAYERS, "{}")

    def drop(self) -> None:
        """Remove the folder, if it is there."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def note(self, findings: Mapping[str, object]) -> None:
        """Write down beside the layers what was found out about them."""
        _write(self.folder / FINDINGS, json.dumps(findings, indent=1))

    def _remove_older(self) -> None:
        for older in self._root.glob(f"{self._prefix}-*"):
            shutil.rmtree(older, ignore_errors=True)


def digest_of(paths: list[Path]) -> str:
    """Tells weight files apart without reading them whole: names, sizes, times and some blocks."""
    found = hashlib.sha256()
    for path in sorted(paths):
        status = path.stat()
        found.update(f"{path.name} {status.st_size} {status.st_mtime_ns}".encode())
        with path.open("rb") as file:
            for part in range(16):
                file.seek(status.st_size * part // 16)
                found.update(file.read(4096))
    return found.hexdigest()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _checksum(weight: Int8Weight) -> int:
    total = zlib.crc32(_bytes_of(weight.scales))
    return zlib.crc32(_bytes_of(weight.values), total)


def _bytes_of(tensor: torch.Tensor) -> memoryview:
    return tensor.contiguous().view(torch.uint8).numpy().data.cast("B")


def _write(path: Path, text: str) -> None:
    """A whole file or none."""
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)
