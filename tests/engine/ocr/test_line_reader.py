"""The reader's thread serves one picture after the other and never holds up the event loop."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable

import pytest
from PIL import Image

from engine.chat import Line
from engine.errors import EngineError, EngineFailed, EngineStopped, ImageRejected, OutOfMemory
from engine.ocr import line_reader
from engine.ocr.line_reader import RapidLineReader
from tests.engine.ocr.lines import line
from tests.engine.printing import file_of

FILE = file_of(Image.new("RGB", (40, 40), "white"))
LINES = [line("found", 0, 0, 30)]

PageReader = Callable[[Image.Image, object], list[Line]]


@pytest.fixture
async def reader(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RapidLineReader]:
    """A reader whose networks are nothing: what they do is tested elsewhere."""
    monkeypatch.setattr(line_reader, "_loaded", lambda num_threads: object())
    async with RapidLineReader(1) as opened:
        yield opened


def use(monkeypatch: pytest.MonkeyPatch, page_reader: PageReader) -> None:
    monkeypatch.setattr(line_reader, "read_page", page_reader)


async def test_loop_runs_while_a_picture_is_read(
    reader: RapidLineReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()

    def wait_for_the_loop(image: Image.Image, networks: object) -> list[Line]:
        assert go_on.wait(60)
        return LINES

    use(monkeypatch, wait_for_the_loop)
    reading = asyncio.create_task(reader.read(FILE))
    await asyncio.sleep(0)
    go_on.set()
    assert await reading == LINES


async def test_all_pictures_are_read_in_one_thread(
    reader: RapidLineReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[str] = []

    def remember(image: Image.Image, networks: object) -> list[Line]:
        threads.append(threading.current_thread().name)
        return LINES

    use(monkeypatch, remember)
    await asyncio.gather(*(reader.read(FILE) for _ in range(5)))
    assert len(threads) == 5
    assert set(threads) == {"line-reader_0"}


@pytest.mark.parametrize(
    ("raised", "wanted"), [(EngineFailed("spelling"), EngineFailed), (MemoryError(), OutOfMemory)]
)
async def test_error_reaches_its_asker_and_the_next_is_served(
    reader: RapidLineReader,
    monkeypatch: pytest.MonkeyPatch,
    raised: BaseException,
    wanted: type[EngineError],
) -> None:
    answers: list[BaseException | None] = [raised, None]

    def fail_once(image: Image.Image, networks: object) -> list[Line]:
        error = answers.pop(0)
        if error is not None:
            raise error
        return LINES

    use(monkeypatch, fail_once)
    with pytest.raises(wanted):
        await reader.read(FILE)
    assert await reader.read(FILE) == LINES


async def test_picture_that_cannot_be_used_is_refused(reader: RapidLineReader) -> None:
    with pytest.raises(ImageRejected):
        await reader.read(b"not a picture")


async def test_cancelled_reading_frees_the_line(
    reader: RapidLineReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, go_on = threading.Event(), threading.Event()
    sizes: list[tuple[int, int]] = []

    def wait(image: Image.Image, networks: object) -> list[Line]:
        sizes.append(image.size)
        started.set()
        assert go_on.wait(60)
        return LINES

    use(monkeypatch, wait)
    running = asyncio.create_task(reader.read(FILE))
    waiting = asyncio.create_task(reader.read(file_of(Image.new("RGB", (50, 50)))))
    assert await asyncio.to_thread(started.wait, 60)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    go_on.set()
    assert await reader.read(file_of(Image.new("RGB", (60, 60)))) == LINES
    assert sizes == [(40, 40), (60, 60)]


async def test_closing_waits_for_the_reading_in_flight(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_reader, "_loaded", lambda num_threads: object())
    started, go_on = threading.Event(), threading.Event()

    def wait(image: Image.Image, networks: object) -> list[Line]:
        started.set()
        assert go_on.wait(60)
        return LINES

    use(monkeypatch, wait)
    reader = RapidLineReader(1)
    async with reader:
        reading = asyncio.create_task(reader.read(FILE))
        assert await asyncio.to_thread(started.wait, 60)
        go_on.set()
    assert await reading == LINES
    with pytest.raises(EngineStopped):
        await reader.read(FILE)


async def test_reader_that_was_never_opened_says_so() -> None:
    with pytest.raises(EngineStopped):
        await RapidLineReader(1).read(FILE)


async def test_failed_start_leaves_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(num_threads: int) -> None:
        raise EngineFailed("no models")

    monkeypatch.setattr(line_reader, "_loaded", refuse)
    reader = RapidLineReader(1)
    with pytest.raises(EngineFailed):
        await reader.__aenter__()
    with pytest.raises(EngineStopped):
        await reader.read(FILE)
