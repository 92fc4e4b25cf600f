"""The measuring process of this project's engine: `python -m engine.bench.ours JOB`."""

import asyncio
import sys
import time
from collections import defaultdict

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
# So large that no token comes twice, or that none but the first ever comes: whatever the weights.
FRESH = 1000.0
REPEATING = -FRESH


async def measure(job: Job) -> Measured:
    """All lines, each `num_runs` times on new pictures; nothing but caches carries over."""
    config = EngineConfig(
        model=job.model,
        precision=job.precision,  # type: ignore[arg-type]  # checked by EngineConfig
        cache_folder=CACHE_FOLDER,
        question_image_tokens=work.IMAGE_TOKENS,
        num_answers_kept=0,
    )
    samples: Samples = defaultdict(list)
    async with create_engine(config) as engine:
        samples["start_s"].append(time.time() - job.started_at)
        for run in range(job.num_runs):
            await _one_chat(engine, job, run, samples)
        samples["peak_memory_gb"].append(work.peak_memory_gb())
        for run in range(job.num_runs):
            await _five_chats(engine, job, run, samples)
    return Measured(plan_of(locate(config), config).precision, dict(samples))


async def _one_chat(engine: Engine, job: Job, run: int, samples: Samples) -> None:
    image = Image(work.photo(job, run))
    messages = [Message("user", work.QUESTION, (image,))]
    session = f"bench{run}/one"
    text, usage = await _answer(engine, messages, session, job.num_tokens)
    samples["new_photo_s"].append(usage.ttft_s)
    if usage.decode_tokens_per_s:
        samples["decode_tokens_per_s"].append(usage.decode_tokens_per_s)
    for follow_up in (work.FOLLOW_UP, job.long_question):
        messages.append(Message("assistant", text, token_ids=usage.output_ids))
        messages.append(Message("user", follow_up))
        text, usage = await _answer(engine, messages, session, job.num_tokens)
        if follow_up == work.FOLLOW_UP:
            samples["follow_up_s"].append(usage.ttft_s)
    again = [Message("user", work.FOLLOW_UP, (image,))]
    session, num_tokens = f"bench{run}/two", job.num_repeated_tokens
    _, usage = await _answer(engine, again, session, num_tokens, penalty=REPEATING)
    samples["same_photo_s"].append(usage.ttft_s)
    if usage.decode_tokens_per_s:
        samples["repeating_tokens_per_s"].append(usage.decode_tokens_per_s)


async def _five_chats(engine: Engine, job: Job, run: int, samples: Samples) -> None:
    chats = [f"five{run}-{index}/one" for index in range(work.NUM_CHATS)]
    told = [Message("user", work.FOLLOW_UP)]
    tokens = job.num_together_tokens
    texts = await asyncio.gather(*(_answer(engine, told, f"text{c}", tokens) for c in chats))
    samples["together_tokens_per_s"].append(sum(u.decode_tokens_per_s for _, u in texts))
    images = [Image(work.photo(job, 100 + run * work.NUM_CHATS + i)) for i in range(len(chats))]
    started_at = time.perf_counter()
    await asyncio.gather(
        *(
            _answer(engine, [Message("user", work.QUESTION, (image,))], chat, tokens)
            for chat, image in zip(chats, images, strict=True)
        )
    )
    samples["five_photos_s"].append(time.perf_counter() - started_at)


async def _answer(
    engine: Engine,
    messages: list[Message],
    session_id: str,
    num_tokens: int,
    *,
    penalty: float = FRESH,
) -> tuple[str, Usage]:
    params = SamplingParams(max_tokens=num_tokens, greedy=True, presence_penalty=penalty)
    async for delta in engine.generate(messages, params, session_id):
        if delta.answer is not None and delta.usage is not None:
            return delta.answer, delta.usage
    raise EngineError("the answer has no end")


if __name__ == "__main__":
    asked = Job.from_json(sys.argv[1])
    sys.stdout.write(work.told(lambda: asyncio.run(measure(asked))))
