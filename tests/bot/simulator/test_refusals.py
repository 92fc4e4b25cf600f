"""The table of refusals: what is asked, and the words that come back."""

import pytest

from tests.bot.simulator.conftest import GROUP_ID, PRIVATE_ID, Api

LATE = "query is too old and response timeout expired or query ID is invalid"
SEND = {"chat_id": PRIVATE_ID, "text": "x"}


def keyboard(**button: object) -> dict[str, object]:
    return {"inline_keyboard": [[button]]}


GOLDEN: list[tuple[str, dict[str, object], str]] = [
    ("sendMessage", {"text": "x"}, "chat_id is empty"),
    ("sendMessage", {"chat_id": 1, "text": "x"}, "chat not found"),
    ("sendMessage", {"chat_id": "@nobody", "text": "x"}, "chat not found"),
    ("sendMessage", {"chat_id": PRIVATE_ID}, "message text is empty"),
    ("sendMessage", {"chat_id": PRIVATE_ID, "text": " \n "}, "text must be non-empty"),
    ("sendMessage", SEND | {"text": "a" * 4097}, "message is too long"),
    ("sendMessage", SEND | {"text": "a" * 32769}, "text is too long"),
    ("sendMessage", SEND | {"parse_mode": "BBCode"}, "unsupported parse_mode"),
    (
        "sendMessage",
        SEND | {"parse_mode": "HTML", "text": "é<q>"},
        'can\'t parse entities: Unsupported start tag "q" at byte offset 2',
    ),
    (
        "sendMessage",
        SEND | {"reply_parameters": {"message_id": 99}},
        "message to be replied not found",
    ),
    ("sendMessage", SEND | {"message_thread_id": 7}, "message thread not found"),
    ("sendMessage", SEND | {"reply_markup": "{"}, "can't parse reply keyboard markup JSON object"),
    ("sendMessage", SEND | {"reply_markup": [1]}, "object expected as reply markup"),
    (
        "sendMessage",
        SEND | {"reply_markup": keyboard(text="A")},
        "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
    ),
    (
        "sendMessage",
        SEND | {"reply_markup": keyboard(text="A", callback_data="é" * 33)},
        "BUTTON_DATA_INVALID",
    ),
    (
        "sendMessage",
        SEND | {"reply_markup": keyboard(text="A", callback_data="")},
        "BUTTON_DATA_INVALID",
    ),
    (
        "sendMessage",
        SEND | {"reply_markup": {"inline_keyboard": [[{"text": "x", "callback_data": "x"}] * 101]}},
        "reply markup is too long",
    ),
    (
        "sendMessage",
        SEND | {"entities": [{"type": "bold", "offset": 1, "length": 1}], "text": "😀"},
        "entity begins in a middle of a UTF-16 symbol at byte offset 0",
    ),
    ("sendPhoto", {"chat_id": PRIVATE_ID}, "there is no photo in the request"),
    (
        "sendPhoto",
        {"chat_id": PRIVATE_ID, "photo": "https://example.org/a.png"},
        "failed to get HTTP URL content",
    ),
    (
        "sendPhoto",
        {"chat_id": PRIVATE_ID, "photo": "nonsense"},
        "wrong file identifier/HTTP URL specified",
    ),
    ("sendPhoto", {"chat_id": PRIVATE_ID, "caption": "a" * 1025}, "message caption is too long"),
    ("sendDocument", {"chat_id": PRIVATE_ID}, "there is no document in the request"),
    (
        "sendChatAction",
        {"chat_id": PRIVATE_ID, "action": "sing"},
        "wrong parameter action in request",
    ),
    ("sendMessageDraft", SEND, "draft_id must be non-zero"),
    ("sendMessageDraft", SEND | {"draft_id": 1, "chat_id": GROUP_ID}, "TEXTDRAFT_PEER_INVALID"),
    ("sendMessageDraft", SEND | {"draft_id": 1, "text": "a" * 4097}, "message is too long"),
    ("editMessageText", {"text": "x"}, "message identifier is not specified"),
    ("editMessageText", SEND | {"message_id": 99}, "message to edit not found"),
    ("deleteMessage", {"message_id": 1}, "chat identifier is not specified"),
    ("deleteMessage", {"chat_id": PRIVATE_ID}, "message identifier is not specified"),
    ("deleteMessage", {"chat_id": PRIVATE_ID, "message_id": 99}, "message to delete not found"),
    ("setMessageReaction", {"chat_id": PRIVATE_ID, "message_id": 99}, "message to react not found"),
    ("getFile", {}, "file_id not specified"),
    ("getFile", {"file_id": "nonsense"}, "invalid file_id"),
    ("answerCallbackQuery", {"callback_query_id": "1"}, LATE),
    ("getChatMember", {"chat_id": GROUP_ID}, "invalid user_id specified"),
    ("getChatMember", {"chat_id": GROUP_ID, "user_id": 1}, "user not found"),
    (
        "getChatAdministrators",
        {"chat_id": PRIVATE_ID},
        "there are no administrators in the private chat",
    ),
    ("setMyCommands", {"commands": {}}, "expected an Array of BotCommand"),
    ("setMyCommands", {"commands": [{"command": "A!", "description": "x"}]}, "BOT_COMMAND_INVALID"),
]


@pytest.mark.parametrize(("method", "parameters", "words"), GOLDEN)
async def test_refusal_has_the_real_words(
    method: str, parameters: dict[str, object], words: str, api: Api
) -> None:
    answer = await api.call(method, **parameters)
    expected = f"Bad Request: {words}"
    assert answer == {"ok": False, "error_code": 400, "description": expected}


async def test_unknown_method_is_not_found(api: Api) -> None:
    answer = await api.call("sendMoney")
    assert answer["error_code"] == 404
    assert answer["description"] == "Not Found: method not found"
