"""The use case: a question comes in, its turn is opened, answered, and closed whatever happens.

Knows no chat platform and no tensor; a platform hands it questions and shows the answers.
"""

import asyncio
import sys
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace
from typing import Self

from bot.albums import FetchPhoto, no_fetching
from bot.answers import Answer
from bot.choices import Choices
from bot.drafts import Drafts, refs_of
from bot.forgetting import Forgetting
from bot.lanes import Lanes
from bot.languages import Languages
from bot.questions import Interrupted, Photo, Question, Task
from bot.quota import Quota
from bot.running import Running
from bot.writing import AssistantConfig, Writer
from engine import Engine, LineReader
from storage import History, NewTurn, PhotoStore, Turn, TurnStatus

__all__ = ["Answer", "Assistant", "AssistantConfig", "Photo", "Question", "Task"]


class Assistant:
    """Answers the questions of each conversation one after another, and remembers them."""

    def __init__(
        self,
        engine: Engine,
        line_reader: LineReader,
        history: History,
        photos: PhotoStore,
        *,
        config: AssistantConfig | None = None,
        fetch_photo: FetchPhoto = no_fetching,
        languages: Languages | None = None,
        choices: Choices | None = None,
    ) -> None:
        config, self.languages = config or AssistantConfig(), languages or Languages()
        self.history = history
        quota = Quota(photos, config.daily_photos, config.unlimited)
        self._drafts = Drafts(history, photos, quota, read_by_model=config.read_by_model)
        self._writer = Writer(engine, line_reader, history, photos, config=config)
        self._opening, self._answering = Lanes(), Lanes()
        self.running = Running(config.max_waiting_each)
        self._is_retired = False
        self.on_ended: Callable[[Turn], None] = lambda turn: None
        self._writer.albums.fetch_photo = fetch_photo
        self.choices = self._writer.choices = choices or Choices()
        self.forgetting = Forgetting(engine, history, photos, self.choices)

    async def __aenter__(self) -> Self:
        """What a crash left open stays so until `resume` or `close_open`."""
        return self

    async def __aexit__(self, *raised: object) -> None:
        """Stop every answer, and wait until its turn is closed."""
        # Each is stopped before any of them is waited for.
        await asyncio.gather(*(answer.aclose() for answer in self.running))

    @property
    def num_open(self) -> int:
        """How many answers are running or waiting."""
        return len(self.running)

    async def ask(self, question: Question) -> Answer:
        """Write a question down and begin it; raises NoPhoto, TooManyWaiting, StorageError.

        What goes wrong afterwards is raised by the answer.
        """
        # One at a time, so that each question follows the one that came before it.
        with self._opening.enter(question.conversation) as place:
            await place.first()
            return await self._begin(await self._drafts.of_question(question))

    async def note(self, question: Question) -> Turn:
        """Write a photo down about which nothing is asked yet: the next question is about it."""
        turn = await self.forgetting.open(await self._drafts.of_question(question))
        return await self.history.close_turn(turn.turn_id, status=TurnStatus.STOPPED)

    async def expect(self, conversation: str, photo: bytes) -> None:
        """A photo has come alone: look at it while its question may still be on the way."""
        await self._writer.look_ahead(conversation, photo)

    async def regenerate(self, turn_id: int, *, message_ref: str = "") -> Answer:
        """Answer the question of a turn once more, with another seed; raises TurnNotFound."""
        draft = self._drafts.again(await self.history.turn(turn_id))
        return await self._begin(replace(draft, message_refs=refs_of(message_ref)))

    async def read_text(
        self, turn_id: int, *, by_model: bool = False, message_ref: str = ""
    ) -> Answer:
        """Read the photos that a turn is about; raises NoPhoto, TurnNotFound."""
        turn = await self.history.turn(turn_id)
        draft = self._drafts.of_reading(turn, by_model=by_model)
        return await self._begin(replace(draft, message_refs=refs_of(message_ref)))

    async def translate(self, turn_id: int, *, message_ref: str = "") -> Answer:
        """The answer of a turn in its asker's language, after it; raises TurnNotFound."""
        turn = await self.history.turn(turn_id)
        draft = self._drafts.of_translation(turn, self.languages.words(turn.asker))
        return await self._begin(replace(draft, message_refs=refs_of(message_ref)))

    async def edit(self, turn_id: int, question: str) -> bool:
        """Ask something else instead: at once where the turn still waits, else it is only noted.

        What is noted, `answer_edited` answers; False then. Raises TurnNotFound.
        """
        is_waiting = self.running.is_waiting(turn_id)
        await self.history.edit(turn_id, question, is_noted=not is_waiting)
        return is_waiting

    async def answer_edited(self, turn_id: int, *, message_ref: str = "") -> Answer:
        """Answer what a question was changed to, in its place; raises TurnNotFound."""
        turn = await self.history.turn(turn_id)
        draft = self._drafts.of_edit(turn, await self.history.edited(turn_id))
        return await self._begin(replace(draft, message_refs=refs_of(message_ref)))

    async def resume(self, turn_id: int) -> Answer:
        """Go on with a turn of an earlier process: answer it, or show once more how it ended."""
        turn = await self.history.turn(turn_id)
        if turn.status is TurnStatus.OPEN:
            return self._start(turn)
        failure = Interrupted() if turn.status is TurnStatus.FAILED else None
        return Answer.ended(turn, self.languages.words(turn.asker), failure)

    async def give_up(self, turn_id: int) -> Answer:
        """Close a turn of an earlier process, if it is open; the answer says how it ended."""
        turn = await self.history.turn(turn_id)
        if turn.status is TurnStatus.OPEN:
            await self._interrupt(turn)
        return await self.resume(turn_id)

    def retire(self) -> None:
        """Say nothing new: answers without a first word, and those to come, stay open."""
        self._is_retired = True
        for answer in self.running:
            answer.suspend()

    async def reset(self, conversation: str) -> None:
        """Begin a conversation anew; answers on their way are still finished."""
        await self.forgetting.reset(conversation)

    async def forget(self, asker: str) -> None:
        """Stop what a person waits for, and delete everything that is kept of them."""
        await asyncio.gather(*(one.aclose() for one in self.running.of(asker)))
        await self.forgetting.forget(asker)
        await self.languages.forget(asker)

    async def link(self, turn_id: int, message_ref: str) -> None:
        """Let a message that shows an answer stand for its turn; raises TurnNotFound."""
        await self.history.link(message_ref, turn_id, is_answer=True)

    async def close_open(self) -> tuple[Turn, ...]:
        """Close the turns that nobody answers any more; a next question still has their photos."""
        turns = await self.history.open_turns()
        return tuple([await self._interrupt(t) for t in turns if t.turn_id not in self.running])

    async def _interrupt(self, turn: Turn) -> Turn:
        failed, error = TurnStatus.FAILED, Interrupted.__name__
        return await self.history.close_turn(turn.turn_id, status=failed, error=error)

    async def _begin(self, new: NewTurn) -> Answer:
        self.running.check_room(new.asker)
        return self._start(await self.forgetting.open(new))

    def _start(self, turn: Turn) -> Answer:
        is_bare = not turn.photo_ids and turn.parent_id is None
        words = self.languages.words(turn.asker)
        answer = Answer(turn, words=words, hint=words.no_photo_hint if is_bare else "")
        self.running.add(answer)
        answer.begin(self._answer(turn, answer), done=lambda: self.running.discard(turn.turn_id))
        if self._is_retired:
            answer.suspend()
        return answer

    async def _answer(self, turn: Turn, answer: Answer) -> None:
        # The lane is left after the turn is closed: the next answer builds on this one.
        with self._answering.enter(turn.conversation, answer.push_place) as place:
            status = TurnStatus.FAILED
            try:
                await place.first()
                answer.is_taken = True
                pieces = self._writer.write(turn, answer.add_note, answer.words)
                async with aclosing(pieces) as deltas:
                    async for delta in deltas:
                        answer.push(delta)
                status = TurnStatus.ANSWERED
            except asyncio.CancelledError:
                status = TurnStatus.OPEN if answer.is_suspended else TurnStatus.STOPPED
            finally:
                answer.seal(status)
                if status is not TurnStatus.OPEN:
                    await self._close(turn, answer, sys.exception())

    async def _close(self, turn: Turn, answer: Answer, failure: BaseException | None) -> None:
        is_whole = answer.status is TurnStatus.ANSWERED
        closed = await self.history.close_turn(
            turn.turn_id,
            status=answer.status,
            answer=answer.text,
            answer_ids=answer.output_ids if is_whole else (),
            model_id=self._writer.model_id(turn),
            error=type(failure).__name__ if failure else "",
        )
        self.on_ended(closed)
