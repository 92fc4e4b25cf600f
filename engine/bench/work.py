"""The work that every engine is measured on, and what a measuring process is told and tells.

Knows no engine. Times are seconds, rates tokens per second, memory GB (10^9 bytes).
"""

import io
import json
import random
import resource
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from PIL import Image as Picture

from engine.errors import EngineError
from engine.naming import READER

NUM_CHATS = 5
NUM_TOKENS = 32
NUM_TOGETHER_TOKENS = 64
NUM_REPEATED_TOKENS = 64
NUM_LONG_WORDS = 1000
# With a photo of 300 tokens, a conversation of about 600.
NUM_KEPT_WORDS = 250
# A vocabulary of bytes has hardly more than 256 entries; a word takes five of them.
FEW_ENTRIES = 1000
IMAGE_TOKENS = 300
QUESTION = "Describe this photo in two or three sentences."
FOLLOW_UP = "What else can be seen in it?"
LONG = "Read this and say what it has to do with the photo:"
NUMBERS = " one two three four five six seven eight nine ten"


@dataclass(frozen=True, slots=True)
class Job:
    """What a measuring process is told; `started_at` is when it was started, in unix seconds.

    In `folder` one process leaves conversations for the next one; at `url` is a server to measure.
    """

    model: str
    precision: str
    num_runs: int
    started_at: float
    width: int = 640
    height: int = 480
    num_tokens: int = NUM_TOKENS
    num_together_tokens: int = NUM_TOGETHER_TOKENS
    num_repeated_tokens: int = NUM_REPEATED_TOKENS
    num_long_words: int = NUM_LONG_WORDS
    folder: str = ""
    url: str = ""

    @property
    def long_question(self) -> str:
        """About a token for each word, where the vocabulary has words."""
        return LONG + NUMBERS * (self.num_long_words // 10)

    @property
    def kept_question(self) -> str:
        """The same, a quarter as long."""
        return LONG + NUMBERS * (self.num_long_words * NUM_KEPT_WORDS // NUM_LONG_WORDS // 10)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """As `to_json` wrote it."""
        return cls(**json.loads(text))

    def to_json(self) -> str:
        """One line."""
        return json.dumps(asdict(self))


@dataclass(frozen=True, slots=True)
class Measured:
    """What a measuring process tells: the precision it ran in, and each line's samples."""

    precision: str
    samples: dict[str, list[float]]

    def joined(self, other: "Measured") -> "Measured":
        """With the samples of another process of the same engine."""
        return Measured(self.precision, {**self.samples, **other.samples})

    @classmethod
    def from_json(cls, text: str) -> Self:
        """As `told` wrote it; raises EngineError with the sentence of a refusal."""
        content = json.loads(text)
        if "refused" in content:
            raise EngineError(content["refused"])
        return cls(**content)


def long_words(model: str) -> int:
    """How many words a long question has: fewer for a model that counts bytes."""
    if model == READER:
        return NUM_LONG_WORDS // 10
    try:
        text = json.loads((Path(model) / "config.json").read_bytes())["text_config"]
        return NUM_LONG_WORDS // 10 if text["vocab_size"] < FEW_ENTRIES else NUM_LONG_WORDS
    except (OSError, ValueError, LookupError, TypeError):
        # A name of a hub, or a folder that the engine will refuse in its own words.
        return NUM_LONG_WORDS


def told(measure: Callable[[], Measured]) -> str:
    """One line for the process that asked: what was measured, or why nothing was."""
    try:
        return json.dumps(asdict(measure()))
    except (EngineError, ValueError) as error:
        return json.dumps({"refused": str(error)})


def progress(told: str) -> None:
    """Say how far the measuring is, where it disturbs no figure."""
    sys.stderr.write(f"{told}\n")
    sys.stderr.flush()


def photo(job: Job, seed: int) -> bytes:
    """A picture that no other seed gives, the same in every process."""
    size = (job.width, job.height)
    noise = Picture.frombytes("L", size, random.Random(seed).randbytes(job.width * job.height))
    tint = Picture.new("RGB", noise.size, (seed * 67 % 256, seed * 131 % 256, seed * 29 % 256))
    file = io.BytesIO()
    Picture.blend(noise.convert("RGB"), tint, 0.5).save(file, "PNG")
    return file.getvalue()


def peak_memory_gb(status: Path = Path("/proc/self/status")) -> float:
    """The most memory that this process ever held."""
    if status.is_file():
        for line in status.read_text(encoding="utf-8").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024 / 1e9
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e9
