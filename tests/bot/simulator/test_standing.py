"""Refusals that depend on what has happened: edits, old messages, closed doors, late answers."""

from dataclasses import replace

import pytest

from bot.simulator import ADA, GROUP, YOU, Place, Simulator
from bot.simulator.records import Person
from tests.bot.simulator.conftest import GROUP_ID, ME, NOTE, PRIVATE_ID, Api, Clock
from tests.bot.simulator.test_refusals import LATE, SEND, keyboard

SAME = (
    "message is not modified: specified new message content and reply markup are exactly the same "
    "as a current content and reply markup of the message"
)


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
