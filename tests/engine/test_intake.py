"""Every odd picture that a person can send ends as an upright RGB image."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import ExifTags, Image, ImageDraw

from engine.errors import ImageRejected
from engine.intake import MIN_SIDE, content_key, original, proportioned, upright
from tests.engine.pictures import (
    BLUE,
    GREEN,
    RED,
    WHITE,
    corners_picture,
    distance,
    encoded,
    ink_on_nothing,
    png_header,
    quarters,
)


@pytest.mark.parametrize(
    ("file_format", "mode"),
    [
        ("JPEG", "RGB"),
        ("JPEG", "CMYK"),
        ("PNG", "RGB"),
        ("PNG", "P"),
        ("PNG", "RGBA"),
        ("WEBP", "RGB"),
        ("WEBP", "RGBA"),
        ("GIF", "P"),
        ("BMP", "RGB"),
        ("TIFF", "RGB"),
        ("TIFF", "CMYK"),
        ("TIFF", "YCbCr"),
        ("MPO", "RGB"),
        ("AVIF", "RGB"),
        ("HEIF", "RGB"),
    ],
)
def test_each_format_keeps_its_colours(file_format: str, mode: str) -> None:
    image = upright(encoded(corners_picture(mode), file_format))
    assert image.mode == "RGB"
    assert image.size == (60, 40)
    for found, wanted in zip(quarters(image), (RED, GREEN, BLUE, WHITE), strict=True):
        assert distance(found, wanted) < 30


@pytest.mark.parametrize("file_format", ["GIF", "WEBP", "PNG", "TIFF", "AVIF"])
def test_animation_gives_its_first_frame(file_format: str) -> None:
    frames = [Image.new("RGB", (48, 48), colour) for colour in (RED, GREEN, BLUE)]
    data = encoded(frames[0], file_format, save_all=True, append_images=frames[1:])
    assert distance(upright(data).getpixel((20, 20)), RED) < 20


def test_thousands_of_frames_cost_no_more_than_one() -> None:
    frame = encoded(Image.new("P", (40, 40)), "GIF")
    # The frames are not pictures: whoever decodes a second one fails.
    data = frame[:-1] + b"\x2c\0\0\0\0\xff\xff\xff\xff\0\x02\x01\x07\0" * 50_000 + b";"
    assert upright(data).size == (40, 40)


@pytest.mark.parametrize(
    ("size", "wanted"),
    [
        ((1, 1), (32, 32)),
        ((8, 20), (32, 80)),
        ((31, 31), (32, 32)),
        ((5000, 1), (6400, 32)),
        ((1, 5000), (32, 6400)),
        ((8000, 39), (8000, 40)),
        ((6400, 32), (6400, 32)),
    ],
)
def test_tiny_and_thin_pictures_are_brought_into_bounds(
    size: tuple[int, int], wanted: tuple[int, int]
) -> None:
    data = encoded(Image.new("RGB", size, RED), "PNG")
    image = upright(data)
    assert image.size == wanted
    assert image.getextrema() == ((255, 255), (0, 0), (0, 0))
    assert original(data).size == size


@pytest.mark.parametrize("seed", range(20))
def test_proportions_hold_for_any_size(seed: int) -> None:
    rng = random.Random(seed)
    size = (int(2 ** rng.uniform(0, 13)), int(2 ** rng.uniform(0, 6)))
    image = proportioned(Image.new("RGB", size if seed % 2 else size[::-1]))
    assert min(image.size) >= MIN_SIDE
    assert max(image.size) <= 200 * min(image.size)
    assert max(image.size) >= max(size)


def test_padding_keeps_the_picture_in_the_middle() -> None:
    strip = Image.new("RGB", (20_000, 10), WHITE)
    ImageDraw.Draw(strip).rectangle((5_000, 0, 5_099, 9), RED)
    image = proportioned(strip)
    assert image.size == (20_000, 100)
    assert image.getpixel((5_050, 50)) == RED
    assert image.getpixel((5_050, 10)) == WHITE


def test_many_threads_agree() -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6
    files = [
        encoded(corners_picture(), "JPEG", exif=exif),
        encoded(ink_on_nothing(255, "RGBA"), "PNG"),
        encoded(corners_picture("P"), "GIF"),
        png_header(12_000, 9_000),
    ]

    def outcome(data: bytes) -> str:
        try:
            return content_key(upright(data))
        except ImageRejected as error:
            return error.reason

    alone = [outcome(data) for data in files]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(outcome, files * 25)) == alone * 25


def test_content_key_knows_pixels_size_and_version() -> None:
    wide, tall = Image.new("RGB", (40, 60)), Image.new("RGB", (60, 40))
    spotted = wide.copy()
    spotted.putpixel((39, 59), (0, 0, 1))
    keys = {content_key(wide), content_key(tall), content_key(spotted), content_key(wide, "2")}
    assert len(keys) == 4
    assert content_key(wide) == content_key(wide.copy())


def test_same_pixels_in_other_files_share_a_key() -> None:
    picture = corners_picture()
    keys = {content_key(upright(encoded(picture, name))) for name in ("PNG", "BMP", "TIFF")}
    assert len(keys) == 1
