"""Refusals of badly built parameters: JSON that is none, objects of the wrong shape."""

import pytest

from bot.simulator import Simulator
from tests.bot.simulator.conftest import GROUP_ID, ME, PRIVATE_ID, Api
from tests.bot.simulator.test_refusals import SEND, keyboard

BUTTON = "can't parse inline keyboard button: "
GOLDEN: list[tuple[str, dict[str, object], str]] = [
    ("sendMessage", {"entities": "["}, "can't parse entities JSON object"),
    ("sendMessage", {"entities": {}}, "expected an Array of MessageEntity"),
    ("sendMessage", {"entities": [1]}, "can't parse MessageEntity: expected an Object"),
    ("sendMessage", {"entities": [{}]}, "can't parse MessageEntity: can't find field \"type\""),
    (
        "sendMessage",
        {"entities": [{"type": "shout", "offset": 0, "length": 1}]},
        "can't parse MessageEntity: unsupported type specified",
    ),
    ("sendMessage", {"reply_parameters": "["}, "can't parse reply parameters JSON object"),
    ("sendMessage", {"reply_parameters": [1]}, "object expected as reply parameters"),
    (
        "sendMessage",
        {"reply_markup": {"inline_keyboard": {}}},
        'field "inline_keyboard" must be of type Array',
    ),
    (
        "sendMessage",
        {"reply_markup": {"inline_keyboard": [{}]}},
        'field "inline_keyboard" must be an Array of Arrays',
    ),
    (
        "sendMessage",
        {"reply_markup": {"inline_keyboard": [["x"]]}},
        f"{BUTTON}InlineKeyboardButton must be an Object",
    ),
    ("sendMessage", {"reply_markup": keyboard()}, f'{BUTTON}Can\'t find field "text"'),
    ("sendMessage", {"reply_markup": keyboard(text=" ", url="x.org")}, "BUTTON_TEXT_INVALID"),
    (
        "sendMessage",
        {"reply_markup": keyboard(text="x", copy_text={"text": "a" * 257})},
        "BUTTON_COPY_TEXT_INVALID",
    ),
    (
        "sendMessage",
        {"reply_markup": keyboard(text="x", copy_text={"text": ""})},
        "BUTTON_COPY_TEXT_INVALID",
    ),
    (
        "sendMessage",
        {"reply_markup": keyboard(text="x", copy_text="y")},
        f'{BUTTON}Field "copy_text" must be of type Object',
    ),
    (
        "sendMessage",
        {"reply_markup": keyboard(text="x", url="x.org", style="loud")},
        f"{BUTTON}invalid button style specified",
    ),
    ("sendMessage", {"reply_markup": keyboard(text="x" * 11_000)}, "reply markup is too long"),
    ("sendPhoto", {"photo": "attach://gone"}, "there is no photo in the request"),
    ("setMyCommands", {"commands": "["}, "can't parse commands JSON object"),
    ("setMyCommands", {"commands": [1]}, "can't parse BotCommand: expected an Object"),
    (
        "setMyCommands",
        {"commands": [{"command": "a"}]},
        "can't parse BotCommand: can't find field \"description\"",
    ),
    (
        "setMyCommands",
        {"commands": [{"command": "a", "description": " "}]},
        "BOT_COMMAND_DESCRIPTION_INVALID",
    ),
    (
        "setMyCommands",
        {"commands": [{"command": "a", "description": "b"}] * 101},
        "BOT_COMMANDS_TOO_MUCH",
    ),
    (
        "getMyCommands",
        {"scope": {"type": "moon"}},
        "can't parse BotCommandScope: unsupported type specified",
    ),
    ("getMyCommands", {"scope": [1]}, "can't parse BotCommandScope: expected an Object"),
    ("getMyCommands", {"language_code": "english"}, "invalid language code specified"),
    ("setMyDescription", {"description": "a" * 513}, "description is too long"),
]


@pytest.mark.parametrize(("method", "parameters", "words"), GOLDEN)
async def test_complaint_has_the_real_words(
    method: str, parameters: dict[str, object], words: str, api: Api
) -> None:
    assert await api.refusal(method, **SEND | parameters) == f"Bad Request: {words}"


@pytest.mark.parametrize(
    ("reaction", "words"),
    [
        ([{"type": "emoji", "emoji": "x"}], "REACTION_INVALID"),
        ([{"type": "emoji", "emoji": "👍"}] * 2, "REACTIONS_TOO_MANY"),
        ([1], "can't parse ReactionType: expected an Object"),
        ({}, "expected an Array of ReactionType"),
    ],
)
async def test_unfit_reaction_is_refused(
    reaction: object, words: str, api: Api, simulator: Simulator
) -> None:
    simulator.scene.crowd.say(ME, "x")
    here = {"chat_id": PRIVATE_ID, "message_id": 1}
    refusal = await api.refusal("setMessageReaction", **here, reaction=reaction)
    assert refusal == f"Bad Request: {words}"


async def test_reaction_is_put_and_taken_back(api: Api, simulator: Simulator) -> None:
    simulator.scene.crowd.say(ME, "x")
    here = {"chat_id": PRIVATE_ID, "message_id": 1}
    for reaction, shown in (([{"type": "emoji", "emoji": "❤️"}], ["❤"]), ([], [])):
        await api.result("setMessageReaction", **here, reaction=reaction)
        (message,) = simulator.scene.world.history(PRIVATE_ID)
        assert [one.emoji for one in message.reactions] == shown


async def test_body_that_is_no_json(api: Api) -> None:
    headers = {"Content-Type": "application/json"}
    for body, words in ((b"{", "can't parse JSON object"), (b"[]", "expected JSON object")):
        answer = (await api.client.post(f"{api.base}/getMe", content=body, headers=headers)).json()
        assert answer["description"] == f"Bad Request: {words}"


async def test_quote_must_stand_in_the_message(api: Api, simulator: Simulator) -> None:
    simulator.scene.crowd.say(ME, "two words")
    good, bad = ({"message_id": 1, "quote": quote} for quote in ("words", "no"))
    sent = await api.result("sendMessage", **SEND, reply_parameters=good)
    assert isinstance(sent, dict)
    assert sent["quote"]["text"] == "words"
    refusal = await api.refusal("sendMessage", **SEND, reply_parameters=bad)
    assert refusal == "Bad Request: QUOTE_TEXT_INVALID"


async def test_stranger_in_a_mention_is_dropped(api: Api) -> None:
    text = "<a href='tg://user?id=1'>who</a> <a href='tg://user?id=500000002'>Ada</a>"
    sent = await api.result("sendMessage", chat_id=GROUP_ID, text=text, parse_mode="HTML")
    assert isinstance(sent, dict)
    assert [entity["user"]["first_name"] for entity in sent["entities"]] == ["Ada"]
