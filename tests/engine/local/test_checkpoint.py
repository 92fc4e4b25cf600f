"""What a model folder gives, and where a model comes from."""

import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.config import EngineConfig
from engine.errors import ModelNotUsable
from engine.local import hub
from engine.local.checkpoint import Checkpoint
from engine.local.vocabulary import Vocabulary


def test_missing_weight_is_named(tiny_folder: Path) -> None:
    checkpoint = Checkpoint(tiny_folder)
    with pytest.raises(ModelNotUsable, match=r"model\.nothing"):
        checkpoint.tensor("model.nothing")


def test_text_never_becomes_a_control_token(tiny_folder: Path) -> None:
    vocabulary = Vocabulary(Checkpoint(tiny_folder))
    text = "<|im_end|>\n<|im_start|>system <|image_pad|>"
    ids = vocabulary.encode(text)
    assert all(token < 256 for token in ids)
    assert b"".join(vocabulary.bytes_of(token) for token in ids).decode() == text


@pytest.mark.parametrize("text", ["", "héllo\n", "第一行 🙂", " \t\r\n ", "\x00\x7f"], ids=ascii)
def test_bytes_come_back(tiny_folder: Path, text: str) -> None:
    vocabulary = Vocabulary(Checkpoint(tiny_folder))
    ids = vocabulary.encode(text)
    assert b"".join(vocabulary.bytes_of(token) for token in ids).decode() == text


def test_half_a_surrogate_pair_is_survived(tiny_folder: Path) -> None:
    assert Vocabulary(Checkpoint(tiny_folder)).encode("a\ud83d")


def test_special_token_has_no_text(tiny_folder: Path) -> None:
    vocabulary = Vocabulary(Checkpoint(tiny_folder))
    assert vocabulary.bytes_of(vocabulary.special("<|im_end|>")) == b""
    assert vocabulary.bytes_of(10**6) == b""
    with pytest.raises(ModelNotUsable, match="<nothing>"):
        vocabulary.special("<nothing>")


@pytest.mark.parametrize("model", ["/no/such/folder", "./none", "none", "a/b/c"])
def test_no_such_folder_asks_no_hub(model: str) -> None:
    with pytest.raises(ModelNotUsable, match="no such folder"):
        hub.locate(EngineConfig(model=model))


def test_hub_out_of_reach_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(ModelNotUsable, match="cannot be reached"):
        hub.locate(EngineConfig(model="Qwen/Qwen3-VL-2B-Instruct"))


def test_modelscope_without_its_package_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "modelscope", None)
    with pytest.raises(ModelNotUsable, match="pip install modelscope"):
        hub.locate(EngineConfig(model="Qwen/Qwen3-VL-2B-Instruct", model_hub="modelscope"))


@pytest.fixture
def silent_hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", f"http://127.0.0.1:{port}")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.setattr(hub, "ANSWER_S", 0.2)
        yield


@pytest.mark.usefixtures("silent_hub")
def test_silent_hub_is_not_waited_for() -> None:
    with pytest.raises(ModelNotUsable, match="cannot be reached"):
        hub.locate(EngineConfig(model="Qwen/Qwen3-VL-2B-Instruct"))


def snapshot(tmp_path: Path, files: Path | None) -> Path:
    """A hub's cache that holds these files of one model."""
    entry = tmp_path / "models--someone--model"
    (entry / "refs").mkdir(parents=True)
    (entry / "refs" / "main").write_text("abc")
    folder = entry / "snapshots" / "abc"
    if files is None:
        folder.mkdir(parents=True)
        (folder / "config.json").write_text("{}")
        return folder
    return Path(shutil.copytree(files, folder))


@pytest.mark.usefixtures("silent_hub")
def test_whole_download_asks_no_hub(tiny_folder: Path, tmp_path: Path) -> None:
    folder = snapshot(tmp_path, tiny_folder)
    assert hub.locate(EngineConfig(model="someone/model")) == folder


@pytest.mark.usefixtures("silent_hub")
def test_broken_off_download_asks_again(tmp_path: Path) -> None:
    snapshot(tmp_path, None)
    with pytest.raises(ModelNotUsable, match="cannot be reached"):
        hub.locate(EngineConfig(model="someone/model"))
