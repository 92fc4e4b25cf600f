"""Photos that did not arrive: the turn is there, and another try fetches them."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.assistant import Assistant, Photo
from bot.questions import PhotoNotFetched, Question, Task
from bot.texts import ENGLISH
from storage import PhotoGone, TurnStatus
from tests.bot.conftest import Hall, asked


class Platform:
    """Gives the photos that it has; the others may still come."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.is_gone = False

    async def fetch(self, source: str) -> bytes:
        if source not in self.files:
            raise PhotoNotFetched(is_gone=self.is_gone)
        return self.files[source]


@pytest.fixture
def platform() -> Platform:
    return Platform()


@pytest.fixture
async def late(hall: Hall, platform: Platform) -> AsyncIterator[Hall]:
    """A hall whose assistant asks the platform."""
    rooms = (hall.engine, hall.line_reader, hall.history, hall.photos)
    async with Assistant(*rooms, fetch_photo=platform.fetch) as assistant:
        yield replace(hall, assistant=assistant)


def about(*sources: str, task: Task = Task.ASK) -> Question:
    """A question about photos that have not arrived."""
    return replace(asked("which?", task=task), photos=tuple(Photo(None, one) for one in sources))


@pytest.mark.parametrize("task", list(Task))
async def test_photo_that_comes_later_is_answered(
    late: Hall, platform: Platform, task: Task
) -> None:
    answer = await late.assistant.ask(about("one", task=task))
    with pytest.raises(PhotoNotFetched):
        await late.turn_of(answer)
    assert (await late.history.turn(answer.turn_id)).status is TurnStatus.FAILED
    platform.files["one"] = b"receipt"
    again = await late.turn_of(await late.assistant.regenerate(answer.turn_id))
    assert again.status is TurnStatus.ANSWERED
    assert await late.photos.load(again.photo_ids[0]) == b"receipt"


async def test_arrived_photo_has_one_name(late: Hall, platform: Platform) -> None:
    answer = await late.assistant.ask(about("one"))
    with pytest.raises(PhotoNotFetched):
        await late.turn_of(answer)
    platform.files["one"] = b"cat"
    later = await late.answer(asked("its colour?"))
    first = await late.history.turn(answer.turn_id)
    platform.files.clear()
    assert await late.photos.load(first.photo_ids[0]) == b"cat"
    assert (await late.history.turn(later.turn_id)).photo_ids == first.photo_ids


async def test_missing_one_of_several_is_named(late: Hall, platform: Platform) -> None:
    platform.files["one"] = b"cat"
    answer = await late.assistant.ask(about("one", "two"))
    await late.turn_of(answer)
    assert late.shown()[-1] == ("user", "which?", (b"cat",))
    assert answer.hint == ENGLISH.photo_missing(2, ENGLISH.file_not_fetched)


async def test_album_that_may_come_is_not_gone(late: Hall) -> None:
    with pytest.raises(PhotoNotFetched):
        await late.turn_of(await late.assistant.ask(about("one", "two")))


async def test_photo_that_never_comes_is_gone(late: Hall, platform: Platform) -> None:
    platform.is_gone = True
    with pytest.raises(PhotoGone):
        await late.turn_of(await late.assistant.ask(about("one")))


async def test_forgotten_photo_is_not_expected(late: Hall) -> None:
    with pytest.raises(PhotoNotFetched):
        await late.turn_of(await late.assistant.ask(about("one")))
    await late.assistant.forget("7")
    assert await late.database.read("SELECT * FROM photos") == []
