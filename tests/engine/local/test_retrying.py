"""Too little memory: one more try with smaller pictures, and nobody else is hurt."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
import torch

from engine.chat import Image, Message
from engine.config import EngineConfig
from engine.errors import OutOfMemory
from engine.local.local_engine import LocalEngine
from engine.local.models.base import Chunk
from engine.local.models.qwen3_vl import Qwen3VL
from tests.engine.local.tiny import answer, ids_of, noise, question

ASKED = [question("What is this?", noise(320, 320, 1))]
FORWARD = Qwen3VL.forward
NO_MEMORY = "DefaultCPUAllocator: not enough memory: you tried to allocate"


def limited(monkeypatch: pytest.MonkeyPatch, most_tokens: int) -> list[int]:
    """A model that has no memory for more rows and cached tokens than this; what it was given."""
    given: list[int] = []

    def forward(model: Qwen3VL, chunks: Sequence[Chunk]) -> torch.Tensor:
        given.append(sum(len(chunk.ids) for chunk in chunks))
        if given[-1] > most_tokens:
            raise RuntimeError(NO_MEMORY)
        return FORWARD(model, chunks)

    monkeypatch.setattr(Qwen3VL, "forward", forward)
    return given


async def test_second_try_has_half_the_image_tokens(
    engine: LocalEngine, config: EngineConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        given = limited(patch, 45)
        last = await answer(engine, ASKED)
    assert given[0] > 45 >= given[1]
    small = [Message("user", "What is this?", (Image(ASKED[0].images[0].data, 12),))]
    async with LocalEngine(replace(config, num_answers_kept=0)) as other:
        assert ids_of(last) == ids_of(await answer(other, small))


async def test_there_is_no_third_try(engine: LocalEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        given = limited(patch, 0)
        with pytest.raises(OutOfMemory):
            await answer(engine, ASKED)
        assert len(given) == 2
        with pytest.raises(OutOfMemory):
            await answer(engine, [question("no photo")])
        assert len(given) == 3
    assert await answer(engine, ASKED)


async def test_who_is_too_large_fails_alone(
    engine: LocalEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    small, large = [question("small")], [question("x" * 200)]
    alone = ids_of(await answer(engine, small, "other/one"))
    with monkeypatch.context() as patch:
        limited(patch, 60)
        outcomes = await asyncio.gather(
            *(answer(engine, small, f"chat{i}/one") for i in range(3)),
            answer(engine, large, "large/one"),
            return_exceptions=True,
        )
    assert isinstance(outcomes.pop(), OutOfMemory)
    assert [ids_of(last) for last in outcomes if not isinstance(last, BaseException)] == [alone] * 3
