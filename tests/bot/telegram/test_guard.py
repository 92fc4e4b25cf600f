"""Strangers: one refusal a day in private, silence in groups."""

from typing import Any

import pytest

from bot.access import AccessPolicy
from bot.telegram.admission import Admission
from bot.telegram.guard import DAY_S, Guard
from bot.telegram.outbox import Outbox
from bot.texts import ENGLISH
from tests.bot.conftest import Hall
from tests.bot.telegram.chat import GROUP, Chat
from tests.bot.telegram.clockwork import HandClock
from tests.bot.telegram.messages import command_in, person
from tests.bot.telegram.offline import ME

HELP: dict[str, Any] = {"text": "/help", "entities": command_in("/help")}


@pytest.fixture
def access() -> AccessPolicy:
    return AccessPolicy(admin_ids=[5], allowed_ids=[-200])


async def test_stranger_is_told_once_with_their_id(chat: Chat) -> None:
    await chat.receive(text="hello")
    await chat.receive(**HELP)
    sentence, request = chat.calls.texts()
    assert "7" in sentence
    assert request == ENGLISH.access_asked.format(name="Ada", asker=7)
    assert not chat.hall.engine.requests


async def test_each_stranger_is_told(chat: Chat) -> None:
    await chat.receive(7, text="hello")
    await chat.receive(8, text="hello", **{"from": person(8)})
    assert len([one for one in chat.calls.texts() if "invited people only" in one]) == 2


async def test_stranger_in_a_group_hears_nothing(chat: Chat) -> None:
    await chat.receive(GROUP, **HELP)
    assert not chat.calls.calls


async def test_allowed_group_lets_its_members_in(chat: Chat) -> None:
    await chat.receive(-200, **HELP)
    assert len(chat.calls.texts()) == 1


async def test_stranger_presses_in_vain(chat: Chat) -> None:
    await chat.press("stop:1")
    assert not chat.calls.calls


async def test_other_bots_are_not_answered(chat: Chat) -> None:
    await chat.receive(-200, **HELP, **{"from": ME | {"id": 99}})
    assert not chat.calls.calls


async def test_refusal_comes_again_the_next_day(hall: Hall, clock: HandClock) -> None:
    chat, policy = Chat(hall, AccessPolicy()), AccessPolicy()
    delivery = chat.platform.connect(hall.assistant, policy)
    admission = Admission(policy, hall.assistant, delivery, outbox=Outbox(clock), clock=clock)
    guard = Guard(policy, delivery, clock, admission)
    assert [guard.is_news("7"), guard.is_news("7")] == [True, False]
    await clock.advance(DAY_S)
    assert guard.is_news("7")
