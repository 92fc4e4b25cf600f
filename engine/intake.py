"""From the bytes of a sent file to an upright, opaque RGB image, bounded before it is decoded.

Knows Pillow and its plugins only: no model, no budget of tokens and no chat platform.
"""

import hashlib
import io
import math
import struct
import zlib
from dataclasses import dataclass

from PIL import ExifTags, Image, UnidentifiedImageError
from pillow_heif import register_heif_opener

from engine.errors import ImageRejected, OutOfMemory, RejectReason
from engine.hush import pillow_warnings
from engine.opaque import opaque

INTAKE_VERSION = "1"
MAX_ASPECT_RATIO = 200
MIN_SIDE = 32

FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "AVIF", "HEIF")
HEIC_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")

TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}

# All that Pillow was seen to raise at a damaged file; it names no common root.
UNREADABLE = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)


@dataclass(frozen=True, slots=True)
class ImageLimits:
    """What a file may cost; its pixels are counted from the header, before anything is decoded."""

    max_bytes: int = 32 * 1024 * 1024
    max_pixels: int = 80_000_000


DEFAULT_LIMITS = ImageLimits()

# Pillow has no decoder of its own for what iPhones make.
register_heif_opener()


def upright(data: bytes, limits: ImageLimits = DEFAULT_LIMITS) -> Image.Image:
    """The picture as a model takes it: RGB, upright, neither tiny nor thinner than 1 : 200.

    Of an animation it is the first frame. Raises ImageRejected or OutOfMemory, nothing else.
    """
    return proportioned(original(data, limits))


def original(data: bytes, limits: ImageLimits = DEFAULT_LIMITS) -> Image.Image:
    """The same with the very pixels of the file, however small or thin the picture is."""
    if not data:
        raise ImageRejected(RejectReason.EMPTY)
    if len(data) > limits.max_bytes:
        raise ImageRejected(RejectReason.TOO_MANY_BYTES, f"{len(data)} of {limits.max_bytes}")
    try:
        with pillow_warnings.unheard():
            return _decoded(data, limits)
    except UnidentifiedImageError:
        raise ImageRejected(_why_unidentified(data)) from None
    except Image.DecompressionBombError:
        raise ImageRejected(RejectReason.TOO_MANY_PIXELS) from None
    except MemoryError as error:
        raise OutOfMemory("decoding a picture") from error
    except UNREADABLE as error:
        raise ImageRejected(RejectReason.DAMAGED) from error


def proportioned(image: Image.Image) -> Image.Image:
    """The picture with sides of at least 32 pixels and at most 200 to 1, padded and enlarged."""
    long_side = max(image.size)
    floor = math.ceil(long_side / MAX_ASPECT_RATIO)
    if min(image.size) < floor:
        image = _padded(image, max(image.width, floor), max(image.height, floor))
    short_side = min(image.size)
    if short_side >= MIN_SIDE:
        return image
    scale = MIN_SIDE / short_side
    size = (round(image.width * scale), round(image.height * scale))
    return image.resize(size, Image.Resampling.BICUBIC)


def content_key(image: Image.Image, version: str = INTAKE_VERSION) -> str:
    """SHA-256 of what a model sees: equal keys mean equal features from the same processor."""
    head = f"{version} {image.mode} {image.width}x{image.height} ".encode()
    return hashlib.sha256(head + image.tobytes()).hexdigest()


def _decoded(data: bytes, limits: ImageLimits) -> Image.Image:
    with Image.open(io.BytesIO(data), formats=FORMATS) as image:
        _check_pixels(image, limits)
        image.load()
        # A frame may turn out larger than the header of its file said.
        _check_pixels(image, limits)
        turn = TURNS.get(_orientation(image))
        picture = opaque(image)
    return picture.transpose(turn) if turn is not None else picture


def _check_pixels(image: Image.Image, limits: ImageLimits) -> None:
    if image.width * image.height > limits.max_pixels:
        raise ImageRejected(RejectReason.TOO_MANY_PIXELS, f"{image.width}x{image.height}")


def _orientation(image: Image.Image) -> int:
    try:
        value = image.getexif().get(ExifTags.Base.Orientation)
    except UNREADABLE:
        return 1
    return value if isinstance(value, int) else 1


def _why_unidentified(data: bytes) -> RejectReason:
    """A file that begins like a picture was one, before it lost the rest of its header."""
    head = data[:16].ljust(16, b"\0")
    if head[4:8] == b"ftyp" and head[8:12] in HEIC_BRANDS:
        return RejectReason.NOT_SUPPORTED
    tests = (Image.OPEN[name][1] for name in FORMATS)
    if any(accepts is not None and accepts(head) is True for accepts in tests):
        return RejectReason.DAMAGED
    return RejectReason.NOT_AN_IMAGE


def _padded(image: Image.Image, width: int, height: int) -> Image.Image:
    """The picture in the middle of a larger one of the colour of its corner."""
    canvas = Image.new("RGB", (width, height), image.getpixel((0, 0)))
    canvas.paste(image, ((width - image.width) // 2, (height - image.height) // 2))
    return canvas
