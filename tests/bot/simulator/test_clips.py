"""What is no plain picture: clips and their stills, places and contacts, late items of albums."""

import httpx
import pytest
from telegram import Bot, Message

from bot.simulator import Simulator
from tests.bot.simulator import spec
from tests.bot.simulator.conftest import FORM, NOTE, PRIVATE_ID, RECEIPT, SIGN, Api, Control

ME = {"person_id": PRIVATE_ID, "chat_id": PRIVATE_ID}
WITH_STILL = ["live_photo", "animation", "video", "video_note", "sticker"]


@pytest.fixture
def url(simulator: Simulator) -> str:
    return f"{simulator.url}/control"


async def sent(bot: Bot) -> Message:
    (update,) = await bot.get_updates(timeout=0)
    assert update.message is not None
    return update.message


@pytest.mark.parametrize("kind", [*WITH_STILL, "voice", "audio"])
async def test_clips_are_what_the_specification_says(
    kind: str, client: httpx.AsyncClient, url: str, bot: Bot, api: Api
) -> None:
    files = {"file": ("clip.mp4", b"moving", "video/mp4"), "still": ("s.png", SIGN, "image/png")}
    made = (await client.post(f"{url}/clips", data=FORM | {"kind": kind}, files=files)).json()
    made.pop("reactions")
    assert spec.objections(made, ("Message",)) == []
    message = await sent(bot)
    clip = getattr(message, kind)
    file = await clip.get_file()
    assert bytes(await file.download_as_bytearray()) == b"moving"
    if kind == "live_photo":
        assert message.photo[-1].width == clip.width
    elif kind in WITH_STILL:
        assert clip.thumbnail is not None
    assert (message.document is not None) is (kind == "animation")


@pytest.mark.parametrize("kind", ["location", "contact", "dice"])
async def test_what_people_share(kind: str, control: Control, bot: Bot) -> None:
    made = await control.post("shares", **ME, kind=kind)
    made.pop("reactions")
    assert spec.objections(made, ("Message",)) == []
    message = await sent(bot)
    assert getattr(message, kind) is not None
    assert message.text is None


async def test_album_gets_a_late_item(
    client: httpx.AsyncClient, url: str, control: Control
) -> None:
    files = {f"file{n}": (f"{n}.png", data, "image/png") for n, data in ((1, NOTE), (2, SIGN))}
    made = (await client.post(f"{url}/albums", data=FORM, files=files)).json()
    album = {"album_id": made[0]["media_group_id"], "caption": "late"}
    late = {"file": ("r.jpg", RECEIPT, "image/jpeg")}
    joined = (await client.post(f"{url}/albums", data=FORM | album, files=late)).json()
    assert joined[0]["media_group_id"] == made[0]["media_group_id"]
    assert joined[0]["caption"] == "late"
    stray = await client.post(f"{url}/albums", data=FORM | {"album_id": "1"}, files=late)
    assert stray.json() == {"error": "album not found"}
    assert len(await control.transcript(PRIVATE_ID)) == 3


async def test_album_arrives_backwards(client: httpx.AsyncClient, url: str, bot: Bot) -> None:
    files = {f"file{n}": (f"{n}.png", data, "image/png") for n, data in ((1, NOTE), (2, SIGN))}
    await client.post(f"{url}/albums", data=FORM | {"backwards": "1"}, files=files)
    updates = await bot.get_updates(timeout=0)
    assert [update.message and update.message.message_id for update in updates] == [2, 1]
    assert [update.update_id for update in updates] == sorted(u.update_id for u in updates)


async def test_album_of_files_keeps_their_names(client: httpx.AsyncClient, url: str) -> None:
    pdf = ("scan.pdf", b"%PDF-1.7", "application/pdf")
    files = {"file1": ("a.png", NOTE, "image/png"), "file2": pdf}
    made = (await client.post(f"{url}/albums", data=FORM | {"as_files": "1"}, files=files)).json()
    names = [(item["document"]["file_name"], item["document"]["mime_type"]) for item in made]
    assert names == [("a.png", "image/png"), ("scan.pdf", "application/pdf")]
    late = FORM | {"as_files": "1", "album_id": made[0]["media_group_id"]}
    joined = (await client.post(f"{url}/albums", data=late, files={"file": pdf})).json()
    assert joined[0]["document"]["file_name"] == "scan.pdf"


@pytest.mark.parametrize(("path", "kinds"), [("clips", "live_photo, animation"), ("shares", "loc")])
async def test_unknown_kinds_are_refused(path: str, kinds: str, control: Control) -> None:
    answer = await control.post(path, **ME, kind="smell")
    assert str(answer["error"]).startswith(f"kind is one of {kinds}")
