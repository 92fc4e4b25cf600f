"""Our arithmetic against the reference: patches, features, logits, template."""

import io

import pytest
import torch
from PIL import Image as Picture
from transformers import BaseImageProcessor, Qwen3VLForConditionalGeneration

from engine.chat import Message
from engine.config import EngineConfig
from engine.local.checkpoint import Checkpoint
from engine.local.kv_cache import KVCache
from engine.local.models.base import Chunk, PlacedImage
from engine.local.models.qwen3_vl import Qwen3VL
from engine.local.models.registry import load_model
from engine.local.patches import PatchGeometry, to_patches
from tests.engine.local.tiny import noise, question

BOUND = 1e-4


def opened(width: int, height: int) -> Picture.Image:
    return Picture.open(io.BytesIO(noise(width, height, 3))).convert("RGB")


@pytest.mark.parametrize("size", [(64, 32), (96, 160), (32, 32)], ids=str)
def test_patches_equal_the_processor(
    size: tuple[int, int], model: Qwen3VL, processor: BaseImageProcessor, tiny_folder: object
) -> None:
    picture = opened(*size)
    geometry = PatchGeometry.from_fields(
        Checkpoint(tiny_folder).fields("preprocessor_config.json")  # type: ignore[arg-type]
    )
    expected = processor(images=[picture], do_resize=False, return_tensors="pt")
    assert (to_patches(picture, geometry) - expected["pixel_values"]).abs().max() < 1e-6
    rows, columns = geometry.grid_of(picture)
    assert expected["image_grid_thw"].tolist() == [[1, rows * 2, columns * 2]]


@pytest.mark.parametrize("size", [(64, 64), (96, 160), (320, 32), (32, 192), (32, 32)], ids=str)
def test_features_equal_the_reference(
    size: tuple[int, int],
    model: Qwen3VL,
    processor: BaseImageProcessor,
    reference: Qwen3VLForConditionalGeneration,
) -> None:
    picture = opened(*size)
    seen = processor(images=[picture], do_resize=False, return_tensors="pt")
    with torch.inference_mode():
        expected = reference.model.visual(seen["pixel_values"], grid_thw=seen["image_grid_thw"])
    features = model.encode_image(picture)
    assert (features.embeddings - expected.pooler_output).abs().max() < BOUND
    assert len(features.deepstack) == 2
    for ours, theirs in zip(features.deepstack, expected.deepstack_features, strict=True):
        assert (ours - theirs).abs().max() < BOUND


@pytest.mark.parametrize("piece", [1000, 7], ids=["at once", "in pieces"])
def test_logits_equal_the_reference(
    piece: int,
    model: Qwen3VL,
    processor: BaseImageProcessor,
    reference: Qwen3VLForConditionalGeneration,
) -> None:
    prompt = model.build_prompt([question("What is this?", noise(96, 160, 4))], 24)
    [picture], [span] = prompt.pictures, prompt.spans
    features, cache = model.encode_image(picture), KVCache(model.kv_shape)
    cache.reserve(len(prompt))
    for start in range(0, len(prompt), piece):
        end = min(start + piece, len(prompt))
        first, last = max(span.start, start), min(span.end, end)
        part = features.part(first - span.start, last - span.start) if first < last else None
        images = (PlacedImage(first - start, part),) if part else ()
        logits = model.forward(
            [Chunk(prompt.ids[start:end], prompt.positions[:, start:end], images, cache)]
        )
    ids = torch.tensor([prompt.ids])
    seen = processor(images=[picture], do_resize=False, return_tensors="pt")
    with torch.inference_mode():
        expected = reference(
            input_ids=ids,
            attention_mask=torch.ones_like(ids),
            mm_token_type_ids=(ids == reference.config.image_token_id).int(),
            **seen,
        ).logits[0, -1]
    assert (logits[0] - expected).abs().max() < BOUND * expected.abs().max()


def test_prompt_counts_every_placeholder(model: Qwen3VL) -> None:
    prompt = model.build_prompt([question("?", noise(96, 160, 4), noise(64, 64, 5))], 24)
    pad = 256 + 12
    assert prompt.ids.count(pad) == sum(span.num_tokens for span in prompt.spans) == 15 + 4
    for span in prompt.spans:
        assert set(prompt.ids[span.start : span.end]) == {pad}


def test_sampled_ids_go_back_as_they_were(model: Qwen3VL) -> None:
    asked = [question("?"), Message("assistant", "ignored", token_ids=(65, 66, 258)), question("!")]
    told = [question("?"), Message("assistant", "AB"), question("!")]
    assert model.build_prompt(asked, 24).ids == model.build_prompt(told, 24).ids


@pytest.mark.parametrize("precision", ["bfloat16", "int8"])
def test_other_formats_run(precision: str, tiny_folder: object) -> None:
    config = EngineConfig(precision=precision)  # type: ignore[arg-type]
    narrow = load_model(tiny_folder, config)  # type: ignore[arg-type]
    prompt = narrow.build_prompt([question("What?")], 24)
    cache = KVCache(narrow.kv_shape)
    cache.reserve(len(prompt))
    logits = narrow.forward([Chunk(prompt.ids, prompt.positions, (), cache)])
    assert logits.isfinite().all()
    assert cache.length == len(prompt)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.parametrize("precision", ["auto", "bfloat16", "float16"])
def test_gpu_runs_narrow_formats(precision: str, tiny_folder: object) -> None:
    test_other_formats_run(precision, tiny_folder)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_gpu_gives_the_same_answer(tiny_folder: object, model: Qwen3VL) -> None:
    prompt = model.build_prompt([question("What?")], 24)
    loaded = load_model(tiny_folder, EngineConfig(precision="float32"))  # type: ignore[arg-type]
    chosen = []
    for each in (model, loaded):
        cache = KVCache(each.kv_shape)
        cache.reserve(len(prompt))
        logits = each.forward([Chunk(prompt.ids, prompt.positions, (), cache)])
        chosen.append(int(logits.argmax()))
    assert chosen[0] == chosen[1]
