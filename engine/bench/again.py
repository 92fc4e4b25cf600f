"""The process after a restart: `python -m engine.bench.again JOB`, where `ours` left conversations.

Measures what a start costs when weights are packed, and what the first follow-up costs.
"""

import asyncio
import json
import sys
import time
from collections import defaultdict
from pathlib import Path

from engine.backends import create_engine
from engine.bench import work
from engine.bench.ours import LEFT, Samples, answer, config_of, left_behind
from engine.bench.work import Job, Measured
from engine.chat import Message


async def measure(job: Job) -> Measured:
    """A follow-up from the disk, and the same where nothing of its conversation is kept."""
    samples: Samples = defaultdict(list)
    left = _left(job)
    async with create_engine(config_of(job)) as engine:
        samples["second_start_s"].append(time.time() - job.started_at)
        for run, (text, output_ids) in enumerate(left):
            messages = [
                *left_behind(job, run),
                Message("assistant", text, token_ids=tuple(output_ids)),
                Message("user", work.FOLLOW_UP),
            ]
            for name, chat in (("restored_s", f"left{run}"), ("rebuilt_s", f"nobody{run}")):
                found = await answer(engine, messages, f"{chat}/one", job.num_tokens)
                samples[name].append(found.usage.ttft_s)
            work.progress(f"after a restart: run {run + 1} of {len(left)}")
    return Measured(job.precision, dict(samples))


def _left(job: Job) -> list[tuple[str, list[int]]]:
    found: list[tuple[str, list[int]]] = json.loads(Path(job.folder, LEFT).read_bytes())
    return found


if __name__ == "__main__":
    asked = Job.from_json(sys.argv[1])
    sys.stdout.write(work.told(lambda: asyncio.run(measure(asked))))
