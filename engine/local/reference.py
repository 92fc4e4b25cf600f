"""The measuring process of transformers' own `generate`: `python -m engine.local.reference JOB`."""

import io
import sys
import time
from typing import Any

import torch
from PIL import Image as Picture
from transformers import AutoModelForImageTextToText, AutoProcessor, StoppingCriteria

from engine.bench import work
from engine.bench.work import Job, Measured
from engine.config import EngineConfig
from engine.local.hardware import choose_device, use_threads
from engine.local.hub import locate
from engine.local.models.registry import precision_of


class _Clock(StoppingCriteria):
    """Notes when each token came; stops nothing."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:
        self.times.append(time.perf_counter())
        return torch.zeros(len(input_ids), dtype=torch.bool, device=input_ids.device)


def measure(job: Job) -> Measured:
    """The lines that one conversation gives; `generate` knows neither sessions nor batches."""
    config = EngineConfig(model=job.model, precision=job.precision)  # type: ignore[arg-type]
    folder = locate(config)
    dtype = precision_of(folder, config)
    use_threads(0)
    processor: Any = AutoProcessor.from_pretrained(folder)  # type: ignore[no-untyped-call]
    model: Any = AutoModelForImageTextToText.from_pretrained(folder, dtype=dtype)
    model.to(choose_device())
    samples: dict[str, list[float]] = {"start_s": [time.time() - job.started_at]}
    for run in range(job.num_runs):
        for name, value in _one_chat(model, processor, job, run).items():
            samples.setdefault(name, []).append(value)
        samples.setdefault("peak_memory_gb", [work.peak_memory_gb()])
        work.progress(f"transformers: run {run + 1} of {job.num_runs}")
    return Measured(str(dtype).removeprefix("torch."), samples)


def _one_chat(model: Any, processor: Any, job: Job, run: int) -> dict[str, float]:
    picture = Picture.open(io.BytesIO(work.photo(job, run)))
    content = [{"type": "image", "image": picture}, {"type": "text", "text": work.QUESTION}]
    messages: list[dict[str, Any]] = [{"role": "user", "content": content}]
    new_photo_s, rate, text = _generate(model, processor, messages, job.num_tokens)
    messages += [_said("assistant", text), _said("user", work.FOLLOW_UP)]
    follow_up_s, _, text = _generate(model, processor, messages, job.num_tokens)
    messages += [_said("assistant", text), _said("user", job.long_question)]
    _generate(model, processor, messages, job.num_tokens)
    return {"new_photo_s": new_photo_s, "follow_up_s": follow_up_s, "decode_tokens_per_s": rate}


def _said(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "content": [{"type": "text", "text": text}]}


def _generate(
    model: Any, processor: Any, messages: list[dict[str, Any]], num_tokens: int
) -> tuple[float, float, str]:
    """Seconds to the first token, tokens per second after it, and the text."""
    started_at, clock = time.perf_counter(), _Clock()
    inputs = processor.apply_chat_template(
        messages, add_generation_prompt=True, tokenize=True, return_dict=True, return_tensors="pt"
    ).to(model.device)
    count = {"max_new_tokens": num_tokens, "min_new_tokens": num_tokens}
    output = model.generate(**inputs, **count, do_sample=False, stopping_criteria=[clock])
    rate = (len(clock.times) - 1) / (clock.times[-1] - clock.times[0])
    new_ids = output[0, inputs["input_ids"].shape[1] :]
    return clock.times[0] - started_at, rate, processor.decode(new_ids, skip_special_tokens=True)


if __name__ == "__main__":
    asked = Job.from_json(sys.argv[1])
    sys.stdout.write(work.told(lambda: measure(asked)))
