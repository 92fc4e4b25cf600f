"""The contracts that every backend keeps: an engine answers, a line reader reads.

Knows neither torch nor a chat platform; the backends are named in `engine/backends.py` only.
"""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from types import TracebackType
from typing import Self

from engine.chat import Delta, Line, Message, SamplingParams


class Engine(ABC):
    """Answers conversations about pictures: a pure function with a memory."""

    @property
    @abstractmethod
    def model_id(self) -> str:
        """A short stable name of the weights; token ids fit only the model that sampled them."""

    @property
    @abstractmethod
    def about(self) -> str:
        """One sentence for people: what it is that answers."""

    @abstractmethod
    async def __aenter__(self) -> Self:
        """Load the weights and start; raises ModelNotUsable."""

    @abstractmethod
    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End every running answer with EngineStopped and free what was loaded."""

    @abstractmethod
    def generate(
        self, messages: Sequence[Message], params: SamplingParams, session_id: str
    ) -> AsyncIterator[Delta]:
        """Answer the last message, piece by piece.

        `messages` is the whole branch of the conversation, oldest first, ending with a user
        message; the engine itself keeps it within bounds. `session_id` reads
        "scope/conversation": sessions keep their tokens apart, and what stands before the first
        slash is the chat inside which the features of a picture are shared. The text depends on
        messages and params only; what the engine remembers changes the time, never the answer.

        An async generator: closing it stops the answer at the next token. Deltas with a `place`
        come while the request waits; the last delta bears `finish_reason` and `usage`.
        Raises PromptTooLong, QuestionTooLong, QueueFull, OutOfMemory, EngineStopped, and before
        the first delta ImageRejected, with the index of the first picture that cannot be used.
        """

    async def prepare(self, messages: Sequence[Message], session_id: str) -> None:  # noqa: B027
        """Get ready for a question, in time that nobody else needs.

        `messages` are those of `generate`, but for the words of the last one, which are still to
        come: a photo without its question, say. Promises nothing, raises nothing and changes no
        answer; an engine that has no use for it does nothing.
        """

    @abstractmethod
    async def forget(self, session_id: str) -> None:
        """Drop what is kept of a session and of its scope's pictures."""


class LineReader(ABC):
    """Finds the printed lines of a picture."""

    @abstractmethod
    async def __aenter__(self) -> Self:
        """Load what is needed and start."""

    @abstractmethod
    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop; a read in flight is finished first."""

    @abstractmethod
    async def read(self, data: bytes) -> list[Line]:
        """The lines of a picture file in reading order; raises ImageRejected."""
