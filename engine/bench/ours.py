"""The measuring process of this project's engine: `python -m engine.bench.ours JOB`."""

import asyncio
import json
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.backends import create_engine
from engine.base import Engine
from engine.bench import work
from engine.bench.work import Job, Measured
from engine.chat import Image, Message, SamplingParams, Usage
from engine.config import CACHE_FOLDER, EngineConfig
from engine.errors import EngineError
from engine.local.hub import locate
from engine.local.models.registry import plan_of

Samples = defaultdict[str, list[float]]
LEFT = "left.json"
SESSION_DISK_GIB = 4.0
# So large that no token comes twice, or that none but the first ever comes: whatever the weights.
FRESH = 1000.0
REPEATING = -FRESH


async def measure(job: Job) -> Measured:
    """All lines, each `num_runs` times on new pictures; nothing but caches carries over."""
    config, samples = config_of(job), defaultdict[str, list[float]](list)
    async with create_engine(config) as engine:
        samples["start_s"].append(time.time() - job.started_at)
        for run in range(job.num_runs):
            await _one_chat(engine, job, run, samples)
            work.progress(f"one chat: run {run + 1} of {job.num_runs}")
            if not run:
                # Later ones find the sessions of the earlier in memory.
                samples["peak_memory_gb"].append(work.peak_memory_gb())
        for run in range(job.num_runs):
            await _five_chats(engine, job, run, samples)
            work.progress(f"five chats: run {run + 1} of {job.num_runs}")
        if job.folder:
            left = [await _leave(engine, job, run) for run in range(job.num_runs)]
            _write(Path(job.folder, LEFT), left)
    return Measured(plan_of(locate(config), config).precision, dict(samples))


def config_of(job: Job) -> EngineConfig:
    """The engine of a job; an answer is computed however often it was asked for."""
    return EngineConfig(
        model=job.model,
        precision=job.precision,  # type: ignore[arg-type]  # checked by EngineConfig
        cache_folder=CACHE_FOLDER,
        question_image_tokens=work.IMAGE_TOKENS,
        num_answers_kept=0,
        session_folder=Path(job.folder) if job.folder else None,
        session_disk_gib=SESSION_DISK_GIB,
    )


def _write(path: Path, left: Sequence[tuple[str, Sequence[int]]]) -> None:
    path.write_text(json.dumps(left), encoding="utf-8")


async def _leave(engine: Engine, job: Job, run: int) -> tuple[str, Sequence[int]]:
    """A conversation for the next process to go on with."""
    messages = left_behind(job, run)
    found = await answer(engine, messages, f"left{run}/one", job.num_tokens)
    return found.text, found.usage.output_ids


def left_behind(job: Job, run: int) -> list[Message]:
    """The question of a conversation that is left behind."""
    return [Message("user", job.kept_question, (Image(work.photo(job, 1000 + run)),))]


async def _one_chat(engine: Engine, job: Job, run: int, samples: Samples) -> None:
    image = Image(work.photo(job, run))
    messages = [Message("user", work.QUESTION, (image,))]
    session = f"bench{run}/one"
    found = await answer(engine, messages, session, job.num_tokens)
    samples["new_photo_s"].append(found.usage.ttft_s)
    if found.usage.decode_tokens_per_s:
        samples["decode_tokens_per_s"].append(found.usage.decode_tokens_per_s)
    for follow_up in (work.FOLLOW_UP, job.long_question):
        messages.append(Message("assistant", found.text, token_ids=found.usage.output_ids))
        messages.append(Message("user", follow_up))
        found = await answer(engine, messages, session, job.num_tokens)
        if follow_up == work.FOLLOW_UP:
            samples["follow_up_s"].append(found.usage.ttft_s)
    again = [Message("user", work.FOLLOW_UP, (image,))]
    session, num_tokens = f"bench{run}/two", job.num_repeated_tokens
    found = await answer(engine, again, session, num_tokens, penalty=REPEATING)
    samples["same_photo_s"].append(found.usage.ttft_s)
    if found.usage.decode_tokens_per_s:
        samples["repeating_tokens_per_s"].append(found.usage.decode_tokens_per_s)


async def _five_chats(engine: Engine, job: Job, run: int, samples: Samples) -> None:
    chats = [f"five{run}-{index}/one" for index in range(work.NUM_CHATS)]
    told = [Message("user", work.FOLLOW_UP)]
    tokens = job.num_together_tokens
    texts = await asyncio.gather(*(answer(engine, told, f"text{c}", tokens) for c in chats))
    samples["together_tokens_per_s"].append(together(texts))
    images = [Image(work.photo(job, 100 + run * work.NUM_CHATS + i)) for i in range(len(chats))]
    started_at = time.perf_counter()
    await asyncio.gather(
        *(
            answer(engine, [Message("user", work.QUESTION, (image,))], chat, tokens)
            for chat, image in zip(chats, images, strict=True)
        )
    )
    samples["five_photos_s"].append(time.perf_counter() - started_at)


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer, and when it began and ended, in seconds of one clock."""

    text: str
    usage: Usage
    asked_at: float
    ended_at: float


def together(answers: Sequence[Answered]) -> float:
    """Tokens a second of answers side by side, from the first token to the last of all."""
    begun_at = min(one.asked_at + one.usage.ttft_s for one in answers)
    num_tokens = sum(len(one.usage.output_ids) - 1 for one in answers)
    return num_tokens / (max(one.ended_at for one in answers) - begun_at)


async def answer(
    engine: Engine,
    messages: list[Message],
    session_id: str,
    num_tokens: int,
    *,
    penalty: float = FRESH,
) -> Answered:
    """Ask, and wait for the end; raises EngineError."""
    params = SamplingParams(max_tokens=num_tokens, greedy=True, presence_penalty=penalty)
    asked_at = time.perf_counter()
    async for delta in engine.generate(messages, params, session_id):
        if delta.answer is not None and delta.usage is not None:
            return Answered(delta.answer, delta.usage, asked_at, time.perf_counter())
    raise EngineError("the answer has no end")


if __name__ == "__main__":
    asked = Job.from_json(sys.argv[1])
    sys.stdout.write(work.told(lambda: asyncio.run(measure(asked))))
