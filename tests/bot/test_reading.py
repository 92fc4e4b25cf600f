"""Text is read verbatim: by the line reader, or by the model from the photo alone."""

import pytest

from bot import texts
from bot.assistant import AssistantConfig, Task
from bot.texts import ENGLISH
from bot.writing import LINE_READER_ID
from engine import (
    Delta,
    FinishReason,
    ImageRejected,
    Line,
    Usage,
)
from storage import TurnStatus
from tests.bot.conftest import HERE, Hall, asked
from tests.fakes import line

pytestmark = pytest.mark.usefixtures("unblocked")


async def test_lines_are_answered_verbatim(hall: Hall) -> None:
    turn = await hall.answer(asked("", b"receipt", task=Task.READ))
    assert turn.answer == "TEA 2.50\nTOTAL 2.50"
    assert (turn.status, turn.model_id) == (TurnStatus.ANSWERED, LINE_READER_ID)
    assert hall.engine.requests == []


async def test_follow_up_knows_what_was_read(hall: Hall) -> None:
    await hall.answer(asked("", b"receipt", task=Task.READ))
    await hall.answer(asked("what is the total?"))
    assert hall.shown() == [
        ("user", texts.READ, (b"receipt",)),
        ("assistant", "TEA 2.50\nTOTAL 2.50", ()),
        ("user", "what is the total?", ()),
    ]
    assert hall.engine.requests[0].messages[1].token_ids == ()


async def test_photo_without_text_says_so(hall: Hall) -> None:
    turn = await hall.answer(asked("", b"cat", task=Task.READ))
    assert turn.answer == ENGLISH.no_text


async def test_several_photos_are_numbered(hall: Hall) -> None:
    turn = await hall.answer(asked("", b"receipt", b"cat", b"", task=Task.READ))
    assert turn.answer == (
        "Photo 1:\nTEA 2.50\nTOTAL 2.50\n\n"
        f"Photo 2:\n{ENGLISH.no_text}\n\n"
        "Photo 3:\nThat file is empty. Please send the photo again."
    )


async def test_single_bad_photo_fails(hall: Hall) -> None:
    answer = await hall.assistant.ask(asked("", b"", task=Task.READ))
    with pytest.raises(ImageRejected):
        await hall.turn_of(answer)


async def test_button_reads_what_was_asked_about(hall: Hall) -> None:
    turn = await hall.answer(asked("what is it?", b"receipt"))
    answer = await hall.assistant.read_text(turn.turn_id)
    assert answer.is_verbatim
    read = await hall.turn_of(answer)
    assert (read.answer, read.parent_id) == ("TEA 2.50\nTOTAL 2.50", turn.turn_id)


async def test_model_reads_photo_alone_and_large(hall: Hall) -> None:
    turn = await hall.answer(asked("what is it?", b"receipt"))
    await hall.turn_of(await hall.assistant.read_text(turn.turn_id, by_model=True))
    assert hall.shown() == [("user", texts.READ, (b"receipt",))]
    asking, reading = hall.engine.requests
    assert asking.messages[0].images[0].max_tokens == 384
    assert reading.messages[0].images[0].max_tokens == 1024
    assert reading.session_id != asking.session_id
    assert reading.session_id.split("/")[0] == asking.session_id.split("/")[0]


async def test_photo_keeps_its_first_size(hall: Hall) -> None:
    await hall.answer(asked("", b"receipt", task=Task.READ_BY_MODEL))
    await hall.answer(asked("what is the total?"))
    first, second = hall.engine.requests
    assert [one.messages[0].images[0].max_tokens for one in (first, second)] == [1024, 1024]
    assert first.session_id == second.session_id == HERE
    assert second.messages[0].text == first.messages[0].text


async def test_photos_of_a_set_share_the_size(hall: Hall) -> None:
    await hall.answer(asked("which is bigger?", b"cat", b"dog"))
    assert [one.max_tokens for one in hall.engine.requests[0].messages[0].images] == [192, 192]


async def test_model_reads_each_photo(hall: Hall) -> None:
    turn = await hall.answer(asked("", b"cat", b"dog", task=Task.READ_BY_MODEL))
    one = f"1 shown, 1 said: {texts.READ}"
    assert turn.answer == f"Photo 1:\n{one}\n\nPhoto 2:\n{one}"
    assert [request.messages[0].images[0].data for request in hall.engine.requests] == [
        b"cat",
        b"dog",
    ]
    assert turn.answer_ids == ()


@pytest.mark.parametrize(
    ("text", "language", "prompt"),
    [
        ("请读一下", "en", texts.READ_ZH),
        ("", "zh-TW", texts.READ_ZH),
        ("please", "zh", texts.READ),
        ("", "de", texts.READ),
    ],
)
async def test_prompt_follows_language(hall: Hall, text: str, language: str, prompt: str) -> None:
    question = asked(text, b"cat", task=Task.READ_BY_MODEL, language=language)
    assert (await hall.answer(question)).question == prompt


async def test_language_of_question_is_kept(hall: Hall) -> None:
    turn = await hall.answer(asked("这是什么？", b"cat"))
    read = await hall.turn_of(await hall.assistant.read_text(turn.turn_id, by_model=True))
    assert read.question == texts.READ_ZH


@pytest.mark.parametrize("config", [AssistantConfig(read_by_model=True)], ids=["by model"])
async def test_owner_lets_model_read(hall: Hall) -> None:
    turn = await hall.answer(asked("", b"receipt", task=Task.READ))
    assert turn.answer == f"1 shown, 1 said: {texts.READ}"
    assert hall.line_reader.read_photos == []


@pytest.mark.parametrize("config", [AssistantConfig(max_answer_tokens=3, max_reading_tokens=5)])
async def test_long_answers_are_cut(hall: Hall) -> None:
    asking = await hall.answer(asked("what is it?", b"cat"))
    answer = await hall.assistant.read_text(asking.turn_id, by_model=True)
    reading = await hall.turn_of(answer)
    assert (len(asking.answer), len(reading.answer)) == (3, 5)
    assert answer.finish_reason is FinishReason.LENGTH


@pytest.mark.parametrize("config", [AssistantConfig(max_reading_tokens=5)])
async def test_cut_of_one_photo_is_told(hall: Hall) -> None:
    answer = await hall.assistant.ask(asked("", b"cat", b"dog", task=Task.READ_BY_MODEL))
    await hall.turn_of(answer)
    assert answer.finish_reason is FinishReason.LENGTH


async def test_loop_keeps_one_copy(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    async def loop(*_: object) -> object:
        yield Delta("ha ha ha ")
        usage = Usage((1,), (2, 2, 2))
        yield Delta(answer="ha ", finish_reason=FinishReason.REPETITION, usage=usage)

    monkeypatch.setattr(hall.engine, "generate", loop)
    turn = await hall.answer(asked("sing", b"cat"))
    assert (turn.answer, turn.answer_ids) == ("ha ", ())


async def test_boxes_of_a_row_stay_in_it(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    async def read(data: bytes) -> list[Line]:
        return [line("TEA", 10, 10), line("2.50", 80, 12), line("TOTAL", 10, 30)]

    monkeypatch.setattr(hall.line_reader, "read", read)
    turn = await hall.answer(asked("", b"bill", task=Task.READ))
    assert turn.answer == "TEA  2.50\nTOTAL"
