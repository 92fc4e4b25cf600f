"""What people do with the bot, from their message to what they see, through the simulator."""

from bot import texts
from bot.simulator import ADA, BEN, GROUP, Place
from bot.texts import ENGLISH
from tests.bot.town import NOTE, RECEIPT, Town, labels

DONE = ENGLISH.button_regenerate
LINES = "CORNER *BAKERY*\nTOTAL  19.85"


async def test_photo_with_caption_is_answered_below_it(town: Town) -> None:
    photo = await town.show(NOTE, "What is written here?")
    answer = await town.answer(0, "1 shown, 1 said: What is written here?", label=DONE)
    assert answer.reply_to == photo.message_id
    assert labels(answer) == [
        ENGLISH.button_regenerate,
        ENGLISH.button_read,
        ENGLISH.button_translate,
    ]


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
    answer = await town.answer(0, LINES, label=ENGLISH.button_read_by_model)
    assert answer.text == LINES
    assert [(mark.type, mark.offset, mark.length) for mark in answer.entities] == [
        ("pre", 0, len(LINES))
    ]
    assert labels(answer) == [
        ENGLISH.button_read_by_model,
        ENGLISH.button_copy,
        ENGLISH.button_translate,
    ]


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
    await town.answer(2, ENGLISH.new, chat_id=GROUP.chat_id)
    town.say("/ask And VAT?", Place(ADA.person_id, GROUP.chat_id))
    await town.answer(3, "1 shown, 3 said: And VAT?", label=DONE, chat_id=GROUP.chat_id)
