"""The batched forward pass against transformers' own, with random weights."""

import pytest
import torch
from transformers import Qwen3VLForConditionalGeneration

from engine.reader.design import IM_START, IMAGE_PAD, VISION_END, VISION_START, reader_config
from engine.reader.network import FastReader, patches_of, positions_of
from engine.reader.rows import normed, turned

PREFIX = (IM_START, *b"user\n", VISION_START)


@pytest.fixture(scope="module")
def model() -> Qwen3VLForConditionalGeneration:
    torch.manual_seed(11)
    return Qwen3VLForConditionalGeneration(reader_config())


def _ids(num_cells: int, batch: int, generator: torch.Generator) -> torch.Tensor:
    head = torch.tensor([*PREFIX, *[IMAGE_PAD] * num_cells, VISION_END]).expand(batch, -1)
    return torch.cat((head, torch.randint(0, 256, (batch, 21), generator=generator)), dim=1)


@pytest.mark.parametrize(("rows", "columns"), [(1, 3), (3, 2), (2, 5)])
def test_is_what_transformers_computes(
    model: Qwen3VLForConditionalGeneration, rows: int, columns: int
) -> None:
    generator = torch.Generator().manual_seed(rows * 10 + columns)
    pixels = torch.randint(0, 256, (2, rows * 32, columns * 32, 3), generator=generator)
    ids = _ids(rows * columns, 2, generator)
    both_frames = patches_of(pixels).view(-1, 3, 1, 256).expand(-1, -1, 2, -1).flatten(1)
    grid = torch.tensor([[1, rows * 2, columns * 2]] * 2)
    kinds = (ids == IMAGE_PAD).int()
    positions = positions_of(len(PREFIX), rows, columns, ids.shape[1])
    with torch.no_grad():
        reference = model(
            input_ids=ids,
            pixel_values=both_frames,
            image_grid_thw=grid,
            mm_token_type_ids=kinds,
            attention_mask=torch.ones_like(ids),
        ).logits
        ours = FastReader(model)(ids, positions, pixels, len(PREFIX))
    assert reference.std() > 0.1
    assert (ours - reference).abs().max() < 1e-4
    places, _ = model.model.get_rope_index(ids, mm_token_type_ids=kinds, image_grid_thw=grid)
    assert torch.equal(places[:, 0], positions)


def test_padding_on_the_right_changes_nothing(model: Qwen3VLForConditionalGeneration) -> None:
    ids = torch.randint(0, 256, (1, 12), generator=torch.Generator().manual_seed(5))
    positions = torch.arange(20).expand(3, -1)
    padded = torch.cat((ids, torch.full((1, 8), 256)), dim=1)
    with torch.no_grad():
        alone = FastReader(model)(ids, positions[:, :12], None, 0)
        among = FastReader(model)(padded, positions, None, 0)
    assert torch.allclose(alone, among[:, :12], atol=1e-5)


def test_gradients_are_right() -> None:
    torch.manual_seed(3)
    x = torch.randn(2, 3, 8, dtype=torch.float64, requires_grad=True)
    weight = torch.rand(8, dtype=torch.float64, requires_grad=True)
    angles = torch.randn(3, 4, dtype=torch.float64).repeat(1, 2)
    cos, sin = angles.cos(), angles.sin()
    assert torch.autograd.gradcheck(lambda a, b: normed(a, b, 1e-6), (x, weight))
    assert torch.autograd.gradcheck(lambda a: turned(a, cos, sin), (x,))
