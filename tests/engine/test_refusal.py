"""What cannot be used is refused in time, with its reason and no other error."""

import random
import struct

import pytest
from PIL import ExifTags, Image

from engine.errors import ImageRejected, RejectReason
from engine.intake import ImageLimits, upright
from tests.engine.pictures import bmp_header, corners_picture, encoded, png_header, webp_header


def reason_of(data: bytes, limits: ImageLimits | None = None) -> RejectReason:
    with pytest.raises(ImageRejected) as caught:
        upright(data, limits or ImageLimits())
    return caught.value.reason


def test_empty_file_is_refused() -> None:
    assert reason_of(b"") is RejectReason.EMPTY


@pytest.mark.parametrize(
    "data",
    [b"\0", b"hello, this is a letter", b"%PDF-1.7\n%...", b"<svg/>", bytes(5000), b"PK\3\4"],
    ids=["byte", "letter", "pdf", "svg", "zeros", "zip"],
)
def test_other_files_are_refused(data: bytes) -> None:
    assert reason_of(data) is RejectReason.NOT_AN_IMAGE


def test_photo_format_without_a_decoder_is_named() -> None:
    data = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(100)
    assert reason_of(data) is RejectReason.NOT_SUPPORTED


@pytest.mark.parametrize(
    "file_format", ["JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "AVIF", "HEIF"]
)
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_cut_file_is_damaged(file_format: str, share: float) -> None:
    noise = Image.effect_noise((120, 90), 80).convert("RGB")
    data = encoded(noise, file_format)
    assert reason_of(data[: int(len(data) * share)]) is RejectReason.DAMAGED


@pytest.mark.parametrize("file_format", ["JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF"])
def test_head_alone_is_damaged(file_format: str) -> None:
    assert reason_of(encoded(corners_picture(), file_format)[:16]) is RejectReason.DAMAGED


def test_large_file_is_refused_unread() -> None:
    data = encoded(corners_picture(), "PNG")
    limits = ImageLimits(max_bytes=len(data) - 1)
    assert reason_of(data, limits) is RejectReason.TOO_MANY_BYTES


@pytest.mark.parametrize(
    "data",
    [
        png_header(60_000, 60_000),
        png_header(12_000, 9_000),
        png_header(9_000, 9_000),
        bmp_header(30_000, 30_000),
        bmp_header(10_000, 10_000),
        webp_header(16_383, 16_383),
    ],
    ids=["png", "png below the warning", "png just above", "bmp", "bmp warned of", "webp"],
)
def test_pixel_bomb_is_refused_from_its_header(data: bytes) -> None:
    assert len(data) < 200
    assert reason_of(data) is RejectReason.TOO_MANY_PIXELS


def test_frame_larger_than_its_file_says_is_counted() -> None:
    data = bytearray(encoded(Image.new("P", (40, 40)), "GIF"))
    frame = data.index(b"\x2c\0\0\0\0")
    data[frame + 5 : frame + 9] = struct.pack("<HH", 10_000, 10_000)
    assert reason_of(bytes(data)) is RejectReason.TOO_MANY_PIXELS


def test_pixels_are_counted_not_sides() -> None:
    data = encoded(Image.new("RGB", (100, 50)), "PNG")
    assert upright(data, ImageLimits(max_pixels=5_000)).size == (100, 50)
    assert reason_of(data, ImageLimits(max_pixels=4_999)) is RejectReason.TOO_MANY_PIXELS


@pytest.mark.parametrize("file_format", ["JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "AVIF"])
def test_random_damage_never_leaks_another_error(file_format: str) -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6
    options = {} if file_format in ("GIF", "BMP") else {"exif": exif}
    whole = encoded(corners_picture(), file_format, **options)
    outcomes = set()
    for seed in range(60):
        rng = random.Random(seed)
        data = bytearray(whole)
        for _ in range(rng.randint(1, 8)):
            data[rng.randrange(min(len(data), 400))] = rng.randrange(256)
        try:
            outcomes.add(upright(bytes(data), ImageLimits(max_pixels=4_000_000)).mode)
        except ImageRejected as error:
            outcomes.add(error.reason)
    assert RejectReason.DAMAGED in outcomes
    assert outcomes <= {"RGB", *RejectReason}


def test_grey_without_numbers_is_damaged() -> None:
    empty = Image.new("F", (40, 40), float("nan"))
    assert reason_of(encoded(empty, "TIFF")) is RejectReason.DAMAGED
