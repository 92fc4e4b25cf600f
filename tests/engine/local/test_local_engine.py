"""What the engine promises its callers, and what happens when something breaks."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
import torch
from torch.nn.functional import one_hot

from engine.chat import FinishReason, Message, SamplingParams
from engine.config import EngineConfig
from engine.errors import (
    EngineFailed,
    EngineStopped,
    ImageRejected,
    ModelNotUsable,
    OutOfMemory,
    PromptTooLong,
    QueueFull,
)
from engine.local.local_engine import LocalEngine
from engine.local.models.base import Chunk
from engine.local.models.qwen3_vl import Qwen3VL
from engine.local.session import SessionPool
from tests.engine.local.tiny import GREEDY, answer, ids_of, noise, question, replied

PHOTO = noise(64, 96, 1)
ASKED = [question("What is this?", PHOTO)]
LONG = SamplingParams(max_tokens=400, greedy=True)


async def test_text_arrives_in_pieces_that_add_up(engine: LocalEngine) -> None:
    deltas = [delta async for delta in engine.generate(ASKED, GREEDY, "chat/one")]
    assert len(deltas) > 2
    assert "".join(delta.text for delta in deltas) == deltas[-1].answer
    assert [delta.finish_reason for delta in deltas[:-1]] == [None] * (len(deltas) - 1)


async def test_limit_is_kept_and_named(engine: LocalEngine) -> None:
    last = await answer(engine, ASKED, params=SamplingParams(max_tokens=3, greedy=True))
    assert last.finish_reason is FinishReason.LENGTH
    assert len(ids_of(last)) == 3


async def test_repeated_question_is_known(engine: LocalEngine) -> None:
    first = await answer(engine, ASKED)
    again = await answer(engine, ASKED, "chat/two")
    assert again.usage is not None
    assert again.usage.answer_cached
    assert again.answer == first.answer
    elsewhere = await answer(engine, ASKED, "other/one")
    assert elsewhere.usage is not None
    assert not elsewhere.usage.answer_cached


async def test_sampled_answers_are_not_taken_from_the_cache(engine: LocalEngine) -> None:
    params = SamplingParams(max_tokens=12, temperature=3.0, seed=1)
    first = await answer(engine, ASKED, params=params)
    again = await answer(engine, ASKED, params=params)
    other = await answer(engine, ASKED, params=replace(params, seed=2))
    assert again.usage is not None
    assert not again.usage.answer_cached
    assert ids_of(first) == ids_of(again) != ids_of(other)


async def test_features_are_shared_in_a_chat_only(engine: LocalEngine) -> None:
    await answer(engine, ASKED, "chat/one")
    other = [question("Something else?", PHOTO)]
    here = await answer(engine, other, "chat/two")
    there = await answer(engine, other, "elsewhere/two")
    assert here.usage is not None
    assert there.usage is not None
    assert (here.usage.image_cached, here.usage.cached_tokens) == (True, 0)
    assert not there.usage.image_cached


async def test_forget_drops_everything_of_the_chat(engine: LocalEngine) -> None:
    await answer(engine, ASKED, "chat/one")
    await engine.forget("chat/one")
    last = await answer(engine, ASKED, "chat/one")
    assert last.usage is not None
    assert not last.usage.answer_cached
    assert not last.usage.image_cached
    assert last.usage.cached_tokens == 0


async def test_budget_of_the_picture_wins(engine: LocalEngine) -> None:
    photo = noise(640, 480, 2)
    small = [Message("user", "?", (replace(question("", photo).images[0], max_tokens=6),))]
    few = await answer(engine, small, "chat/one")
    many = await answer(engine, [question("?", photo)], "chat/two")
    assert few.usage is not None
    assert many.usage is not None
    assert 6 < many.usage.prompt_tokens - few.usage.prompt_tokens + 6 <= 24


async def test_too_long_prompt_is_refused_first(config: EngineConfig) -> None:
    async with LocalEngine(replace(config, context_tokens=40)) as small:
        with pytest.raises(PromptTooLong) as refused:
            await answer(small, [question("x" * 100)])
        assert (refused.value.limit, refused.value.num_tokens > 100) == (40, True)
        assert await answer(small, [question("x")])


async def test_answer_ends_with_the_context(config: EngineConfig) -> None:
    async with LocalEngine(replace(config, context_tokens=40)) as small:
        last = await answer(small, [question("x")], params=LONG)
        assert last.usage is not None
        assert last.usage.prompt_tokens + len(ids_of(last)) <= 40


async def test_bad_picture_hurts_nobody(engine: LocalEngine) -> None:
    with pytest.raises(ImageRejected):
        await answer(engine, [question("?", b"no picture")])
    assert await answer(engine, ASKED)


async def test_full_queue_is_refused(config: EngineConfig) -> None:
    async with LocalEngine(replace(config, max_running=1, max_waiting=1)) as narrow:
        streams = [narrow.generate(ASKED, LONG, f"chat/{i}") for i in range(3)]
        for stream in streams[:1]:
            await anext(stream)
        waiting = asyncio.ensure_future(anext(streams[1]))
        await asyncio.sleep(0)
        with pytest.raises(QueueFull):
            await anext(streams[2])
        assert (await waiting).place == 1
        for stream in streams[:2]:
            await stream.aclose()  # type: ignore[attr-defined]
        assert await answer(narrow, ASKED)


async def test_closing_ends_every_answer(config: EngineConfig) -> None:
    engine = LocalEngine(config)
    async with engine:
        stream = engine.generate(ASKED, LONG, "chat/one")
        await anext(stream)
    with pytest.raises(EngineStopped):
        async for _ in stream:
            pass
    with pytest.raises(EngineStopped):
        await answer(engine, ASKED)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (RuntimeError("boom"), EngineFailed),
        (MemoryError(), OutOfMemory),
        (RuntimeError("DefaultCPUAllocator: not enough memory: you tried"), OutOfMemory),
    ],
    ids=["fault", "memory", "torch memory"],
)
async def test_fault_reaches_its_asker(
    error: Exception,
    expected: type[Exception],
    engine: LocalEngine,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(self: Qwen3VL, chunks: Sequence[Chunk]) -> torch.Tensor:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(Qwen3VL, "forward", broken)
        with pytest.raises(expected):
            await answer(engine, ASKED)
    assert await answer(engine, ASKED)


async def test_loop_is_cut_to_one_copy(
    engine: LocalEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    story = torch.tensor(list(b"ab" + b"xyz" * 100))
    prompt_lengths: list[int] = []

    def circling(self: Qwen3VL, chunks: Sequence[Chunk]) -> torch.Tensor:
        [chunk] = chunks
        chunk.kv_cache.advance(len(chunk.ids))
        prompt_lengths.append(chunk.kv_cache.length)
        following = chunk.kv_cache.length - prompt_lengths[0] + 1
        return one_hot(story[following - chunk.num_logits : following], 288).float()

    with monkeypatch.context() as patch:
        patch.setattr(Qwen3VL, "forward", circling)
        last = await answer(engine, ASKED, params=LONG)
    assert last.finish_reason is FinishReason.REPETITION
    assert last.answer == "abxyz"
    assert ids_of(last) == tuple(b"abxyz")
    assert await answer(engine, [*replied(ASKED, last), question("More?")])


async def test_follow_up_begins_where_the_answer_ended(engine: LocalEngine) -> None:
    last = await answer(engine, ASKED)
    follow_up = await answer(engine, [*replied(ASKED, last), question("More?")])
    assert follow_up.usage is not None
    assert follow_up.usage.cached_tokens > 0


async def test_unusable_model_is_refused_at_start(config: EngineConfig) -> None:
    with pytest.raises(ModelNotUsable):
        async with LocalEngine(replace(config, model="/none")):
            pass


async def test_vanished_reader_frees_its_place(config: EngineConfig) -> None:
    async with LocalEngine(replace(config, max_running=1, max_waiting=1)) as narrow:
        for _ in range(4):
            task = asyncio.ensure_future(answer(narrow, ASKED, params=LONG))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        assert await answer(narrow, ASKED)


async def test_no_room_for_a_cache_is_the_askers_error(
    engine: LocalEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(SessionPool, "lend", _no_memory)
        with pytest.raises(OutOfMemory):
            await answer(engine, [question("Hello")])
    assert (await answer(engine, [question("Hello")])).finish_reason is not None


def _no_memory(*_: object) -> None:
    raise MemoryError
