"""Photos as Telegram keeps them: turned upright, shrunk to several sizes, compressed anew.

Knows bytes and pixels only.
"""

import io
from dataclasses import dataclass

from PIL import Image, ImageOps

from bot.simulator.refusal import bad_request

MAX_PHOTO_BYTES = 10 * 2**20
MAX_SIDES_SUM = 10_000
MAX_RATIO = 20
STANDARD_SIDE = 1280
LARGE_SIDE = 2560
# The sides of the sizes that Telegram calls s, m, x, y, w.
_SIDES = (90, 320, 800, STANDARD_SIDE, LARGE_SIDE)
_QUALITY = 87
_UNREADABLE = (
    OSError,
    ValueError,
    SyntaxError,
    Image.DecompressionBombError,
    Image.DecompressionBombWarning,
)


@dataclass(frozen=True, slots=True)
class Rendition:
    """One size of a photo."""

    data: bytes
    width: int
    height: int


def renditions(data: bytes, *, largest_side: int = STANDARD_SIDE) -> list[Rendition]:
    """All sizes of a photo, small to large; refuses what no photo can be."""
    if not data:
        raise bad_request("File must be non-empty")
    picture = _upright(data)
    longest = max(picture.size)
    sides = [side for side in _SIDES if side <= largest_side]
    targets = [side for side in sides if side < longest] + [min(longest, largest_side)]
    made = []
    # From large to small, each from the one before: much less work than always from the original.
    for side in reversed(dict.fromkeys(targets)):
        picture = _scaled(picture, side)
        made.append(_rendition(picture))
    return made[::-1]


def check_upload(data: bytes) -> None:
    """What a bot may send as a photo; people's own programs shrink a larger one beforehand."""
    if len(data) > MAX_PHOTO_BYTES:
        raise bad_request(f"File is too big; the limit for a photo is {MAX_PHOTO_BYTES} bytes")
    if sum(dimensions(data)) > MAX_SIDES_SUM:
        raise bad_request("PHOTO_INVALID_DIMENSIONS")


def dimensions(data: bytes) -> tuple[int, int]:
    """Width and height from the header, (0, 0) for what is no picture."""
    try:
        with Image.open(io.BytesIO(data)) as picture:
            return picture.size
    except _UNREADABLE:
        return 0, 0


def thumbnail(data: bytes) -> Rendition | None:
    """The preview of a picture that was sent as a file; None for anything else."""
    width, height = dimensions(data)
    if not width or width + height > MAX_SIDES_SUM:
        return None
    try:
        return _rendition(_scaled(_decoded(data), 320))
    except _UNREADABLE:
        return None


def _upright(data: bytes) -> Image.Image:
    width, height = dimensions(data)
    if not width:
        raise bad_request("IMAGE_PROCESS_FAILED")
    if max(width, height) > MAX_RATIO * min(width, height):
        raise bad_request("PHOTO_INVALID_DIMENSIONS")
    try:
        return _decoded(data)
    except _UNREADABLE as error:
        raise bad_request("IMAGE_PROCESS_FAILED") from error


def _decoded(data: bytes) -> Image.Image:
    with Image.open(io.BytesIO(data)) as source:
        picture = ImageOps.exif_transpose(source)
        if not picture.has_transparency_data:
            return picture.convert("RGB")
        clear = picture.convert("RGBA")
        white = Image.new("RGBA", clear.size, "white")
        return Image.alpha_composite(white, clear).convert("RGB")


def _scaled(picture: Image.Image, side: int) -> Image.Image:
    scale = side / max(picture.size)
    if scale >= 1:
        return picture
    size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
    return picture.resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0)


def _rendition(picture: Image.Image) -> Rendition:
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=_QUALITY)
    return Rendition(out.getvalue(), *picture.size)
