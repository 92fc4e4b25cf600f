"""The shipped folder is what it says it is, for transformers too."""

import json
from typing import Any

import pytest
import torch
from PIL import Image
from transformers import AutoProcessor, AutoTokenizer, Qwen3VLForConditionalGeneration

from engine.reader import WEIGHTS
from engine.reader.batches import conversation_ids
from engine.reader.design import IM_END, IMAGE_PAD, SPECIALS, TOKEN_IDS, byte_tokenizer

ODD_TEXTS = (
    "",
    "Total 12.50",
    "  two\n\n lines ",
    "e\u0301 \u00e9",
    "读一下。",
    "a\u0000b",
    "'s 'LL",
)


def test_is_small_and_in_bfloat16() -> None:
    assert (WEIGHTS / "model.safetensors").stat().st_size <= 16_000_000
    model = Qwen3VLForConditionalGeneration.from_pretrained(WEIGHTS)
    assert model.dtype is torch.bfloat16
    assert 4_000_000 <= sum(parameter.numel() for parameter in model.parameters()) <= 8_000_000
    assert not model.generation_config.do_sample
    assert IM_END in model.generation_config.eos_token_id


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_no_byte_is_lost(text: str) -> None:
    for tokenizer in (byte_tokenizer(), AutoTokenizer.from_pretrained(WEIGHTS).backend_tokenizer):
        ids = tokenizer.encode(text, add_special_tokens=False).ids
        assert ids == list(text.encode())
        assert tokenizer.decode(ids, skip_special_tokens=False) == text


def test_special_tokens_follow_the_bytes() -> None:
    tokenizer = AutoTokenizer.from_pretrained(WEIGHTS)
    assert [tokenizer.convert_tokens_to_ids(name) for name in SPECIALS] == list(range(256, 270))
    assert tokenizer.eos_token_id == IM_END


def test_the_processor_writes_what_was_trained() -> None:
    processor: Any = AutoProcessor.from_pretrained(WEIGHTS)  # type: ignore[no-untyped-call]
    content = [{"type": "image"}, {"type": "text", "text": "Lines?"}]
    text = processor.apply_chat_template(
        [{"role": "user", "content": content}], add_generation_prompt=True
    )
    made = processor(text=[text], images=[Image.new("RGB", (96, 64))], return_tensors="pt")
    asked, _ = conversation_ids((("Lines?", ""),), num_cells=6)
    assert made["input_ids"][0].tolist() == asked[:-1]
    assert made["input_ids"][0].tolist().count(IMAGE_PAD) == 6


def test_the_configuration_names_the_tokens() -> None:
    config = json.loads((WEIGHTS / "config.json").read_text(encoding="utf-8"))
    assert config["image_token_id"] == TOKEN_IDS["<|image_pad|>"]
    assert config["architectures"] == ["Qwen3VLForConditionalGeneration"]
    sizes = json.loads((WEIGHTS / "preprocessor_config.json").read_text(encoding="utf-8"))["size"]
    assert sizes["shortest_edge"] == 3072
