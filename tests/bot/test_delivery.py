"""Answers find their way through faults, in the simulator: one answer to each question."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.simulator import BEN, GROUP, YOU, Place
from bot.simulator.faults import Fault, FaultKind
from bot.simulator.records import Topic
from bot.telegram import downloads
from bot.texts import ENGLISH
from tests.bot.town import EVERYTHING, LONG, NOTE, Town, labels, open_town

DONE = ENGLISH.button_regenerate


def plant(town: Town, kind: FaultKind, method: str, **fields: int) -> None:
    town.simulator.scene.faults.plant(Fault(kind, method, **fields))


def calls(town: Town, method: str) -> int:
    return sum(call.method == method for call in town.simulator.calls.all())


SPOILT = [
    FaultKind.RESET_BEFORE,
    FaultKind.RESET_AFTER,
    FaultKind.TRUNCATED,
    FaultKind.HTML,
    FaultKind.ERROR,
]


@pytest.mark.parametrize("kind", SPOILT)
async def test_spoilt_send_ends_in_one_answer(town: Town, kind: FaultKind) -> None:
    plant(town, kind, "sendMessage", count=2)
    question = await town.show(NOTE, "What?")
    answer = await town.answer(0, "1 shown, 1 said: What?", label=DONE)
    assert len(town.answers()) == 1
    assert answer.reply_to == question.message_id


@pytest.mark.parametrize("kind", [*SPOILT, FaultKind.FLOOD])
async def test_spoilt_edit_ends_in_one_answer(town: Town, kind: FaultKind) -> None:
    town.engine.gate.clear()
    await town.show(NOTE, "What?")
    await town.answer(0, label=ENGLISH.button_stop)
    plant(town, kind, "editMessageText", count=2, retry_after_s=1)
    town.engine.gate.set()
    await town.answer(0, "1 shown, 1 said: What?", label=DONE)
    assert len(town.answers()) == 1


async def test_photo_that_did_not_arrive_is_tried_again(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "PAUSES_S", ())
    plant(town, FaultKind.ERROR, "getFile", count=2)
    await town.show(NOTE, "What?")
    failed = await town.answer(0, ENGLISH.file_not_fetched, label=ENGLISH.button_retry)
    town.press(failed, ENGLISH.button_retry)
    await town.answer(0, "1 shown, 1 said: What?", label=DONE)
    assert len(town.answers()) == 1


async def test_flood_limits_are_never_met(town: Town) -> None:
    town.simulator.scene.floods.limit(True)
    await town.show(NOTE, EVERYTHING)
    for _ in range(4):
        town.say("/help")
    await town.until(lambda: any(DONE in labels(one) for one in town.answers()))
    await town.until(lambda: sum(one.text == ENGLISH.help for one in town.answers()) == 4)
    said = [one.text for one in town.answers() if one.text != ENGLISH.help]
    assert " ".join(said) == LONG
    assert not [call for call in town.simulator.calls.all() if call.status == 429]


async def test_flood_in_one_chat_holds_up_no_other(town: Town) -> None:
    plant(town, FaultKind.FLOOD, "*", chat_id=YOU.person_id, retry_after_s=600, count=0)
    await town.show(NOTE, "What?")
    # Whichever call comes first: the typing sign is not sent where the answer is faster.
    await town.until(lambda: any(call.status == 429 for call in town.simulator.calls.all()))
    here = Place(BEN.person_id, GROUP.chat_id)
    town.say("/help@darkroom_bot", here)
    await town.answer(0, chat_id=GROUP.chat_id)
    assert town.answers() == []


async def test_blocked_bot_stops_the_answer(town: Town) -> None:
    town.engine.gate.clear()
    await town.show(NOTE, "What?")
    await town.answer(0, label=ENGLISH.button_stop)
    world = town.simulator.scene.world
    world.put(replace(world.chats[YOU.person_id], blocked=True))
    town.engine.gate.set()
    await town.until(lambda: town.engine.num_open == 0)
    world.put(replace(world.chats[YOU.person_id], blocked=False))
    town.say("Are you there?")
    await town.answer(1, "Are you there?", label=DONE)


async def test_deleted_question_is_answered(town: Town) -> None:
    town.engine.gate.clear()
    question = await town.show(NOTE, "What?")
    await town.until(lambda: bool(town.engine.requests))
    crowd = town.simulator.scene.crowd
    crowd.delete(YOU.person_id, YOU.person_id, question.message_id)
    town.engine.gate.set()
    answer = await town.answer(0, "1 shown, 1 said: What?", label=DONE)
    assert answer.reply_to == 0


async def test_answer_of_a_deleted_topic_stands_outside(town: Town) -> None:
    world = town.simulator.scene.world
    topic = Topic(77, "Receipts")
    world.put(replace(world.chats[GROUP.chat_id], is_forum=True, topics=(topic,)))
    town.engine.gate.clear()
    here = Place(YOU.person_id, GROUP.chat_id, thread_id=topic.thread_id)
    town.say("/ask@darkroom_bot What is red?", here)
    await town.until(lambda: bool(town.engine.requests))
    gone = replace(topic, deleted=True)
    world.put(replace(world.chats[GROUP.chat_id], topics=(gone,)))
    town.engine.gate.set()
    await town.until(lambda: any(DONE in labels(one) for one in town.answers(GROUP.chat_id)))
    (answer,) = [one for one in town.answers(GROUP.chat_id) if DONE in labels(one)]
    assert answer.thread_id == 0


async def test_lost_answer_to_a_press_loses_nothing(town: Town) -> None:
    await town.show(NOTE, "What?")
    answer = await town.answer(0, label=DONE)
    plant(town, FaultKind.RESET_BEFORE, "answerCallbackQuery")
    town.press(answer, DONE)
    await town.answer(1, "What?", label=DONE)


async def test_answer_grows_as_a_draft(tmp_path: Path) -> None:
    async with open_town(tmp_path) as town:
        town.with_drafts = True
        async with town.bot():
            town.engine.gate.clear()
            await town.show(NOTE, "What?")
            await town.until(lambda: calls(town, "sendMessageDraft") > 0)
            assert town.answers() == []
            town.engine.gate.set()
            await town.answer(0, "1 shown, 1 said: What?", label=DONE)
            assert calls(town, "editMessageText") == 0
