"""A folder that is not a model says in one sentence what it lacks."""

import json
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.config import EngineConfig
from engine.errors import ModelNotUsable
from engine.local import hub
from engine.local.checkpoint import Checkpoint
from engine.local.models.registry import load_model
from engine.local.vocabulary import Vocabulary

CONFIG = EngineConfig(precision="float32")


@pytest.fixture
def folder(tiny_folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_folder, tmp_path / "model"))


@pytest.mark.parametrize(
    "name", ["config.json", "tokenizer.json", "preprocessor_config.json", "model.safetensors"]
)
def test_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(ModelNotUsable, match=f"{name} is missing"):
        load_model(folder, CONFIG)


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "preprocessor_config.json"])
@pytest.mark.parametrize("content", ["{", "[]", "\udcff"], ids=["cut", "list", "bytes"])
def test_damaged_file_is_named(folder: Path, name: str, content: str) -> None:
    (folder / name).write_bytes(content.encode(errors="surrogateescape"))
    with pytest.raises(ModelNotUsable, match=name):
        load_model(folder, CONFIG)


def test_cut_weights_are_named(folder: Path) -> None:
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    with pytest.raises(ModelNotUsable, match=r"model\.safetensors is damaged"):
        load_model(folder, CONFIG)


def test_missing_shard_is_named(folder: Path) -> None:
    shards = {"weight_map": {"a": "model-00001-of-00002.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(shards))
    with pytest.raises(ModelNotUsable, match=r"model-00001-of-00002\.safetensors is missing"):
        load_model(folder, CONFIG)


@pytest.mark.parametrize("content", ["{}", '{"weight_map": ["a"]}'], ids=["none", "list"])
def test_index_without_weights_is_named(folder: Path, content: str) -> None:
    (folder / "model.safetensors.index.json").write_text(content)
    with pytest.raises(ModelNotUsable, match=r"index\.json names no weights"):
        load_model(folder, CONFIG)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("config.json", {"text_config": None}),
        ("preprocessor_config.json", {"patch_size": "x", "size": 5}),
    ],
    ids=["config", "preprocessor"],
)
def test_odd_values_are_one_sentence(folder: Path, name: str, changes: dict[str, object]) -> None:
    content = json.loads((folder / name).read_text())
    (folder / name).write_text(json.dumps({**content, **changes}))
    with pytest.raises(ModelNotUsable, match="do not fit together") as caught:
        load_model(folder, CONFIG)
    assert "\n" not in str(caught.value)


def test_broken_template_is_one_sentence(folder: Path) -> None:
    (folder / "chat_template.jinja").write_text("{{ oops")
    with pytest.raises(ModelNotUsable, match="do not fit together"):
        load_model(folder, CONFIG)


def test_other_family_is_named(folder: Path) -> None:
    content = json.loads((folder / "config.json").read_text())
    content["architectures"] = ["LlamaForCausalLM"]
    (folder / "config.json").write_text(json.dumps(content))
    with pytest.raises(ModelNotUsable, match="LlamaForCausalLM"):
        load_model(folder, CONFIG)


def test_other_template_is_refused(folder: Path) -> None:
    for name in ("chat_template.json", "tokenizer_config.json"):
        content = json.loads((folder / name).read_text())
        content["chat_template"] = "{% for m in messages %}{{ m.role }}{% endfor %}"
        (folder / name).write_text(json.dumps(content))
    (folder / "chat_template.jinja").unlink(missing_ok=True)
    with pytest.raises(ModelNotUsable, match="template"):
        load_model(folder, CONFIG)


def test_missing_weight_is_named(folder: Path) -> None:
    checkpoint = Checkpoint(folder)
    with pytest.raises(ModelNotUsable, match=r"model\.nothing"):
        checkpoint.tensor("model.nothing")


@pytest.mark.parametrize(
    ("section", "name", "value"),
    [
        ("vision_config", "spatial_merge_size", 4),
        ("vision_config", "num_heads", 3),
        ("text_config", "hidden_size", 48),
    ],
    ids=str,
)
def test_weights_of_other_sizes_are_refused(
    folder: Path, section: str, name: str, value: int
) -> None:
    content = json.loads((folder / "config.json").read_text())
    content[section][name] = value
    (folder / "config.json").write_text(json.dumps(content))
    with pytest.raises(ModelNotUsable, match="do not fit together"):
        load_model(folder, CONFIG)


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
