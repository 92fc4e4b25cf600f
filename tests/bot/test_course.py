"""The course of an answer, through the simulator: stop, again, wait, fail, restart."""

import asyncio
from pathlib import Path

import pytest

from bot import texts
from bot.simulator import ADA, BEN, GROUP, YOU, Place
from bot.texts import ENGLISH, WORDINGS
from engine import ImageRejected, OutOfMemory, RejectReason
from tests.bot.town import EVERYTHING, LONG, NOTE, RECEIPT, Town, labels, open_town

DONE = ENGLISH.button_regenerate
LINES = "CORNER *BAKERY*\nTOTAL  19.85"


async def test_new_forgets_the_photo(town: Town) -> None:
    await town.show(NOTE, "What?")
    await town.answer(0, label=DONE)
    town.say("/new")
    town.say("Still there?")
    await town.answer(1, ENGLISH.new)
    answer = await town.answer(2, "0 shown, 1 said: Still there?", label=DONE)
    assert ENGLISH.no_photo_hint in answer.text


async def test_stop_button_keeps_what_is_written(town: Town) -> None:
    town.engine.gate.clear()
    await town.show(NOTE, "What?")
    running = await town.answer(0, label=ENGLISH.button_stop)
    town.press(running, ENGLISH.button_stop)
    answer = await town.answer(0, ENGLISH.stopped, label=DONE)
    assert answer.text.startswith("1")
    await town.until(lambda: town.engine.num_open == 0)


async def test_commands_are_answered_while_the_model_works(town: Town) -> None:
    town.engine.gate.clear()
    await town.show(NOTE, "What?")
    await town.answer(0, label=ENGLISH.button_stop)
    town.say("/help")
    await town.answer(1, ENGLISH.help)
    town.say("/stop")
    await town.answer(0, ENGLISH.stopped, label=DONE)
    town.say("/stop")
    await town.answer(2, ENGLISH.nothing_to_stop)


async def test_second_question_waits_in_line_and_in_order(town: Town) -> None:
    town.engine.gate.clear()
    await town.show(NOTE, "First?")
    await town.answer(0, label=ENGLISH.button_stop)
    town.say("Second?")
    await town.answer(1, ENGLISH.place_in_line(1), label=ENGLISH.button_cancel)
    town.engine.gate.set()
    await town.answer(0, "First?", label=DONE)
    await town.answer(1, "1 shown, 3 said: Second?", label=DONE)


async def test_regenerate_and_read_text_below_an_answer(town: Town) -> None:
    photo = await town.show(RECEIPT, "What?")
    answer = await town.answer(0, label=DONE)
    town.press(answer, ENGLISH.button_regenerate)
    again = await town.answer(1, "1 shown, 1 said: What?", label=DONE)
    assert again.reply_to == photo.message_id
    first, second = town.engine.requests
    assert first.params.seed != second.params.seed
    town.press(again, ENGLISH.button_read)
    lines = await town.answer(2, LINES, label=ENGLISH.button_read_by_model)
    town.press(lines, ENGLISH.button_read_by_model)
    await town.answer(3, f"1 shown, 1 said: {texts.READ}")


async def test_answer_is_translated_below_it(town: Town) -> None:
    photo = await town.show(RECEIPT, "What?")
    town.press(await town.answer(0, label=DONE), ENGLISH.button_translate)
    said = await town.answer(1, f"1 shown, 3 said: {ENGLISH.translate_prompt}", label=DONE)
    assert said.reply_to == photo.message_id


async def test_reading_is_translated_into_the_own_language(town: Town) -> None:
    german = WORDINGS["de"]
    town.say("/language")
    town.press(await town.answer(0, label=german.name), german.name)
    await town.answer(0, german.language_set)
    await town.show(RECEIPT, "/ocr")
    town.press(await town.answer(1, LINES), german.button_translate)
    await town.answer(2, f"1 shown, 3 said: {german.translate_prompt}")


async def test_others_may_not_press(town: Town) -> None:
    here = Place(ADA.person_id, GROUP.chat_id)
    photo = await town.show(RECEIPT, "mine", here)
    town.say("/ask What?", Place(ADA.person_id, GROUP.chat_id, reply_to=photo.message_id))
    answer = await town.answer(0, label=DONE, chat_id=GROUP.chat_id)
    town.press(answer, DONE, person_id=BEN.person_id)
    await town.until(
        lambda: any(call.method == "answerCallbackQuery" for call in town.simulator.calls.all())
    )
    town.press(answer, DONE, person_id=YOU.person_id)  # You are an admin of this group
    await town.answer(1, "What?", label=DONE, chat_id=GROUP.chat_id)
    assert len(town.engine.requests) == 2


async def test_long_answer_arrives_whole(town: Town) -> None:
    await town.show(NOTE, EVERYTHING)
    await town.until(lambda: any(DONE in labels(one) for one in town.answers()))
    parts = town.answers()
    # Telegram takes the spaces from the ends of a message.
    assert " ".join(part.text for part in parts) == LONG
    assert [bool(part.keyboard) for part in parts] == [False] * (len(parts) - 1) + [True]
    town.say("Shorter, please", town.place(reply_to=parts[0].message_id))
    await town.answer(len(parts), "1 shown, 3 said: Shorter, please", label=DONE)


async def test_stop_reaches_a_photo_that_waits_for_its_question(town: Town) -> None:
    await town.show(NOTE)
    town.say("/stop")
    await town.answer(0, ENGLISH.stopped)
    town.say("Another thing")
    await town.answer(1, "0 shown, 1 said: Another thing", label=DONE)


async def test_failure_offers_another_try(town: Town) -> None:
    town.engine.fails = OutOfMemory()
    await town.show(NOTE, "What?")
    failed = await town.answer(0, label=ENGLISH.button_retry)
    assert texts.sentence_for(OutOfMemory()) in failed.text
    town.engine.fails = None
    town.press(failed, ENGLISH.button_retry)
    await town.answer(0, "1 shown, 1 said: What?", label=DONE)
    assert len(town.answers()) == 1


@pytest.mark.parametrize("kind", ["application/pdf", "image/png"], ids=["pdf", "false-png"])
async def test_file_that_is_no_picture_gets_one_sentence(town: Town, kind: str) -> None:
    crowd = town.simulator.scene.crowd
    await crowd.show_document(town.place(), b"%PDF-1.7", "scan", "What?", mime_type=kind)
    await town.answer(0, texts.sentence_for(ImageRejected(RejectReason.NOT_AN_IMAGE)))
    town.say("What is in it?")
    await town.answer(1, "0 shown, 1 said: What is in it?", label=DONE)
    await town.show(NOTE, "And now?")
    await town.answer(2, "1 shown, 1 said: And now?", label=DONE)


async def test_edit_of_a_question_is_no_question(town: Town) -> None:
    photo = await town.show(NOTE, "What?")
    await town.answer(0, label=DONE)
    town.simulator.scene.crowd.edit(YOU.person_id, YOU.person_id, photo.message_id, "Why?")
    town.say("/help")
    await town.answer(1, ENGLISH.help)
    assert len(town.engine.requests) == 1


async def test_restart_keeps_the_conversation(tmp_path: Path) -> None:
    async with open_town(tmp_path) as town:
        async with town.bot():
            await town.show(NOTE, "What?")
            await town.answer(0, label=DONE)
        for photo in await asyncio.to_thread(lambda: list((tmp_path / "photos").rglob("*"))):
            if photo.is_file():
                photo.unlink()
        town.engine = type(town.engine)(town.engine._reply)
        async with town.bot():
            town.say("And what colour?")
            await town.answer(1, "1 shown, 3 said: And what colour?", label=DONE)


async def test_closing_marks_what_was_being_written(tmp_path: Path) -> None:
    async with open_town(tmp_path) as town:
        async with town.bot():
            town.engine.gate.clear()
            await town.show(NOTE, "What?")
            await town.answer(0, label=ENGLISH.button_stop)
        assert ENGLISH.stopped in town.answers()[0].text
