"""Connecting, listening and closing: what is wrong is said, and nothing waits for ever."""

import asyncio
import logging
import os
import signal
from urllib.parse import parse_qs, urlsplit

import pytest
from telegram.error import NetworkError
from telegram.request import HTTPXRequest

from bot.access import AccessPolicy
from bot.simulator import Simulator
from bot.telegram import TelegramConfig, TelegramPlatform, TelegramUnreachable, TokenRejected
from bot.telegram.clock import Clock
from bot.telegram.requests import calling_request, is_loopback, polling_request
from tests.bot.conftest import Hall
from tests.bot.telegram.clockwork import HandClock
from tests.bot.telegram.offline import API_URL, TOKEN, RecordingRequest, Refusal

REVOKED = (401, b'{"ok": false, "error_code": 401, "description": "Unauthorized"}')
NOTHING = (200, b'{"ok": true, "result": []}')


class Polls:
    """What the server says to each poll; the later ones find nothing new."""

    def __init__(self, *answers: tuple[int, bytes]) -> None:
        self.answers = list(answers)
        self.begun = asyncio.Event()
        self.asked: list[dict[str, list[str]]] = []

    async def answer(self, url: str) -> tuple[int, bytes]:
        self.begun.set()
        self.asked.append(parse_qs(urlsplit(url).query))
        if self.answers:
            return self.answers.pop(0)
        await asyncio.sleep(0.05)
        return NOTHING


def use(monkeypatch: pytest.MonkeyPatch, polls: Polls) -> RecordingRequest:
    monkeypatch.setattr(HTTPXRequest, "do_request", lambda self, url, **_: polls.answer(url))
    return RecordingRequest(Clock())


async def serve(platform: TelegramPlatform, hall: Hall) -> None:
    await platform.serve(hall.assistant, AccessPolicy(), hall.updates)


@pytest.mark.parametrize("token", ["1:wrong", "123456789:" + "A" * 35], ids=["odd", "unknown"])
async def test_rejected_token_is_an_error_of_its_own(hall: Hall, token: str) -> None:
    async with Simulator() as simulator:
        platform = TelegramPlatform(TelegramConfig(token, simulator.api_url))
        with pytest.raises(TokenRejected) as caught:
            await serve(platform, hall)
    error: BaseException | None = caught.value
    while error is not None:
        assert token not in f"{error!r} {error}"
        error = error.__cause__ or error.__context__


async def test_nobody_at_the_address_is_an_error_of_its_own(hall: Hall, clock: HandClock) -> None:
    platform = TelegramPlatform(TelegramConfig(TOKEN, API_URL), clock=clock)
    serving = asyncio.create_task(serve(platform, hall))
    while not serving.done():
        await clock.advance(5.0)
        await asyncio.wait([serving], timeout=0.01)
    with pytest.raises(TelegramUnreachable) as caught:
        await serving
    assert caught.value.api_url == API_URL


async def test_network_that_comes_up_late_is_waited_for(
    hall: Hall, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    polls = Polls()
    calls = use(monkeypatch, polls)
    calls.faults["getMe"] = [Refusal(502, "Bad Gateway"), Refusal(502, "Bad Gateway")]
    platform = TelegramPlatform(TelegramConfig(TOKEN, API_URL), clock=clock, calling=calls)
    serving = asyncio.create_task(serve(platform, hall))
    while not polls.begun.is_set():
        await clock.advance(1.0)
        await asyncio.wait([serving], timeout=0.01)
    serving.cancel()
    await asyncio.wait([serving])
    assert len(calls.named("getMe")) == 3


async def test_token_revoked_while_listening_ends_the_bot(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = use(monkeypatch, Polls(NOTHING, REVOKED))
    platform = TelegramPlatform(TelegramConfig(TOKEN, API_URL), calling=calls)
    with pytest.raises(TokenRejected):
        await serve(platform, hall)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_signal_ends_the_bot_in_order(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    calls = use(monkeypatch, Polls())
    platform = TelegramPlatform(TelegramConfig(TOKEN, API_URL), calling=calls)
    serving = asyncio.create_task(serve(platform, hall))
    while not calls.named("setMyCommands"):
        await asyncio.wait([serving], timeout=0.01)
    await asyncio.wait([serving], timeout=0.01)
    os.kill(os.getpid(), number)
    await asyncio.wait_for(serving, 20)


async def test_updates_are_asked_for_by_name_and_kept(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    polls = Polls(NOTHING, REVOKED)
    calls = use(monkeypatch, polls)
    platform = TelegramPlatform(TelegramConfig(TOKEN, API_URL), calling=calls)
    with pytest.raises(TokenRejected):
        await serve(platform, hall)
    (webhook,) = calls.named("deleteWebhook")
    assert webhook.params == {"drop_pending_updates": False}
    assert polls.asked[0]["allowed_updates"] == ['["message", "edited_message", "callback_query"]']


async def test_menu_that_cannot_be_set_is_no_failure(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    polls = Polls()
    calls = use(monkeypatch, polls)
    calls.faults["setMyCommands"] = [Refusal(400, "Bad Request: no")]
    platform = TelegramPlatform(TelegramConfig(TOKEN, API_URL), calling=calls)
    with caplog.at_level(logging.INFO):
        serving = asyncio.create_task(serve(platform, hall))
        while "Listening as @darkroom_bot" not in caplog.text:
            await asyncio.wait([serving], timeout=0.01)
        serving.cancel()
        await asyncio.wait([serving])
    assert "menu of commands" in caplog.text


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://127.0.0.1:8765", True),
        ("http://localhost:8765", True),
        ("http://[::1]:8765", True),
        ("https://api.telegram.org", False),
        ("http://10.0.0.1", False),
    ],
)
def test_loopback_is_known_by_its_address(url: str, expected: bool) -> None:
    assert is_loopback(url) is expected


async def test_proxy_does_not_stand_before_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    async with Simulator() as simulator:
        request = polling_request(simulator.api_url)
        status, _ = await request.do_request(
            f"{simulator.api_url}/bot{simulator.token}/getMe", "POST"
        )
        await request.shutdown()
    assert status == 200


def test_config_does_not_show_its_token() -> None:
    assert TOKEN not in repr(TelegramConfig(TOKEN))


async def test_met_and_left_without_serving() -> None:
    async with Simulator() as simulator:
        config = TelegramConfig(simulator.token, simulator.api_url)
        calling = calling_request(config.api_url)
        platform = TelegramPlatform(config, calling=calling)
        await platform.meet()
        assert [call.method for call in simulator.calls.all()] == ["getMe"]
        await platform.close()
        with pytest.raises(NetworkError, match="not initialized"):
            await calling.post(f"{config.api_url}/bot{config.token}/getMe")
        await platform.close()
