"""An engine and a line reader without a model: what they say follows from what they are shown."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from engine import (
    Corner,
    Delta,
    Engine,
    EngineError,
    EngineStopped,
    FinishReason,
    ImageRejected,
    Line,
    LineReader,
    Message,
    PromptTooLong,
    QuestionTooLong,
    QueueFull,
    RejectReason,
    SamplingParams,
    Usage,
)

CONTEXT_TOKENS = 100_000


@dataclass(frozen=True, slots=True)
class Request:
    """What the engine was asked."""

    messages: tuple[Message, ...]
    params: SamplingParams
    session_id: str


def echo(messages: Sequence[Message], params: SamplingParams) -> str:
    """A reply that tells what was shown, and the seed unless it is greedy."""
    num_images = sum(len(message.images) for message in messages)
    seed = "" if params.greedy or params.seed is None else f" #{params.seed}"
    return f"{num_images} shown, {len(messages)} said: {messages[-1].text}{seed}"


class ScriptedEngine(Engine):
    """One character is one token; `gate` shut makes it wait after each token, `fails` breaks it."""

    def __init__(
        self,
        reply: Callable[[Sequence[Message], SamplingParams], str] = echo,
        *,
        model_id: str = "scripted",
        max_waiting: int = 8,
    ) -> None:
        self.requests: list[Request] = []
        self.prepared: asyncio.Queue[tuple[tuple[Message, ...], str]] = asyncio.Queue()
        self.forgotten: list[str] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.fails: EngineError | None = None
        self.num_open = 0
        self._reply = reply
        self._model_id = model_id
        self._max_waiting = max_waiting
        self._turn = asyncio.Lock()
        self._is_started = False

    @property
    def model_id(self) -> str:
        return self._model_id

    @property
    def about(self) -> str:
        return "A script that repeats what it was asked."

    async def __aenter__(self) -> Self:
        self._is_started = True
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._is_started = False
        self.gate.set()

    async def generate(
        self, messages: Sequence[Message], params: SamplingParams, session_id: str
    ) -> AsyncGenerator[Delta]:
        prompt_ids = self._admit(messages)
        self.requests.append(Request(tuple(messages), params, session_id))
        self.num_open += 1
        try:
            if self.num_open > 1:
                yield Delta(place=self.num_open - 1)
            async with self._turn:
                async for delta in self._answer(messages, params, prompt_ids):
                    yield delta
        finally:
            self.num_open -= 1

    async def prepare(self, messages: Sequence[Message], session_id: str) -> None:
        self.prepared.put_nowait((tuple(messages), session_id))

    async def forget(self, session_id: str) -> None:
        self.forgotten.append(session_id)

    def _admit(self, messages: Sequence[Message]) -> tuple[int, ...]:
        if not self._is_started:
            raise EngineStopped
        if self.num_open > self._max_waiting:
            raise QueueFull(self.num_open - 1)
        images = [image for message in messages for image in message.images]
        for index, image in enumerate(images):
            if not image.data:
                raise ImageRejected(RejectReason.EMPTY, index=index)
        prompt_ids = tuple(ord(letter) for message in messages for letter in message.text)
        if len(messages[-1].text) > CONTEXT_TOKENS:
            raise QuestionTooLong(len(messages[-1].text), CONTEXT_TOKENS)
        if len(prompt_ids) > CONTEXT_TOKENS:
            raise PromptTooLong(len(prompt_ids), CONTEXT_TOKENS)
        return prompt_ids

    async def _answer(
        self, messages: Sequence[Message], params: SamplingParams, prompt_ids: tuple[int, ...]
    ) -> AsyncIterator[Delta]:
        whole = self._reply(messages, params)
        text = whole[: params.max_tokens]
        for letter in text:
            yield Delta(letter)
            await asyncio.sleep(0)
            await self.gate.wait()
            if not self._is_started:
                raise EngineStopped
            if self.fails is not None:
                raise self.fails
        yield Delta(
            answer=text,
            finish_reason=FinishReason.STOP if text == whole else FinishReason.LENGTH,
            usage=Usage(prompt_ids, tuple(ord(letter) for letter in text)),
        )


class ScriptedLineReader(LineReader):
    """Knows the lines of some photos; the others have none."""

    def __init__(self, texts: Mapping[bytes, str] | None = None) -> None:
        self.texts = dict(texts or {})
        self.read_photos: list[bytes] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        return

    async def read(self, data: bytes) -> list[Line]:
        if not data:
            raise ImageRejected(RejectReason.EMPTY)
        self.read_photos.append(data)
        rows = self.texts.get(data, "").splitlines()
        return [line(text, 10.0, 20.0 * number) for number, text in enumerate(rows)]


def line(text: str, x: float, y: float) -> Line:
    """A line ten pixels high, each of its letters five wide."""
    right, bottom = x + 5.0 * len(text), y + 10.0
    corners = (Corner(x, y), Corner(right, y), Corner(right, bottom), Corner(x, bottom))
    return Line(text, corners, 0.99)
