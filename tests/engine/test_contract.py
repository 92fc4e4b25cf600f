"""The laws that every engine keeps: the one that runs here, and the bot tests' scripted one."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from pathlib import Path

import pytest

from engine import (
    Delta,
    Engine,
    EngineConfig,
    EngineStopped,
    ImageRejected,
    Message,
    PromptTooLong,
    QuestionTooLong,
    QueueFull,
    SamplingParams,
)
from engine.local.local_engine import LocalEngine
from tests.engine.local.tiny import noise, question, write_tiny
from tests.fakes import ScriptedEngine

GREEDY = SamplingParams(max_tokens=8, greedy=True)
LONG = question("word " * 40_000)
ENDLESS = SamplingParams(max_tokens=4000, greedy=True)
ASKED = [question("What is this?", noise(64, 64, 1))]

Make = Callable[[], Engine]


@pytest.fixture(scope="module")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tiny")
    write_tiny(folder)
    return folder


@pytest.fixture(params=["local", "scripted"])
def make(request: pytest.FixtureRequest, tiny_folder: Path) -> Make:
    if request.param == "scripted":
        return lambda: ScriptedEngine(max_waiting=2)
    config = EngineConfig(
        model=str(tiny_folder), precision="float32", max_running=1, max_waiting=2, cpu_threads=1
    )
    return lambda: LocalEngine(config)


@pytest.fixture
async def engine(make: Make) -> AsyncIterator[Engine]:
    async with make() as started:
        yield started


async def collect(
    engine: Engine, messages: list[Message] = ASKED, session_id: str = "chat/one"
) -> list[Delta]:
    return [delta async for delta in engine.generate(messages, GREEDY, session_id)]


async def test_last_delta_bears_the_end(engine: Engine) -> None:
    deltas = await collect(engine)
    assert [delta for delta in deltas if delta.finish_reason] == deltas[-1:]
    assert deltas[-1].answer == "".join(delta.text for delta in deltas)
    usage = deltas[-1].usage
    assert usage is not None
    assert 0 < len(usage.output_ids) <= GREEDY.max_tokens + 1


async def test_greedy_answers_repeat(engine: Engine) -> None:
    first, again = await collect(engine), await collect(engine, session_id="other/one")
    assert first[-1].answer == again[-1].answer


async def test_conversation_goes_on(engine: Engine) -> None:
    last = (await collect(engine))[-1]
    assert last.answer is not None
    assert last.usage is not None
    reply = Message("assistant", last.answer, token_ids=last.usage.output_ids)
    assert (await collect(engine, [*ASKED, reply, question("And now?")]))[-1].finish_reason


async def test_closing_the_stream_stops_it(engine: Engine) -> None:
    async with aclosing(engine.generate(ASKED, ENDLESS, "chat/one")) as stream:  # type: ignore[type-var]
        await anext(stream)
    assert (await collect(engine))[-1].finish_reason is not None


async def test_bad_picture_is_rejected(engine: Engine) -> None:
    with pytest.raises(ImageRejected):
        await collect(engine, [question("?", b"")])
    assert await collect(engine)


async def test_bad_picture_is_counted(engine: Engine) -> None:
    with pytest.raises(ImageRejected) as caught:
        await collect(engine, [question("?", noise(64, 64, 1), b"", noise(64, 64, 2))])
    assert caught.value.index == 1


async def test_too_long_a_question_is_refused(engine: Engine) -> None:
    with pytest.raises(QuestionTooLong) as caught:
        await collect(engine, [question("Hello"), Message("assistant", "Hi"), LONG])
    assert caught.value.num_tokens > caught.value.limit > 0
    assert await collect(engine)


async def test_too_long_a_conversation_is_refused(engine: Engine) -> None:
    with pytest.raises(PromptTooLong) as caught:
        await collect(engine, [LONG, Message("assistant", "Hi"), question("And now?")])
    assert not isinstance(caught.value, QuestionTooLong)
    assert caught.value.num_tokens > caught.value.limit > 0


async def test_too_many_are_refused(engine: Engine) -> None:
    asked = [asyncio.ensure_future(collect(engine, session_id=f"c/{i}")) for i in range(9)]
    results = await asyncio.gather(*asked, return_exceptions=True)
    refused = [result for result in results if isinstance(result, QueueFull)]
    answered = [result for result in results if isinstance(result, list)]
    assert refused
    assert answered
    assert len(refused) + len(answered) == 9


async def test_several_are_all_answered(engine: Engine) -> None:
    results = await asyncio.gather(*(collect(engine, session_id=f"c/{i}") for i in range(3)))
    assert all(result[-1].finish_reason for result in results)


async def test_forgetting_the_unknown_is_nothing(engine: Engine) -> None:
    await engine.forget("nobody/ever")
    assert await collect(engine)


async def test_stopped_engine_says_so(make: Make) -> None:
    engine = make()
    async with engine:
        await collect(engine)
    with pytest.raises(EngineStopped):
        await collect(engine)


def test_engine_has_a_name_and_says_what_it_is(make: Make) -> None:
    engine = make()
    assert engine.model_id
    assert "/" not in engine.model_id
    assert engine.about.endswith(".")
