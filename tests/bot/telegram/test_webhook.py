"""Telegram brings the updates: with the secret they are taken in, and nobody else's are."""

import asyncio
import socket
from collections.abc import AsyncIterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx
import pytest
from telegram import Bot

from bot.access import AccessPolicy
from bot.simulator import YOU, Place, Simulator
from bot.telegram import TelegramConfig, TelegramPlatform, TokenRejected, WebhookRefused
from bot.telegram.errors import PolledElsewhere
from bot.telegram.webhook import CHECK_S, LOSSES_TO_END, RETRY_S, SECRET_HEADER, Webhook
from storage import DatabaseNotUsable
from tests.bot.conftest import Hall
from tests.bot.telegram.clockwork import HandClock, settle
from tests.bot.telegram.offline import RecordingRequest, Refusal, offline_bot

URL = "https://bot.example.org/hook"


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


class HookRequest(RecordingRequest):
    """Knows one webhook."""

    url = ""

    def _setWebhook(self, params: dict[str, Any]) -> object:
        self.url = params["url"]
        return True

    def _getWebhookInfo(self, params: dict[str, Any]) -> object:
        return {"url": self.url, "has_custom_certificate": False, "pending_update_count": 0}


class Door:
    """A webhook at work, and who knocks."""

    def __init__(self, bot: Bot, clock: HandClock) -> None:
        self.port = free_port()
        self.webhook = Webhook(bot, URL, self.port, clock)
        self.taken: list[object] = []
        self.refusals: list[Exception] = []
        self.work = asyncio.create_task(self.webhook.run(self._take_in))

    async def _take_in(self, updates: list[object], may_be_old: bool) -> None:
        if self.refusals:
            raise self.refusals.pop(0)
        self.taken += updates

    async def knock(self, body: bytes, secret: str | None, path: str = "/hook") -> int:
        headers = {} if secret is None else {SECRET_HEADER: secret}
        async with httpx.AsyncClient(trust_env=False) as http:
            url = f"http://127.0.0.1:{self.port}{path}"
            return (await http.post(url, content=body, headers=headers)).status_code


@pytest.fixture
def hooks(clock: HandClock) -> HookRequest:
    return HookRequest(clock)


@pytest.fixture
async def door(hooks: HookRequest, clock: HandClock) -> AsyncIterator[Door]:
    async with offline_bot(hooks) as bot:
        door = Door(bot, clock)
        while door.webhook.silent_s != 0.0 and not hooks.faults:
            await asyncio.wait([door.work], timeout=0.01)
        yield door
        door.work.cancel()
        await asyncio.wait([door.work])


def secret_of(hooks: HookRequest) -> str:
    secret: str = hooks.named("setWebhook")[-1].params["secret_token"]
    return secret


async def test_address_and_secret_are_told(door: Door, hooks: HookRequest) -> None:
    (call,) = hooks.named("setWebhook")
    assert call.params["url"] == URL
    assert call.params["allowed_updates"] == ["message", "edited_message", "callback_query"]
    assert call.params["drop_pending_updates"] is False
    assert len(secret_of(hooks)) >= 32


async def test_only_the_secret_opens(door: Door, hooks: HookRequest) -> None:
    body = b'{"update_id": 5}'
    for wrong in (None, "", "wrong", secret_of(hooks) + "x"):
        assert await door.knock(body, wrong) == HTTPStatus.FORBIDDEN
    assert door.taken == []
    assert await door.knock(body, secret_of(hooks)) == HTTPStatus.OK
    assert door.taken == [{"update_id": 5}]


async def test_odd_bodies_and_paths_are_refused(door: Door, hooks: HookRequest) -> None:
    assert await door.knock(b"{", secret_of(hooks)) == HTTPStatus.BAD_REQUEST
    assert await door.knock(b"{}", secret_of(hooks), "/other") == HTTPStatus.NOT_FOUND
    assert door.taken == []


async def test_what_cannot_be_written_is_not_acknowledged(
    door: Door, hooks: HookRequest, caplog: pytest.LogCaptureFixture
) -> None:
    door.refusals = [DatabaseNotUsable(Path("darkroom.db"), "disk is full") for _ in range(2)]
    for expected in (503, 503, 200):
        assert await door.knock(b'{"update_id": 5}', secret_of(hooks)) == expected
    assert len(door.taken) == 1
    assert [record.levelname for record in caplog.records] == ["WARNING"]


async def test_address_that_was_taken_away_is_set_again(
    door: Door, hooks: HookRequest, clock: HandClock
) -> None:
    hooks.url = ""
    await clock.advance(CHECK_S)
    await settle()
    assert hooks.url == URL
    assert len(hooks.named("setWebhook")) == 2


async def test_struggle_about_the_address_ends(
    door: Door, hooks: HookRequest, clock: HandClock
) -> None:
    for _ in range(LOSSES_TO_END):
        assert not door.work.done()
        hooks.url = "https://other.example.org"
        await clock.advance(CHECK_S)
    await asyncio.wait([door.work])
    assert isinstance(door.work.exception(), PolledElsewhere)


async def test_revoked_token_ends_it(door: Door, hooks: HookRequest, clock: HandClock) -> None:
    hooks.faults["getWebhookInfo"] = [Refusal(401, "Unauthorized")]
    await clock.advance(CHECK_S)
    await asyncio.wait([door.work])
    error = door.work.exception()
    assert isinstance(error, TokenRejected)
    assert (error.__cause__, error.__context__) == (None, None)


async def test_address_that_telegram_refuses_ends_it(
    door: Door, hooks: HookRequest, clock: HandClock
) -> None:
    hooks.url = ""
    hooks.faults["setWebhook"] = [Refusal(400, "Bad Request: bad webhook: port not allowed")]
    await clock.advance(CHECK_S)
    await asyncio.wait([door.work])
    error = door.work.exception()
    assert isinstance(error, WebhookRefused)
    assert "port not allowed" in error.why


async def test_broken_network_is_waited_for(
    door: Door, hooks: HookRequest, clock: HandClock
) -> None:
    hooks.faults["getWebhookInfo"] = [Refusal(502, "Bad Gateway")]
    await clock.advance(CHECK_S)
    assert door.webhook.silent_s == CHECK_S
    await clock.advance(RETRY_S)
    assert door.webhook.silent_s == 0.0


async def test_whole_bot_answers_what_is_brought(hall: Hall) -> None:
    port = free_port()
    async with Simulator() as simulator:
        url = f"http://127.0.0.1:{port}/hook"
        config = TelegramConfig(
            simulator.token, simulator.api_url, 0.0, webhook_url=url, webhook_port=port
        )
        platform = TelegramPlatform(config)
        access = AccessPolicy(open_to_all=True)
        serving = asyncio.create_task(platform.serve(hall.assistant, access, hall.updates))
        simulator.scene.crowd.say(Place(YOU.person_id, YOU.person_id), "What?")
        while not any("1 said: What?" in one.text for one in _said(simulator)):
            await asyncio.wait([serving], timeout=0.01)
            assert not serving.done()
        serving.cancel()
        await asyncio.wait([serving])
    assert not [call for call in simulator.calls.all() if call.method == "getUpdates"]


def _said(simulator: Simulator) -> list[Any]:
    return list(simulator.scene.world.history(YOU.person_id))
