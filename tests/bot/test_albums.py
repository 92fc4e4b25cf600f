"""One useless photo spoils no album: the others are answered, and it is named with its number."""

import pytest

from bot import texts
from bot.questions import AlbumUnusable, Task
from bot.texts import ENGLISH
from engine import ImageRejected, RejectReason
from storage import PhotoGone, TurnStatus
from tests.bot.conftest import Hall, asked

pytestmark = pytest.mark.usefixtures("unblocked")

EMPTY = texts.sentence_for(ImageRejected(RejectReason.EMPTY))


def pictures(hall: Hall, index: int = -1) -> list[bytes]:
    """What the engine saw."""
    return [picture for _, _, seen in hall.shown(index) for picture in seen]


async def test_readable_photos_are_answered(hall: Hall) -> None:
    answer = await hall.assistant.ask(asked("which is bigger?", b"cat", b"", b"dog"))
    turn = await hall.turn_of(answer)
    assert turn.status is TurnStatus.ANSWERED
    assert pictures(hall) == [b"cat", b"dog"]
    assert answer.hint == ENGLISH.photo_missing(2, EMPTY)


async def test_left_out_photo_is_named_once(hall: Hall) -> None:
    first = await hall.answer(asked("which is bigger?", b"", b"cat"))
    follow_up = await hall.assistant.ask(asked("and older?"))
    await hall.turn_of(follow_up)
    assert pictures(hall) == [b"cat"]
    assert follow_up.hint == ""
    assert hall.shown()[1] == ("assistant", first.answer, ())


async def test_album_of_useless_photos_is_one_sentence(hall: Hall) -> None:
    await hall.answer(asked("what is it?", b"cow"))
    answer = await hall.assistant.ask(asked("which is bigger?", b"", b""))
    with pytest.raises(AlbumUnusable) as caught:
        await hall.turn_of(answer)
    sentence = texts.sentence_for(caught.value)
    assert "photos: 2" in sentence
    assert "send them again" in sentence
    assert answer.hint == ""
    await hall.answer(asked("its colour?"))
    assert pictures(hall) == [b"cow"]


@pytest.mark.parametrize("task", [Task.READ, Task.READ_BY_MODEL])
async def test_useless_photo_is_named_among_the_read(hall: Hall, task: Task) -> None:
    turn = await hall.answer(asked("", b"", b"receipt", b"", task=task))
    first, second, third = turn.answer.split("\n\n")
    assert first == f"Photo 1:\n{EMPTY}"
    assert second.startswith("Photo 2:\n")
    assert third == f"Photo 3:\n{EMPTY}"


@pytest.mark.parametrize("task", [Task.READ, Task.READ_BY_MODEL])
async def test_nothing_to_read_is_one_sentence(hall: Hall, task: Task) -> None:
    answer = await hall.assistant.ask(asked("", b"", b"", task=task))
    with pytest.raises(AlbumUnusable):
        await hall.turn_of(answer)
    assert answer.text == ""


async def test_pieces_make_the_whole(hall: Hall) -> None:
    answer = await hall.assistant.ask(asked("", b"", b"receipt", b"", task=Task.READ))
    pieces = [delta.text async for delta in answer]
    assert "".join(pieces) == answer.text


@pytest.mark.parametrize("task", list(Task))
async def test_gone_photo_is_left_out(hall: Hall, task: Task) -> None:
    first = await hall.answer(asked("which is bigger?", b"cat", b"receipt"))
    await hall.lose(first.photo_ids[0])
    if task is Task.ASK:
        answer = await hall.assistant.regenerate(first.turn_id)
    else:
        answer = await hall.assistant.read_text(first.turn_id, by_model=task is Task.READ_BY_MODEL)
    turn = await hall.turn_of(answer)
    assert turn.status is TurnStatus.ANSWERED
    assert ENGLISH.photo_gone in (answer.hint if task is Task.ASK else answer.text)


async def test_album_that_is_gone_is_said_so(hall: Hall) -> None:
    first = await hall.answer(asked("which is bigger?", b"cat", b"dog"))
    for photo_id in first.photo_ids:
        await hall.lose(photo_id)
    with pytest.raises(PhotoGone):
        await hall.turn_of(await hall.assistant.ask(asked("and older?")))
