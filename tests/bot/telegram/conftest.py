"""The bot without a network: every call is recorded, an unexpected one fails the test."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest
from telegram import Bot

from bot.access import AccessPolicy
from tests.bot.conftest import Hall
from tests.bot.telegram.chat import Chat
from tests.bot.telegram.clockwork import HandClock
from tests.bot.telegram.offline import RecordingRequest, offline_bot
from tests.bot.telegram.stage import Stage


@pytest.fixture(autouse=True)
def durations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTB_TIMEDELTA", "true")


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def request_(clock: HandClock) -> Iterator[RecordingRequest]:
    recording = RecordingRequest(clock)
    yield recording
    assert not recording.unexpected


@pytest.fixture
async def bot(request_: RecordingRequest) -> AsyncIterator[Bot]:
    async with offline_bot(request_) as bot:
        yield bot


@pytest.fixture
async def stage(bot: Bot, clock: HandClock, request_: RecordingRequest) -> AsyncIterator[Stage]:
    stage = Stage(bot, clock, request_)
    yield stage
    for task in stage.tasks:
        task.cancel()
    await asyncio.gather(*stage.tasks, return_exceptions=True)


@pytest.fixture
def access() -> AccessPolicy:
    return AccessPolicy(open_to_all=True)


@pytest.fixture
async def chat(hall: Hall, access: AccessPolicy) -> AsyncIterator[Chat]:
    chat = Chat(hall, access)
    await chat.platform.application.initialize()
    chat.calls.calls.clear()
    yield chat
    await chat.platform.application.shutdown()
    assert not chat.calls.unexpected
