"""The engine's face: the words and contracts; backends are made by `engine.backends`."""

from engine.base import Engine, LineReader
from engine.chat import (
    Corner,
    Delta,
    FinishReason,
    Image,
    Line,
    Message,
    SamplingParams,
    Usage,
)
from engine.config import EngineConfig, ModelHub, Precision
from engine.errors import (
    EngineError,
    EngineFailed,
    EngineStopped,
    ImageRejected,
    ModelNotUsable,
    OutOfMemory,
    PromptTooLong,
    QuestionTooLong,
    QueueFull,
    RejectReason,
)
from engine.lines import text_of
from engine.naming import about

__all__ = [
    "Corner",
    "Delta",
    "Engine",
    "EngineConfig",
    "EngineError",
    "EngineFailed",
    "EngineStopped",
    "FinishReason",
    "Image",
    "ImageRejected",
    "Line",
    "LineReader",
    "Message",
    "ModelHub",
    "ModelNotUsable",
    "OutOfMemory",
    "Precision",
    "PromptTooLong",
    "QuestionTooLong",
    "QueueFull",
    "RejectReason",
    "SamplingParams",
    "Usage",
    "about",
    "text_of",
]
