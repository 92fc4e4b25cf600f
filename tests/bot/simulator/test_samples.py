"""The sample pictures are what their script draws."""

import asyncio
import io
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.simulator import SAMPLES
from bot.simulator.samples import SAMPLES as DRAWN
from bot.simulator.samples import main


@pytest.mark.parametrize("name", DRAWN)
async def test_shipped_picture_is_the_drawn_one(name: str) -> None:
    shipped = Image.open(io.BytesIO(await asyncio.to_thread((SAMPLES / name).read_bytes)))
    drawn = Image.open(io.BytesIO(DRAWN[name]()))
    assert shipped.size == drawn.size
    # Compression may differ between versions of the library, what is seen may not.
    difference = ImageStat.Stat(ImageChops.difference(shipped, drawn).convert("L"))
    assert difference.mean[0] < 2


async def test_script_writes_all_three(tmp_path: Path) -> None:
    await asyncio.to_thread(main, tmp_path / "new")
    found = await asyncio.to_thread(lambda: {path.name for path in (tmp_path / "new").iterdir()})
    assert found == {"note.png", "receipt.jpg", "sign.png"}
