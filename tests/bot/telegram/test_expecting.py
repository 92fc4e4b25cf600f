"""A photo without words is fetched and looked at while its words may still come."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.access import AccessPolicy
from bot.texts import ENGLISH
from engine import Image, Message
from tests.bot.conftest import Hall
from tests.bot.telegram.chat import GROUP, Chat
from tests.bot.telegram.clockwork import settle
from tests.bot.telegram.messages import photo_json
from tests.bot.telegram.offline import Refusal

LONG_S = 1000.0
LOOKED_AT = (Message("user", "", (Image(b"cat", 384),)),)


@pytest.fixture
async def chat(hall: Hall, access: AccessPolicy) -> AsyncIterator[Chat]:
    chat = Chat(hall, access, text_wait_s=LONG_S)
    chat.calls.files["p"] = b"cat"
    await chat.platform.application.initialize()
    chat.calls.calls.clear()
    yield chat
    await chat.platform.application.shutdown()


async def test_photo_is_looked_at_before_its_words_come(chat: Chat) -> None:
    sending = asyncio.ensure_future(chat.receive(photo=photo_json("p")))
    assert await chat.hall.engine.prepared.get() == (LOOKED_AT, "telegram:7/0/7")
    assert not chat.hall.engine.requests
    await chat.receive(text="what is it?")
    await sending
    [request] = chat.hall.engine.requests
    assert [message.images for message in request.messages] == [LOOKED_AT[0].images]
    assert request.session_id == "telegram:7/0/7"
    assert len(chat.calls.named("getFile")) == 1


async def test_photo_with_words_is_asked_about_at_once(chat: Chat) -> None:
    await chat.receive(photo=photo_json("p"), caption="what is it?")
    assert len(chat.hall.engine.requests) == 1
    assert chat.hall.engine.prepared.empty()


async def test_photos_of_a_group_are_left_alone(chat: Chat) -> None:
    await chat.receive(GROUP, photo=photo_json("p"))
    assert not chat.calls.named("getFile")
    assert chat.hall.engine.prepared.empty()


async def test_photo_that_cannot_be_had_is_told_once(chat: Chat) -> None:
    chat.calls.faults["getFile"] = [Refusal(400, "Bad Request: file is too big")]
    sending = asyncio.ensure_future(chat.receive(photo=photo_json("p")))
    await settle()
    await chat.receive(text="what is it?")
    await sending
    assert chat.hall.engine.prepared.empty()
    assert not chat.hall.engine.requests
    assert len(chat.calls.texts()) == 1


async def test_stopped_photo_is_not_asked_about(chat: Chat) -> None:
    sending = asyncio.ensure_future(chat.receive(photo=photo_json("p")))
    await chat.hall.engine.prepared.get()
    await chat.receive(text="/stop", entities=[{"type": "bot_command", "offset": 0, "length": 5}])
    await sending
    assert not chat.hall.engine.requests
    assert chat.calls.texts() == [ENGLISH.stopped]
