"""Every odd picture that a person can send ends as an upright RGB image or a plain refusal."""

import io
import random
import struct
import threading
import warnings
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import ExifTags, Image, ImageDraw

from engine.errors import ImageRejected, RejectReason
from engine.hush import pillow_warnings
from engine.intake import (
    MIN_SIDE,
    ImageLimits,
    content_key,
    original,
    proportioned,
    upright,
)

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)


def encoded(image: Image.Image, file_format: str, **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, file_format, **options)
    return file.getvalue()


def corners_picture(mode: str = "RGB", size: tuple[int, int] = (60, 40)) -> Image.Image:
    """Red, green, blue and white quarters: any turn of it is seen."""
    image = Image.new("RGB", size, WHITE)
    draw = ImageDraw.Draw(image)
    width, height = size[0] // 2, size[1] // 2
    draw.rectangle((0, 0, width - 1, height - 1), RED)
    draw.rectangle((width, 0, size[0], height - 1), GREEN)
    draw.rectangle((0, height, width - 1, size[1]), BLUE)
    return image.convert(mode)


def ink_on_nothing(ink: int, mode: str) -> Image.Image:
    layer = Image.new("LA", (64, 48), (0, 0))
    ImageDraw.Draw(layer).rectangle((16, 20, 47, 27), (ink, 255))
    if mode == "P":
        return layer.convert("RGBA").quantize(8)
    return layer.convert(mode)


def grey_ramp(mode: str, ceiling: float) -> Image.Image:
    ramp = Image.new("F", (64, 40))
    ramp.putdata([ceiling * (place % 64) / 63 for place in range(64 * 40)])
    return ramp.convert("I").convert("I;16") if mode == "I;16" else ramp.convert(mode)


def png_header(width: int, height: int) -> bytes:
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = zlib.compress(b"\0" * 64)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(part) - 4) + part + struct.pack(">I", zlib.crc32(part))
        for part in (body, b"IDAT" + data, b"IEND")
    )


def bmp_header(width: int, height: int) -> bytes:
    return (
        b"BM"
        + struct.pack("<IHHI", 1 << 20, 0, 0, 54)
        + struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, 0, 0, 0, 0, 0)
    )


def webp_header(width: int, height: int) -> bytes:
    sizes = struct.pack("<I", width - 1)[:3] + struct.pack("<I", height - 1)[:3]
    body = b"WEBPVP8X" + struct.pack("<I", 10) + b"\x02\0\0\0" + sizes
    return b"RIFF" + struct.pack("<I", len(body)) + body


def reason_of(data: bytes, limits: ImageLimits | None = None) -> RejectReason:
    with pytest.raises(ImageRejected) as caught:
        upright(data, limits or ImageLimits())
    return caught.value.reason


def distance(first: object, second: tuple[int, int, int]) -> int:
    assert isinstance(first, tuple)
    return max(abs(int(one) - other) for one, other in zip(first, second, strict=True))


def quarters(image: Image.Image) -> list[object]:
    width, height = image.size
    places = [(width // 4, height // 4), (3 * width // 4, height // 4)]
    places += [(width // 4, 3 * height // 4), (3 * width // 4, 3 * height // 4)]
    return [image.getpixel(place) for place in places]


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
    ],
)
def test_each_format_keeps_its_colours(file_format: str, mode: str) -> None:
    image = upright(encoded(corners_picture(mode), file_format))
    assert image.mode == "RGB"
    assert image.size == (60, 40)
    for found, wanted in zip(quarters(image), (RED, GREEN, BLUE, WHITE), strict=True):
        assert distance(found, wanted) < 30


def test_lab_colours_are_understood() -> None:
    paper = Image.new("LAB", (60, 40), (255, 128, 128))
    assert distance(upright(encoded(paper, "TIFF")).getpixel((5, 5)), WHITE) <= 1


@pytest.mark.parametrize("mode", ["1", "L", "P", "LA", "RGBA"])
def test_plain_modes_become_rgb_exactly(mode: str) -> None:
    shades = Image.linear_gradient("L").resize((64, 64)).convert("1" if mode == "1" else "L")
    image = upright(encoded(shades.convert(mode), "PNG"))
    assert image.tobytes() == shades.convert("RGB").tobytes()


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


def test_grey_without_numbers_is_damaged() -> None:
    empty = Image.new("F", (40, 40), float("nan"))
    assert reason_of(encoded(empty, "TIFF")) is RejectReason.DAMAGED


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


@pytest.mark.parametrize("file_format", ["JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "AVIF"])
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


def odd_files() -> list[bytes]:
    """A maker tag longer than its file, a tag of one value with two, a wrong animation chunk."""
    exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x0f\x01\x02\0\xff\xff\0\0\xff\0\0\0\0\0\0\0"
    tiff = bytearray(encoded(corners_picture(), "TIFF"))
    tiff[tiff.index(struct.pack("<HHI", 284, 3, 1)) + 4] = 2
    chunk = b"acTL" + struct.pack(">II", 0, 0)
    png = encoded(corners_picture(), "PNG")
    wrong = struct.pack(">I", 8) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return [
        encoded(corners_picture(), "JPEG", exif=exif),
        bytes(tiff),
        png[:33] + wrong + png[33:],
    ]


@pytest.mark.parametrize("place", range(3), ids=["exif", "tiff", "apng"])
def test_odd_file_is_read_without_a_warning(place: int) -> None:
    data = odd_files()[place]
    with pytest.warns(UserWarning), Image.open(io.BytesIO(data)) as image:  # noqa: PT030, PT031
        image.getexif()
        image.load()
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        assert upright(data).size == (60, 40)
    assert heard == []


def test_other_threads_still_hear_pillow() -> None:
    inside, told = threading.Event(), threading.Event()

    def hush_until_told() -> None:
        with pillow_warnings.unheard():
            pillow_warnings.warn("nobody hears this")
            inside.set()
            assert told.wait(30)

    with ThreadPoolExecutor(1) as pool:
        hushed = pool.submit(hush_until_told)
        assert inside.wait(30)
        with pytest.warns(UserWarning, match="heard by all"):
            pillow_warnings.warn("heard by all")
        told.set()
        hushed.result()


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
