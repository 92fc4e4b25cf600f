"""The real networks: what is printed is what is read, and nothing leaves the machine."""

import logging
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont, ImageOps

from engine.errors import ModelNotUsable
from engine.intake import original
from engine.lines import text_of
from engine.ocr import finding
from engine.ocr.line_reader import RapidLineReader
from engine.ocr.networks import MODEL_FILES, MODELS, Networks
from engine.ocr.page import read_page
from tests.engine.printing import RECEIPT, file_of, receipt, sheet

CJK_FONTS = (
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
    "/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc",
    "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
    "/System/Library/Fonts/PingFang.ttc",
)
RECEIPT_TEXT = "\n".join(f"{label}  {price}" for label, price in RECEIPT)


@pytest.fixture(scope="module")
def networks() -> Networks:
    return Networks(1)


def text_in(image: Image.Image, networks: Networks) -> str:
    return text_of(read_page(image, networks))


@pytest.mark.parametrize(
    "rows",
    [
        ["Hello world"],
        ["Platform 9", "Departure 12:45", "Mind the gap!"],
        ["Invoice No. 2026-118", "EUR 1,249.50 (incl. 19% VAT)"],
    ],
    ids=["one", "three", "invoice"],
)
def test_clean_print_is_read_exactly(rows: list[str], networks: Networks) -> None:
    assert text_in(sheet(rows, width=440), networks) == "\n".join(rows)


def test_tilted_receipt_is_read_row_by_row(networks: Networks) -> None:
    photo = original(file_of(receipt(tilt=3), "JPEG", quality=75))
    assert text_in(photo, networks) == RECEIPT_TEXT


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_turned_page_is_read_as_if_upright(degrees: int, networks: Networks) -> None:
    assert text_in(receipt().rotate(degrees, expand=True), networks) == RECEIPT_TEXT


def test_light_print_on_dark_is_read(networks: Networks) -> None:
    assert text_in(ImageOps.invert(sheet(["Exit to the left"])), networks) == "Exit to the left"


def test_print_up_to_the_edge_is_read(networks: Networks) -> None:
    font = ImageFont.load_default(20)
    image = Image.new("RGB", (95, 22), "white")
    ImageDraw.Draw(image).text((1, -2), "Hello 42", "black", font)
    assert text_in(image, networks) == "Hello 42"


def test_two_columns_are_read_one_after_the_other(networks: Networks) -> None:
    left = ["The harbour was quiet", "when the first boat", "came in with its lamp"]
    right = ["Prices of bread rose", "after the bakers met", "in the town hall and"]
    image = Image.new("RGB", (600, 150), "white")
    image.paste(sheet(left, 20, width=290), (0, 0))
    image.paste(sheet(right, 20, width=290), (310, 0))
    assert text_in(image, networks) == "\n".join(left + right)


@pytest.mark.parametrize(
    "image",
    [
        Image.new("RGB", (300, 200), "white"),
        Image.new("RGB", (1, 1), "black"),
        Image.linear_gradient("L").convert("RGB"),
        Image.effect_noise((200, 150), 60).convert("RGB"),
    ],
    ids=["white", "pixel", "gradient", "noise"],
)
def test_picture_without_text_has_no_lines(image: Image.Image, networks: Networks) -> None:
    assert read_page(image, networks) == []


def test_corners_lie_around_the_print(networks: Networks) -> None:
    image = Image.new("RGB", (400, 200), "white")
    ImageDraw.Draw(image).text((120, 80), "Here it is", "black", ImageFont.load_default(32))
    (found,) = read_page(image, networks)
    bounds = ImageOps.invert(image).getbbox()
    assert bounds is not None
    left, top, right, bottom = bounds
    first, second, third, fourth = found.corners
    assert first.x <= left + 2
    assert first.y <= top + 2
    assert third.x >= right - 2
    assert third.y >= bottom - 2
    assert (second.x, fourth.y) == pytest.approx((third.x, third.y), abs=3)
    assert third.x - first.x < (right - left) * 1.3
    assert found.confidence > 0.9


def test_small_print_of_a_large_photo_is_read(
    networks: Networks, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A photo is large when it is larger than the views: smaller views spare time.
    monkeypatch.setattr(finding, "COARSE_PIXELS", 60_000)
    monkeypatch.setattr(finding, "STRIP_PIXELS", 200_000)
    rows = ["Best before: see the lid of the jar", "Contents 250 g, made in Porto"]
    photo = Image.new("RGB", (900, 600), "white")
    photo.paste(sheet(rows, 15, width=400), (300, 250))
    assert text_in(photo, networks) == "\n".join(rows)


def test_chinese_print_is_read(networks: Networks) -> None:
    path = next((path for path in CJK_FONTS if Path(path).is_file()), None)
    if path is None:
        pytest.skip("no font with Chinese characters on this machine")
    rows = ["欢迎光临", "今日特价 25 元"]
    image = sheet(rows, 36, ImageFont.truetype(path, 36))
    assert text_in(image, networks).replace(" ", "") == "\n".join(rows).replace(" ", "")


async def test_concurrent_askers_get_their_own_text() -> None:
    texts = [f"Ticket {number}" for number in (117, 242, 389, 560)]
    files = [file_of(sheet([text], width=200)) for text in texts]
    async with RapidLineReader(num_threads=1) as reader:
        tasks = [reader.read(data) for data in files]
        assert [text_of(await task) for task in tasks] == texts


def test_nothing_is_logged_of_a_picture(
    networks: Networks, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        read_page(sheet(["Secret words"]), networks)
        read_page(Image.new("RGB", (100, 100)), networks)
    assert [record for record in caplog.records if record.name == "RapidOCR"] == []
    assert logging.getLogger("RapidOCR").handlers == []


@pytest.mark.parametrize("name", MODEL_FILES.values())
def test_missing_model_is_named_and_not_fetched(name: str, tmp_path: Path) -> None:
    for other in set(MODEL_FILES.values()) - {name}:
        (tmp_path / other).symlink_to(MODELS / other)
    with pytest.raises(ModelNotUsable) as caught:
        Networks(1, tmp_path)
    assert caught.value.where == str(tmp_path / name)
    assert not (tmp_path / name).exists()


OFFLINE = """
import socket, sys

def refuse(*args, **kwargs):
    print("the network was tried", file=sys.stderr)
    raise OSError("no network")

socket.socket.connect = socket.socket.connect_ex = refuse
socket.getaddrinfo = socket.create_connection = refuse

import asyncio, pathlib
from engine.backends import create_line_reader
from engine.config import EngineConfig
from engine.reading import read

async def main():
    async with create_line_reader(EngineConfig(ocr_threads=1)) as reader:
        await read(reader, pathlib.Path(sys.argv[1]).read_bytes(), as_json=False)

asyncio.run(main())
"""


@pytest.mark.slow
def test_fresh_interpreter_reads_without_a_network(tmp_path: Path) -> None:
    photo = tmp_path / "photo.png"
    photo.write_bytes(file_of(sheet(["Read me offline"])))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", OFFLINE, str(photo)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[3],
    )
    assert (done.stdout, done.stderr, done.returncode) == ("Read me offline\n", "", 0)
