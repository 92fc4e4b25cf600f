"""The right file of a message, and its bytes in spite of the network."""

import asyncio
from typing import Any

import pytest
from telegram import Bot
from telegram.error import TimedOut

from bot.questions import PhotoNotFetched
from bot.telegram.downloads import Downloads, PhotoFile, photo_file
from bot.telegram.errors import FileNotFetched, FileTooBig
from bot.telegram.outbox import Outbox
from tests.bot.telegram.clockwork import HandClock
from tests.bot.telegram.messages import message_of, photo_json
from tests.bot.telegram.offline import RecordingRequest, Refusal

FILE = PhotoFile("p", 5)


def document(kind: str | None, **fields: Any) -> dict[str, Any]:
    about = {"file_id": "d", "file_unique_id": "d", "mime_type": kind, "file_size": 9}
    return {"document": about | fields}


def sticker(*, is_animated: bool = False, is_video: bool = False) -> dict[str, Any]:
    about = {"file_id": "s", "file_unique_id": "s", "type": "regular", "width": 9, "height": 9}
    return {"sticker": about | {"is_animated": is_animated, "is_video": is_video}}


@pytest.fixture
def downloads(bot: Bot, clock: HandClock) -> Downloads:
    return Downloads(bot, Outbox(clock), clock)


async def fetched(downloads: Downloads, clock: HandClock, file: PhotoFile = FILE) -> bytes:
    task = asyncio.create_task(downloads.fetch(file))
    await clock.advance(60)
    return await task


@pytest.mark.parametrize(
    ("fields", "file_id"),
    [
        ({"photo": photo_json("p")}, "p"),
        (document("image/png"), "d"),
        (document("application/octet-stream"), "d"),
        (document(None), "d"),
        (document("video/mp4"), None),
        (document("audio/mpeg"), None),
        (sticker(), "s"),
        (sticker(is_animated=True), None),
        (sticker(is_video=True), None),
        ({"text": "hello"}, None),
    ],
    ids=[
        "photo",
        "png",
        "generic",
        "untyped",
        "video",
        "audio",
        "sticker",
        "animated",
        "moving",
        "text",
    ],
)
def test_best_file_of_each_kind(fields: dict[str, Any], file_id: str | None) -> None:
    file = photo_file(message_of(1, **fields))
    assert (file.file_id if file else None) == file_id


async def test_bytes_come_from_the_files_address(
    downloads: Downloads, request_: RecordingRequest, clock: HandClock
) -> None:
    request_.files["p"] = b"bytes"
    assert await fetched(downloads, clock) == b"bytes"


async def test_size_is_checked_before_anything(
    downloads: Downloads, request_: RecordingRequest
) -> None:
    with pytest.raises(FileTooBig):
        await downloads.fetch(PhotoFile("p", 21_000_000))
    assert not request_.named("getFile")


@pytest.mark.parametrize(
    ("method", "fault"),
    [
        ("getFile", TimedOut()),
        ("file", TimedOut()),
        ("file", Refusal(502, "Bad Gateway")),
        ("file", Refusal(404, "Not Found")),
        ("getFile", Refusal(429, "Too Many Requests: retry after 7", {"retry_after": 7})),
    ],
    ids=["timeout", "slow-file", "gateway", "expired-link", "flood"],
)
async def test_passing_fault_is_tried_again(
    downloads: Downloads,
    request_: RecordingRequest,
    clock: HandClock,
    method: str,
    fault: Refusal | Exception,
) -> None:
    request_.files["p"] = b"bytes"
    request_.faults[method] = [fault]
    assert await fetched(downloads, clock) == b"bytes"
    assert len(request_.named("getFile")) == 2


async def test_file_cut_short_is_fetched_again(
    downloads: Downloads, request_: RecordingRequest, clock: HandClock
) -> None:
    request_.files["p"] = b"bytes"
    request_.faults["file"] = [Refusal(200, "short")]
    request_.files["p"] = b"b" * 500
    assert await fetched(downloads, clock) == b"b" * 500


async def test_tries_are_bounded(
    downloads: Downloads, request_: RecordingRequest, clock: HandClock
) -> None:
    request_.faults["file"] = [TimedOut() for _ in range(9)]
    request_.files["p"] = b"bytes"
    with pytest.raises(FileNotFetched) as caught:
        await fetched(downloads, clock)
    assert not caught.value.gone
    assert len(request_.named("file")) == 3


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("Bad Request: file is too big", FileTooBig),
        ("Bad Request: wrong file_id or the file is temporarily unavailable", FileNotFetched),
    ],
    ids=["too-big", "gone"],
)
async def test_refusal_is_not_repeated(
    downloads: Downloads,
    request_: RecordingRequest,
    clock: HandClock,
    description: str,
    expected: type[Exception],
) -> None:
    request_.faults["getFile"] = [Refusal(400, description)]
    with pytest.raises(expected):
        await fetched(downloads, clock)
    request_.faults["getFile"] = [Refusal(400, description)]
    with pytest.raises(PhotoNotFetched) as caught:
        await downloads.fetch_again("p")
    assert caught.value.is_gone
