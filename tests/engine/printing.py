"""Pictures of printed text, rendered when a test needs them."""

import io
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

INK = (20, 20, 20)
PAPER = (250, 248, 240)
RECEIPT = (
    ("Espresso", "2.40"),
    ("Croissant", "3.10"),
    ("Bagel with salmon", "8.90"),
    ("Sparkling water", "2.20"),
    ("TOTAL", "16.60"),
)


def sheet(
    rows: Sequence[str],
    size: int = 24,
    font: ImageFont.FreeTypeFont | None = None,
    width: int = 360,
) -> Image.Image:
    """Rows of text under each other on plain paper."""
    typeface = font or ImageFont.load_default(size)
    step = int(size * 1.8)
    image = Image.new("RGB", (width, step * len(rows) + size), PAPER)
    draw = ImageDraw.Draw(image)
    for place, row in enumerate(rows):
        draw.text((size, size // 2 + place * step), row, INK, typeface)
    return image


def receipt(tilt: float = 0) -> Image.Image:
    """A receipt with prices on the right, lying on a table."""
    image = sheet([label for label, _ in RECEIPT], width=380)
    draw = ImageDraw.Draw(image)
    for place, (_, price) in enumerate(RECEIPT):
        draw.text((300, 12 + place * 43), price, INK, ImageFont.load_default(24))
    return image.rotate(tilt, Image.Resampling.BICUBIC, expand=True, fillcolor=(120, 110, 100))


def file_of(image: Image.Image, file_format: str = "PNG", **options: object) -> bytes:
    """The picture as a file."""
    file = io.BytesIO()
    image.save(file, file_format, **options)
    return file.getvalue()
