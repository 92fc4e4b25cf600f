"""Guessing ahead changes no answer: not greedy, not sampled, not at its end.

Float32; the judges are the same engine without guesses, and transformers' own `generate`.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import product

import pytest
import torch
from transformers import BaseImageProcessor, Qwen3VLForConditionalGeneration

from engine.chat import Delta, FinishReason, SamplingParams, Usage
from engine.config import EngineConfig
from engine.errors import EngineError
from engine.local.encoder_cache import EncoderCache
from engine.local.local_engine import LocalEngine
from engine.local.model_runner import ModelRunner
from engine.local.models.base import VisionLanguageModel
from engine.local.sequence import Sequence, Status
from engine.local.session import SessionPool
from tests.engine.local.markov import MarkovModel, prompt_of
from tests.engine.local.talks import generated, random_chat, talk
from tests.engine.local.tiny import answer, ids_of, noise, question

LONG = SamplingParams(max_tokens=48, greedy=True)
SAMPLED = SamplingParams(max_tokens=64, temperature=0.3, top_k=20, top_p=0.9, presence_penalty=0.1)
NO_GUESSES = 0
# From 0 to 1 and from 1 to 2 is likely, and what was said once is guessed again.
CHAIN = torch.tensor(
    [[0.1, 2.0, 0.5, 0.0], [0.5, 0.1, 1.5, 0.0], [1.0, 0.1, 0.0, 0.5], [0.3, 0.2, 0.1, 0.0]]
)
SURE = 9 * torch.tensor([[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0]]).float()


@pytest.fixture
async def without(config: EngineConfig) -> AsyncIterator[LocalEngine]:
    async with LocalEngine(replace(config, max_draft_tokens=NO_GUESSES)) as started:
        yield started


def usage_of(last: Delta) -> Usage:
    assert last.usage is not None
    return last.usage


@pytest.mark.parametrize("seed", range(4))
async def test_greedy_equals_without_equals_transformers(
    seed: int,
    engine: LocalEngine,
    without: LocalEngine,
    reference: Qwen3VLForConditionalGeneration,
    processor: BaseImageProcessor,
    model: VisionLanguageModel,
) -> None:
    chat = random_chat(seed, "guessing")
    [told] = (await talk(engine, [chat], LONG)).values()
    [plainly] = (await talk(without, [chat], LONG)).values()
    assert [ids_of(last) for last in told] == [ids_of(last) for last in plainly]
    assert {usage_of(last).drafted_tokens for last in plainly} == {0}
    assert sum(usage_of(last).accepted_tokens for last in told) > 0
    for messages, last in zip(chat.branches(told), told, strict=True):
        assert ids_of(last) == generated(reference, processor, model, messages, LONG)


async def test_some_guesses_are_wrong(engine: LocalEngine) -> None:
    # Without this the law above would not speak of cropping.
    [told] = (await talk(engine, [random_chat(0, "guessing")], LONG)).values()
    drafted = sum(usage_of(last).drafted_tokens for last in told)
    accepted = sum(usage_of(last).accepted_tokens for last in told)
    assert 0 < accepted < drafted


async def test_guesses_of_many_equal_one_alone(engine: LocalEngine, without: LocalEngine) -> None:
    asked = [[question(f"ab ab ab {i}", noise(64 + 16 * i, 96, i))] for i in range(7)]
    together = await asyncio.gather(
        *(answer(engine, one, f"chat{i}/1", LONG) for i, one in enumerate(asked))
    )
    alone = [await answer(without, one, f"chat{i}/1", LONG) for i, one in enumerate(asked)]
    assert [ids_of(last) for last in together] == [ids_of(last) for last in alone]
    assert sum(usage_of(last).accepted_tokens for last in together) > 0


async def test_seed_gives_the_same_with_guesses(engine: LocalEngine, without: LocalEngine) -> None:
    asked = [question("ab ab ab", noise(96, 64, 5))]
    num_drafted = num_accepted = 0
    for seed in range(6):
        params = replace(SAMPLED, seed=seed)
        told = await answer(engine, asked, params=params)
        assert ids_of(told) == ids_of(await answer(without, asked, params=params))
        assert ids_of(told) == ids_of(await answer(engine, asked, params=params))
        num_drafted += usage_of(told).drafted_tokens
        num_accepted += usage_of(told).accepted_tokens
    assert num_drafted > num_accepted > 0


async def test_limit_falls_inside_a_guess(engine: LocalEngine, without: LocalEngine) -> None:
    asked = [question("ab ab ab", noise(96, 64, 5))]
    whole = ids_of(await answer(without, asked, params=LONG))
    for limit in range(1, len(whole), 5):
        last = await answer(engine, asked, "c/1", replace(LONG, max_tokens=limit))
        assert ids_of(last) == whole[:limit]
        assert last.finish_reason is FinishReason.LENGTH


def written(
    model: MarkovModel, params: SamplingParams, max_draft_tokens: int = 10, stop_after: int = 0
) -> Sequence:
    """An answer to 0 1 2 3 0 1, from the first step to the last."""
    sequence: Sequence

    def hear(item: Delta | EngineError) -> None:
        if len(sequence.output_ids) == stop_after:
            sequence.cancel()

    sequence = Sequence(
        prompt_of(0, 1, 2, 3, 0, 1), params, "c/1", model=model, deliver=hear, started_at=0.0
    )
    sessions, features = SessionPool(0, model.kv_shape), EncoderCache(0)
    runner = ModelRunner(model, sessions, features, max_draft_tokens)
    runner.admit(sequence)
    while sequence.status is Status.RUNNING and not sequence.cancelled:
        runner.run([sequence])
        held = len(sequence.prompt) + len(sequence.output_ids) - 1
        assert sequence.num_computed == held
    return sequence


def test_sure_text_takes_few_steps() -> None:
    model = MarkovModel(SURE)
    sequence = written(model, SamplingParams(max_tokens=41, greedy=True))
    assert sequence.output_ids == [2, 3, 0, 1] * 10 + [2]
    assert model.num_steps < 10


def test_end_inside_a_guess_ends_the_answer() -> None:
    model = MarkovModel(SURE, end_ids=frozenset({0}))
    sequence = written(model, SamplingParams(max_tokens=41, greedy=True))
    assert sequence.output_ids == [2, 3, 0]
    assert model.num_steps == 2


@pytest.mark.parametrize("stop_after", range(1, 12))
def test_stop_inside_a_guess_is_the_next_token(stop_after: int) -> None:
    params = SamplingParams(max_tokens=41, greedy=True)
    assert len(written(MarkovModel(SURE), params, stop_after=stop_after).output_ids) == stop_after


def test_loop_inside_a_guess_is_cut() -> None:
    sequence = written(MarkovModel(SURE), SamplingParams(max_tokens=400, greedy=True))
    assert sequence.output_ids == [2, 3, 0, 1]
    assert sequence.session().ids == (0, 1, 2, 3, 0, 1, 2, 3, 0)


NUM_ANSWERS = 1200


@pytest.mark.parametrize(
    "params",
    [SamplingParams(max_tokens=4), SamplingParams(max_tokens=4, temperature=0.6, top_k=3)],
    ids=["plain", "cut"],
)
def test_sampled_guesses_keep_the_distribution(params: SamplingParams) -> None:
    model = MarkovModel(CHAIN)
    told = [written(model, replace(params, seed=seed)) for seed in range(NUM_ANSWERS)]
    assert model.num_steps < 4 * NUM_ANSWERS
    counts = Counter(tuple(sequence.output_ids[:3]) for sequence in told)
    step = chances(params)
    surprise = 0.0
    for first, second, third in product(range(4), repeat=3):
        expected = NUM_ANSWERS * float(step[1, first] * step[first, second] * step[second, third])
        seen = counts[first, second, third]
        assert expected or not seen
        surprise += (seen - expected) ** 2 / expected if expected else 0.0
    # The 99.99 % point of chi square with 63 degrees of freedom, the most there can be.
    assert surprise < 112


def chances(params: SamplingParams) -> torch.Tensor:
    scores = CHAIN / (params.temperature or 1.0)
    if params.top_k:
        least = scores.topk(params.top_k).values[:, -1:]
        scores = scores.masked_fill(scores < least, float("-inf"))
    return scores.softmax(1)


def test_guess_is_accepted_with_its_probability() -> None:
    # After 0 1 2 3 0 1 | 2 the next guess is 3, whose chance is known.
    model, num_guessed, num_accepted = MarkovModel(CHAIN), 0, 0
    for seed in range(NUM_ANSWERS):
        sequence = written(model, SamplingParams(max_tokens=4, seed=seed))
        if sequence.output_ids[0] == 2:
            num_guessed += 1
            num_accepted += sequence.output_ids[1] == 3
            assert sequence.usage().drafted_tokens > 0
    share = float(CHAIN.softmax(1)[2, 3])
    deviation = (share * (1 - share) / num_guessed) ** 0.5
    assert abs(num_accepted / num_guessed - share) < 4 * deviation
