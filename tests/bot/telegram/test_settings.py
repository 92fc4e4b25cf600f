"""Each setting is chosen by buttons in the simulator, and does what it says."""

import asyncio
import os
from dataclasses import replace
from pathlib import Path

import pytest

from bot.assistant import Assistant
from bot.choices import Setting
from bot.simulator import ADA, BEN, GROUP, YOU, Place
from bot.simulator.media import Special
from bot.simulator.records import Message as Shown
from bot.texts import ENGLISH, WORDINGS
from storage import TurnStatus
from tests.bot.town import LONG, NOTE, PATIENCE_S, RECEIPT, Town, labels, open_town

DONE = ENGLISH.button_regenerate
BASIC, HEIR = -4_000_777, -1_001_000_000_777


def place_of(person_id: int) -> Place:
    return Place(person_id, GROUP.chat_id, 0)


def starting(message: Shown, beginning: str) -> str:
    return next(label for label in labels(message) if label.startswith(beginning))


async def choose(town: Town, setting: str, value: str, *, index: int = 0) -> None:
    """Open the menu and choose, by the words that a person sees."""
    town.say("/settings")
    shown = await town.answer(index, ENGLISH.settings_ask)
    town.press(shown, starting(shown, f"{setting}:"))
    values = await town.answer(index, setting, label=ENGLISH.button_back)
    town.press(values, value)
    await town.answer(index, ENGLISH.settings_ask, label=f"{setting}: {value}")


async def choose_in_group(
    town: Town, setting: str, value: str, *, chat_id: int = GROUP.chat_id
) -> None:
    town.say("/settings@darkroom_bot", town.place(chat_id))
    shown = await town.answer(0, ENGLISH.settings_ask_group, chat_id=chat_id)
    town.press(shown, starting(shown, f"{setting}:"))
    values = await town.answer(0, setting, label=ENGLISH.button_back, chat_id=chat_id)
    town.press(values, value)
    await town.answer(0, label=f"{setting}: {value}", chat_id=chat_id)


def hear_everything(town: Town) -> None:
    town.simulator.scene.world.put(replace(GROUP, bot_standing="administrator"))


def num_presses(town: Town) -> int:
    return sum(call.method == "answerCallbackQuery" for call in town.simulator.calls.all())


async def test_menu_shows_what_holds(town: Town) -> None:
    town.say("/settings")
    shown = await town.answer(0, ENGLISH.settings_ask)
    assert labels(shown)[0] == f"{ENGLISH.setting_length}: {ENGLISH.value_normal}"
    assert len(labels(shown)) == 5
    town.press(shown, starting(shown, ENGLISH.setting_answers))
    values = await town.answer(0, label=ENGLISH.button_back)
    names = [one.name for one in WORDINGS.values()]
    assert labels(values) == [f"✓ {ENGLISH.value_auto}", *names, ENGLISH.button_back]


@pytest.mark.parametrize(("value", "share"), [("short", 0.25), ("long", 2.0)])
async def test_length_bounds_the_answer(town: Town, value: str, share: float) -> None:
    await choose(town, ENGLISH.setting_length, value)
    await town.show(NOTE, "What is it?")
    await town.answer(1, "1 shown, 2 said: What is it?", label=DONE)
    request = town.engine.requests[-1]
    assert request.params.max_tokens == int(len(LONG) * share)
    assert request.messages[0].role == "system"


async def test_language_of_answers_is_fixed(town: Town) -> None:
    await choose(town, ENGLISH.setting_answers, "Deutsch")
    await town.show(NOTE, "What is it?")
    await town.answer(1, "2 said", label=DONE)
    assert "German" in town.engine.requests[-1].messages[0].text


async def test_photo_without_words_is_read(town: Town) -> None:
    await choose(town, ENGLISH.setting_photo, ENGLISH.value_read)
    await town.show(NOTE)
    await town.answer(1, "TOTAL  19.85")
    assert town.engine.requests == []


async def test_photo_without_words_is_asked_about(town: Town) -> None:
    await choose(town, ENGLISH.setting_photo, ENGLISH.value_ask)
    await town.show(NOTE)
    asked = await town.answer(1, ENGLISH.photo_question, label=ENGLISH.button_read)
    assert town.engine.requests == []
    town.press(asked, ENGLISH.button_describe)
    await town.answer(2, "1 shown, 1 said: Describe", label=DONE)


async def test_photo_without_words_waits(tmp_path: Path) -> None:
    async with open_town(tmp_path) as town, town.bot() as assistant:
        await assistant.choices.choose(YOU.person_id, Setting.PHOTO, "wait")
        await town.show(NOTE)
        await noted(assistant)
        assert town.engine.requests == []
        town.say("What is it?")
        await town.answer(0, "1 shown, 1 said: What is it?", label=DONE)


async def noted(assistant: Assistant) -> None:
    """Wait until the photo is written down."""
    here = f"telegram:{YOU.person_id}/0/{YOU.person_id}"
    async with asyncio.timeout(PATIENCE_S):
        while (turn := await assistant.history.newest(here)) is None:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        while turn.status is not TurnStatus.STOPPED:
            turn = await assistant.history.turn(turn.turn_id)


async def test_history_off_keeps_the_newest_only(town: Town) -> None:
    await choose(town, ENGLISH.setting_history, ENGLISH.value_off)
    await town.show(NOTE, "What is it?")
    await town.answer(1, label=DONE)
    town.say("And what colour?")
    await town.answer(2, "1 shown, 1 said: And what colour?", label=DONE)
    await town.show(RECEIPT, "How much?")
    await town.answer(3, "1 shown, 1 said: How much?", label=DONE)
    assert len(await asyncio.to_thread(os.listdir, town.folder / "photos")) == 1


async def test_forget_resets_the_settings(town: Town) -> None:
    await choose(town, ENGLISH.setting_length, ENGLISH.value_short)
    town.say("/forget")
    town.press(await town.answer(1, label=ENGLISH.button_forget), ENGLISH.button_forget)
    await town.answer(1, ENGLISH.forgotten)
    town.say("/settings")
    await town.answer(2, label=f"{ENGLISH.setting_length}: {ENGLISH.value_normal}")


async def test_old_menu_stays_valid(town: Town) -> None:
    town.say("/settings")
    old = await town.answer(0, ENGLISH.settings_ask)
    await choose(town, ENGLISH.setting_length, ENGLISH.value_short, index=1)
    town.press(old, starting(old, ENGLISH.setting_length))
    await town.answer(0, label=f"✓ {ENGLISH.value_short}")


async def test_mentions_are_switched_off(town: Town) -> None:
    hear_everything(town)
    here = town.place(GROUP.chat_id)
    await choose_in_group(town, ENGLISH.setting_mentions, ENGLISH.value_off)
    await town.show(NOTE, "@darkroom_bot of a mention", here)
    await town.show(NOTE, "/ask@darkroom_bot of a command", here)
    await town.answer(1, "of a command", label=DONE, chat_id=GROUP.chat_id)
    assert len(town.engine.requests) == 1


async def test_mentions_are_answered_otherwise(town: Town) -> None:
    hear_everything(town)
    await town.show(NOTE, "@darkroom_bot of a mention", town.place(GROUP.chat_id))
    await town.answer(0, "of a mention", label=DONE, chat_id=GROUP.chat_id)


async def test_admins_only_may_ask(town: Town) -> None:
    await choose_in_group(town, ENGLISH.setting_who, ENGLISH.value_admins)
    await town.show(NOTE, "/ask@darkroom_bot of ben", place_of(BEN.person_id))
    await town.show(NOTE, "/ask@darkroom_bot of mine", place_of(YOU.person_id))
    await town.answer(1, "of mine", label=DONE, chat_id=GROUP.chat_id)
    assert len(town.engine.requests) == 1


async def test_group_is_set_by_its_admins(town: Town) -> None:
    town.say("/settings@darkroom_bot", place_of(ADA.person_id))
    town.say("/settings@darkroom_bot", place_of(YOU.person_id))
    shown = await town.answer(0, ENGLISH.settings_ask_group, chat_id=GROUP.chat_id)
    town.press(shown, starting(shown, ENGLISH.setting_who), person_id=ADA.person_id)
    await town.until(lambda: num_presses(town) == 1)
    assert len(town.answers(GROUP.chat_id)) == 1
    assert labels(town.answers(GROUP.chat_id)[0]) == labels(shown)


async def test_settings_follow_a_group(town: Town) -> None:
    world = town.simulator.scene.world
    world.put(replace(GROUP, chat_id=BASIC, kind="group"))
    await choose_in_group(town, ENGLISH.setting_who, ENGLISH.value_admins, chat_id=BASIC)
    world.put(replace(GROUP, chat_id=HEIR))
    gone = Special("migrated_to", HEIR)
    town.simulator.scene.crowd.declare(town.place(BASIC), gone)
    town.say("/stop@darkroom_bot", town.place(HEIR))
    await town.answer(0, ENGLISH.nothing_to_stop, chat_id=HEIR)
    town.say("/settings@darkroom_bot", town.place(HEIR))
    chosen = f"{ENGLISH.setting_who}: {ENGLISH.value_admins}"
    await town.answer(1, label=chosen, chat_id=HEIR)
