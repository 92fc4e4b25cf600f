"""What can go wrong in the engine, as data; the words for people are chosen elsewhere.

EngineError
  PromptTooLong     the conversation does not fit the context
    QuestionTooLong   not even its last message would, alone
  ImageRejected     a picture cannot be used
  QueueFull         too many are waiting
  OutOfMemory       the machine has no memory left for this request
  EngineStopped     the engine is closed, or closing
  EngineFailed      a fault of the engine itself; its log says more
  ModelNotUsable    a folder or hub id gives no model that runs here
"""

from enum import StrEnum


class RejectReason(StrEnum):
    """Why a picture was refused."""

    EMPTY = "empty"
    NOT_AN_IMAGE = "not an image"
    NOT_SUPPORTED = "not supported"
    DAMAGED = "damaged"
    TOO_MANY_BYTES = "too many bytes"
    TOO_MANY_PIXELS = "too many pixels"


class EngineError(Exception):
    """The root of everything that the engine refuses or fails at."""


class PromptTooLong(EngineError):
    """The conversation has more tokens than the model or its memory can hold."""

    def __init__(self, num_tokens: int, limit: int) -> None:
        super().__init__(f"{num_tokens} tokens, the limit is {limit}")
        self.num_tokens = num_tokens
        self.limit = limit


class QuestionTooLong(PromptTooLong):
    """The last message alone, with its pictures, has more tokens than fit."""


class ImageRejected(EngineError):
    """A picture cannot be used; `detail` may name a measure, never a part of the content.

    `index` tells which one of the pictures of a request, in their order.
    """

    def __init__(self, reason: RejectReason, detail: str = "", index: int = 0) -> None:
        super().__init__(f"{reason}: {detail}" if detail else str(reason))
        self.reason = reason
        self.detail = detail
        self.index = index


class QueueFull(EngineError):
    """No more requests are taken in for now."""

    def __init__(self, num_waiting: int) -> None:
        super().__init__(f"{num_waiting} requests are waiting")
        self.num_waiting = num_waiting


class OutOfMemory(EngineError):
    """The machine has no memory left for this request; the engine goes on."""


class EngineStopped(EngineError):
    """The engine was closed before the answer was complete."""


class EngineFailed(EngineError):
    """A fault of the engine itself in this request; others go on."""


class ModelNotUsable(EngineError):
    """A model cannot be loaded; `where` is its folder or hub id, `why` one sentence."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why}")
        self.where = where
        self.why = why
