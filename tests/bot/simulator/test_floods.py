"""Flood limits: off at first, then windows that slide with the simulator's clock."""

import pytest

from bot.simulator import Simulator
from bot.simulator.floods import BOT, CHAT, GROUP
from bot.simulator.records import Chat
from tests.bot.simulator.conftest import GROUP_ID, PRIVATE_ID, Api, Clock, Control

BURST, MINUTE = CHAT[0], GROUP[-1]


async def passed(api: Api, chat_id: int, times: int) -> list[object]:
    """What became of each of so many messages: None, or the seconds to wait."""
    answers = [await api.call("sendMessage", chat_id=chat_id, text="x") for _ in range(times)]
    return [answer.get("parameters") for answer in answers]


async def test_no_limit_until_asked(api: Api) -> None:
    assert await passed(api, PRIVATE_ID, BURST.num_calls + 1) == [None] * (BURST.num_calls + 1)


async def test_burst_then_a_pause(api: Api, control: Control, clock: Clock) -> None:
    assert (await control.post("floods", on=True))["floods"] is True
    assert await passed(api, PRIVATE_ID, BURST.num_calls) == [None] * BURST.num_calls
    assert await passed(api, PRIVATE_ID, 1) == [{"retry_after": 3}]
    assert await passed(api, GROUP_ID, 1) == [None]
    clock.pass_by(BURST.seconds)
    assert await passed(api, PRIVATE_ID, 1) == [None]
    await control.post("floods", on=False)
    assert await passed(api, PRIVATE_ID, 9) == [None] * 9


async def test_edits_share_the_budget(api: Api, control: Control) -> None:
    await control.post("floods", on=True)
    await passed(api, PRIVATE_ID, BURST.num_calls)
    edit = await api.refusal("editMessageText", chat_id=PRIVATE_ID, message_id=1, text="y")
    assert edit == "Too Many Requests: retry after 3"
    assert await api.result("getChat", chat_id=PRIVATE_ID)


async def test_group_has_its_minute(api: Api, control: Control, clock: Clock) -> None:
    await control.post("floods", on=True)
    for _ in range(MINUTE.num_calls):
        assert await passed(api, GROUP_ID, 1) == [None]
        clock.pass_by(1)
    assert await passed(api, GROUP_ID, 1) == [{"retry_after": 40}]
    clock.pass_by(40)
    assert await passed(api, GROUP_ID, 2) == [None, {"retry_after": 1}]


@pytest.mark.parametrize("method", ["sendMessage", "sendChatAction", "editMessageText"])
def test_whole_bot_has_its_second(method: str, simulator: Simulator, clock: Clock) -> None:
    floods, chats = simulator.scene.floods, [Chat(number, "private") for number in range(1, 40)]
    floods.limit(True)
    waits = [floods.wait_s(method, chat) for chat in chats]
    assert waits == [0] * BOT[0].num_calls + [1] * (39 - BOT[0].num_calls)
    clock.pass_by(1)
    assert floods.wait_s(method, chats[-1]) == 0
