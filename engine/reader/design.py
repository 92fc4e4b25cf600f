"""The reading model's shape and the files of its folder: configuration, tokenizer, processor.

Knows no training.
"""

import json
from pathlib import Path

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import Qwen3VLConfig, Qwen3VLForConditionalGeneration

SPECIALS = (
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    "<|object_ref_start|>",
    "<|object_ref_end|>",
    "<|box_start|>",
    "<|box_end|>",
    "<|quad_start|>",
    "<|quad_end|>",
    "<|vision_start|>",
    "<|vision_end|>",
    "<|vision_pad|>",
    "<|image_pad|>",
    "<|video_pad|>",
)
NUM_BYTES = 256
TOKEN_IDS = {name: NUM_BYTES + place for place, name in enumerate(SPECIALS)}
END_OF_TEXT, IM_START, IM_END = (
    TOKEN_IDS[name] for name in ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
)
VISION_START, VISION_END, IMAGE_PAD = (
    TOKEN_IDS[name] for name in ("<|vision_start|>", "<|vision_end|>", "<|image_pad|>")
)
WIDTH = 192
PATCH, MERGE = 16, 2
CELL = PATCH * MERGE
# Larger pictures are reduced: the model has seen none of more cells than these.
LEAST_PIXELS, MOST_PIXELS = 3 * CELL**2, 64 * CELL**2
TEMPLATE = Path(__file__).with_name("chat_template.jinja")


def _text_config() -> dict[str, object]:
    return {
        "vocab_size": 288,
        "hidden_size": WIDTH,
        "num_hidden_layers": 4,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 64,
        "intermediate_size": 512,
        "hidden_act": "silu",
        "attention_bias": False,
        "max_position_embeddings": 8192,
        "rms_norm_eps": 1e-6,
        "tie_word_embeddings": True,
        "initializer_range": 0.05,
        "bos_token_id": END_OF_TEXT,
        "eos_token_id": IM_END,
        "rope_theta": 10000.0,
        "rope_scaling": {
            "rope_type": "default",
            "mrope_interleaved": True,
            "mrope_section": [12, 10, 10],
        },
    }


def _vision_config() -> dict[str, object]:
    return {
        "depth": 4,
        "hidden_size": WIDTH,
        "num_heads": 3,
        "intermediate_size": 512,
        "out_hidden_size": WIDTH,
        "deepstack_visual_indexes": [0, 1, 2],
        "patch_size": PATCH,
        "spatial_merge_size": MERGE,
        "temporal_patch_size": 2,
        "in_channels": 3,
        "num_position_embeddings": 576,
        "hidden_act": "gelu_pytorch_tanh",
        "initializer_range": 0.05,
    }


def reader_config() -> Qwen3VLConfig:
    """Between four and eight million parameters."""
    return Qwen3VLConfig(
        text_config=_text_config(),
        vision_config=_vision_config(),
        image_token_id=IMAGE_PAD,
        video_token_id=TOKEN_IDS["<|video_pad|>"],
        vision_start_token_id=VISION_START,
        vision_end_token_id=VISION_END,
        tie_word_embeddings=True,
    )


def byte_tokenizer() -> Tokenizer:
    """One token for each byte, no merges, no normaliser; the special tokens from 256 on."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(NUM_BYTES) if byte not in plain]
    letters = {byte: chr(byte) for byte in plain} | {
        byte: chr(NUM_BYTES + place) for place, byte in enumerate(others)
    }
    tokenizer = Tokenizer(
        models.BPE(vocab={letter: byte for byte, letter in letters.items()}, merges=[])
    )
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(
        [AddedToken(name, special=True, normalized=False) for name in SPECIALS]
    )
    return tokenizer


def _write(path: Path, content: dict[str, object]) -> None:
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def write_folder(folder: Path) -> None:
    """Everything but the weights."""
    folder.mkdir(parents=True, exist_ok=True)
    _write_tokenizer(folder)
    _write_processors(folder)
    answering: dict[str, object] = {
        "do_sample": False,
        "eos_token_id": [IM_END, END_OF_TEXT],
        "pad_token_id": END_OF_TEXT,
        "bos_token_id": END_OF_TEXT,
    }
    _write(folder / "generation_config.json", answering)


def _write_tokenizer(folder: Path) -> None:
    template = TEMPLATE.read_text(encoding="utf-8")
    byte_tokenizer().save(str(folder / "tokenizer.json"))
    tokenizer: dict[str, object] = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "eos_token": "<|im_end|>",
        "pad_token": "<|endoftext|>",
        "model_max_length": 8192,
        "errors": "replace",
        "clean_up_tokenization_spaces": False,
        "additional_special_tokens": list(SPECIALS[1:]),
        "chat_template": template,
    }
    _write(folder / "tokenizer_config.json", tokenizer)
    _write(folder / "chat_template.json", {"chat_template": template})


def _write_processors(folder: Path) -> None:
    common: dict[str, object] = {
        "size": {"longest_edge": MOST_PIXELS, "shortest_edge": LEAST_PIXELS},
        "patch_size": PATCH,
        "temporal_patch_size": 2,
        "merge_size": MERGE,
        "image_mean": [0.5] * 3,
        "image_std": [0.5] * 3,
        "processor_class": "Qwen3VLProcessor",
    }
    for kind, processor in (
        ("", {"image_processor_type": "Qwen2VLImageProcessorFast"}),
        ("video_", {"video_processor_type": "Qwen3VLVideoProcessor"}),
    ):
        _write(folder / f"{kind}preprocessor_config.json", {**common, **processor})


def write_weights(model: Qwen3VLForConditionalGeneration, folder: Path) -> None:
    """The whole folder, weights as safetensors in the model's own number format."""
    model.save_pretrained(folder)
    write_folder(folder)
