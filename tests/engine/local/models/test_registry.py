"""A folder that is no model says in one sentence which file is why; a fault of ours stays one."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from engine.config import EngineConfig
from engine.errors import ModelNotUsable, OutOfMemory
from engine.local.models.decoder import Decoder
from engine.local.models.registry import load_model
from engine.local.models.template import ChatTemplate
from engine.local.vocabulary import Vocabulary

WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"
JSON_FILES = ["config.json", "tokenizer.json", "preprocessor_config.json"]
CONFIG = EngineConfig(precision="float32")


@pytest.fixture
def folder(tiny_folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_folder, tmp_path / "model"))


def refusal(folder: Path) -> str:
    """The sentence with which a folder is refused, without the folder's name."""
    with pytest.raises(ModelNotUsable) as caught:
        load_model(folder, CONFIG)
    assert caught.value.where == str(folder)
    assert "\n" not in caught.value.why
    return caught.value.why


def change(path: Path, keys: tuple[str | int, ...], value: object) -> None:
    """Write another value at a place of a JSON file."""
    content = json.loads(path.read_text(encoding="utf-8"))
    place = content
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    path.write_text(json.dumps(content), encoding="utf-8")


def change_weights(folder: Path, changes: dict[str, torch.Tensor | None]) -> None:
    """Write other weights; None takes one away."""
    tensors = load_file(folder / WEIGHTS) | changes
    kept = {name: tensor for name, tensor in tensors.items() if tensor is not None}
    save_file(kept, folder / WEIGHTS)


@pytest.mark.parametrize("name", [*JSON_FILES, WEIGHTS])
def test_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    assert refusal(folder) == f"{name} is missing"


@pytest.mark.parametrize("name", [*JSON_FILES, "generation_config.json", "chat_template.json"])
@pytest.mark.parametrize("content", ["{", "[]", "\udcff"], ids=["cut", "list", "bytes"])
def test_damaged_file_is_named(folder: Path, name: str, content: str) -> None:
    (folder / "chat_template.jinja").unlink(missing_ok=True)
    (folder / name).write_bytes(content.encode(errors="surrogateescape"))
    assert refusal(folder).startswith(name)


@pytest.mark.parametrize("length", [0, 4, 100, 1000, -1])
def test_cut_weights_are_named(folder: Path, length: int) -> None:
    weights = folder / WEIGHTS
    weights.write_bytes(weights.read_bytes()[:length])
    assert refusal(folder) == f"{WEIGHTS} is damaged"


@pytest.mark.parametrize(
    ("shards", "why"),
    [
        ({"a": "one.safetensors"}, "one.safetensors is missing"),
        ({"nothing": WEIGHTS}, f"{WEIGHTS}: the weight nothing is missing"),
        ({"a": 1}, f"{INDEX}: weight_map: a is no text"),
        (["a"], f"{INDEX}: weight_map is no JSON object"),
        (None, f"{INDEX}: weight_map is no JSON object"),
        ({}, f"{INDEX}: the weight model.language_model.embed_tokens.weight is missing"),
    ],
    ids=["no file", "no weight", "number", "list", "none", "empty"],
)
def test_index_that_lies_is_named(folder: Path, shards: object, why: str) -> None:
    (folder / INDEX).write_text(json.dumps({"weight_map": shards}))
    assert refusal(folder) == why


@pytest.mark.parametrize(
    "found", [["LlamaForCausalLM"], [], None, "Qwen3VL"], ids=["other", "empty", "none", "text"]
)
def test_other_family_is_named(folder: Path, found: object) -> None:
    change(folder / "config.json", ("architectures",), found)
    why = refusal(folder)
    assert why.startswith("config.json: ")
    assert "LlamaForCausalLM" in why or found != ["LlamaForCausalLM"]


@pytest.mark.parametrize(
    ("section", "name", "value"),
    [
        ("text_config", "hidden_size", "wide"),
        ("text_config", "num_hidden_layers", 0),
        ("text_config", "num_key_value_heads", 3),
        ("text_config", "rope_parameters", {"rope_theta": 1.0, "rope_type": "default"}),
        ("text_config", "hidden_act", "relu"),
        ("text_config", "attention_bias", True),
        ("text_config", "dtype", "nothing"),
        ("vision_config", "num_heads", 3),
        ("vision_config", "num_position_embeddings", 63),
        ("vision_config", "deepstack_visual_indexes", [0, 3]),
        ("vision_config", "deepstack_visual_indexes", 1),
        ("vision_config", "hidden_act", "silu"),
        ("vision_config", "out_hidden_size", 32),
        ("vision_config", "depth", 1.5),
    ],
    ids=str,
)
def test_odd_configuration_is_named(folder: Path, section: str, name: str, value: object) -> None:
    change(folder / "config.json", (section, name), value)
    assert refusal(folder).startswith("config.json: ")


@pytest.mark.parametrize("section", ["text_config", "vision_config"])
@pytest.mark.parametrize("value", [None, [], "x"], ids=str)
def test_missing_section_is_named(folder: Path, section: str, value: object) -> None:
    change(folder / "config.json", (section,), value)
    assert refusal(folder) == f"config.json: {section} is no JSON object"


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("patch_size",), "x"),
        (("patch_size",), 14),
        (("merge_size",), 0),
        (("size",), 5),
        (("size", "longest_edge"), 100),
        (("image_mean",), [0.5]),
        (("image_std",), [0.0, 0.0, 0.0]),
        (("image_std",), [True, True, True]),
    ],
    ids=str,
)
def test_odd_preprocessor_is_named(folder: Path, keys: tuple[str, ...], value: object) -> None:
    change(folder / "preprocessor_config.json", keys, value)
    assert refusal(folder).startswith("preprocessor_config.json: ")


@pytest.mark.parametrize(
    ("name", "value"),
    [("temperature", "hot"), ("top_k", 1.5), ("do_sample", 1), ("eos_token_id", ["end"])],
    ids=str,
)
def test_odd_sampling_is_named(folder: Path, name: str, value: object) -> None:
    change(folder / "generation_config.json", (name,), value)
    assert refusal(folder).startswith(f"generation_config.json: {name} ")


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("added_tokens",), [5]),
        (("added_tokens",), {}),
        (("added_tokens", 0, "content"), None),
        (("added_tokens", 0, "id"), "0"),
        (("added_tokens", 0, "id"), 100_000),
        (("added_tokens", 0, "special"), "yes"),
        (("added_tokens",), []),
        (("model",), None),
        (("model", "vocab"), {}),
        (("model", "vocab"), {"a": "b"}),
        (("model", "vocab"), {"\u2581a": 1}),
        (("model", "type"), "Nothing"),
        (("model", "merges"), [["no", "such"]]),
        (("pre_tokenizer",), {"type": "Nothing"}),
    ],
    ids=str,
)
def test_odd_vocabulary_is_named(folder: Path, keys: tuple[str | int, ...], value: object) -> None:
    change(folder / "tokenizer.json", keys, value or [] if keys == ("added_tokens",) else value)
    assert refusal(folder).startswith("tokenizer.json: ")


@pytest.mark.parametrize(
    "template",
    ["{{ oops", "{{ 1 / 0 }}", "{{ raise_exception('no') }}", "{{ messages.nothing.at.all }}"],
)
def test_broken_template_is_one_sentence(folder: Path, template: str) -> None:
    (folder / "chat_template.jinja").write_text(template)
    assert refusal(folder).startswith("its chat template fails")


def test_template_that_is_no_text_is_named(folder: Path) -> None:
    (folder / "chat_template.jinja").write_bytes(b"\xff")
    assert refusal(folder) == "chat_template.jinja is no text"


def test_other_template_is_refused(folder: Path) -> None:
    (folder / "chat_template.jinja").write_text("{% for m in messages %}{{ m.role }}{% endfor %}")
    assert refusal(folder) == "its chat template is not Qwen3-VL's"


def test_missing_weight_is_named(folder: Path) -> None:
    name = "model.visual.merger.norm.bias"
    change_weights(folder, {name: None})
    assert refusal(folder) == f"{WEIGHTS}: the weight {name} is missing"


def test_weight_of_another_shape_is_named(folder: Path) -> None:
    name = "model.language_model.layers.1.self_attn.q_proj.weight"
    change_weights(folder, {name: torch.zeros(64, 64)})
    expected = f"{WEIGHTS}: the weight {name} is 64 x 64, config.json asks for 128 x 64"
    assert refusal(folder) == expected


def test_weight_in_small_numbers_is_named(folder: Path) -> None:
    name = "model.language_model.norm.weight"
    small = torch.zeros(64, dtype=torch.float8_e4m3fn)
    change_weights(folder, {name: small})
    assert refusal(folder) == f"{WEIGHTS}: the weight {name} is F8_E4M3"


@pytest.mark.parametrize("place", [Decoder, Vocabulary, ChatTemplate])
@pytest.mark.parametrize("fault", [TypeError, ValueError, KeyError, RuntimeError])
def test_fault_of_ours_stays_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch, place: type, fault: type[Exception]
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise fault("ours")

    monkeypatch.setattr(place, "__init__", fail)
    with pytest.raises(fault, match="ours"):
        load_model(folder, CONFIG)


def test_too_large_a_model_is_no_fault_of_its_files(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("DefaultCPUAllocator: not enough memory: you tried to allocate 9 bytes")

    monkeypatch.setattr(Decoder, "__init__", fail)
    with pytest.raises(OutOfMemory):
        load_model(folder, CONFIG)
