"""Questions that are changed after they were sent, through the simulator."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.assistant import Assistant
from bot.simulator import YOU
from bot.simulator.records import Message as Shown
from bot.texts import ENGLISH
from tests.bot.town import NOTE, Town, labels, open_town

DONE = ENGLISH.button_regenerate
CHANGED = ENGLISH.button_edited


@pytest.fixture
async def folk(tmp_path: Path) -> AsyncIterator[tuple[Town, Assistant]]:
    async with open_town(tmp_path) as town, town.bot() as assistant:
        yield town, assistant


async def noted(assistant: Assistant, turn_id: int, text: str) -> None:
    async with asyncio.timeout(20):
        while await assistant.history.edited(turn_id) != text:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


def change(town: Town, message: Shown, text: str) -> None:
    town.simulator.scene.crowd.edit(YOU.person_id, message.chat_id, message.message_id, text)


async def test_waiting_question_is_replaced(folk: tuple[Town, Assistant]) -> None:
    town, assistant = folk
    town.engine.gate.clear()
    await town.show(NOTE, "First?")
    await town.answer(0, label=ENGLISH.button_stop)
    waiting = town.say("Secnd?")
    await town.answer(1, label=ENGLISH.button_cancel)
    change(town, waiting, "Second?")
    async with asyncio.timeout(20):
        while (await assistant.history.turn(2)).question != "Second?":  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    town.engine.gate.set()
    await town.answer(1, "1 shown, 3 said: Second?", label=DONE)
    assert len(town.answers()) == 2


async def test_answered_question_is_answered_anew_by_a_button(town: Town) -> None:
    photo = await town.show(NOTE, "What colur?")
    await town.answer(0, label=DONE)
    change(town, photo, "What colour?")
    note = await town.answer(1, ENGLISH.question_edited, label=CHANGED)
    assert note.reply_to == photo.message_id
    town.press(note, CHANGED)
    await town.answer(1, "1 shown, 1 said: What colour?", label=DONE)
    town.say("And how large?")
    await town.answer(2, "1 shown, 3 said: And how large?", label=DONE)
    assert town.engine.requests[-1].messages[0].text == "What colour?"


async def test_only_a_new_question_is_noted_once(folk: tuple[Town, Assistant]) -> None:
    town, assistant = folk
    photo = await town.show(NOTE, "What?")
    await town.answer(0, label=DONE)
    change(town, photo, "What? ")
    change(town, photo, "Where?")
    note = await town.answer(1, label=CHANGED)
    change(town, photo, "When?")
    await noted(assistant, 1, "When?")
    assert len(town.answers()) == 2
    town.press(note, CHANGED)
    await town.answer(1, "1 shown, 1 said: When?", label=DONE)


async def test_changed_command_is_not_done_again(town: Town) -> None:
    command = town.say("/help")
    await town.answer(0, ENGLISH.help)
    change(town, command, "/stop")
    town.say("/help")
    await town.answer(1, ENGLISH.help)
    assert len(town.answers()) == 2


async def test_change_is_kept_over_a_restart(tmp_path: Path) -> None:
    async with open_town(tmp_path) as town:
        async with town.bot():
            photo = await town.show(NOTE, "What?")
            await town.answer(0, label=DONE)
            change(town, photo, "Where?")
            note = await town.answer(1, label=CHANGED)
        async with town.bot():
            town.press(note, CHANGED)
            answer = await town.answer(1, "1 shown, 1 said: Where?", label=DONE)
            assert CHANGED not in labels(answer)
