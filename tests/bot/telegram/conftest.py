"""The bot without a network: every call is recorded, an unexpected one fails the test."""

from collections.abc import AsyncIterator, Iterator

import pytest
from telegram import Bot

from tests.bot.telegram.offline import HandClock, RecordingRequest, offline_bot


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
