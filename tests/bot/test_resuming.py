"""Turns outlive the process: left open on purpose, gone on with later, or shown once more."""

import asyncio

import pytest

from bot import texts
from bot.answers import Answer
from bot.assistant import Assistant
from bot.questions import Interrupted
from bot.texts import ENGLISH
from storage import NewTurn, Turn, TurnStatus
from tests.bot.conftest import HERE, Hall, asked


async def left_open(hall: Hall, question: str = "what is it?") -> Turn:
    """A turn as a killed process leaves it."""
    photo_id = await hall.photos.save(b"cat", source="file of cat")
    return await hall.history.open_turn(NewTurn(HERE, "7", "ask", question, (photo_id,), seed=5))


async def first_word(answer: Answer) -> None:
    while not answer.text:
        await anext(answer)


async def read(answer: Answer) -> str:
    async for _ in answer:
        pass
    return answer.text


async def test_open_turn_is_answered_as_it_would_have_been(hall: Hall) -> None:
    turn = await left_open(hall)
    answer = await hall.assistant.resume(turn.turn_id)
    assert await read(answer) == "1 shown, 1 said: what is it? #5"
    assert (await hall.history.turn(turn.turn_id)).status is TurnStatus.ANSWERED
    assert await hall.assistant.close_open() == ()


async def test_resumed_turn_is_not_closed_by_others(hall: Hall) -> None:
    hall.engine.gate.clear()
    turn, other = await left_open(hall), await left_open(hall)
    answer = await hall.assistant.resume(turn.turn_id)
    assert [one.turn_id for one in await hall.assistant.close_open()] == [other.turn_id]
    hall.engine.gate.set()
    await read(answer)


async def test_closed_turn_is_shown_once_more(hall: Hall) -> None:
    turn = await hall.answer(asked("what is it?", b"cat"))
    answer = await hall.assistant.resume(turn.turn_id)
    assert await read(answer) == turn.answer
    assert answer.status is TurnStatus.ANSWERED
    assert len(hall.engine.requests) == 1


async def test_given_up_turn_says_so(hall: Hall) -> None:
    turn = await left_open(hall)
    answer = await hall.assistant.give_up(turn.turn_id)
    with pytest.raises(Interrupted) as caught:
        await read(answer)
    assert texts.sentence_for(caught.value) == ENGLISH.interrupted
    assert (await hall.history.turn(turn.turn_id)).status is TurnStatus.FAILED
    with pytest.raises(Interrupted):
        await read(await hall.assistant.resume(turn.turn_id))


async def test_turn_that_has_ended_is_not_given_up(hall: Hall) -> None:
    turn = await hall.answer(asked("what is it?", b"cat"))
    assert await read(await hall.assistant.give_up(turn.turn_id)) == turn.answer


async def test_retiring_leaves_what_waits_for_the_next_start(hall: Hall) -> None:
    hall.engine.gate.clear()
    async with Assistant(hall.engine, hall.line_reader, hall.history, hall.photos) as assistant:
        first = await assistant.ask(asked("first", ref="telegram:1:1"))
        second = await assistant.ask(asked("second", ref="telegram:1:2"))
        await first_word(first)
        waiting = asyncio.create_task(read(second))
        await asyncio.sleep(0)
        assistant.retire()
        third = await assistant.ask(asked("third", ref="telegram:1:3"))
        hall.engine.gate.set()
        await read(first)
        await asyncio.wait([waiting])
        assert waiting.cancelled()
        with pytest.raises(asyncio.CancelledError):
            await read(third)
    left = [turn.question for turn in await hall.history.open_turns()]
    assert left == ["second", "third"]
    assert (await hall.history.turn(first.turn_id)).status is TurnStatus.ANSWERED
    resumed = await hall.assistant.resume(second.turn_id)
    assert (await read(resumed)).startswith("0 shown, 3 said: second")


async def test_stop_of_a_retired_answer_says_there_is_none(hall: Hall) -> None:
    hall.engine.gate.clear()
    answer = await hall.assistant.ask(asked("first"))
    hall.assistant.retire()
    assert not answer.stop()
    hall.engine.gate.set()


async def test_messages_of_one_question_find_its_turn(hall: Hall) -> None:
    question = asked("what?", b"cat", ref="telegram:1:1")
    answer = await hall.assistant.ask(question)
    await read(answer)
    await hall.assistant.link(answer.turn_id, "telegram:1:2")
    again = await hall.assistant.regenerate(answer.turn_id, message_ref="telegram:press:9")
    await read(again)
    found = [
        turn.turn_id
        for ref in ("telegram:1:1", "telegram:1:2", "telegram:press:9")
        if (turn := await hall.assistant.history.turn_of(ref)) is not None
    ]
    assert found == [answer.turn_id, answer.turn_id, again.turn_id]
    assert await hall.assistant.history.answer_refs(answer.turn_id) == ("telegram:1:2",)
