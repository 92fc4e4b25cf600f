"""Every mode becomes opaque RGB in which the ink can still be read."""

import pytest
from PIL import Image, ImageDraw

from engine.intake import upright
from tests.engine.pictures import WHITE, distance, encoded, grey_ramp, ink_on_nothing


@pytest.mark.parametrize("mode", ["1", "L", "P", "LA", "RGBA"])
def test_plain_modes_become_rgb_exactly(mode: str) -> None:
    shades = Image.linear_gradient("L").resize((64, 64)).convert("1" if mode == "1" else "L")
    image = upright(encoded(shades.convert(mode), "PNG"))
    assert image.tobytes() == shades.convert("RGB").tobytes()


def test_lab_colours_are_understood() -> None:
    paper = Image.new("LAB", (60, 40), (255, 128, 128))
    assert distance(upright(encoded(paper, "TIFF")).getpixel((5, 5)), WHITE) <= 1


@pytest.mark.parametrize("ink", [0, 255], ids=["black", "white"])
@pytest.mark.parametrize("mode", ["LA", "RGBA", "P"])
def test_ink_on_transparency_stays_readable(ink: int, mode: str) -> None:
    image = upright(encoded(ink_on_nothing(ink, mode), "PNG")).convert("L")
    assert image.getpixel((30, 24)) == ink
    assert image.getpixel((2, 2)) == 255 - ink


def test_black_and_white_ink_are_both_readable() -> None:
    layer = ink_on_nothing(0, "LA")
    ImageDraw.Draw(layer).rectangle((16, 32, 47, 39), (255, 255))
    image = upright(encoded(layer, "PNG")).convert("L")
    ground, black, white = (image.getpixel(place) for place in ((2, 2), (30, 24), (30, 36)))
    assert (black, white) == (0, 255)
    assert isinstance(ground, int)
    assert 60 < ground < 195


def test_coloured_sticker_stands_on_white() -> None:
    layer = Image.new("RGBA", (64, 64), (0, 0, 0, 0))
    ImageDraw.Draw(layer).ellipse((8, 8, 56, 56), (200, 30, 30, 255))
    assert upright(encoded(layer, "WEBP", lossless=True)).getpixel((1, 1)) == WHITE


def test_nothing_visible_is_a_white_picture() -> None:
    image = upright(encoded(Image.new("RGBA", (40, 40), (9, 9, 9, 0)), "PNG"))
    assert image.getextrema() == ((255, 255),) * 3


def test_half_transparent_ink_is_blended() -> None:
    image = upright(encoded(Image.new("RGBA", (40, 40), (0, 0, 0, 128)), "PNG"))
    assert distance(image.getpixel((9, 9)), (127, 127, 127)) <= 1


@pytest.mark.parametrize(
    ("mode", "file_format", "ceiling"),
    [
        ("I;16", "PNG", 65535),
        ("I;16", "TIFF", 65535),
        ("I;16", "PNG", 4095),
        ("I", "TIFF", 65535),
        ("I", "TIFF", 2**30),
        ("F", "TIFF", 1.0),
        ("F", "TIFF", 255.0),
    ],
)
def test_deep_grey_keeps_its_shades(mode: str, file_format: str, ceiling: float) -> None:
    image = upright(encoded(grey_ramp(mode, ceiling), file_format)).convert("L")
    shades = [image.getpixel((column, 20)) for column in (0, 21, 42, 63)]
    for found, wanted in zip(shades, (0, 85, 170, 255), strict=True):
        assert isinstance(found, int)
        assert abs(found - wanted) <= 1
