"""What people set and delete for themselves, through the simulator."""

import asyncio
import os

from bot.simulator import GROUP, YOU
from bot.texts import ENGLISH, WORDINGS
from tests.bot.town import NOTE, RECEIPT, Town, labels

GERMAN = WORDINGS["de"]
DONE = ENGLISH.button_regenerate


async def photos(town: Town) -> list[str]:
    return await asyncio.to_thread(os.listdir, town.folder / "photos")


def num_presses(town: Town) -> int:
    return sum(call.method == "answerCallbackQuery" for call in town.simulator.calls.all())


async def test_language_is_chosen_by_a_button(town: Town) -> None:
    town.say("/language")
    asked = await town.answer(0, ENGLISH.language_ask, label="Deutsch")
    assert labels(asked) == [*(one.name for one in WORDINGS.values()), ENGLISH.language_auto]
    town.press(asked, "Deutsch")
    changed = await town.answer(0, GERMAN.language_set)
    assert labels(changed) == []
    await town.show(NOTE, "What is it?")
    answer = await town.answer(1, "1 shown, 1 said: What is it?", label=GERMAN.button_regenerate)
    assert labels(answer) == [
        GERMAN.button_regenerate,
        GERMAN.button_read,
        GERMAN.button_translate,
    ]
    town.say("/stop")
    await town.answer(2, GERMAN.nothing_to_stop)


async def test_language_follows_telegram_again(town: Town) -> None:
    town.say("/language")
    town.press(await town.answer(0, label="Deutsch"), "Deutsch")
    await town.answer(0, GERMAN.language_set)
    town.say("/language")
    town.press(await town.answer(1, label=GERMAN.language_auto), GERMAN.language_auto)
    await town.answer(1, ENGLISH.language_set)


async def test_forget_deletes_after_it_was_confirmed(town: Town) -> None:
    await town.show(NOTE, "What is it?")
    first = await town.answer(0, label=DONE)
    town.say("/forget")
    asked = await town.answer(1, ENGLISH.forget_ask, label=ENGLISH.button_keep)
    assert await photos(town) != []
    town.press(asked, ENGLISH.button_forget)
    await town.answer(1, ENGLISH.forgotten)
    assert await photos(town) == []
    assert f"telegram:{YOU.person_id}/0/{YOU.person_id}" in town.engine.forgotten
    town.say("And what colour?")
    await town.answer(2, "0 shown, 1 said: And what colour?", label=DONE)
    town.press(first, ENGLISH.button_read)
    await town.until(lambda: num_presses(town) == 2)
    assert len(town.answers()) == 3


async def test_forget_keeps_everything_when_refused(town: Town) -> None:
    await town.show(NOTE, "What is it?")
    await town.answer(0, label=DONE)
    town.say("/forget")
    town.press(await town.answer(1, label=ENGLISH.button_keep), ENGLISH.button_keep)
    await town.answer(1, ENGLISH.kept)
    town.say("And what colour?")
    await town.answer(2, "1 shown, 3 said: And what colour?", label=DONE)


async def test_forget_stops_what_is_being_answered(town: Town) -> None:
    town.engine.gate.clear()
    await town.show(RECEIPT, "How much?")
    await town.answer(0, label=ENGLISH.button_stop)
    town.say("/forget")
    town.press(await town.answer(1, label=ENGLISH.button_forget), ENGLISH.button_forget)
    await town.answer(1, ENGLISH.forgotten)
    assert town.engine.num_open == 0
    assert await photos(town) == []


async def test_privacy_says_what_is_kept(town: Town) -> None:
    town.say("/privacy")
    told = await town.answer(0, ENGLISH.privacy.format(days="7"))
    assert len(told.text.splitlines()) == 5


async def test_controls_are_for_private_chats(town: Town) -> None:
    here = town.place(GROUP.chat_id)
    town.say("/language@darkroom_bot", here)
    town.say("/privacy@darkroom_bot", here)
    town.say("/forget@darkroom_bot", here)
    town.say("/help@darkroom_bot", here)
    await town.answer(0, ENGLISH.group_help(sees_all=False), chat_id=GROUP.chat_id)
    assert len(town.answers(GROUP.chat_id)) == 1
