"""The main law: whatever is cached, batched, evicted or stopped, the answer is the same.

Float32, greedy; the judge is transformers' own `generate` on the whole conversation.
"""

import asyncio
from dataclasses import replace

import pytest
from transformers import BaseImageProcessor, Qwen3VLForConditionalGeneration

from engine.config import EngineConfig, Precision
from engine.local.local_engine import LocalEngine
from engine.local.models.base import VisionLanguageModel
from tests.engine.local.talks import generated, output_ids, random_chat, talk
from tests.engine.local.tiny import GREEDY, answer, ids_of, noise, question, replied


@pytest.mark.parametrize("seed", range(6))
async def test_cached_equals_uncached_equals_transformers(
    seed: int,
    engine: LocalEngine,
    config: EngineConfig,
    reference: Qwen3VLForConditionalGeneration,
    processor: BaseImageProcessor,
    model: VisionLanguageModel,
) -> None:
    chats = [random_chat(seed, name) for name in ("a", "b")[: 1 + seed % 2]]
    warm = await talk(engine, chats)
    nothing = replace(config, kv_cache_gib=0, feature_cache_gib=0, num_answers_kept=0)
    async with LocalEngine(nothing) as bare:
        cold = await talk(bare, chats)
    assert output_ids(warm) == output_ids(cold)
    for chat in chats:
        told = warm[chat.session_id]
        for messages, last in zip(chat.branches(told), told, strict=True):
            assert ids_of(last) == generated(reference, processor, model, messages)


@pytest.mark.parametrize("precision", ["bfloat16", "int8"])
@pytest.mark.parametrize("seed", range(3))
async def test_other_precisions_keep_the_law(
    seed: int, precision: Precision, config: EngineConfig
) -> None:
    chats = [random_chat(seed, name) for name in ("a", "b", "c")]
    narrow = replace(config, precision=precision)
    async with LocalEngine(narrow) as warm:
        together = await talk(warm, chats)
    nothing = replace(narrow, kv_cache_gib=0, feature_cache_gib=0, num_answers_kept=0)
    async with LocalEngine(replace(nothing, max_running=1)) as bare:
        alone = {chat.session_id: (await talk(bare, [chat]))[chat.session_id] for chat in chats}
    assert output_ids(together) == output_ids(alone)


async def test_answers_are_not_all_alike(engine: LocalEngine) -> None:
    # Without this the laws of this file would say little.
    answers = await talk(engine, [random_chat(seed, "a") for seed in range(1)])
    ids = [ids_of(last) for last in answers["a/1"]]
    assert len(set(ids)) > 1
    assert len({token for each in ids for token in each}) > 5


async def test_follow_up_reuses_the_picture(engine: LocalEngine) -> None:
    messages = [question("What is this?", noise(120, 64, 1))]
    messages = replied(messages, await answer(engine, messages))
    last = await answer(engine, [*messages, question("And this?")])
    assert last.usage is not None
    assert last.usage.image_cached
    assert last.usage.cached_tokens > 8


async def test_eviction_changes_no_answer(engine: LocalEngine, config: EngineConfig) -> None:
    chats = [random_chat(seed, f"chat{seed}") for seed in range(3)]
    roomy = await talk(engine, chats)
    # Room for one session of this model, so that each question throws out another chat's.
    async with LocalEngine(replace(config, kv_cache_gib=0.5 / 1024)) as narrow:
        evicting = await talk(narrow, chats)
    assert output_ids(roomy) == output_ids(evicting)
    narrow_cached = [last.usage.cached_tokens for last in evicting["chat0/1"] if last.usage]
    roomy_cached = [last.usage.cached_tokens for last in roomy["chat0/1"] if last.usage]
    assert sum(narrow_cached) < sum(roomy_cached)


async def test_many_at_once_equal_one_alone(engine: LocalEngine, config: EngineConfig) -> None:
    asked = [[question(f"Question {i}", noise(64 + 16 * i, 96, i))] for i in range(7)]
    together = await asyncio.gather(
        *(answer(engine, messages, f"chat{i}/1") for i, messages in enumerate(asked))
    )
    async with LocalEngine(config) as other:
        alone = [await answer(other, messages, f"chat{i}/1") for i, messages in enumerate(asked)]
    assert [ids_of(last) for last in together] == [ids_of(last) for last in alone]


@pytest.mark.parametrize("num_read", [0, 1, 4])
async def test_stop_and_resume_equals_never_stopped(
    num_read: int, engine: LocalEngine, config: EngineConfig
) -> None:
    messages = [question("Tell me", noise(96, 64, 5))]
    stream = engine.generate(messages, replace(GREEDY, max_tokens=400), "chat/one")
    for _ in range(num_read):
        await anext(stream)
    await stream.aclose()  # type: ignore[attr-defined]
    stopped = await answer(engine, messages)
    async with LocalEngine(config) as other:
        assert ids_of(stopped) == ids_of(await answer(other, messages))


async def test_sixth_question_keeps_the_picture(engine: LocalEngine) -> None:
    messages = [question("one", noise(96, 64, 7))]
    for text in ("two", "three", "four", "five", "six"):
        messages = replied(messages, await answer(engine, messages))
        messages.append(question(text))
    last = await answer(engine, messages)
    assert last.usage is not None
    picture_end = 1 + len("user\n") + 1 + 6
    assert last.usage.cached_tokens >= picture_end
    assert last.usage.image_cached
