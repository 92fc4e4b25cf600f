"""Which weights a Qwen3-VL configuration asks for: their names and their shapes."""

from collections.abc import Iterator
from typing import Any

from transformers import Qwen3VLConfig

TEXT = "model.language_model."
VISION = "model.visual."
OUTPUT = "lm_head.weight"

Shapes = Iterator[tuple[str, tuple[int, ...]]]


def expected_weights(config: Qwen3VLConfig) -> Shapes:
    """Name and shape of every weight, as the checkpoint stores it."""
    text: Any = config.text_config
    for name, shape in _text_shapes(text):
        yield TEXT + name, shape
    for name, shape in _vision_shapes(config.vision_config):
        yield VISION + name, shape
    if not config.tie_word_embeddings:
        yield OUTPUT, (text.vocab_size, text.hidden_size)


def _text_shapes(text: Any) -> Shapes:
    width, inner, head = text.hidden_size, text.intermediate_size, text.head_dim
    queries, keys = text.num_attention_heads * head, text.num_key_value_heads * head
    yield "embed_tokens.weight", (text.vocab_size, width)
    yield "norm.weight", (width,)
    for index in range(text.num_hidden_layers):
        layer = f"layers.{index}"
        yield f"{layer}.input_layernorm.weight", (width,)
        yield f"{layer}.self_attn.q_proj.weight", (queries, width)
        yield f"{layer}.self_attn.k_proj.weight", (keys, width)
        yield f"{layer}.self_attn.v_proj.weight", (keys, width)
        yield f"{layer}.self_attn.o_proj.weight", (width, queries)
        yield f"{layer}.self_attn.q_norm.weight", (head,)
        yield f"{layer}.self_attn.k_norm.weight", (head,)
        yield f"{layer}.post_attention_layernorm.weight", (width,)
        yield f"{layer}.mlp.gate_proj.weight", (inner, width)
        yield f"{layer}.mlp.up_proj.weight", (inner, width)
        yield f"{layer}.mlp.down_proj.weight", (width, inner)


def _vision_shapes(vision: Any) -> Shapes:
    width, inner, side = vision.hidden_size, vision.intermediate_size, vision.patch_size
    kernel = (width, 3, vision.temporal_patch_size, side, side)
    yield from _affine("patch_embed.proj", *kernel)
    yield "pos_embed.weight", (vision.num_position_embeddings, width)
    for index in range(vision.depth):
        block = f"blocks.{index}"
        yield from _affine(f"{block}.norm1", width)
        yield from _affine(f"{block}.attn.qkv", 3 * width, width)
        yield from _affine(f"{block}.attn.proj", width, width)
        yield from _affine(f"{block}.norm2", width)
        yield from _affine(f"{block}.mlp.linear_fc1", inner, width)
        yield from _affine(f"{block}.mlp.linear_fc2", width, inner)
    token = width * vision.spatial_merge_size**2
    yield from _merger("merger", width, token, vision.out_hidden_size)
    for place in range(len(vision.deepstack_visual_indexes)):
        yield from _merger(f"deepstack_merger_list.{place}", token, token, vision.out_hidden_size)


def _merger(name: str, normed: int, token: int, out: int) -> Shapes:
    yield from _affine(f"{name}.norm", normed)
    yield from _affine(f"{name}.linear_fc1", token, token)
    yield from _affine(f"{name}.linear_fc2", out, token)


def _affine(name: str, *shape: int) -> Shapes:
    yield f"{name}.weight", shape
    yield f"{name}.bias", shape[:1]
