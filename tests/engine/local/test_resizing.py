"""The sizes that a model gets are whole tokens and within the budget, whatever was sent."""

import random

import pytest
from PIL import Image
from qwen_vl_utils.vision_process import smart_resize

from engine.intake import proportioned
from engine.local.resizing import resized, target_size

TOKEN = 32 * 32


@pytest.mark.parametrize("seed", range(300))
def test_any_size_fits_its_budget(seed: int) -> None:
    rng = random.Random(seed)
    short = int(2 ** rng.uniform(5, 13))
    long = min(int(short * 2 ** rng.uniform(0, 7.64)), short * 200)
    width, height = (short, long) if rng.random() < 0.5 else (long, short)
    num_tokens = rng.choice([1, 2, 3, 4, 7, 64, 384, 1024, 16384])
    found = target_size(width, height, min_pixels=4 * TOKEN, max_pixels=num_tokens * TOKEN)
    assert min(found) >= 32
    assert found[0] % 32 == found[1] % 32 == 0
    assert found[0] * found[1] <= num_tokens * TOKEN


@pytest.mark.parametrize("seed", range(100))
def test_usual_pictures_follow_the_reference(seed: int) -> None:
    rng = random.Random(seed)
    width, height = rng.randint(40, 5000), rng.randint(40, 5000)
    if max(width, height) > 8 * min(width, height):
        height = width
    low, high = 4 * TOKEN, rng.choice([256, 384, 1024, 1280]) * TOKEN
    tall, wide = smart_resize(height, width, 32, min_pixels=low, max_pixels=high)
    assert target_size(width, height, min_pixels=low, max_pixels=high) == (wide, tall)


@pytest.mark.parametrize(
    ("size", "num_tokens", "wanted"),
    [
        ((640, 480), 384, (640, 480)),
        ((690, 15420), 64, (32, 1184)),
        ((6400, 32), 16, (512, 32)),
        ((32, 6400), 1, (32, 32)),
        ((100, 100), 1, (32, 32)),
    ],
)
def test_known_sizes(size: tuple[int, int], num_tokens: int, wanted: tuple[int, int]) -> None:
    found = target_size(*size, min_pixels=TOKEN, max_pixels=num_tokens * TOKEN)
    assert found == wanted


def test_budget_wins_over_the_least_size() -> None:
    found = target_size(50, 70, min_pixels=90 * TOKEN, max_pixels=8 * TOKEN)
    assert found[0] * found[1] <= 8 * TOKEN


def test_small_picture_grows_to_the_least_size() -> None:
    width, height = target_size(32, 32, min_pixels=16 * TOKEN, max_pixels=384 * TOKEN)
    assert width * height >= 16 * TOKEN


@pytest.mark.parametrize(
    ("size", "max_pixels"), [((64, 64), TOKEN - 1), ((6401, 32), TOKEN)], ids=["budget", "strip"]
)
def test_impossible_demand_is_refused(size: tuple[int, int], max_pixels: int) -> None:
    with pytest.raises(ValueError, match=r"token|thinner"):
        target_size(*size, min_pixels=0, max_pixels=max_pixels)


@pytest.mark.parametrize("size", [(1, 1), (9000, 3), (3, 9000), (37, 53), (640, 480)])
def test_whatever_intake_gives_is_resized(size: tuple[int, int]) -> None:
    image = resized(proportioned(Image.new("RGB", size)), max_tokens=16, min_pixels=3072)
    assert image.width % 32 == image.height % 32 == 0
    assert image.width * image.height <= 16 * TOKEN


def test_right_size_is_left_untouched() -> None:
    image = Image.effect_noise((64, 96), 50).convert("RGB")
    assert resized(image, max_tokens=384, min_pixels=3072) is image
