"""What people do with the bot, from their message to what they see, through the simulator."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot import texts
from bot.simulator import ADA, BEN, GROUP, YOU, Place
from engine import ImageRejected, OutOfMemory, RejectReason
from tests.bot.town import NOTE, RECEIPT, Town, labels, open_town

DONE = texts.BUTTON_REGENERATE
LINES = "CORNER *BAKERY*\nTOTAL  19.85"


@pytest.fixture
async def town(tmp_path: Path) -> AsyncIterator[Town]:
    async with open_town(tmp_path) as town, town.bot():
        yield town


async def test_photo_with_caption_is_answered_below_it(town: Town) -> None:
    photo = await town.show(NOTE, "What is written here?")
    answer = await town.answer(0, "1 shown, 1 said: What is written here?", label=DONE)
    assert answer.reply_to == photo.message_id
    assert labels(answer) == [texts.BUTTON_REGENERATE, texts.BUTTON_READ]


async def test_bare_photo_is_described(town: Town) -> None:
    await town.show(NOTE)
    await town.answer(0, f"1 shown, 1 said: {texts.DESCRIBE}", label=DONE)


async def test_text_right_after_a_photo_is_its_question(town: Town) -> None:
    await town.show(NOTE)
    town.say("What is it?")
    await town.answer(0, "1 shown, 1 said: What is it?", label=DONE)


async def test_follow_up_sees_the_photo_and_what_was_said(town: Town) -> None:
    await town.show(NOTE, "What is it?")
    await town.answer(0, label=DONE)
    town.say("And what colour?")
    await town.answer(1, "1 shown, 3 said: And what colour?", label=DONE)


async def test_picture_file_and_sticker_are_photos(town: Town) -> None:
    crowd = town.simulator.scene.crowd
    await crowd.show_document(town.place(), NOTE, "scan.bin", "What?", mime_type="")
    await town.answer(0, "1 shown, 1 said: What?", label=DONE)
    await crowd.show_sticker(town.place(), NOTE)
    await town.answer(1, f"1 shown, 1 said: {texts.DESCRIBE}", label=DONE)


async def test_album_is_one_question(town: Town) -> None:
    items = [(NOTE, "Compare them"), (RECEIPT, ""), (NOTE, "")]
    await town.simulator.scene.crowd.show_album(town.place(), items)
    await town.answer(0, "3 shown, 1 said: Compare them", label=DONE)
    assert len(town.answers()) == 1


async def test_reply_goes_back_to_an_older_photo(town: Town) -> None:
    first = await town.show(NOTE, "One?")
    old = await town.answer(0, label=DONE)
    await town.show(RECEIPT, "Two?")
    await town.answer(1, label=DONE)
    town.say("Back to one", town.place(reply_to=first.message_id))
    await town.answer(2, "1 shown, 3 said: Back to one", label=DONE)
    assert town.engine.requests[2].messages[0].text == "One?"
    town.say("And again", town.place(reply_to=old.message_id))
    await town.answer(3, "1 shown, 3 said: And again", label=DONE)
    assert town.engine.requests[3].messages[0].text == "One?"


async def test_ocr_in_a_caption_reads_verbatim(town: Town) -> None:
    await town.show(RECEIPT, "/ocr")
    answer = await town.answer(0, LINES, label=texts.BUTTON_READ_BY_MODEL)
    assert answer.text == LINES
    assert [(mark.type, mark.offset, mark.length) for mark in answer.entities] == [
        ("pre", 0, len(LINES))
    ]
    assert labels(answer) == [texts.BUTTON_READ_BY_MODEL, texts.BUTTON_COPY]


async def test_ocr_in_a_group_reads_somebodys_photo(town: Town) -> None:
    photo = await town.show(RECEIPT, "my receipt", Place(BEN.person_id, GROUP.chat_id))
    town.say("/ocr@darkroom_bot", town.place(GROUP.chat_id, reply_to=photo.message_id))
    answer = await town.answer(0, LINES, chat_id=GROUP.chat_id)
    assert answer.reply_to == photo.message_id


async def test_group_member_asks_about_a_photo(town: Town) -> None:
    photo = await town.show(RECEIPT, "my receipt", Place(BEN.person_id, GROUP.chat_id))
    ask = Place(ADA.person_id, GROUP.chat_id, reply_to=photo.message_id)
    asked = town.say("/ask How much?", ask)
    answer = await town.answer(0, "1 shown, 1 said: How much?", label=DONE, chat_id=GROUP.chat_id)
    assert answer.reply_to == asked.message_id
    town.say("Why?", Place(ADA.person_id, GROUP.chat_id, reply_to=answer.message_id))
    await town.answer(1, "1 shown, 3 said: Why?", label=DONE, chat_id=GROUP.chat_id)


async def test_group_is_left_alone(town: Town) -> None:
    town.simulator.scene.world.put(type(town.simulator.scene.world.profile)(privacy_mode=False))
    here = Place(ADA.person_id, GROUP.chat_id)
    await town.show(NOTE, "look", here)
    town.say("what a day", here)
    town.say("/ocr@other_bot", here)
    town.say("/frobnicate", here)
    await town.show(NOTE, "/ocr@other_bot", here)
    town.say("@darkroom_bot hello", here)
    await town.answer(0, "hello", label=DONE, chat_id=GROUP.chat_id)
    assert len(town.answers(GROUP.chat_id)) == 1


async def test_members_of_a_group_have_their_own_context(town: Town) -> None:
    photo = await town.show(RECEIPT, "mine", Place(BEN.person_id, GROUP.chat_id))
    town.say("/ask Total?", Place(ADA.person_id, GROUP.chat_id, reply_to=photo.message_id))
    await town.answer(0, label=DONE, chat_id=GROUP.chat_id)
    town.say("/ask And then?", Place(BEN.person_id, GROUP.chat_id))
    await town.answer(1, "0 shown, 1 said: And then?", label=DONE, chat_id=GROUP.chat_id)
    town.say("/new@darkroom_bot", Place(BEN.person_id, GROUP.chat_id))
    await town.answer(2, texts.NEW, chat_id=GROUP.chat_id)
    town.say("/ask And VAT?", Place(ADA.person_id, GROUP.chat_id))
    await town.answer(3, "1 shown, 3 said: And VAT?", label=DONE, chat_id=GROUP.chat_id)


async def test_new_forgets_the_photo(town: Town) -> None:
    await town.show(NOTE, "What?")
    await town.answer(0, label=DONE)
    town.say("/new")
    town.say("Still there?")
    await town.answer(1, texts.NEW)
    answer = await town.answer(2, "0 shown, 1 said: Still there?", label=DONE)
    assert texts.NO_PHOTO_HINT in answer.text


async def test_stop_button_keeps_what_is_written(town: Town) -> None:
    town.engine.gate.clear()
    await town.show(NOTE, "What?")
    running = await town.answer(0, label=texts.BUTTON_STOP)
    town.press(running, texts.BUTTON_STOP)
    answer = await town.answer(0, texts.STOPPED, label=DONE)
    assert answer.text.startswith("1")
    await town.until(lambda: town.engine.num_open == 0)


async def test_commands_are_answered_while_the_model_works(town: Town) -> None:
    town.engine.gate.clear()
    await town.show(NOTE, "What?")
    await town.answer(0, label=texts.BUTTON_STOP)
    town.say("/help")
    await town.answer(1, texts.HELP)
    town.say("/stop")
    await town.answer(0, texts.STOPPED, label=DONE)
    town.say("/stop")
    await town.answer(2, texts.NOTHING_TO_STOP)


async def test_second_question_waits_in_line_and_in_order(town: Town) -> None:
    town.engine.gate.clear()
    await town.show(NOTE, "First?")
    await town.answer(0, label=texts.BUTTON_STOP)
    town.say("Second?")
    await town.answer(1, texts.place_in_line(1), label=texts.BUTTON_STOP)
    town.engine.gate.set()
    await town.answer(0, "First?", label=DONE)
    await town.answer(1, "1 shown, 3 said: Second?", label=DONE)


async def test_regenerate_and_read_text_below_an_answer(town: Town) -> None:
    photo = await town.show(RECEIPT, "What?")
    answer = await town.answer(0, label=DONE)
    town.press(answer, texts.BUTTON_REGENERATE)
    again = await town.answer(1, "1 shown, 1 said: What?", label=DONE)
    assert again.reply_to == photo.message_id
    first, second = town.engine.requests
    assert first.params.seed != second.params.seed
    town.press(again, texts.BUTTON_READ)
    lines = await town.answer(2, LINES, label=texts.BUTTON_READ_BY_MODEL)
    town.press(lines, texts.BUTTON_READ_BY_MODEL)
    await town.answer(3, f"1 shown, 1 said: {texts.READ}")


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
    text = " ".join(f"word{number}." for number in range(1200))
    town.engine._reply = lambda messages, params: text
    town.say("Tell me everything", town.place())
    await town.until(lambda: any(DONE in labels(one) for one in town.answers()))
    shown = " ".join(message.text for message in town.answers())
    expected = town.engine.requests[0].params.max_tokens
    assert shown.startswith(text[:expected].rstrip()[:500])
    assert texts.NO_PHOTO_HINT in shown


async def test_failure_offers_another_try(town: Town) -> None:
    town.engine.fails = OutOfMemory()
    await town.show(NOTE, "What?")
    failed = await town.answer(0, label=texts.BUTTON_RETRY)
    assert texts.sentence_for(OutOfMemory()) in failed.text
    town.engine.fails = None
    town.press(failed, texts.BUTTON_RETRY)
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
    await town.answer(1, texts.HELP)
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
            await town.answer(0, label=texts.BUTTON_STOP)
        assert texts.STOPPED in town.answers()[0].text
