"""A picture stands upright, whatever its camera noted and however badly."""

from collections.abc import Callable

import pytest
from PIL import ExifTags, Image

from engine.intake import upright
from tests.engine.pictures import (
    BLUE,
    GREEN,
    RED,
    WHITE,
    corners_picture,
    distance,
    encoded,
    quarters,
)


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("file_format", ["PNG", "JPEG", "WEBP", "TIFF", "AVIF"])
def test_orientation_is_undone_exactly(orientation: int, file_format: str) -> None:
    inverse: dict[int, Callable[[Image.Image], Image.Image]] = {
        1: lambda image: image,
        2: lambda image: image.transpose(Image.Transpose.FLIP_LEFT_RIGHT),
        3: lambda image: image.rotate(180),
        4: lambda image: image.transpose(Image.Transpose.FLIP_TOP_BOTTOM),
        5: lambda image: image.transpose(Image.Transpose.TRANSPOSE),
        6: lambda image: image.transpose(Image.Transpose.ROTATE_90),
        7: lambda image: image.transpose(Image.Transpose.TRANSVERSE),
        8: lambda image: image.transpose(Image.Transpose.ROTATE_270),
    }
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    stored = inverse[orientation](corners_picture(size=(64, 48)))
    lossless = {"lossless": True} if file_format == "WEBP" else {}
    image = upright(encoded(stored, file_format, exif=exif, **lossless))
    assert image.size == (64, 48)
    if file_format in ("PNG", "WEBP", "TIFF"):
        assert image.tobytes() == corners_picture(size=(64, 48)).tobytes()
    for found, wanted in zip(quarters(image), (RED, GREEN, BLUE, WHITE), strict=True):
        assert distance(found, wanted) < 30


@pytest.mark.parametrize(
    "exif",
    [
        b"Exif\0\0",
        b"Exif\0\0not a directory at all",
        b"Exif\0\0II*\0\x08\0\0\0\xff\xff",
        b"Exif\0\0II*\0\xff\xff\xff\xff",
        b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x02\0\0\0\x04abc\0\0\0\0\0",
        b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x63\0\0\0\0\0\0",
    ],
    ids=["empty", "prose", "cut", "outside", "text value", "value 99"],
)
@pytest.mark.parametrize("file_format", ["JPEG", "PNG", "WEBP"])
def test_broken_exif_is_no_reason_to_refuse(exif: bytes, file_format: str) -> None:
    image = upright(encoded(corners_picture(), file_format, exif=exif))
    assert image.size == (60, 40)


def test_turn_before_a_broken_tag_is_kept() -> None:
    exif = (
        b"Exif\0\0MM\0*\0\0\0\x08\0\x02"
        b"\x01\x12\0\x03\0\0\0\x01\0\x06\0\0"
        b"\x01\x0f\0\x02\0\0\xff\xff\0\0\xff\0\0\0\0\0"
    )
    assert upright(encoded(corners_picture(), "JPEG", exif=exif)).size == (40, 60)
