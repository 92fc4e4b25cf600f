"""Writes the answer of one turn: by asking the engine, or by reading the lines of its photos.

Knows nothing of who waits for it and of how the turn is closed.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from typing import cast

from bot.albums import Albums, Missing
from bot.branches import bringing, image_tokens, messages_of
from bot.choices import Choices
from bot.manner import answer_tokens, manner_of
from bot.questions import AlbumUnusable, PhotoNotFetched, Task
from bot.texts import NO_TEXT, Wording, sentence_for
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

Note = Callable[[str], None]
Read = Callable[[bytes], AsyncGenerator[Delta]]
LINE_READER_ID = "lines"
# What is wrong with one photo, and not with the others.
USELESS = (ImageRejected, PhotoGone, PhotoNotFetched)


@dataclass(frozen=True, slots=True)
class AssistantConfig:
    """How photos are shown, how long an answer may become, and how much each person may ask.

    The daily photos of those in `unlimited` are not counted.
    """

    question_image_tokens: int = 384
    reading_image_tokens: int = 1024
    max_answer_tokens: int = 512
    max_reading_tokens: int = 2048
    read_by_model: bool = False
    max_waiting_each: int = 3
    daily_photos: int = 0
    unlimited: frozenset[str] = frozenset()


def session_ids(conversation: str) -> tuple[str, str]:
    """The engine's sessions of a conversation: of what is said, and of what is read beside it."""
    return conversation, f"{conversation}/read"


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
        self.albums = Albums(photos)
        self.choices = Choices()
        self._config = config
        self._engine = engine
        self._line_reader = line_reader
        self._history = history

    def model_id(self, turn: Turn) -> str:
        """The name of what answers this turn."""
        return LINE_READER_ID if turn.task == Task.READ else self._engine.model_id

    def write(self, turn: Turn, note: Note, words: Wording) -> AsyncGenerator[Delta]:
        """The pieces of the answer; the last one bears the reason of its end.

        `note` is told, in `words`, of each photo of several that had to be left out.
        Raises AlbumUnusable, PhotoGone, PhotoNotFetched.
        """
        if turn.task == Task.READ:
            return self._read(turn, self._lines_of, words)
        if turn.task == Task.READ_BY_MODEL:
            return self._read(turn, partial(self._read_by_model, turn), words)
        return self._answer(turn, note, words)

    async def look_ahead(self, conversation: str, data: bytes) -> None:
        """Show the engine a photo about which nothing was said yet."""
        message = Message("user", "", (Image(data, self._config.question_image_tokens),))
        # The manner stands before the photo: without it nothing of this could be used.
        manner = manner_of(self.choices, conversation.rsplit("/", 1)[-1])
        await self._engine.prepare([*manner, message], session_ids(conversation)[0])

    async def _answer(self, turn: Turn, note: Note, words: Wording) -> AsyncGenerator[Delta]:
        branch = await self._history.branch(turn.turn_id)
        missing: dict[int, ImageRejected | Missing] = {}
        photos: dict[int, bytes] = {}
        # The turn as it is now: an earlier answer may have given its photos their names.
        for one in await self.albums.load(branch[-1]):
            if isinstance(one.photo, bytes):
                photos[one.number] = one.photo
            else:
                missing[one.number] = one.photo
        # Which picture is unusable, an engine says before its first word; then it is asked anew.
        while True:
            try:
                async with aclosing(self._ask(branch, tuple(photos.values()))) as deltas:
                    async for delta in deltas:
                        yield delta
                break
            except ImageRejected as error:
                if len(turn.photo_ids) == 1:
                    raise
                number = list(photos)[error.index]
                missing[number] = error
                del photos[number]
                if not photos:
                    raise AlbumUnusable(len(turn.photo_ids)) from error
        # Said once, and not under each further question.
        if bringing(branch).turn_id == turn.turn_id:
            for number in sorted(missing):
                note(words.photo_missing(number, sentence_for(missing[number], words)))

    def _ask(self, branch: Sequence[Turn], photos: tuple[bytes, ...]) -> AsyncGenerator[Delta]:
        config, turn = self._config, branch[-1]
        budget = image_tokens(
            branch, asking=config.question_image_tokens, reading=config.reading_image_tokens
        )
        images = tuple(Image(photo, budget) for photo in photos)
        messages = messages_of(branch, images, self._engine.model_id)
        num_tokens = answer_tokens(self.choices, turn.asker, config.max_answer_tokens)
        params = SamplingParams(max_tokens=num_tokens, seed=turn.seed)
        manner = manner_of(self.choices, turn.asker)
        return self._generate(manner + messages, params, turn.conversation)

    async def _read(self, turn: Turn, read: Read, words: Wording) -> AsyncGenerator[Delta]:
        """Read each photo; one that cannot be read has a sentence in the place of its text."""
        loaded = await self.albums.load(await self._history.turn(turn.turn_id))
        if len(loaded) == 1:
            async with aclosing(read(loaded[0].data())) as deltas:
                async for delta in deltas:
                    yield delta
            return
        whole, unsaid, reason, num_read = "", "", FinishReason.STOP, 0
        for one in loaded:
            heading, part = _heading(one.number, words), ""
            unsaid += heading
            try:
                async with aclosing(read(one.data())) as deltas:
                    async for delta in deltas:
                        part = delta.answer if delta.answer is not None else part + delta.text
                        reason = max(reason, delta.finish_reason or reason, key=_is_cut)
                        yield Delta(unsaid + delta.text, delta.place)
                        unsaid = ""
                num_read += 1
            except USELESS as error:
                part = sentence_for(error, words)
                unsaid += part
            whole += heading + part
        if not num_read:
            raise AlbumUnusable(len(loaded))
        yield Delta(unsaid, answer=whole, finish_reason=reason)

    async def _read_by_model(self, turn: Turn, photo: bytes) -> AsyncGenerator[Delta]:
        # Reading sees a photo alone and large, whatever was said about it before.
        branch = await self._history.branch(turn.turn_id)
        talk, aside = session_ids(turn.conversation)
        # The session of the talk is left as it is, unless the talk begins with this reading.
        session_id = talk if bringing(branch).turn_id == turn.turn_id else aside
        image = Image(photo, self._config.reading_image_tokens)
        params = SamplingParams(max_tokens=self._config.max_reading_tokens, greedy=True)
        messages = [Message("user", turn.question, (image,))]
        async with aclosing(self._generate(messages, params, session_id)) as deltas:
            async for delta in deltas:
                yield delta

    async def _lines_of(self, photo: bytes) -> AsyncGenerator[Delta]:
        text = text_of(await self._line_reader.read(photo)) or NO_TEXT
        yield Delta(text, finish_reason=FinishReason.STOP)

    def _generate(
        self, messages: list[Message], params: SamplingParams, session_id: str
    ) -> AsyncGenerator[Delta]:
        deltas: AsyncIterator[Delta] = self._engine.generate(messages, params, session_id)
        # The contract of Engine says that it is an async generator, so that it can be closed.
        return cast("AsyncGenerator[Delta]", deltas)


def _heading(number: int, words: Wording) -> str:
    return ("" if number == 1 else "\n\n") + words.photo_heading(number) + "\n"


def _is_cut(reason: FinishReason) -> bool:
    return reason is not FinishReason.STOP
