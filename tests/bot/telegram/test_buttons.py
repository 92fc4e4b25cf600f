"""Buttons: what they do, for whom, and what is said to everybody else."""

import asyncio

import pytest

from bot import texts
from bot.telegram.keyboards import Press, Pressed, parse
from bot.texts import ENGLISH
from storage import TurnStatus
from tests.bot.telegram.chat import GROUP, Chat
from tests.bot.telegram.messages import command_in, message_json, photo_json
from tests.bot.telegram.offline import Refusal

LINES = "TEA 2.50\nTOTAL 2.50"


@pytest.fixture
async def asked(chat: Chat) -> Chat:
    chat.calls.files["p"] = b"receipt"
    await chat.receive(photo=photo_json("p"), caption="what?")
    return chat


@pytest.fixture
async def asked_in_group(chat: Chat) -> Chat:
    chat.calls.files["p"] = b"receipt"
    photo = message_json(50, GROUP, photo=photo_json("p"))
    entities = command_in("/ask what?")
    await chat.receive(GROUP, text="/ask what?", entities=entities, reply_to_message=photo)
    return chat


@pytest.mark.parametrize(
    ("data", "pressed"),
    [
        ("stop:12", Pressed(Press.STOP, 12)),
        ("model:1", Pressed(Press.READ_BY_MODEL, 1)),
        ("stop:", None),
        ("stop:-1", None),
        ("stop:１", None),
        ("other:1", None),
        ("", None),
        (None, None),
    ],
)
def test_data_of_a_button_is_read_back(data: str | None, pressed: Pressed | None) -> None:
    assert parse(data) == pressed


async def test_regenerate_asks_the_same_anew(asked: Chat) -> None:
    await asked.press("again:1")
    first, second = asked.hall.engine.requests
    assert [one.text for one in second.messages] == [one.text for one in first.messages]
    assert second.messages[0].images == first.messages[0].images
    assert second.params.seed != first.params.seed
    last = asked.calls.named("sendMessage")[-1].params
    assert last["reply_parameters"]["message_id"] == 1


async def test_retry_writes_into_the_same_message(asked: Chat) -> None:
    await asked.press("retry:1")
    assert len(asked.calls.named("sendMessage")) == 1
    assert asked.calls.named("editMessageText")[-1].params["message_id"] == 900


async def test_read_text_shows_the_lines(asked: Chat) -> None:
    await asked.press("read:1")
    assert asked.calls.texts()[-1] == LINES


async def test_read_with_the_model_asks_the_model(asked: Chat) -> None:
    await asked.press("model:1")
    assert texts.READ in asked.calls.texts()[-1]


async def test_late_stop_does_no_harm(asked: Chat) -> None:
    await asked.press("stop:1")
    assert (await asked.hall.history.turn(1)).status is TurnStatus.ANSWERED


async def test_press_is_answered_before_the_work(asked: Chat) -> None:
    await asked.press("again:1")
    methods = [call.method for call in asked.calls.calls]
    since = methods[methods.index("sendMessage") + 1 :]
    assert since.index("answerCallbackQuery") < since.index("sendMessage")


@pytest.mark.parametrize("name", ["again", "retry", "model"])
async def test_pressing_twice_makes_one_job(asked: Chat, name: str) -> None:
    asked.hall.engine.gate.clear()
    presses = [asyncio.create_task(asked.press(f"{name}:1")) for _ in range(3)]
    await asyncio.wait(presses, return_when=asyncio.FIRST_COMPLETED)
    while sum(press.done() for press in presses) < 2:
        await asyncio.wait(
            [press for press in presses if not press.done()], return_when=asyncio.FIRST_COMPLETED
        )
    asked.hall.engine.gate.set()
    await asyncio.gather(*presses)
    assert len(asked.hall.engine.requests) == 2
    assert sorted(asked.pop_ups) == ["", ENGLISH.at_work, ENGLISH.at_work]
    await asked.press(f"{name}:1")
    assert len(asked.hall.engine.requests) == 3


async def test_other_buttons_work_meanwhile(asked: Chat) -> None:
    await asyncio.gather(asked.press("again:1"), asked.press("read:1"))
    assert asked.pop_ups == ["", ""]
    assert len(asked.hall.engine.requests) == 2
    assert LINES in asked.calls.texts()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ("again:77", ENGLISH.turn_gone),
        ("again:x", ENGLISH.button_too_old),
        ("again:99999999999999999999999", ENGLISH.button_too_old),
    ],
    ids=["unknown", "strange", "huge"],
)
async def test_unknown_button_gets_a_pop_up(asked: Chat, data: str, sentence: str) -> None:
    await asked.press(data)
    assert asked.pop_ups == [sentence]
    assert len(asked.hall.engine.requests) == 1


async def test_button_of_a_very_old_message_still_works(asked: Chat) -> None:
    await asked.press_out_of_reach("again:1")
    assert len(asked.hall.engine.requests) == 2
    last = asked.calls.named("sendMessage")[-1].params
    assert last["reply_parameters"]["message_id"] == 900


async def test_turn_of_another_chat_is_out_of_reach(asked: Chat) -> None:
    await asked.press("again:1", chat_id=GROUP)
    assert asked.pop_ups == [ENGLISH.button_too_old]
    assert len(asked.hall.engine.requests) == 1


async def test_others_get_a_pop_up(asked_in_group: Chat) -> None:
    await asked_in_group.press("again:1", chat_id=GROUP, person_id=8)
    assert asked_in_group.pop_ups == [ENGLISH.not_yours]
    assert len(asked_in_group.hall.engine.requests) == 1


@pytest.mark.parametrize("standing", ["administrator", "creator"])
async def test_admin_may_press(asked_in_group: Chat, standing: str) -> None:
    asked_in_group.calls.members[8] = standing
    await asked_in_group.press("again:1", chat_id=GROUP, person_id=8)
    assert len(asked_in_group.hall.engine.requests) == 2


async def test_nobody_is_admin_when_nobody_can_tell(asked_in_group: Chat) -> None:
    asked_in_group.calls.faults["getChatMember"] = [Refusal(400, "Bad Request: member not found")]
    await asked_in_group.press("again:1", chat_id=GROUP, person_id=8)
    assert asked_in_group.pop_ups == [ENGLISH.not_yours]


async def test_press_that_is_too_late_for_a_pop_up_still_works(asked: Chat) -> None:
    asked.calls.faults["answerCallbackQuery"] = [Refusal(400, "Bad Request: query is too old")]
    await asked.press("again:1")
    assert len(asked.hall.engine.requests) == 2
