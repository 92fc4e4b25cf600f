"""What is for us, and what it asks: private chats, groups, commands, mentions, replies."""

from typing import Any

import pytest
from telegram import User

from bot.telegram import addressing
from bot.telegram.addressing import Request
from tests.bot.telegram.messages import (
    command_in,
    entity,
    message_json,
    message_of,
    person,
    photo_json,
)
from tests.bot.telegram.offline import ME

GROUP = -100
BOT = User.de_json(ME, None)


def read(*messages: dict[str, Any], chat_id: int = GROUP) -> Request | None:
    made = [message_of(number, chat_id, **fields) for number, fields in enumerate(messages, 1)]
    return addressing.read(made, BOT)


def caption(text: str, *entities: dict[str, Any]) -> dict[str, Any]:
    return {"photo": photo_json("p"), "caption": text, "caption_entities": list(entities)}


def said(text: str, *entities: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"text": text, "entities": list(entities), **fields}


def test_everything_private_is_for_us() -> None:
    assert read(said("What is it?"), chat_id=7) == Request("", "What is it?")
    assert read({"photo": photo_json("p")}, chat_id=7) == Request("", "")


@pytest.mark.parametrize(
    "message",
    [
        said("What is it?"),
        {"photo": photo_json("p")},
        caption("look at this"),
        said("@darkroom_bot without its entity"),
        said("@darkroom_bot2 hello", entity("mention", 0, 14)),
        said("/ocr@other_bot", *command_in("/ocr@other_bot")),
        said("please /ocr", entity("bot_command", 7, 4)),
        said("yes", reply_to_message=message_json(3, GROUP, text="no")),
        said(
            "hello",
            reply_to_message=message_json(
                3, GROUP, **{"from": ME}, forum_topic_created={"name": "T", "icon_color": 1}
            ),
        ),
    ],
    ids=[
        "text",
        "photo",
        "caption",
        "typed",
        "longer-name",
        "other-bot",
        "mid-command",
        "foreign-reply",
        "topic",
    ],
)
def test_group_hears_nothing_unless_addressed(message: dict[str, Any]) -> None:
    assert read(message) is None


@pytest.mark.parametrize("name", ["/ocr", "/ocr@darkroom_bot", "/OCR@Darkroom_Bot"])
def test_command_is_read_from_a_caption(name: str) -> None:
    message = caption(f"{name} the total", *command_in(name))
    assert read(message) == Request("ocr", "the total")
    assert read(message, chat_id=7) == Request("ocr", "the total")


def test_command_for_another_bot_is_ignored_in_private() -> None:
    assert read(said("/ocr@other_bot", *command_in("/ocr@other_bot")), chat_id=7) is None


@pytest.mark.parametrize(
    ("text", "offset", "question"),
    [
        ("@darkroom_bot what is it?", 0, "what is it?"),
        ("what is it? @darkroom_bot", 12, "what is it?"),
        ("😀😀 @Darkroom_Bot what is it?", 5, "😀😀 what is it?"),
        ("hey @darkroom_bot", 4, "hey"),
    ],
    ids=["first", "last", "emoji-before", "middle"],
)
def test_mention_addresses_and_is_cut_out(text: str, offset: int, question: str) -> None:
    mark = entity("mention", offset, 13)
    assert read(said(text, mark)) == Request("", question)
    assert read(caption(text, mark)) == Request("", question)


def test_text_mention_addresses() -> None:
    mark = entity("text_mention", 0, 8, user=ME)
    assert read(said("Darkroom what is it?", mark)) == Request("", "what is it?")
    other = entity("text_mention", 0, 3, user=person(9))
    assert read(said("Ada what is it?", other)) is None


def test_reply_to_the_bot_addresses() -> None:
    mine = message_json(3, GROUP, text="A cat.", **{"from": ME})
    assert read(said("what breed?", reply_to_message=mine)) == Request("", "what breed?")
    assert read({"photo": photo_json("p"), "reply_to_message": mine}) == Request("", "")


def test_one_caption_addresses_the_whole_album() -> None:
    photo = {"photo": photo_json("p")}
    assert read(photo, caption("/ask how many?", *command_in("/ask")), photo) == Request(
        "ask", "how many?"
    )
    assert read(photo, photo) is None


def test_quote_stands_before_the_question() -> None:
    message = said("why?", quote={"text": "two\nlines", "position": 0})
    assert read(message, chat_id=7) == Request("", "> two\n> lines\nwhy?")


def test_conversation_is_chat_topic_and_asker() -> None:
    plain = message_of(1, GROUP, text="a", message_thread_id=5)
    topic = message_of(1, GROUP, text="a", message_thread_id=5, is_topic_message=True)
    admin = message_of(1, GROUP, text="a", sender_chat={"id": GROUP, "type": "supergroup"})
    assert addressing.conversation_of(plain) == "telegram:-100/0/7"
    assert addressing.conversation_of(topic) == "telegram:-100/5/7"
    assert addressing.conversation_of(admin) == "telegram:-100/0/-100"
    assert addressing.message_ref(plain) == "telegram:-100:1"
