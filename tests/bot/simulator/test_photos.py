"""What becomes of a photo, and of a picture that is sent as a file."""

import io

import pytest
from PIL import Image

from bot.simulator import Simulator
from bot.simulator.files import LINK_LIFETIME_S
from bot.simulator.photos import dimensions, renditions
from bot.simulator.refusal import Refusal
from tests.bot.simulator.conftest import ME, NOTE, Api, Clock


def picture(width: int, height: int, kind: str = "JPEG", *, exif: bytes = b"") -> bytes:
    out = io.BytesIO()
    extra = {"exif": exif} if exif else {}
    Image.linear_gradient("L").resize((width, height)).convert("RGB").save(out, kind, **extra)
    return out.getvalue()


@pytest.mark.parametrize(
    ("size", "widths"),
    [
        ((60, 40), [60]),
        ((320, 128), [90, 320]),
        ((1000, 500), [90, 320, 800, 1000]),
        ((4000, 2000), [90, 320, 800, 1280]),
    ],
)
def test_sizes_are_telegrams(size: tuple[int, int], widths: list[int]) -> None:
    made = renditions(picture(*size))
    assert [one.width for one in made] == widths
    assert all(dimensions(one.data) == (one.width, one.height) for one in made)


def test_large_photo_if_asked() -> None:
    assert renditions(picture(4000, 2000), largest_side=2560)[-1].width == 2560


def test_photo_is_upright_and_bare() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    made = renditions(picture(60, 40, exif=exif.tobytes()))[0]
    assert (made.width, made.height) == (40, 60)
    assert not Image.open(io.BytesIO(made.data)).getexif()


def test_clear_parts_turn_white() -> None:
    out = io.BytesIO()
    Image.new("RGBA", (50, 50), (0, 0, 0, 0)).save(out, "PNG")
    made = Image.open(io.BytesIO(renditions(out.getvalue())[0].data))
    assert made.getpixel((25, 25)) == (255, 255, 255)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "file must be non-empty"),
        (b"no picture", "IMAGE_PROCESS_FAILED"),
        (picture(400, 300)[:400], "IMAGE_PROCESS_FAILED"),
        (picture(2100, 100), "PHOTO_INVALID_DIMENSIONS"),
    ],
    ids=["empty", "text", "torn", "strip"],
)
def test_unfit_photo_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(Refusal) as refusal:
        renditions(data)
    assert refusal.value.description == f"Bad Request: {words}"


async def test_bot_may_not_send_what_people_may(api: Api, simulator: Simulator) -> None:
    large = picture(9000, 1001)
    shown = await simulator.scene.crowd.show_photo(ME, large)
    assert shown.media is not None
    assert (shown.media.best.width, shown.media.best.height) == (1280, 142)
    files = {"photo": ("large.jpg", large, "image/jpeg")}
    fields = {"chat_id": str(ME.chat_id)}
    answer = (await api.client.post(f"{api.base}/sendPhoto", data=fields, files=files)).json()
    assert answer["description"] == "Bad Request: PHOTO_INVALID_DIMENSIONS"


async def test_document_keeps_bytes_and_gets_a_preview(simulator: Simulator) -> None:
    media = await simulator.scene.files.document(NOTE, "a/b\\note.png")
    assert (media.file_name, media.best.mime_type) == ("note.png", "image/png")
    assert media.thumbnail is not None
    assert (media.thumbnail.width, media.thumbnail.height) == (320, 128)
    assert await simulator.scene.files.read(media.best) == NOTE


async def test_sticker_has_its_size(simulator: Simulator) -> None:
    message = await simulator.scene.crowd.show_sticker(ME, picture(512, 400, "WEBP"), "🙂")
    sticker = simulator.scene.updates.pending[-1].payload["sticker"]
    assert isinstance(sticker, dict)
    assert (sticker["width"], sticker["height"], sticker["emoji"]) == (512, 400, "🙂")
    assert message.media is not None


async def test_big_file_is_not_handed_out(api: Api, simulator: Simulator) -> None:
    media = await simulator.scene.files.document(bytes(20 * 2**20 + 1), "big.bin")
    file_id = simulator.scene.files.file_id(media.best)
    assert await api.refusal("getFile", file_id=file_id) == "Bad Request: file is too big"


async def test_link_ends_after_an_hour(simulator: Simulator, clock: Clock) -> None:
    media = await simulator.scene.files.document(NOTE, "note.png")
    path = simulator.scene.files.open_link(media.best)
    assert simulator.scene.files.by_link(path) == media.best
    clock.pass_by(LINK_LIFETIME_S + 1)
    with pytest.raises(Refusal):
        simulator.scene.files.by_link(path)


async def test_file_id_of_another_bot_is_refused(api: Api, simulator: Simulator) -> None:
    media = await simulator.scene.files.document(NOTE, "note.png")
    file_id = simulator.scene.files.file_id(media.best)
    foreign = file_id[:4] + "NzE" + file_id[7:]
    words = "Bad Request: wrong file_id or the file is temporarily unavailable"
    assert await api.refusal("getFile", file_id=foreign) == words
