"""The configuration of a Qwen3-VL folder, checked: sizes that fit, and the weights they ask for.

Reads config.json and the headers of the weight files; loads no weight.
"""

from math import isqrt
from typing import Any

from huggingface_hub.errors import StrictDataclassError
from transformers import Qwen3VLConfig

from engine.local.checkpoint import Checkpoint
from engine.local.fields import Fields
from engine.local.models.layout import expected_weights
from engine.local.patches import PatchGeometry

CONFIG = "config.json"
PREPROCESSOR = "preprocessor_config.json"

# Number formats of weights that are numbers by themselves, without scales beside them.
PLAIN = {"F64", "F32", "F16", "BF16"}


def read_config(checkpoint: Checkpoint) -> Qwen3VLConfig:
    """transformers' view of config.json; raises ModelNotUsable when the sizes make no model."""
    fields = checkpoint.fields(CONFIG)
    chosen = {name: fields.section(name).content for name in ("text_config", "vision_config")}
    tied = fields.flag("tie_word_embeddings", default=False)
    try:
        config = Qwen3VLConfig.from_dict({**chosen, "tie_word_embeddings": tied})
    # Nothing of ours runs in this call; each of these is how the library refuses some value.
    except (StrictDataclassError, AttributeError, KeyError, TypeError, ValueError) as error:
        told = " ".join(str(error).split())
        raise fields.refused(f"transformers refuses it ({told})") from error
    completed = config.to_dict()
    text, vision = (checkpoint.part(CONFIG, name, completed[name]) for name in chosen)
    _check_text(text)
    _check_vision(vision)
    if vision.count("out_hidden_size") != text.count("hidden_size"):
        raise vision.refused("out_hidden_size is not the hidden_size of the text_config")
    return config


def read_geometry(checkpoint: Checkpoint, config: Qwen3VLConfig) -> PatchGeometry:
    """The preprocessor file; raises ModelNotUsable when it cuts other patches than the model's."""
    fields = checkpoint.fields(PREPROCESSOR)
    geometry = PatchGeometry.from_fields(fields)
    vision: Any = config.vision_config
    cut = (geometry.patch_size, geometry.merge_size, geometry.temporal_patch_size)
    taken = (vision.patch_size, vision.spatial_merge_size, vision.temporal_patch_size)
    if cut != taken:
        raise fields.refused(f"patches of {cut}, but {CONFIG} takes {taken}")
    return geometry


def check_weights(checkpoint: Checkpoint, config: Qwen3VLConfig) -> None:
    """Compare the headers of the weight files with the configuration; raises ModelNotUsable."""
    for name, shape in expected_weights(config):
        found = checkpoint.header(name)
        if found.shape != shape:
            why = f"the weight {name} is {_sides(found.shape)}, {CONFIG} asks for {_sides(shape)}"
            raise checkpoint.refused(name, why)
        if found.number_format not in PLAIN:
            raise checkpoint.refused(name, f"the weight {name} is {found.number_format}")


def _check_text(fields: Fields) -> None:
    names = ("vocab_size", "hidden_size", "intermediate_size", "max_position_embeddings")
    for name in (*names, "num_hidden_layers"):
        fields.count(name)
    heads, kv_heads = fields.count("num_attention_heads"), fields.count("num_key_value_heads")
    if heads % kv_heads:
        raise fields.refused(f"{heads} heads cannot share {kv_heads} heads of keys")
    fields.number("rms_norm_eps")
    rope = fields.section("rope_parameters")
    rope.number("rope_theta")
    sections, size = rope.indexes("mrope_section"), fields.count("head_dim")
    if len(sections) != 3 or sum(sections) * 2 != size:
        raise rope.refused(f"mrope_section does not share out half of {size}")
    _check_same(rope, "rope_type", "default")
    _check_same(fields, "hidden_act", "silu")
    if fields.flag("attention_bias", default=False):
        raise fields.refused("attention_bias is true, what runs here has none")


def _check_vision(fields: Fields) -> None:
    for name in ("depth", "intermediate_size", "out_hidden_size", "patch_size"):
        fields.count(name)
    for name in ("spatial_merge_size", "temporal_patch_size"):
        fields.count(name)
    size, heads = fields.count("hidden_size"), fields.count("num_heads")
    # A quarter of a head turns with the row, another with the column, in pairs.
    if size % (heads * 4):
        raise fields.refused(f"a hidden_size of {size} does not make {heads} heads")
    places = fields.count("num_position_embeddings")
    if isqrt(places) ** 2 != places:
        raise fields.refused(f"num_position_embeddings is {places}, which is no square")
    if any(layer >= fields.count("depth") for layer in fields.indexes("deepstack_visual_indexes")):
        raise fields.refused("deepstack_visual_indexes name layers that there are not")
    fields.section("rope_parameters").number("rope_theta")
    _check_same(fields, "hidden_act", "gelu_pytorch_tanh")


def _check_same(fields: Fields, name: str, known: str) -> None:
    found = fields.text(name)
    if found != known:
        raise fields.refused(f"{name} is {found}, what runs here is {known}")


def _sides(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape)) or "one number"
