"""Long polling: order, offsets, waiting, two pollers, what is wanted, what grows old."""

import asyncio

import httpx
import pytest
from telegram import Bot
from telegram.error import Conflict

from bot.simulator import YOU, Simulator
from tests.bot.simulator.conftest import ME, PRIVATE_ID, Api, Clock


def texts(updates: list[dict[str, object]]) -> list[object]:
    return [update["message"]["text"] for update in updates]  # type: ignore[index]


async def test_offset_acknowledges(api: Api, simulator: Simulator, clock: Clock) -> None:
    for text in "abc":
        simulator.scene.crowd.say(ME, text)
    first = await api.updates()
    assert texts(first) == ["a", "b", "c"]
    clock.pass_by(5)
    assert texts(await api.updates()) == ["a", "b", "c"]
    rest = await api.updates(offset=int(str(first[1]["update_id"])))
    assert texts(rest) == ["b", "c"]
    assert texts(await api.updates(limit=1)) == ["b"]


async def test_negative_offset_keeps_the_last(api: Api, simulator: Simulator) -> None:
    for text in "abc":
        simulator.scene.crowd.say(ME, text)
    assert texts(await api.updates(offset=-1)) == ["c"]


async def test_hasty_repetition_gets_one(api: Api, simulator: Simulator) -> None:
    for text in "ab":
        simulator.scene.crowd.say(ME, text)
    assert texts(await api.updates()) == ["a", "b"]
    assert texts(await api.updates()) == ["a"]


async def test_poll_waits_for_a_message(bot: Bot, simulator: Simulator) -> None:
    polling = asyncio.create_task(bot.get_updates(timeout=20))
    await simulator.scene.updates.waiting.wait()
    simulator.scene.crowd.say(ME, "now")
    updates = await polling
    assert updates[0].message is not None
    assert updates[0].message.text == "now"


async def test_newer_poll_wins(bot: Bot, simulator: Simulator) -> None:
    older = asyncio.create_task(bot.get_updates(timeout=20))
    await simulator.scene.updates.waiting.wait()
    newer = asyncio.create_task(bot.get_updates(timeout=20))
    with pytest.raises(Conflict, match="terminated by other getUpdates request"):
        await older
    simulator.scene.crowd.say(ME, "hi")
    assert len(await newer) == 1


async def test_closing_ends_a_waiting_poll(clock: Clock, client: httpx.AsyncClient) -> None:
    async with Simulator(clock=clock, demo=False) as simulator:
        url = f"{simulator.api_url}/bot{simulator.token}/getUpdates"
        polling = asyncio.create_task(client.post(url, json={"timeout": 50}))
        await simulator.scene.updates.waiting.wait()
    answer = (await polling).json()
    assert answer["description"] == "Internal Server Error: restart"


async def test_allowed_updates_stick_and_filter_at_creation(
    api: Api, simulator: Simulator, clock: Clock
) -> None:
    simulator.scene.crowd.say(ME, "before")
    await api.updates(allowed_updates=["callback_query", "nonsense"])
    clock.pass_by(5)
    simulator.scene.crowd.say(ME, "unwanted")
    assert texts(await api.updates()) == ["before"]
    clock.pass_by(5)
    await api.updates(allowed_updates=[])
    simulator.scene.crowd.say(ME, "wanted")
    clock.pass_by(5)
    assert texts(await api.updates()) == ["before", "wanted"]


async def test_reactions_only_if_asked(api: Api, simulator: Simulator, clock: Clock) -> None:
    simulator.scene.crowd.say(ME, "a")
    simulator.scene.gestures.react(YOU.person_id, PRIVATE_ID, 1, "👍")
    assert len(await api.updates()) == 1
    clock.pass_by(5)
    await api.updates(allowed_updates=["message", "message_reaction"])
    simulator.scene.gestures.react(YOU.person_id, PRIVATE_ID, 1, "👎")
    clock.pass_by(5)
    reaction = (await api.updates())[-1]["message_reaction"]
    assert isinstance(reaction, dict)
    assert reaction["new_reaction"] == [{"type": "emoji", "emoji": "👎"}]


async def test_updates_grow_old(api: Api, simulator: Simulator, clock: Clock) -> None:
    markup = {"inline_keyboard": [[{"text": "A", "callback_data": "a"}]]}
    await api.result("sendMessage", chat_id=PRIVATE_ID, text="x", reply_markup=markup)
    simulator.scene.crowd.say(ME, "a")
    simulator.scene.gestures.press(YOU.person_id, PRIVATE_ID, 1, "a")
    clock.pass_by(151)
    assert texts(await api.updates()) == ["a"]
    clock.pass_by(24 * 3600)
    assert await api.updates(offset=1) == []


async def test_edits_arrive_as_edits(api: Api, simulator: Simulator) -> None:
    message = simulator.scene.crowd.say(ME, "a")
    simulator.scene.crowd.edit(YOU.person_id, PRIVATE_ID, message.message_id, "b")
    edited = (await api.updates())[-1]["edited_message"]
    assert isinstance(edited, dict)
    assert (edited["text"], "edit_date" in edited) == ("b", True)
