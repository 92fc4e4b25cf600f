"""Packed weights on the disk: complete or not there, and never another model's."""

from pathlib import Path

import pytest
import torch

from engine.local.linear import Int8Weight
from engine.local.packed import PackedDamaged, PackedFolder, digest_of

KEY: dict[str, object] = {"weights": "abc", "torch": "2"}


def weight(seed: int = 0) -> Int8Weight:
    generator = torch.Generator().manual_seed(seed)
    return Int8Weight.of(torch.randn(40, 24, generator=generator))


def packed(root: Path, key: dict[str, object] = KEY) -> PackedFolder:
    return PackedFolder(root, "model", key)


def written(root: Path, key: dict[str, object] = KEY) -> PackedFolder:
    folder = packed(root, key)
    with folder.writing() as write:
        write("layers.0.qkv", weight(0))
        write("output", weight(1))
    return folder


def test_layers_come_back_as_written(tmp_path: Path) -> None:
    written(tmp_path)
    folder = packed(tmp_path)
    assert folder.is_there()
    folder.open()
    for seed, name in enumerate(("layers.0.qkv", "output")):
        found = folder.read(name)
        assert torch.equal(found.values, weight(seed).values)
        assert torch.equal(found.scales, weight(seed).scales)
    assert "layers.1.qkv" not in folder


@pytest.mark.parametrize("changed", [{"weights": "abd"}, {"torch": "3"}, {"kernel": "onednn"}])
def test_another_key_is_another_folder(tmp_path: Path, changed: dict[str, object]) -> None:
    written(tmp_path)
    assert not packed(tmp_path, {**KEY, **changed}).is_there()


def test_new_key_removes_the_old(tmp_path: Path) -> None:
    old = written(tmp_path)
    other = PackedFolder(tmp_path, "another model", KEY)
    with other.writing() as write:
        write("output", weight())
    new = written(tmp_path, {"weights": "new"})
    assert not old.is_there()
    assert {path.name for path in tmp_path.iterdir()} == {new.folder.name, other.folder.name}


def test_nothing_is_there_after_half(tmp_path: Path) -> None:
    folder = packed(tmp_path)
    with pytest.raises(OSError, match="full"), folder.writing() as write:  # noqa: PT012
        write("output", weight())
        raise OSError("the disk is full")
    assert not folder.is_there()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("place", [0, 40, 200, -1])
def test_changed_byte_is_noticed(tmp_path: Path, place: int) -> None:
    folder = written(tmp_path)
    path = folder.folder / "output.safetensors"
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)
    folder.open()
    with pytest.raises(PackedDamaged) as caught:
        folder.read("output")
    assert caught.value.path == path


@pytest.mark.parametrize("name", ["output.safetensors", "layers.json"])
@pytest.mark.parametrize("content", [None, b"", b"[1]", b"\xff"], ids=str)
def test_damaged_file_is_noticed(tmp_path: Path, name: str, content: bytes | None) -> None:
    path = written(tmp_path).folder / name
    path.unlink() if content is None else path.write_bytes(content)
    folder = packed(tmp_path)
    with pytest.raises(PackedDamaged) as caught:  # noqa: PT012
        folder.open()
        folder.read("output")
    assert caught.value.path == path


def test_dropped_folder_is_gone(tmp_path: Path) -> None:
    folder = written(tmp_path)
    folder.note({"worst": 0.1})
    folder.drop()
    assert list(tmp_path.iterdir()) == []


def test_digest_knows_other_weights(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"a" * 100_000)
    before = digest_of([path])
    assert digest_of([path]) == before
    path.write_bytes(b"b" * 100_000)
    assert digest_of([path]) != before
