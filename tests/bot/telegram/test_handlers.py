"""Every kind of update: who may come in, what is answered, what is left alone."""

import asyncio
import logging
from typing import Any

import pytest
from telegram.error import TimedOut

from bot import texts
from bot.assistant import Question
from bot.texts import ENGLISH
from tests.bot.telegram.chat import GROUP, Chat
from tests.bot.telegram.messages import command_in, message_json, person, photo_json
from tests.bot.telegram.offline import ME, Refusal

VOICE: dict[str, Any] = {"voice": {"file_id": "v", "file_unique_id": "v", "duration": 3}}
PLACE = {"location": {"longitude": 1.0, "latitude": 2.0}}
CONTACT = {"contact": {"phone_number": "1", "first_name": "A"}}
VIDEO = {
    "video": {"file_id": "v", "file_unique_id": "v", "width": 1, "height": 1, "duration": 1},
    "caption": "what is this?",
}
DICE = {"dice": {"value": 3, "emoji": "🎲"}}


def said(text: str) -> dict[str, Any]:
    return {"text": text, "entities": command_in(text) if text.startswith("/") else []}


@pytest.mark.parametrize("kind", [VOICE, PLACE, CONTACT, VIDEO, DICE])
async def test_other_kinds_get_one_line(chat: Chat, kind: dict[str, Any]) -> None:
    await chat.receive(**kind)
    assert chat.calls.texts() == [ENGLISH.unsupported]


@pytest.mark.parametrize("kind", [VOICE, PLACE, CONTACT, VIDEO, DICE])
async def test_other_kinds_are_left_alone_in_groups(chat: Chat, kind: dict[str, Any]) -> None:
    await chat.receive(GROUP, **kind)
    assert not chat.calls.named("sendMessage", "sendChatAction", "getFile")


async def test_ocr_of_a_voice_reads_no_other_photo(chat: Chat) -> None:
    chat.calls.files["p"] = b"receipt"
    await chat.receive(photo=photo_json("p"), caption="what?")
    await chat.receive(**said("/ocr"), reply_to_message=message_json(50, **VOICE))
    assert chat.calls.texts()[-1] == ENGLISH.unsupported


@pytest.mark.parametrize(
    "fields",
    [
        {"pinned_message": message_json(3, text="x")},
        {"new_chat_members": [person(8)]},
        {"message_auto_delete_timer_changed": {"message_auto_delete_time": 5}},
    ],
    ids=["pin", "member", "timer"],
)
async def test_service_messages_are_no_questions(chat: Chat, fields: dict[str, Any]) -> None:
    await chat.receive(**fields)
    assert not chat.calls.named("sendMessage")


async def test_edit_runs_nothing(chat: Chat) -> None:
    await chat.receive_edit(text="what?")
    await chat.receive_edit(**said("/help"))
    assert not chat.calls.named("sendMessage")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("/start", ENGLISH.hello),
        ("/help", ENGLISH.help),
        ("/help@darkroom_bot", ENGLISH.help),
        ("/stop", ENGLISH.nothing_to_stop),
        ("/cancel", ENGLISH.nothing_to_stop),
        ("/new", ENGLISH.new),
        ("/reset", ENGLISH.new),
        ("/ask", ENGLISH.ask_how),
        ("/ocr", ENGLISH.ocr_how),
        ("/frobnicate", ENGLISH.unknown_command),
    ],
)
async def test_commands_answer(chat: Chat, text: str, sentence: str) -> None:
    await chat.receive(**said(text))
    assert chat.calls.texts() == [sentence]


async def test_command_in_a_caption_is_the_command(chat: Chat) -> None:
    await chat.receive(photo=photo_json("p"), caption="/help", caption_entities=command_in("/help"))
    assert chat.calls.texts() == [ENGLISH.help]
    assert not chat.calls.named("getFile")


async def test_help_in_a_group_is_the_short_one(chat: Chat) -> None:
    await chat.receive(GROUP, **said("/help"))
    await chat.receive(GROUP, **said("/frobnicate"))
    assert chat.calls.texts() == [ENGLISH.help_group]


async def test_large_file_is_refused_unseen(chat: Chat) -> None:
    about: dict[str, Any] = {"file_id": "d", "file_unique_id": "d", "file_size": 30_000_000}
    await chat.receive(document=about | {"mime_type": "image/png"})
    assert chat.calls.texts() == [ENGLISH.file_too_big]
    assert not chat.calls.named("getFile")


async def test_photo_that_is_gone_is_said_so(chat: Chat) -> None:
    chat.calls.faults["getFile"] = [Refusal(400, "Bad Request: wrong file_id")]
    await chat.receive(photo=photo_json("p"), caption="what?")
    assert chat.calls.texts() == [ENGLISH.photo_gone]


async def test_missing_photo_of_an_album_is_named(chat: Chat) -> None:
    chat.calls.files |= {"a": b"one", "c": b"three"}
    chat.calls.faults["getFile"] = [Refusal(400, "Bad Request: wrong file_id")]
    album: dict[str, Any] = {"media_group_id": "1"}
    await asyncio.gather(
        chat.receive(photo=photo_json("b"), caption="which?", **album),
        chat.receive(photo=photo_json("a"), **album),
        chat.receive(photo=photo_json("c"), **album),
    )
    assert chat.calls.texts()[0] == ENGLISH.photo_missing(1, ENGLISH.photo_gone)
    assert chat.calls.texts()[-1].startswith("2 shown, 1 said: which?")


async def test_file_among_photos_is_named(chat: Chat) -> None:
    chat.calls.files |= {"a": b"one"}
    files = [("a", "image/png"), ("b", "application/pdf")]
    await asyncio.gather(
        *(
            chat.receive(
                document={"file_id": name, "file_unique_id": name, "mime_type": kind},
                media_group_id="1",
            )
            for name, kind in files
        )
    )
    assert chat.calls.texts()[0].startswith("Photo 2")
    assert chat.calls.texts()[-1].startswith("1 shown")


async def test_questions_keep_the_order_of_coming(chat: Chat) -> None:
    chat.calls.files["p"] = b"one"
    chat.calls.faults["getFile"] = [TimedOut()]  # the photo takes a second longer than the text
    await asyncio.gather(
        chat.receive(photo=photo_json("p"), caption="first?"), chat.receive(text="second?")
    )
    asked = [request.messages[-1].text for request in chat.hall.engine.requests]
    assert asked == ["first?", "second?"]
    assert len(chat.hall.engine.requests[1].messages) == 3


async def test_every_message_of_a_set_leads_to_its_turn(chat: Chat) -> None:
    chat.calls.files |= {"a": b"one", "b": b"two"}
    numbers = await asyncio.gather(
        chat.receive(photo=photo_json("a"), media_group_id="1"),
        chat.receive(photo=photo_json("b"), media_group_id="1"),
    )
    turns = [await chat.hall.history.turn_of(f"telegram:7:{number}") for number in numbers]
    assert turns[0] is not None
    assert turns[0] == turns[1]
    assert await chat.hall.history.turn_of("telegram:7:1001") == turns[0]


async def test_reply_to_the_bot_with_a_photo_is_about_the_photo(chat: Chat) -> None:
    chat.calls.files["p"] = b"one"
    mine = message_json(900, GROUP, text="A cat.", **{"from": ME})
    await chat.receive(GROUP, photo=photo_json("p"), reply_to_message=mine)
    assert chat.hall.engine.requests[0].messages[-1].images[0].data == b"one"


async def test_photo_of_another_chat_can_be_replied_to(chat: Chat) -> None:
    chat.calls.files["p"] = b"far"
    origin = {"type": "hidden_user", "date": 0, "sender_user_name": "B"}
    await chat.receive(text="what?", external_reply={"origin": origin, "photo": photo_json("p")})
    assert chat.hall.engine.requests[0].messages[-1].images[0].data == b"far"


async def test_language_of_the_asker_goes_along(chat: Chat) -> None:
    chat.calls.files["p"] = b"one"
    sender: dict[str, Any] = person(7) | {"language_code": "zh-hans"}
    await chat.receive(photo=photo_json("p"), **{"from": sender})
    assert chat.hall.engine.requests[0].messages[-1].text == texts.DESCRIBE_ZH


async def test_unforeseen_failure_is_told_with_a_code(
    chat: Chat, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def break_down(question: Question) -> object:
        raise KeyError(question.text)

    monkeypatch.setattr(chat.hall.assistant, "ask", break_down)
    with caplog.at_level(logging.DEBUG):
        await chat.receive(text="a private matter")
    (sentence,) = chat.calls.texts()
    code = sentence.rpartition("code ")[2].rstrip(")")
    assert sentence == ENGLISH.failure(code)
    assert code in caplog.text
    assert "KeyError" in caplog.text
    assert "private matter" not in caplog.text


async def test_failure_that_cannot_be_told_is_logged(
    chat: Chat, caplog: pytest.LogCaptureFixture
) -> None:
    chat.calls.faults["sendMessage"] = [Refusal(400, "Bad Request: chat not found")] * 2
    await chat.receive(**said("/help"))
    assert "could not be told" in caplog.text


async def test_blocked_bot_stays_quiet(chat: Chat) -> None:
    chat.calls.faults["sendMessage"] = [Refusal(403, "Forbidden: bot was blocked by the user")]
    await chat.receive(**said("/help"))
    assert len(chat.calls.named("sendMessage")) == 1
