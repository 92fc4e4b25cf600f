"""Draws the three sample pictures of the page: `python -m bot.simulator.samples [FOLDER]`."""

import io
import random
import sys
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter, ImageFont

_RECEIPT = (
    ("CORNER BAKERY", ""),
    ("12 Mill Lane", ""),
    ("", ""),
    ("2 Rye bread", "7.80"),
    ("1 Butter", "2.45"),
    ("3 Plum cake", "9.60"),
    ("", ""),
    ("TOTAL", "19.85"),
    ("CARD", "19.85"),
    ("", ""),
    ("Thank you", ""),
)
_PAPER = (247, 244, 236)
_INK = (52, 49, 46)
_TABLE = (96, 71, 52)


def note() -> bytes:
    """Plain text on white: what the small reading model was made for."""
    picture = Image.new("RGB", (320, 128), "white")
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(32)
    for row, line in enumerate(("OPEN 9-17 DAILY", "Closed on Sunday")):
        draw.text((18, 22 + 44 * row), line, fill="black", font=font)
    return _encoded(picture, "PNG")


def receipt(seed: int = 7) -> bytes:
    """A till receipt on a table, slightly turned, a little noisy and out of focus."""
    dice = random.Random(seed)
    paper = Image.new("RGB", (470, 640), _PAPER)
    draw = ImageDraw.Draw(paper)
    font, small = ImageFont.load_default(34), ImageFont.load_default(28)
    for row, (left, right) in enumerate(_RECEIPT):
        top = 50 + 50 * row
        middle = not right
        place = (235.0 - draw.textlength(left, small if row else font) / 2 if middle else 40.0, top)
        hand = font if row in {0, 7} else small
        draw.text(place, left, fill=_INK, font=hand)
        draw.text((430, top), right, fill=_INK, font=hand, anchor="ra")
    draw.line((40, 386, 430, 386), fill=_INK, width=2)
    table = Image.new("RGB", (720, 860), _TABLE)
    mask = Image.new("L", paper.size, 255).rotate(
        2.2, expand=True, resample=Image.Resampling.BICUBIC
    )
    turned = paper.rotate(2.2, expand=True, resample=Image.Resampling.BICUBIC)
    shadow = Image.new("L", table.size, 0)
    shadow.paste(mask.point(lambda value: value * 0.55), (118, 104))
    table.paste((20, 14, 10), (0, 0), shadow.filter(ImageFilter.GaussianBlur(14)))
    table.paste(turned, (106, 90), mask)
    return _encoded(_noisy(table, dice).filter(ImageFilter.GaussianBlur(0.6)), "JPEG")


def sign() -> bytes:
    """White letters on a coloured sign."""
    picture = Image.new("RGB", (640, 400), (214, 222, 226))
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle((30, 30, 610, 370), 36, fill=(17, 94, 89))
    draw.rounded_rectangle((44, 44, 596, 356), 26, outline="white", width=5)
    for top, size, line in ((92, 76, "PLATFORM 4"), (208, 50, "Trains to Harbour")):
        font = ImageFont.load_default(size)
        draw.text((320, top), line, fill="white", font=font, anchor="ma")
    return _encoded(picture, "PNG")


SAMPLES = {"note.png": note, "receipt.jpg": receipt, "sign.png": sign}


def _noisy(picture: Image.Image, dice: random.Random) -> Image.Image:
    grain = Image.frombytes("L", picture.size, dice.randbytes(picture.width * picture.height))
    grain = grain.filter(ImageFilter.GaussianBlur(0.8)).convert("RGB")
    # Light falls off towards one corner, as on a photo taken by hand.
    light = Image.linear_gradient("L").resize(picture.size).rotate(180).convert("RGB")
    shaded = Image.blend(picture, light, 0.13)
    return Image.blend(shaded, grain, 0.09)


def _encoded(picture: Image.Image, kind: str) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, quality=82, optimize=True)
    return out.getvalue()


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in SAMPLES.items():
        (folder / name).write_bytes(draw())


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "page" / "samples")
