"""Each question is written down, answered about the right photos, and closed in every case."""

import asyncio
from dataclasses import replace

import pytest

from bot import texts
from bot.assistant import Answer, Assistant, Task
from bot.questions import NoPhoto, TooManyWaiting
from bot.texts import ENGLISH
from engine import FinishReason, ImageRejected, OutOfMemory, RejectReason
from storage import NewTurn, PhotoGone, TurnStatus
from tests.bot.conftest import HERE, Hall, asked

pytestmark = pytest.mark.usefixtures("unblocked")


async def first_word(answer: Answer) -> None:
    async for delta in answer:
        if delta.text:
            return


async def places_of(answer: Answer) -> list[int]:
    return [delta.place async for delta in answer if delta.place is not None]


async def test_photo_and_caption_are_answered(hall: Hall) -> None:
    answer = await hall.assistant.ask(asked("what is it?", b"cat"))
    open_turn = await hall.history.turn(answer.turn_id)
    assert open_turn.status is TurnStatus.OPEN
    pieces = [delta.text async for delta in answer]
    turn = await hall.history.turn(answer.turn_id)
    assert "".join(pieces) == answer.text == turn.answer
    assert turn.answer.startswith("1 shown, 1 said: what is it?")
    assert turn.status is answer.status is TurnStatus.ANSWERED
    assert answer.finish_reason is FinishReason.STOP
    assert (turn.answer_ids, turn.model_id) == (tuple(map(ord, turn.answer)), "scripted")
    assert hall.shown() == [("user", "what is it?", (b"cat",))]
    assert hall.engine.requests[0].session_id == HERE


@pytest.mark.parametrize(
    ("language", "prompt"), [("", texts.DESCRIBE), ("zh-hans", texts.DESCRIBE_ZH)]
)
async def test_photo_without_caption_is_described(hall: Hall, language: str, prompt: str) -> None:
    turn = await hall.answer(asked("  ", b"cat", language=language))
    assert turn.question == prompt
    assert hall.shown() == [("user", prompt, (b"cat",))]


async def test_follow_up_sees_photo_again(hall: Hall) -> None:
    first = await hall.answer(asked("what is it?", b"cat"))
    second = await hall.answer(asked("and its colour?"))
    assert second.parent_id == first.turn_id
    assert hall.shown() == [
        ("user", "what is it?", (b"cat",)),
        ("assistant", first.answer, ()),
        ("user", "and its colour?", ()),
    ]
    assert hall.engine.requests[1].messages[1].token_ids == first.answer_ids


async def test_five_turns_keep_all(hall: Hall) -> None:
    for number in range(5):
        await hall.answer(asked(str(number), *[b"cat"][number:]))
    assert [text for role, text, _ in hall.shown() if role == "user"] == list("01234")
    assert [images for _, _, images in hall.shown() if images] == [(b"cat",)]


async def test_ids_of_another_model_are_left(hall: Hall) -> None:
    first = await hall.history.open_turn(NewTurn(HERE, "7", "ask", "old?"))
    await hall.history.close_turn(
        first.turn_id, status=TurnStatus.ANSWERED, answer="x", answer_ids=(1,), model_id="other"
    )
    await hall.answer(asked("new?"))
    assert hall.engine.requests[0].messages[1].token_ids == ()


async def test_new_photo_begins_alone(hall: Hall) -> None:
    await hall.answer(asked("what is it?", b"cat"))
    await hall.answer(asked("and this?", b"dog"))
    assert hall.shown() == [("user", "and this?", (b"dog",))]


async def test_photo_in_reply_joins_branch(hall: Hall) -> None:
    first = await hall.answer(asked("what is it?", b"cat", b"cow", ref="m1"))
    second = await hall.answer(asked("and this?", b"dog", reply_to="m1"))
    await hall.answer(asked("which is bigger?"))
    assert hall.shown() == [
        ("user", "[2 earlier photos]\nwhat is it?", ()),
        ("assistant", first.answer, ()),
        ("user", "and this?", (b"dog",)),
        ("assistant", second.answer, ()),
        ("user", "which is bigger?", ()),
    ]


async def test_reply_goes_back_to_its_photo(hall: Hall) -> None:
    first = await hall.answer(asked("what is it?", b"cat"))
    await hall.assistant.link(first.turn_id, "answer 1")
    await hall.answer(asked("and this?", b"dog"))
    back = await hall.answer(asked("its colour?", reply_to="answer 1"))
    assert back.parent_id == first.turn_id
    assert [images for _, _, images in hall.shown() if images] == [(b"cat",)]
    await hall.answer(asked("its age?"))
    assert [images for _, _, images in hall.shown() if images] == [(b"cat",)]


async def test_reply_to_unknown_message_means_newest(hall: Hall) -> None:
    first = await hall.answer(asked("what is it?", b"cat"))
    second = await hall.answer(asked("its colour?", reply_to="never seen"))
    assert second.parent_id == first.turn_id


async def test_known_photo_in_reply_goes_on(hall: Hall) -> None:
    first = await hall.answer(asked("what is it?", b"cat"))
    await hall.answer(asked("and this?", b"dog"))
    again = await hall.answer(asked("its colour?", b"cat", reply_to="never seen"))
    assert again.parent_id == first.turn_id


async def test_photos_of_others_begin_alone(hall: Hall) -> None:
    await hall.answer(asked("what is it?", b"cat", conversation="telegram:1/0/8", ref="photo"))
    turn = await hall.answer(asked("its colour?", b"cat", reply_to="photo"))
    assert turn.parent_id is None


async def test_text_without_photo_is_hinted_once(hall: Hall) -> None:
    first = await hall.assistant.ask(asked("hello"))
    await hall.turn_of(first)
    second = await hall.assistant.ask(asked("are you there?"))
    await hall.turn_of(second)
    assert (first.hint, second.hint) == (ENGLISH.no_photo_hint, "")
    assert hall.shown()[-1] == ("user", "are you there?", ())


async def test_new_forgets_everything(hall: Hall) -> None:
    await hall.answer(asked("what is it?", b"cat"))
    await hall.assistant.reset(HERE)
    answer = await hall.assistant.ask(asked("its colour?"))
    await hall.turn_of(answer)
    assert hall.shown() == [("user", "its colour?", ())]
    assert answer.hint == ENGLISH.no_photo_hint
    assert HERE in hall.engine.forgotten


async def test_conversations_stay_apart(hall: Hall) -> None:
    await hall.answer(asked("what is it?", b"cat"))
    await hall.answer(asked("its colour?", conversation="telegram:2/0/7"))
    assert hall.shown() == [("user", "its colour?", ())]


async def test_questions_wait_in_order(hall: Hall) -> None:
    hall.engine.gate.clear()
    answers = [
        await hall.assistant.ask(asked(str(number), *[b"cat"][number:])) for number in range(4)
    ]
    reading = [asyncio.create_task(places_of(answer)) for answer in answers]
    await first_word(answers[0])
    assert hall.engine.num_open == 1
    hall.engine.gate.set()
    assert await asyncio.gather(*reading) == [[], [1], [2, 1], [3, 2, 1]]
    turns = [await hall.history.turn(answer.turn_id) for answer in answers]
    assert [turn.question for turn in turns] == list("0123")
    assert {turn.status for turn in turns} == {TurnStatus.ANSWERED}
    assert turns[3].answer.startswith("1 shown, 7 said: 3")


async def test_many_at_once_lose_none(hall: Hall) -> None:
    turns = await asyncio.gather(
        *(
            hall.answer(
                replace(
                    asked(f"{person}.{number}", conversation=f"telegram:1/0/{person}"),
                    asker=str(person),
                )
            )
            for number in range(4)
            for person in range(5)
        )
    )
    assert {turn.status for turn in turns} == {TurnStatus.ANSWERED}
    assert len({turn.question for turn in turns}) == 20
    assert len(await hall.history.branch(turns[-1].turn_id)) == 4


async def test_three_may_wait(hall: Hall) -> None:
    hall.engine.gate.clear()
    answers = [await hall.assistant.ask(asked(str(number))) for number in range(4)]
    with pytest.raises(TooManyWaiting) as caught:
        await hall.assistant.ask(asked("4", conversation="telegram:-5/0/7"))
    assert caught.value.num_waiting == 3
    await hall.assistant.ask(replace(asked("mine"), conversation="telegram:8/0/8", asker="8"))
    assert len(await hall.history.open_turns()) == 5
    hall.engine.gate.set()
    for answer in answers:
        await hall.turn_of(answer)
    await hall.answer(asked("5"))


async def test_who_waits_least_comes_next(hall: Hall) -> None:
    hall.engine.gate.clear()
    greedy = [await hall.assistant.ask(asked(f"a{number}", b"cat")) for number in range(3)]
    modest = await hall.assistant.ask(
        replace(asked("b", b"dog", conversation="telegram:8/0/8"), asker="8")
    )
    hall.engine.gate.set()
    await asyncio.gather(*(hall.turn_of(answer) for answer in [*greedy, modest]))
    order = [request.messages[-1].text for request in hall.engine.requests]
    assert order.index("b") == 1


async def test_stop_keeps_partial_text(hall: Hall) -> None:
    hall.engine.gate.clear()
    answer = await hall.assistant.ask(asked("what is it?", b"cat"))
    await first_word(answer)
    assert hall.assistant.running.stop(HERE)
    turn = await hall.turn_of(answer)
    assert (turn.status, turn.answer, turn.answer_ids) == (TurnStatus.STOPPED, "1", ())
    assert answer.status is TurnStatus.STOPPED
    assert hall.engine.num_open == 0
    assert not hall.assistant.running.stop(HERE)
    hall.engine.gate.set()
    await hall.answer(asked("go on"))
    assert hall.shown()[1] == ("assistant", "1", ())


async def test_stop_takes_waiting_ones_along(hall: Hall) -> None:
    hall.engine.gate.clear()
    answers = [await hall.assistant.ask(asked(str(number))) for number in range(3)]
    other = await hall.assistant.ask(asked("?", conversation="telegram:1/0/8"))
    assert hall.assistant.running.stop(HERE)
    turns = [await hall.turn_of(answer) for answer in answers]
    assert {turn.status for turn in turns} == {TurnStatus.STOPPED}
    hall.engine.gate.set()
    assert (await hall.turn_of(other)).status is TurnStatus.ANSWERED


async def test_one_waiting_answer_is_cancelled(hall: Hall) -> None:
    hall.engine.gate.clear()
    answers = [await hall.assistant.ask(asked(str(number))) for number in range(3)]
    await first_word(answers[0])
    assert hall.assistant.running.stop_turn(answers[1].turn_id)
    assert not hall.assistant.running.stop_turn(answers[1].turn_id)
    hall.engine.gate.set()
    statuses = [(await hall.turn_of(answer)).status for answer in answers]
    assert statuses == [TurnStatus.ANSWERED, TurnStatus.STOPPED, TurnStatus.ANSWERED]
    assert [text for _, text, _ in hall.shown()][::2] == ["0", "2"]
    assert not hall.assistant.running.stop_turn(answers[0].turn_id)


async def test_cancelled_reader_closes_turn(hall: Hall) -> None:
    hall.engine.gate.clear()
    answer = await hall.assistant.ask(asked("what is it?", b"cat"))
    await first_word(answer)
    reader = asyncio.create_task(first_word(answer))
    await asyncio.sleep(0)
    reader.cancel()
    await asyncio.wait([reader])
    await answer.aclose()
    assert (await hall.history.turn(answer.turn_id)).status is TurnStatus.STOPPED
    assert hall.engine.num_open == 0


async def test_unread_answer_is_kept(hall: Hall) -> None:
    answer = await hall.assistant.ask(asked("what is it?", b"cat"))
    following = await hall.answer(asked("its colour?"))
    assert (await hall.history.turn(answer.turn_id)).status is TurnStatus.ANSWERED
    assert following.answer.startswith("1 shown, 3 said")


async def test_failure_reaches_asker(hall: Hall) -> None:
    hall.engine.fails = OutOfMemory()
    answer = await hall.assistant.ask(asked("what is it?", b"cat"))
    with pytest.raises(OutOfMemory):
        await hall.turn_of(answer)
    turn = await hall.history.turn(answer.turn_id)
    assert (turn.status, turn.error) == (TurnStatus.FAILED, "OutOfMemory")
    assert answer.status is TurnStatus.FAILED


async def test_failed_turn_leaves_its_photo(hall: Hall) -> None:
    hall.engine.fails = OutOfMemory()
    answer = await hall.assistant.ask(asked("what is it?", b"cat"))
    with pytest.raises(OutOfMemory):
        await hall.turn_of(answer)
    hall.engine.fails = None
    await hall.answer(asked("its colour?"))
    assert hall.shown() == [("user", "its colour?", (b"cat",))]


async def test_rejected_photo_does_not_stay(hall: Hall) -> None:
    await hall.answer(asked("what is it?", b"cat"))
    answer = await hall.assistant.ask(asked("and this?", b""))
    with pytest.raises(ImageRejected) as caught:
        await hall.turn_of(answer)
    assert caught.value.reason is RejectReason.EMPTY
    await hall.answer(asked("its colour?"))
    assert hall.shown()[0] == ("user", "what is it?", (b"cat",))


async def test_regenerate_asks_the_same(hall: Hall) -> None:
    first = await hall.answer(asked("what is it?", b"cat"))
    second = await hall.answer(asked("its colour?"))
    again = await hall.turn_of(await hall.assistant.regenerate(second.turn_id))
    assert hall.shown(1) == hall.shown(2)
    assert again.parent_id == second.parent_id == first.turn_id
    assert again.seed != second.seed
    assert hall.engine.requests[2].params.seed == again.seed
    await hall.answer(asked("its age?"))
    assert hall.shown()[3] == ("assistant", again.answer, ())
    assert len(hall.shown()) == 5


async def test_gone_bytes_are_fetched_again(hall: Hall) -> None:
    async def fetch(source: str) -> bytes:
        return {"file of cat": b"cat"}[source]

    first = await hall.answer(asked("what is it?", b"cat"))
    await hall.lose(first.photo_ids[0])
    async with Assistant(
        hall.engine, hall.line_reader, hall.history, hall.photos, fetch_photo=fetch
    ) as assistant:
        await hall.turn_of(await assistant.ask(asked("its colour?")))
    assert hall.shown()[0] == ("user", "what is it?", (b"cat",))
    assert await hall.photos.load(first.photo_ids[0]) == b"cat"


async def test_lost_photo_is_said(hall: Hall) -> None:
    first = await hall.answer(asked("what is it?", b"cat"))
    await hall.lose(first.photo_ids[0])
    answer = await hall.assistant.ask(asked("its colour?"))
    with pytest.raises(PhotoGone) as caught:
        await hall.turn_of(answer)
    assert texts.sentence_for(caught.value) == ENGLISH.photo_gone
    assert len(hall.engine.requests) == 1


async def test_photo_without_source_is_lost(hall: Hall) -> None:
    photo_id = await hall.photos.save(b"cat", source="")
    turn = await hall.history.open_turn(NewTurn(HERE, "7", "ask", "what is it?", (photo_id,)))
    await hall.assistant.close_open()
    await hall.lose(photo_id)
    with pytest.raises(PhotoGone):
        await hall.turn_of(await hall.assistant.regenerate(turn.turn_id))


async def test_answer_that_never_began_closes(hall: Hall) -> None:
    answer = Answer(await hall.history.open_turn(NewTurn(HERE, "7", "ask", "?")))
    assert not answer.stop()
    await answer.aclose()
    assert answer.status is TurnStatus.OPEN


async def test_sampling_follows_the_task(hall: Hall) -> None:
    turn = await hall.answer(asked("what is it?", b"cat"))
    await hall.answer(asked("", b"cat", task=Task.READ_BY_MODEL))
    asking, reading = [request.params for request in hall.engine.requests]
    assert (asking.greedy, asking.seed, asking.temperature) == (False, turn.seed, None)
    assert reading.greedy


async def test_leaving_closes_everything(hall: Hall) -> None:
    hall.engine.gate.clear()
    async with Assistant(hall.engine, hall.line_reader, hall.history, hall.photos) as assistant:
        answers = [await assistant.ask(asked(str(number))) for number in range(2)]
        await first_word(answers[0])
    turns = [await hall.history.turn(answer.turn_id) for answer in answers]
    assert {turn.status for turn in turns} == {TurnStatus.STOPPED}


async def test_crash_leaves_photo_and_history(hall: Hall) -> None:
    first = await hall.answer(asked("what is it?", b"cat"))
    crashed = await hall.history.open_turn(
        NewTurn(HERE, "7", "ask", "lost", first.photo_ids, first.turn_id)
    )
    async with Assistant(hall.engine, hall.line_reader, hall.history, hall.photos) as assistant:
        await assistant.close_open()
        assert (await assistant.history.turn(crashed.turn_id)).status is TurnStatus.FAILED
        await hall.turn_of(await assistant.ask(asked("its colour?")))
    assert [text for _, text, _ in hall.shown()] == ["what is it?", first.answer, "its colour?"]
    assert hall.shown()[0][2] == (b"cat",)


async def test_nothing_to_read_is_refused(hall: Hall) -> None:
    with pytest.raises(NoPhoto):
        await hall.assistant.ask(asked("", task=Task.READ))
    turn = await hall.answer(asked("hello"))
    with pytest.raises(NoPhoto):
        await hall.assistant.read_text(turn.turn_id)
