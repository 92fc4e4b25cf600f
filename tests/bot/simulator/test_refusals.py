"""The table of refusals: what is asked, and the words that come back."""

from dataclasses import replace

import pytest

from bot.simulator import ADA, GROUP, YOU, Place, Simulator
from bot.simulator.records import Person
from tests.bot.simulator.conftest import GROUP_ID, ME, NOTE, PRIVATE_ID, Api, Clock

LATE = "query is too old and response timeout expired or query ID is invalid"
SAME = (
    "message is not modified: specified new message content and reply markup are exactly the same "
    "as a current content and reply markup of the message"
)
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


async def test_same_edit_is_refused(api: Api, simulator: Simulator) -> None:
    await api.result("sendMessage", **SEND)
    assert await api.refusal("editMessageText", **SEND, message_id=1) == f"Bad Request: {SAME}"
    await api.result("editMessageText", **SEND | {"text": "y"}, message_id=1)
    assert simulator.scene.world.history(PRIVATE_ID)[0].text == "y"


async def test_foreign_messages_stay(api: Api, simulator: Simulator) -> None:
    simulator.scene.crowd.say(ME, "mine")
    theirs = simulator.scene.crowd.say(Place(ADA.person_id, GROUP_ID), "hers")
    edit = await api.refusal("editMessageText", **SEND, message_id=1)
    assert edit == "Bad Request: message can't be edited"
    number = theirs.message_id
    refusal = await api.refusal("deleteMessage", chat_id=GROUP_ID, message_id=number)
    assert refusal == "Bad Request: message can't be deleted"


async def test_old_message_stays(api: Api, clock: Clock) -> None:
    await api.result("sendMessage", **SEND)
    clock.pass_by(48 * 3600 + 1)
    refusal = await api.refusal("deleteMessage", chat_id=PRIVATE_ID, message_id=1)
    assert refusal == "Bad Request: message can't be deleted for everyone"


async def test_photo_has_no_text_to_edit(api: Api, simulator: Simulator) -> None:
    shown = await simulator.scene.files.photo(NOTE)
    photo_id = simulator.scene.files.file_id(shown.best)
    await api.result("sendPhoto", chat_id=PRIVATE_ID, photo=photo_id)
    refusal = await api.refusal("editMessageText", **SEND, message_id=1)
    assert refusal == "Bad Request: there is no text in the message to edit"


async def test_reply_to_nothing_if_allowed(api: Api) -> None:
    reply = {"message_id": 99, "allow_sending_without_reply": True}
    sent = await api.result("sendMessage", **SEND, reply_parameters=reply)
    assert isinstance(sent, dict)
    assert "reply_to_message" not in sent


@pytest.mark.parametrize(
    ("changes", "code", "words"),
    [
        ({"bot_standing": "kicked"}, 403, "Forbidden: bot was kicked from the supergroup chat"),
        ({"bot_standing": "left"}, 403, "Forbidden: bot is not a member of the supergroup chat"),
    ],
)
async def test_closed_doors(
    changes: dict[str, str], code: int, words: str, api: Api, simulator: Simulator
) -> None:
    answer = await api.client.post(f"{simulator.url}/control/chats/{GROUP_ID}", json=changes)
    assert answer.status_code == 200
    refused = await api.call("sendMessage", chat_id=GROUP_ID, text="x")
    assert (refused["error_code"], refused["description"]) == (code, words)


async def test_migrated_group_names_its_heir(api: Api, simulator: Simulator) -> None:
    simulator.scene.world.put(replace(GROUP, migrated_to=-1009))
    answer = await api.call("sendMessage", chat_id=GROUP_ID, text="x")
    assert answer["description"] == "Bad Request: group chat was upgraded to a supergroup chat"
    assert answer["parameters"] == {"migrate_to_chat_id": -1009}


async def test_people_who_are_not_reached(api: Api, simulator: Simulator) -> None:
    world = simulator.scene.world
    never = await api.refusal("sendMessage", chat_id=ADA.person_id, text="x")
    world.put(replace(world.chats[PRIVATE_ID], blocked=True))
    blocked = await api.refusal("sendMessage", **SEND)
    world.put(replace(world.chats[PRIVATE_ID], blocked=False))
    world.put(Person(YOU.person_id, "", deactivated=True))
    gone = await api.refusal("sendMessage", **SEND)
    assert never == "Forbidden: bot can't initiate conversation with a user"
    assert blocked == "Forbidden: bot was blocked by the user"
    assert gone == "Forbidden: user is deactivated"


async def test_callback_is_answered_once_and_in_time(
    api: Api, simulator: Simulator, clock: Clock
) -> None:
    markup = keyboard(text="A", callback_data="a")
    await api.result("sendMessage", **SEND, reply_markup=markup)
    first, second = (
        simulator.scene.gestures.press(YOU.person_id, PRIVATE_ID, 1, "a").query_id for _ in "ab"
    )
    assert await api.result("answerCallbackQuery", callback_query_id=first)
    late = f"Bad Request: {LATE}"
    assert await api.refusal("answerCallbackQuery", callback_query_id=first) == late
    clock.pass_by(151)
    assert await api.refusal("answerCallbackQuery", callback_query_id=second) == late


async def test_strict_simulator_refuses_what_is_not_specified(clock: Clock, api: Api) -> None:
    async with Simulator(clock=clock, demo=False, strict=True) as strict:
        url = f"{strict.api_url}/bot{strict.token}/getMe"
        answer = (await api.client.post(url, json={"colour": "red"})).json()
    assert answer["description"] == "Bad Request: unknown colour"


async def test_unknown_parameter_is_noted(api: Api, simulator: Simulator) -> None:
    await api.result("getMe", colour="red")
    assert simulator.calls.all()[-1].problems == ("unknown colour",)
