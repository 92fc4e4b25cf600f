"""A Qwen3-VL of two layers with random weights, and pictures of noise."""

import io
from pathlib import Path

import numpy as np
import torch
from PIL import Image as Picture
from transformers import Qwen3VLConfig, Qwen3VLForConditionalGeneration

from engine.chat import Delta, Image, Message, SamplingParams
from engine.local.local_engine import LocalEngine
from engine.reader.design import TOKEN_IDS, write_folder

GREEDY = SamplingParams(max_tokens=12, greedy=True)


def tiny_config() -> Qwen3VLConfig:
    """Weights far wider than a trained model's, so that the answers are not all alike."""
    rope = {"rope_type": "default", "mrope_interleaved": True, "mrope_section": [6, 5, 5]}
    text = {
        "vocab_size": 288,
        "hidden_size": 64,
        "num_hidden_layers": 3,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 32,
        "intermediate_size": 96,
        "attention_bias": False,
        "max_position_embeddings": 4096,
        "tie_word_embeddings": True,
        "initializer_range": 0.25,
        "rope_theta": 10000.0,
        "rope_scaling": rope,
    }
    vision = {
        "depth": 3,
        "hidden_size": 32,
        "num_heads": 2,
        "intermediate_size": 48,
        "out_hidden_size": 64,
        "deepstack_visual_indexes": [0, 1],
        "patch_size": 16,
        "spatial_merge_size": 2,
        "temporal_patch_size": 2,
        "num_position_embeddings": 64,
        "initializer_range": 0.25,
    }
    return Qwen3VLConfig(
        text_config=text,
        vision_config=vision,
        image_token_id=TOKEN_IDS["<|image_pad|>"],
        video_token_id=TOKEN_IDS["<|video_pad|>"],
        vision_start_token_id=TOKEN_IDS["<|vision_start|>"],
        vision_end_token_id=TOKEN_IDS["<|vision_end|>"],
        tie_word_embeddings=True,
    )


def write_tiny(folder: Path) -> None:
    """A checkpoint folder in the layout of the public model."""
    torch.manual_seed(0)
    model = Qwen3VLForConditionalGeneration(tiny_config())
    _silence_specials(model)
    model.generation_config.do_sample = False
    model.generation_config.eos_token_id = [TOKEN_IDS["<|im_end|>"]]
    model.save_pretrained(folder)
    write_folder(folder)


def _silence_specials(model: Qwen3VLForConditionalGeneration) -> None:
    # An answer with a placeholder in it could not be given to transformers again.
    with torch.no_grad():
        for token_id in TOKEN_IDS.values():
            if token_id != TOKEN_IDS["<|im_end|>"]:
                model.model.language_model.embed_tokens.weight[token_id] *= 0.01


def noise(width: int, height: int, seed: int) -> bytes:
    """A PNG that no other seed gives."""
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    file = io.BytesIO()
    Picture.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


async def answer(
    engine: LocalEngine,
    messages: list[Message],
    session_id: str = "chat/one",
    params: SamplingParams = GREEDY,
) -> Delta:
    """The last delta of an answer."""
    last = Delta()
    async for delta in engine.generate(messages, params, session_id):
        last = delta
    assert last.usage is not None
    return last


def replied(messages: list[Message], last: Delta) -> list[Message]:
    """The conversation with the answer behind it."""
    assert last.usage is not None
    assert last.answer is not None
    return [*messages, Message("assistant", last.answer, token_ids=last.usage.output_ids)]


def ids_of(last: Delta) -> tuple[int, ...]:
    """The sampled ids of an answer."""
    assert last.usage is not None
    return last.usage.output_ids


def question(text: str, *pictures: bytes) -> Message:
    """A user message, pictures first."""
    return Message("user", text, tuple(Image(data) for data in pictures))
