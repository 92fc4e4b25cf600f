"""Nothing is computed twice: later turns, other answers, older photos, and what was foreseen.

What is reused is told by `cached_tokens`; that it changes no answer, by an engine that keeps none.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from threading import Event

import pytest
import torch

from engine.chat import Delta, Message, Usage
from engine.config import EngineConfig
from engine.errors import ImageRejected
from engine.local.local_engine import LocalEngine
from engine.local.model_runner import ModelRunner
from engine.local.models.base import Chunk
from engine.local.models.qwen3_vl import Qwen3VL
from engine.local.sequence import Sequence as Request
from tests.engine.local.tiny import answer, ids_of, noise, question, replied

CHAT = "chat/one"
PHOTO, OTHER = noise(120, 64, 1), noise(64, 160, 2)
PATIENCE_S = 60.0
# <|im_start|> user \n <|vision_start|>, and 2 x 4 tokens of the picture.
PICTURE_END = 1 + len("user\n") + 1 + 8


@pytest.fixture
async def cold(config: EngineConfig) -> AsyncIterator[LocalEngine]:
    nothing = replace(config, kv_cache_gib=0, feature_cache_gib=0, num_answers_kept=0)
    async with LocalEngine(nothing) as started:
        yield started


@pytest.fixture
def kept_ahead(monkeypatch: pytest.MonkeyPatch) -> Event:
    """Set as soon as something that was read ahead is kept."""
    kept, release = Event(), ModelRunner.release

    def watching(runner: ModelRunner, sequence: Request) -> None:
        release(runner, sequence)
        if sequence.is_ahead:
            kept.set()

    monkeypatch.setattr(ModelRunner, "release", watching)
    return kept


async def until(event: Event) -> None:
    assert await asyncio.to_thread(event.wait, PATIENCE_S)


def usage_of(last: Delta) -> Usage:
    assert last.usage is not None
    return last.usage


async def told(engine: LocalEngine, num_turns: int, photo: bytes = PHOTO) -> list[Message]:
    messages = [question("turn 0", photo)]
    for turn in range(1, num_turns + 1):
        messages = replied(messages, await answer(engine, messages, CHAT))
        messages.append(question(f"turn {turn}"))
    return messages[:-1]


async def test_other_answer_reuses_the_picture(engine: LocalEngine, cold: LocalEngine) -> None:
    messages = await told(engine, 2)
    other = [*messages[:-2], question("something else")]
    last = await answer(engine, other, CHAT)
    assert usage_of(last).cached_tokens >= PICTURE_END
    assert ids_of(last) == ids_of(await answer(cold, other))


async def test_branch_from_an_older_answer_reuses_the_picture(
    engine: LocalEngine, cold: LocalEngine
) -> None:
    messages = await told(engine, 4)
    branch = [*messages[:2], question("and from here?")]
    last = await answer(engine, branch, CHAT)
    assert usage_of(last).cached_tokens > PICTURE_END
    assert ids_of(last) == ids_of(await answer(cold, branch))


async def test_older_photo_is_still_there_after_a_newer_one(
    engine: LocalEngine, cold: LocalEngine
) -> None:
    first = await told(engine, 1)
    second = await told(engine, 1, OTHER)
    for messages in (first, second, first):
        branch = [*messages, question("and this one?")]
        last = await answer(engine, branch, CHAT)
        assert usage_of(last).cached_tokens >= PICTURE_END
        if messages is first:
            assert ids_of(last) == ids_of(await answer(cold, branch))


async def test_sixth_question_finds_its_history_read(
    engine: LocalEngine, cold: LocalEngine, kept_ahead: Event
) -> None:
    messages = await told(engine, 5)
    await until(kept_ahead)
    sixth = [*messages, question("turn 5")]
    last = await answer(engine, sixth, CHAT)
    # All but the question's own words and what stands around them.
    assert usage_of(last).prompt_tokens - usage_of(last).cached_tokens < 20
    assert ids_of(last) == ids_of(await answer(cold, sixth))


async def test_fifth_answer_again_loses_nothing_to_foresight(
    engine: LocalEngine, kept_ahead: Event
) -> None:
    messages = await told(engine, 5)
    await until(kept_ahead)
    again = [*messages[:-2], question("turn 4, once more")]
    last = await answer(engine, again, CHAT)
    assert usage_of(last).prompt_tokens - usage_of(last).cached_tokens < 40


async def test_prepared_photo_is_read_before_its_question(
    engine: LocalEngine, cold: LocalEngine, kept_ahead: Event
) -> None:
    before = await told(engine, 2)
    await engine.prepare([question("", OTHER)], CHAT)
    await until(kept_ahead)
    asked = [question("What is this?", OTHER)]
    last = await answer(engine, asked, CHAT)
    assert usage_of(last).image_cached
    assert usage_of(last).cached_tokens >= PICTURE_END
    assert ids_of(last) == ids_of(await answer(cold, asked))
    follow_up = await answer(engine, [*before, question("and before?")], CHAT)
    assert usage_of(follow_up).cached_tokens > PICTURE_END


async def test_question_does_not_wait_for_what_is_prepared(
    engine: LocalEngine, cold: LocalEngine
) -> None:
    photos = [noise(64 + 16 * index, 96, index) for index in range(4)]
    await asyncio.gather(*(engine.prepare([question("", one)], CHAT) for one in photos))
    for photo in photos:
        asked = [question("What is this?", photo)]
        assert ids_of(await answer(engine, asked, CHAT)) == ids_of(await answer(cold, asked))


async def test_forgotten_is_what_was_prepared(engine: LocalEngine, kept_ahead: Event) -> None:
    await engine.prepare([question("", PHOTO)], CHAT)
    await until(kept_ahead)
    preparing = asyncio.ensure_future(engine.prepare([question("", PHOTO)], CHAT))
    await asyncio.sleep(0)
    await engine.forget(CHAT)
    await preparing
    last = await answer(engine, [question("What is this?", PHOTO)], CHAT)
    assert usage_of(last).cached_tokens == 0
    assert not usage_of(last).image_cached


async def test_unusable_photo_is_told_when_it_is_asked_about(engine: LocalEngine) -> None:
    broken = question("", b"no picture")
    await engine.prepare([broken], CHAT)
    with pytest.raises(ImageRejected):
        await answer(engine, [broken], CHAT)


async def test_fault_ahead_hurts_nobody(
    engine: LocalEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = Event()

    def broken(self: Qwen3VL, chunks: Sequence[Chunk]) -> torch.Tensor:
        failed.set()
        raise RuntimeError("boom")

    with monkeypatch.context() as patch:
        patch.setattr(Qwen3VL, "forward", broken)
        await engine.prepare([question("", PHOTO)], CHAT)
        await until(failed)
    assert await answer(engine, [question("What is this?", PHOTO)], CHAT)


async def test_stopped_engine_prepares_nothing(config: EngineConfig) -> None:
    engine = LocalEngine(config)
    await engine.prepare([question("", PHOTO)], CHAT)
    async with engine:
        await engine.prepare([question("", PHOTO)], CHAT)
    await engine.prepare([question("", PHOTO)], CHAT)
