"""Turns are found again by number, branch, conversation and message."""

import pytest

from storage import History, NewTurn, Remains, Turn, TurnNotFound, TurnStatus
from tests.storage.conftest import StandingClock

HERE, THERE = "telegram:1/0/7", "telegram:2/0/7"


async def opened(
    history: History,
    question: str = "what is it?",
    *,
    parent: Turn | None = None,
    conversation: str = HERE,
    photo_ids: tuple[str, ...] = ("aa",),
) -> Turn:
    parent_id = parent.turn_id if parent else None
    return await history.open_turn(
        NewTurn(conversation, "7", "ask", question, photo_ids, parent_id, seed=5)
    )


async def failed(history: History, turn: Turn) -> Turn:
    return await history.close_turn(turn.turn_id, status=TurnStatus.FAILED, error="OutOfMemory")


async def test_open_turn_is_written(history: History, clock: StandingClock) -> None:
    turn = await opened(history, "what is it?")
    assert await history.turn(turn.turn_id) == turn
    assert turn == Turn(
        turn_id=turn.turn_id,
        conversation=HERE,
        asker="7",
        task="ask",
        question="what is it?",
        photo_ids=("aa",),
        parent_id=None,
        answer="",
        answer_ids=(),
        model_id="",
        status=TurnStatus.OPEN,
        seed=5,
        created_at=clock.now_s,
        error="",
    )


async def test_close_turn_keeps_answer(history: History) -> None:
    turn = await opened(history)
    closed = await history.close_turn(
        turn.turn_id,
        status=TurnStatus.ANSWERED,
        answer="a “cat” 猫\n",
        answer_ids=(3, 1, 2),
        model_id="m",
    )
    assert closed == await history.turn(turn.turn_id)
    assert (closed.status, closed.answer, closed.answer_ids, closed.model_id) == (
        TurnStatus.ANSWERED,
        "a “cat” 猫\n",
        (3, 1, 2),
        "m",
    )


async def test_closed_turn_stays_closed(history: History) -> None:
    turn = await opened(history)
    await history.close_turn(turn.turn_id, status=TurnStatus.STOPPED, answer="half")
    with pytest.raises(TurnNotFound):
        await failed(history, turn)
    assert (await history.turn(turn.turn_id)).answer == "half"


async def test_unknown_turn_is_refused(history: History) -> None:
    for call in (history.turn(99), history.branch(99), history.link("m", 99)):
        with pytest.raises(TurnNotFound) as caught:
            await call
        assert caught.value.turn_id == 99


async def test_unknown_parent_is_refused(history: History) -> None:
    with pytest.raises(TurnNotFound):
        await history.open_turn(NewTurn(HERE, "7", "ask", "?", parent_id=99))
    assert await history.newest(HERE) is None


async def test_branch_runs_from_root(history: History) -> None:
    root = await opened(history, "1")
    middle = await opened(history, "2", parent=root)
    await opened(history, "2 again", parent=root)
    leaf = await opened(history, "3", parent=middle)
    assert await history.branch(leaf.turn_id) == (root, middle, leaf)
    assert await history.branch(root.turn_id) == (root,)


async def test_newest_leaves_out_failed(history: History) -> None:
    first = await opened(history)
    second = await failed(history, await opened(history))
    await opened(history, conversation=THERE)
    assert await history.newest(HERE) == first
    assert await history.newest(HERE, with_failed=True) == second


async def test_newest_about_wants_same_photos(history: History) -> None:
    await opened(history, "old", photo_ids=("aa",))
    about = await opened(history, photo_ids=("aa",))
    await opened(history, photo_ids=("aa", "bb"))
    await failed(history, await opened(history, photo_ids=("aa",)))
    assert await history.newest_about(HERE, ("aa",)) == about
    assert await history.newest_about(HERE, ("bb", "aa")) is None
    assert await history.newest_about(THERE, ("aa",)) is None


async def test_reset_hides_older_turns(history: History) -> None:
    old = await opened(history)
    elsewhere = await opened(history, conversation=THERE)
    await history.reset(HERE)
    assert await history.newest(HERE) is None
    assert await history.newest_about(HERE, ("aa",)) is None
    assert await history.newest(THERE) == elsewhere
    assert await history.turn(old.turn_id) == old


async def test_reset_counts_every_time(history: History) -> None:
    await history.reset(HERE)
    await history.reset(HERE)
    turn = await opened(history)
    assert await history.newest(HERE) == turn
    await history.reset(HERE)
    assert await history.newest(HERE) is None


async def test_message_finds_its_turn(history: History) -> None:
    first, second = await opened(history), await opened(history)
    await history.link("telegram:1:10", first.turn_id)
    await history.link("telegram:1:11", first.turn_id)
    assert await history.turn_of("telegram:1:11") == first
    await history.link("telegram:1:11", second.turn_id)
    assert await history.turn_of("telegram:1:10") == first
    assert await history.turn_of("telegram:1:11") == second
    assert await history.turn_of("telegram:1:12") is None


async def test_open_turns_are_listed(history: History) -> None:
    first, second, third = [await opened(history) for _ in range(3)]
    await failed(history, second)
    assert await history.open_turns() == (first, third)


async def test_messages_that_ask_stand_for_the_turn_at_once(history: History) -> None:
    refs = ("telegram:1:10", "telegram:1:11")
    turn = await history.open_turn(NewTurn(HERE, "7", "ask", "?", message_refs=refs))
    assert [await history.turn_of(ref) for ref in refs] == [turn, turn]
    assert await history.answer_refs(turn.turn_id) == ()


async def test_messages_of_an_answer_are_known(history: History) -> None:
    asking = NewTurn(HERE, "7", "ask", "?", message_refs=("telegram:1:10",))
    turn, other = await history.open_turn(asking), await opened(history)
    await history.link("telegram:1:11", turn.turn_id, is_answer=True)
    await history.link("telegram:1:12", other.turn_id, is_answer=True)
    assert await history.answer_refs(turn.turn_id) == ("telegram:1:11",)
    assert await history.refs_since(other.turn_id) == ("telegram:1:12",)
    assert len(await history.refs_since(turn.turn_id)) == 3


async def test_person_is_forgotten_and_others_are_not(history: History) -> None:
    mine = await opened(history, photo_ids=("aa", "bb"))
    await opened(history, conversation=THERE)
    await history.link("telegram:1:11", mine.turn_id, is_answer=True)
    await history.reset(HERE)
    other = await history.open_turn(NewTurn(HERE, "8", "ask", "?", ("bb",), parent_id=mine.turn_id))
    left = await history.forget("7")
    assert left == Remains((HERE, THERE), ("aa",))
    assert await history.turn_of("telegram:1:11") is None
    with pytest.raises(TurnNotFound):
        await history.turn(mine.turn_id)
    kept = await history.turn(other.turn_id)
    assert (kept.photo_ids, kept.parent_id) == (("bb",), None)
    assert await history.forget("7") == Remains((), ())
