"""The webhook: updates are brought to the bot's own listener until it says that it has them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from telegram import Bot
from telegram.error import BadRequest, Conflict

from bot.simulator import Fault, FaultKind, Simulator
from tests.bot.simulator.conftest import ME, Api, Clock, Control


class Listener:
    """Takes HTTP requests apart by hand, and answers as it is told to."""

    def __init__(self) -> None:
        self.answers = ["200 OK"]
        self.seen: asyncio.Queue[tuple[str, dict[str, str], bytes]] = asyncio.Queue()
        self.url = ""

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().splitlines()
        headers = dict(line.lower().split(": ", 1) for line in head[1:] if line)
        body = await reader.readexactly(int(headers["content-length"]))
        answer = self.answers[0] if len(self.answers) == 1 else self.answers.pop(0)
        writer.write(
            f"HTTP/1.1 {answer}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode()
        )
        writer.close()
        await writer.wait_closed()
        self.seen.put_nowait((head[0].split()[1], headers, body))

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        server = await asyncio.start_server(self.take, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        yield
        server.close()
        await server.wait_closed()


@pytest.fixture
async def listener() -> AsyncIterator[Listener]:
    made = Listener()
    async with made.opened():
        yield made


async def test_updates_are_brought_with_the_secret(
    bot: Bot, listener: Listener, simulator: Simulator
) -> None:
    simulator.scene.crowd.say(ME, "before")
    await bot.set_webhook(f"{listener.url}/hook?a=1", secret_token="s3cret")
    simulator.scene.crowd.say(ME, "after")
    for text in (b"before", b"after"):
        path, headers, body = await listener.seen.get()
        assert path == "/hook?a=1"
        assert headers["content-type"] == "application/json"
        assert headers["x-telegram-bot-api-secret-token"] == "s3cret"
        assert b'"text": "' + text in body


async def test_refused_update_comes_again(
    bot: Bot, listener: Listener, simulator: Simulator, clock: Clock
) -> None:
    listener.answers = ["500 Oops", "503 Busy\r\nRetry-After: 7", "204 Done"]
    simulator.scene.crowd.say(ME, "x")
    await bot.set_webhook(listener.url)
    bodies = []
    for pause_s in (2, 7, 0):
        bodies.append((await listener.seen.get())[2])
        if pause_s:
            await simulator.scene.clock.sleeping.wait()
            # Not before its time.
            simulator.scene.clock.advance(pause_s - 1)
            assert listener.seen.empty()
            info = await bot.get_webhook_info()
            assert (info.pending_update_count, info.url) == (1, listener.url)
            simulator.scene.clock.advance(1)
    assert len(set(bodies)) == 1
    assert info.last_error_message == "Wrong response from the webhook: 503 Busy"
    simulator.scene.crowd.say(ME, "y")
    assert b'"text": "y"' in (await listener.seen.get())[2]


async def test_webhook_and_polls_exclude_each_other(
    bot: Bot, listener: Listener, simulator: Simulator
) -> None:
    polling = asyncio.create_task(bot.get_updates(timeout=20))
    await simulator.scene.updates.waiting.wait()
    await bot.set_webhook(listener.url)
    with pytest.raises(Conflict, match="terminated by setWebhook request"):
        await polling
    with pytest.raises(Conflict, match="webhook is active"):
        await bot.get_updates(timeout=0)
    await bot.delete_webhook()
    simulator.scene.crowd.say(ME, "x")
    assert len(await bot.get_updates(timeout=0)) == 1
    assert listener.seen.empty()


async def test_deleting_cures_a_webhook_set_behind_the_back(bot: Bot, simulator: Simulator) -> None:
    simulator.scene.faults.plant(Fault(FaultKind.WEBHOOK_SET, count=0))
    for _ in range(2):
        with pytest.raises(Conflict, match="webhook is active"):
            await bot.get_updates(timeout=0)
    await bot.delete_webhook()
    assert await bot.get_updates(timeout=0) == ()


async def test_address_outside_leads_through_a_door(
    bot: Bot, control: Control, listener: Listener, simulator: Simulator
) -> None:
    with pytest.raises(BadRequest, match="failed to resolve host"):
        await bot.set_webhook("https://bot.example/hook")
    elsewhere = await control.post("profile", webhook_door="https://bot.example")
    assert elsewhere == {"error": "webhook_door is an address on this computer"}
    await control.post("profile", webhook_door=listener.url)
    await bot.set_webhook("https://bot.example/hook")
    simulator.scene.faults.plant(Fault(FaultKind.DUPLICATE_UPDATE))
    simulator.scene.crowd.say(ME, "x")
    first, again = [await listener.seen.get() for _ in "12"]
    assert first[0] == "/hook"
    assert again[2] == first[2]


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"url": "http://bot.example"}, "bad webhook: An HTTPS URL must be provided for webhook"),
        (
            {"url": "https://bot.example:99"},
            "bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443",
        ),
        (
            {"url": "https://bot.example", "secret_token": "a b"},
            "secret token contains unallowed characters",
        ),
    ],
)
async def test_odd_webhooks_are_refused(
    parameters: dict[str, object], words: str, api: Api
) -> None:
    assert await api.refusal("setWebhook", **parameters) == f"Bad Request: {words}"


async def test_closed_listener_is_tried_again(bot: Bot, simulator: Simulator) -> None:
    closed = Listener()
    async with closed.opened():
        url = closed.url
    await bot.set_webhook(url)
    simulator.scene.crowd.say(ME, "x")
    await simulator.scene.clock.sleeping.wait()
    info = await bot.get_webhook_info()
    assert info.last_error_message == "Connection refused"
    assert await bot.set_webhook("")
    assert (await bot.get_webhook_info()).url == ""
