"""The words of a conversation with a model: what goes in and what comes out.

Knows no tensors, no model and no chat platform.
"""

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Image:
    """A picture as it was sent: the bytes of its file, and how many image tokens it may cost.

    The budget belongs to the picture and not to the request, because a conversation whose first
    picture changed its size would have nothing left to reuse. None leaves it to the engine.
    """

    data: bytes
    max_tokens: int | None = None

    @property
    def digest(self) -> str:
        """SHA-256 of the file, in hexadecimal."""
        return hashlib.sha256(self.data).hexdigest()


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation.

    `token_ids` are the ids that the same model sampled for an assistant message, as `Usage` gives
    them: text encoded anew may split into other tokens, and then no cache fits. Empty if unknown.
    """

    role: Role
    text: str
    images: tuple[Image, ...] = ()
    token_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SamplingParams:
    """How the next token is chosen; None means the checkpoint's own default."""

    max_tokens: int = 512
    greedy: bool = False
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    presence_penalty: float = 0.0
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.max_tokens < 1:
            raise ValueError(f"max_tokens must be at least 1, not {self.max_tokens}")
        if self.temperature is not None and self.temperature <= 0:
            raise ValueError(f"temperature must be above 0, not {self.temperature}; use greedy")
        if self.top_p is not None and not 0 < self.top_p <= 1:
            raise ValueError(f"top_p must be above 0 and at most 1, not {self.top_p}")
        if self.top_k is not None and self.top_k < 0:
            raise ValueError(f"top_k must not be negative, not {self.top_k}")


class FinishReason(StrEnum):
    """Why an answer ended: the model said so, a limit, or a loop that was cut."""

    STOP = "stop"
    LENGTH = "length"
    REPETITION = "repetition"


@dataclass(frozen=True, slots=True)
class Usage:
    """What one answer cost: tokens, seconds, and what caches and guesses saved."""

    prompt_ids: tuple[int, ...]
    output_ids: tuple[int, ...]
    cached_tokens: int = 0
    image_cached: bool = False
    answer_cached: bool = False
    drafted_tokens: int = 0
    accepted_tokens: int = 0
    ttft_s: float = 0.0
    decode_tokens_per_s: float = 0.0

    @property
    def prompt_tokens(self) -> int:
        """How many tokens went in."""
        return len(self.prompt_ids)


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of an answer, or a place in line; the last one bears reason, usage and `answer`.

    `answer` is the whole text: the pieces put together, but for a loop of which one copy stays.
    """

    text: str = ""
    place: int | None = None
    answer: str | None = None
    finish_reason: FinishReason | None = None
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class Corner:
    """A point of a picture, in pixels of the upright original."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Line:
    """A line of printed text found in a picture; corners clockwise from its top left."""

    text: str
    corners: tuple[Corner, Corner, Corner, Corner]
    confidence: float
