"""Odd pictures and files, made when a test needs them."""

import io
import struct
import zlib

from PIL import Image, ImageDraw

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


def distance(first: object, second: tuple[int, int, int]) -> int:
    assert isinstance(first, tuple)
    return max(abs(int(one) - other) for one, other in zip(first, second, strict=True))


def quarters(image: Image.Image) -> list[object]:
    width, height = image.size
    places = [(width // 4, height // 4), (3 * width // 4, height // 4)]
    places += [(width // 4, 3 * height // 4), (3 * width // 4, 3 * height // 4)]
    return [image.getpixel(place) for place in places]


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
