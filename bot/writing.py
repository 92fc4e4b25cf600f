"""Writes the answer of one turn: by asking the engine, or by reading the lines of its photos.

Knows nothing of who waits for it and of how the turn is closed.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import cast

from bot.branches import bringing, image_tokens, messages_of
from bot.questions import PhotoNotFetched, Task
from bot.texts import NO_TEXT, photo_heading, sentence_for
from engine import (
    Delta,
    Engine,
    FinishReason,
    Image,
    ImageRejected,
    LineReader,
    Message,
    SamplingParams,
    text_of,
)
from storage import History, PhotoGone, PhotoStore, Turn

FetchPhoto = Callable[[str], Awaitable[bytes]]
LINE_READER_ID = "lines"


@dataclass(frozen=True, slots=True)
class AssistantConfig:
    """How photos are shown to the model, and how long an answer may become."""

    question_image_tokens: int = 384
    reading_image_tokens: int = 1024
    max_answer_tokens: int = 512
    max_reading_tokens: int = 2048
    read_by_model: bool = False


def session_ids(conversation: str) -> tuple[str, str]:
    """The engine's sessions of a conversation: of what is said, and of what is read beside it."""
    return conversation, f"{conversation}/read"


async def no_fetching(source: str) -> bytes:
    """For platforms that cannot give a photo again."""
    raise PhotoNotFetched(source)


class Writer:
    """Gives the pieces of an answer; what it needs of a turn it looks up itself."""

    def __init__(
        self,
        engine: Engine,
        line_reader: LineReader,
        history: History,
        photos: PhotoStore,
        *,
        config: AssistantConfig,
    ) -> None:
        self.fetch_photo: FetchPhoto = no_fetching
        self._config = config
        self._engine = engine
        self._line_reader = line_reader
        self._history = history
        self._photos = photos

    def model_id(self, turn: Turn) -> str:
        """The name of what answers this turn."""
        return LINE_READER_ID if turn.task == Task.READ else self._engine.model_id

    def write(self, turn: Turn) -> AsyncGenerator[Delta]:
        """The pieces of the answer; the last one bears the reason of its end."""
        if turn.task == Task.READ:
            return self._read_lines(turn)
        if turn.task == Task.READ_BY_MODEL:
            return self._read_by_model(turn)
        return self._answer(turn)

    async def _answer(self, turn: Turn) -> AsyncGenerator[Delta]:
        branch = await self._history.branch(turn.turn_id)
        config = self._config
        budget = image_tokens(
            branch, asking=config.question_image_tokens, reading=config.reading_image_tokens
        )
        images = tuple([Image(await self._load(one), budget) for one in turn.photo_ids])
        messages = messages_of(branch, images, self._engine.model_id)
        params = SamplingParams(max_tokens=config.max_answer_tokens, seed=turn.seed)
        async with aclosing(self._generate(messages, params, turn.conversation)) as deltas:
            async for delta in deltas:
                yield delta

    async def _read_by_model(self, turn: Turn) -> AsyncGenerator[Delta]:
        # Reading sees a photo alone and large, whatever was said about it before.
        if len(turn.photo_ids) == 1:
            async with aclosing(self._read_one(turn, turn.photo_ids[0])) as deltas:
                async for delta in deltas:
                    yield delta
            return
        whole, reason = "", FinishReason.STOP
        for number, photo_id in enumerate(turn.photo_ids, start=1):
            heading = _heading(number)
            yield Delta(heading)
            part = ""
            async with aclosing(self._read_one(turn, photo_id)) as deltas:
                async for delta in deltas:
                    part = delta.answer if delta.answer is not None else part + delta.text
                    reason = max(reason, delta.finish_reason or reason, key=_is_cut)
                    yield Delta(delta.text, delta.place)
            whole += heading + part
        yield Delta(answer=whole, finish_reason=reason)

    async def _read_one(self, turn: Turn, photo_id: str) -> AsyncGenerator[Delta]:
        branch = await self._history.branch(turn.turn_id)
        talk, aside = session_ids(turn.conversation)
        # The session of the talk is left as it is, unless the talk begins with this reading.
        session_id = talk if bringing(branch).turn_id == turn.turn_id else aside
        image = Image(await self._load(photo_id), self._config.reading_image_tokens)
        params = SamplingParams(max_tokens=self._config.max_reading_tokens, greedy=True)
        messages = [Message("user", turn.question, (image,))]
        async with aclosing(self._generate(messages, params, session_id)) as deltas:
            async for delta in deltas:
                yield delta

    async def _read_lines(self, turn: Turn) -> AsyncGenerator[Delta]:
        is_single = len(turn.photo_ids) == 1
        for number, photo_id in enumerate(turn.photo_ids, start=1):
            data = await self._load(photo_id)
            try:
                text = text_of(await self._line_reader.read(data)) or NO_TEXT
            except ImageRejected as error:
                if is_single:
                    raise
                text = sentence_for(error)
            yield Delta(text if is_single else _heading(number) + text)
        yield Delta(finish_reason=FinishReason.STOP)

    def _generate(
        self, messages: list[Message], params: SamplingParams, session_id: str
    ) -> AsyncGenerator[Delta]:
        deltas: AsyncIterator[Delta] = self._engine.generate(messages, params, session_id)
        # The contract of Engine says that it is an async generator, so that it can be closed.
        return cast("AsyncGenerator[Delta]", deltas)

    async def _load(self, photo_id: str) -> bytes:
        try:
            return await self._photos.load(photo_id)
        except PhotoGone as gone:
            if not gone.source:
                raise
            try:
                data = await self.fetch_photo(gone.source)
            except (PhotoNotFetched, OSError):
                raise gone from None
            await self._photos.save(data, source=gone.source)
            return data


def _heading(number: int) -> str:
    return ("" if number == 1 else "\n\n") + photo_heading(number) + "\n"


def _is_cut(reason: FinishReason) -> bool:
    return reason is not FinishReason.STOP
