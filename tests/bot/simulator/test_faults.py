"""Faults as the real library meets them, planted over the control interface."""

import asyncio
from datetime import timedelta

import pytest
from telegram import Bot, InputFile
from telegram.error import (
    BadRequest,
    Conflict,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
    TimedOut,
)

from bot.simulator import Simulator
from tests.bot.simulator.conftest import GROUP_ID, ME, NOTE, PRIVATE_ID, Api, Control


def texts(simulator: Simulator) -> list[str]:
    return [message.text for message in simulator.scene.world.history(PRIVATE_ID)]


async def test_flood_names_its_seconds(
    bot: Bot, control: Control, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PTB_TIMEDELTA", "1")
    await control.post("faults", kind="flood", method="send*", retry_after_s=17, count=2)
    with pytest.raises(RetryAfter) as caught:
        await bot.send_message(PRIVATE_ID, "x")
    assert caught.value.retry_after == timedelta(seconds=17)
    response = await api.client.post(f"{api.base}/sendMessage", json={"chat_id": 1, "text": "x"})
    assert (response.status_code, response.headers["Retry-After"]) == (429, "17")
    assert response.json()["description"] == "Too Many Requests: retry after 17"
    assert (await bot.send_message(PRIVATE_ID, "x")).text == "x"


REFUSED = [
    ("error", {"status": 500}, NetworkError, "Internal Server Error: restart"),
    ("error", {"status": 502}, NetworkError, "Bad Gateway"),
    ("error", {"status": 400}, BadRequest, "Bad Request"),
    ("html", {}, NetworkError, "Bad Gateway"),
    ("revoked_token", {}, InvalidToken, "Unauthorized"),
]


@pytest.mark.parametrize(("kind", "more", "error", "words"), REFUSED)
async def test_refusals_have_no_effect(
    kind: str,
    more: dict[str, object],
    error: type[TelegramError],
    words: str,
    bot: Bot,
    control: Control,
    simulator: Simulator,
) -> None:
    await control.post("faults", kind=kind, method="sendMessage", **more)
    with pytest.raises(error, match=words):
        await bot.send_message(PRIVATE_ID, "x")
    assert texts(simulator) == []
    await bot.send_message(PRIVATE_ID, "y")
    assert texts(simulator) == ["y"]


@pytest.mark.parametrize(
    ("kind", "left"), [("reset_before", []), ("reset_after", ["x"]), ("truncated", ["x"])]
)
async def test_broken_connections(
    kind: str, left: list[str], bot: Bot, control: Control, simulator: Simulator
) -> None:
    await control.post("faults", kind=kind, method="sendmessage")
    with pytest.raises(NetworkError) as caught:
        await bot.send_message(PRIVATE_ID, "x")
    assert type(caught.value) is NetworkError
    assert texts(simulator) == left
    assert [call.fault for call in simulator.calls.all()][-1] == kind


@pytest.mark.parametrize(("kind", "left"), [("delay_before", []), ("delay_after", ["x"])])
async def test_delays_outlast_the_client(
    kind: str, left: list[str], bot: Bot, control: Control, simulator: Simulator
) -> None:
    await control.post("faults", kind=kind, method="send*", delay_s=60)
    with pytest.raises(TimedOut):
        await bot.send_message(PRIVATE_ID, "x", read_timeout=0.3)
    await simulator.scene.clock.sleeping.wait()
    assert texts(simulator) == left
    simulator.scene.clock.advance(60)
    await bot.send_message(PRIVATE_ID, "y")
    # What was held back before its effect has it now, although nobody waits for the answer.
    assert sorted(texts(simulator)) == ["x", "y"]


@pytest.mark.parametrize("way", ["clock", "clear"])
async def test_delay_ends_by_clock_or_by_hand(
    way: str, bot: Bot, control: Control, simulator: Simulator
) -> None:
    await control.post("faults", kind="delay_after", method="sendMessage", delay_s=3600)
    sending = asyncio.create_task(bot.send_message(PRIVATE_ID, "x"))
    await simulator.scene.clock.sleeping.wait()
    if way == "clock":
        now = simulator.scene.clock()
        await control.post("clock", advance_s=3599)
        assert not sending.done()
        shown = await control.post("clock", now=int(now) + 3600)
        assert shown["now"] == now + 3600
    else:
        await control.post("faults/clear")
    assert (await sending).text == "x"


async def test_faults_keep_to_their_chat_and_count(
    bot: Bot, control: Control, simulator: Simulator
) -> None:
    planted = await control.post("faults", kind="error", chat_id=GROUP_ID, count=0)
    await bot.send_message(PRIVATE_ID, "x")
    for _ in range(3):
        with pytest.raises(NetworkError):
            await bot.send_message(GROUP_ID, "x")
    shown = await control.get("faults")
    assert shown == {"faults": [planted], "floods": False, "now": simulator.scene.clock()}
    assert (await control.post(f"faults/{planted['number']}"))["faults"] == []
    await bot.send_message(GROUP_ID, "x")
    answer = await control.post(f"faults/{planted['number']}")
    assert answer == {"error": "there is no such fault"}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"kind": "rain"}, "kind is one of flood, error, html"),
        ({"kind": "error", "status": 418}, "status is one of 400, 401"),
        ({"kind": "flood", "count": -1}, "count is between 0 and 10000"),
    ],
)
async def test_odd_faults_are_refused(
    fields: dict[str, object], words: str, control: Control
) -> None:
    assert str((await control.post("faults", **fields))["error"]).startswith(words)


@pytest.mark.parametrize(
    ("kind", "error", "words"),
    [
        ("second_poller", Conflict, "terminated by other getUpdates"),
        ("webhook_set", Conflict, "webhook is active"),
        ("revoked_token", InvalidToken, "Unauthorized"),
    ],
)
async def test_waiting_poll_learns_of_it(
    kind: str,
    error: type[TelegramError],
    words: str,
    bot: Bot,
    control: Control,
    simulator: Simulator,
) -> None:
    polling = asyncio.create_task(bot.get_updates(timeout=20))
    await simulator.scene.updates.waiting.wait()
    await control.post("faults", kind=kind, count=2)
    for poll in (polling, asyncio.create_task(bot.get_updates(timeout=20))):
        with pytest.raises(error, match=words):
            await poll
    assert (await control.post("faults/clear"))["faults"] == []


async def _download(bot: Bot, read_timeout: float = 20) -> bytes:
    message = await bot.send_document(PRIVATE_ID, InputFile(NOTE, "note.png"))
    assert message.document is not None
    file = await message.document.get_file()
    return bytes(await file.download_as_bytearray(read_timeout=read_timeout))


async def test_download_expires(bot: Bot, control: Control) -> None:
    await control.post("faults", kind="expired_download")
    with pytest.raises(InvalidToken):
        await _download(bot)
    assert await _download(bot) == NOTE


@pytest.mark.parametrize("kind", ["truncated", "reset_before", "error"])
async def test_download_breaks(kind: str, bot: Bot, control: Control) -> None:
    await control.post("faults", kind=kind, method="download")
    with pytest.raises(NetworkError):
        await _download(bot)
    assert await _download(bot) == NOTE


async def test_slow_download_is_given_up(bot: Bot, control: Control) -> None:
    await control.post("faults", kind="slow_download", delay_s=60)
    with pytest.raises(TimedOut):
        await _download(bot, read_timeout=0.3)
    assert await _download(bot) == NOTE


async def test_slow_download_arrives(bot: Bot, control: Control, simulator: Simulator) -> None:
    await control.post("faults", kind="slow_download", delay_s=60)
    message = await bot.send_document(PRIVATE_ID, InputFile(NOTE, "note.png"))
    assert message.document is not None
    file = await message.document.get_file()
    loading = asyncio.create_task(file.download_as_bytearray())
    await simulator.scene.clock.sleeping.wait()
    await control.post("clock", advance_s=60)
    assert bytes(await loading) == NOTE


async def test_update_comes_twice(bot: Bot, control: Control, simulator: Simulator) -> None:
    await control.post("faults", kind="duplicate_update", chat_id=PRIVATE_ID)
    simulator.scene.crowd.say(ME, "x")
    (first,) = await bot.get_updates(timeout=0)
    (again,) = await bot.get_updates(offset=first.update_id + 1, timeout=0)
    assert again == first
    assert await bot.get_updates(offset=first.update_id + 2, timeout=0) == ()


async def test_poison_stays_until_it_is_acknowledged(
    bot: Bot, control: Control, simulator: Simulator, api: Api
) -> None:
    await control.post("faults", kind="poison_update")
    simulator.scene.crowd.say(ME, "x")
    for _ in range(2):
        with pytest.raises(KeyError):
            await bot.get_updates(timeout=0)
    (poison,) = await api.updates(timeout=0)
    number = int(str(poison["update_id"]))
    (healthy,) = await bot.get_updates(offset=number + 1, timeout=0)
    assert healthy.message is not None
    assert healthy.message.text == "x"
