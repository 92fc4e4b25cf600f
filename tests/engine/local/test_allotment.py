"""The model comes first, and the caches share what is left."""

from dataclasses import replace

import pytest

from engine.config import GIB, EngineConfig
from engine.errors import PromptTooLong
from engine.local.allotment import MIN_CACHE_BYTES, Allotment
from engine.local.local_engine import LocalEngine
from engine.local.models.base import VisionLanguageModel
from tests.engine.local.tiny import answer, question

CONFIG = EngineConfig(kv_cache_gib=1.0, feature_cache_gib=0.25)


@pytest.mark.parametrize("granted", [None, 24 * GIB, 6 * GIB])
def test_enough_memory_leaves_what_was_set(granted: int | None) -> None:
    assert Allotment.of(CONFIG, 3 * GIB, granted) == Allotment(GIB, GIB // 4)


def test_less_memory_is_shared_out() -> None:
    found = Allotment.of(CONFIG, 3 * GIB, 4 * GIB)
    assert 0 < found.kv_bytes < GIB
    assert found.feature_bytes == pytest.approx(found.kv_bytes / 4, rel=0.01)
    assert 3 * GIB + found.kv_bytes + found.feature_bytes < 4 * GIB


def test_too_little_memory_still_counts() -> None:
    assert Allotment.of(CONFIG, 3 * GIB, 2 * GIB) == Allotment(MIN_CACHE_BYTES, MIN_CACHE_BYTES)


def test_caches_that_were_switched_off_stay_off() -> None:
    off = EngineConfig(kv_cache_gib=0, feature_cache_gib=0)
    assert Allotment.of(off, 3 * GIB, 2 * GIB) == Allotment(0, 0)


def test_longest_conversation_follows_the_budget() -> None:
    assert Allotment(1000, 0).most_tokens(10) == 100
    assert Allotment(0, 0).most_tokens(10) is None


async def test_conversation_beyond_the_memory_is_refused_first(
    config: EngineConfig, model: VisionLanguageModel
) -> None:
    most = 60
    narrow = replace(config, kv_cache_gib=most * model.kv_shape.bytes_per_token / GIB)
    async with LocalEngine(narrow) as engine:
        with pytest.raises(PromptTooLong) as refused:
            await answer(engine, [question("x" * 100)])
        assert (refused.value.limit, refused.value.num_tokens > 100) == (most, True)
        last = await answer(engine, [question("x")])
        assert last.usage is not None
        assert last.usage.prompt_tokens + len(last.usage.output_ids) <= most
