"""Both measuring processes on the tiny model: every line gets its samples, whatever they are."""

import time
from dataclasses import replace
from pathlib import Path

from engine.bench import again, ours
from engine.bench.work import Job
from engine.chat import SamplingParams, Usage
from engine.local import reference
from engine.local.local_engine import LocalEngine
from tests.engine.local.tiny import answer, question


def job(folder: Path) -> Job:
    return Job(str(folder), "float32", 1, time.time(), 64, 96, 4, 4, num_long_words=20)


async def test_ours_gives_every_line(tiny_folder: Path) -> None:
    found = await ours.measure(job(tiny_folder))
    assert found.precision == "float32"
    assert {name: len(values) for name, values in found.samples.items()} == {
        "start_s": 1,
        "new_photo_s": 1,
        "decode_tokens_per_s": 1,
        "repeating_tokens_per_s": 1,
        "follow_up_s": 1,
        "same_photo_s": 1,
        "peak_memory_gb": 1,
        "together_tokens_per_s": 1,
        "five_photos_s": 1,
    }
    assert all(value > 0 for values in found.samples.values() for value in values)


async def test_restart_goes_on_with_what_was_left(tiny_folder: Path, tmp_path: Path) -> None:
    left = replace(job(tiny_folder), folder=str(tmp_path), num_long_words=120)
    await ours.measure(left)
    found = await again.measure(left)
    assert {name: len(values) for name, values in found.samples.items()} == {
        "second_start_s": 1,
        "restored_s": 1,
        "rebuilt_s": 1,
    }


def test_together_counts_tokens_over_the_common_time() -> None:
    one = ours.Answered("", Usage((), (5,) * 11, ttft_s=1.0), 0.0, 11.0)
    other = ours.Answered("", Usage((), (5,) * 6, ttft_s=2.0), 0.0, 7.0)
    assert ours.together([one, other]) == 1.5


def test_reference_gives_its_lines(tiny_folder: Path) -> None:
    found = reference.measure(job(tiny_folder))
    assert found.precision == "float32"
    assert found.samples.keys() == {
        "start_s",
        "new_photo_s",
        "follow_up_s",
        "decode_tokens_per_s",
        "peak_memory_gb",
    }
    assert all(value > 0 for values in found.samples.values() for value in values)


async def test_fresh_text_is_fresh_and_repeating_text_repeats(engine: LocalEngine) -> None:
    asked = [question("Say something.")]
    fresh, repeating = [
        (await answer(engine, asked, params=SamplingParams(32, True, presence_penalty=one))).usage
        for one in (ours.FRESH, ours.REPEATING)
    ]
    assert fresh is not None
    assert repeating is not None
    assert len(set(fresh.output_ids)) == len(fresh.output_ids) > 1
    assert len(set(repeating.output_ids)) == 1
    assert fresh.accepted_tokens == 0
    assert repeating.accepted_tokens > 20
