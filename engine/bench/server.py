"""The measuring process of a server that speaks the OpenAI protocol: `... bench.server JOB`.

Knows the chat completions that stream; how the server works inside is its own business.
"""

import base64
import http.client
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from engine.bench import work
from engine.bench.work import Job, Measured
from engine.errors import EngineError

PATIENCE_S = 600.0
Message = dict[str, Any]


class ServerFailed(EngineError):
    """The server is not there, or does not answer as it should."""


@dataclass(frozen=True, slots=True)
class Streamed:
    """An answer, seconds to its first piece, and pieces a second after it."""

    text: str
    first_s: float
    rate: float | None


def measure(job: Job) -> Measured:
    """What one conversation and five at once give; a piece counts as a token."""
    samples: defaultdict[str, list[float]] = defaultdict(list)
    for run in range(job.num_runs):
        messages = [_shown(job, run)]
        first = _answer(job, messages, job.num_tokens)
        samples["new_photo_s"].append(first.first_s)
        if first.rate:
            samples["decode_tokens_per_s"].append(first.rate)
        said = {"role": "assistant", "content": first.text}
        messages += [said, {"role": "user", "content": work.FOLLOW_UP}]
        samples["follow_up_s"].append(_answer(job, messages, job.num_tokens).first_s)
        samples["five_photos_s"].append(_five(job, run))
        work.progress(f"{job.url}: run {run + 1} of {job.num_runs}")
    return Measured("as the server has it", dict(samples))


def _five(job: Job, run: int) -> float:
    asked = [[_shown(job, 100 + run * work.NUM_CHATS + one)] for one in range(work.NUM_CHATS)]
    started_at = time.perf_counter()
    with ThreadPoolExecutor(work.NUM_CHATS) as threads:
        list(threads.map(lambda one: _answer(job, one, job.num_together_tokens), asked))
    return time.perf_counter() - started_at


def _shown(job: Job, seed: int) -> Message:
    data = base64.b64encode(work.photo(job, seed)).decode()
    picture = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}
    return {"role": "user", "content": [picture, {"type": "text", "text": work.QUESTION}]}


def _answer(job: Job, messages: list[Message], num_tokens: int) -> Streamed:
    started_at, times, text = time.perf_counter(), list[float](), ""
    for piece in _pieces(job, messages, num_tokens):
        times.append(time.perf_counter())
        text += piece
    if not times:
        raise ServerFailed(f"{job.url}: the answer is empty")
    spread_s = times[-1] - times[0]
    return Streamed(text, times[0] - started_at, (len(times) - 1) / spread_s if spread_s else None)


def _pieces(job: Job, messages: list[Message], num_tokens: int) -> Iterator[str]:
    asked = {"model": "default", "messages": messages, "max_tokens": num_tokens, "stream": True}
    # Not in the protocol, but without it an answer may be too short to be timed.
    body = json.dumps({**asked, "temperature": 0, "ignore_eos": True})
    place = urlsplit(job.url)
    connection = http.client.HTTPConnection(place.netloc, timeout=PATIENCE_S)
    try:
        kind = {"Content-Type": "application/json"}
        connection.request("POST", f"{place.path.rstrip('/')}/v1/chat/completions", body, kind)
        response = connection.getresponse()
        if response.status != http.HTTPStatus.OK:
            raise ServerFailed(f"{job.url} answers with {response.status} {response.reason}")
        for line in response:
            if line.startswith(b"data:") and b"[DONE]" not in line:
                yield from _content(json.loads(line[5:]))
    except (OSError, http.client.HTTPException) as error:
        raise ServerFailed(f"no answer from {job.url}: {type(error).__name__}") from error
    except (ValueError, LookupError, TypeError) as error:
        raise ServerFailed(f"{job.url} does not stream chat completions") from error
    finally:
        connection.close()


def _content(event: Any) -> Iterator[str]:
    for choice in event["choices"]:
        if content := choice["delta"].get("content"):
            yield str(content)


if __name__ == "__main__":
    asked = Job.from_json(sys.argv[1])
    sys.stdout.write(work.told(lambda: measure(asked)))
