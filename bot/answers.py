"""An answer on its way: what is still to come, and how it ended.

Knows no engine and no chat platform; the assistant fills it, whoever asked empties it.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Self

from bot.questions import Task
from bot.texts import ENGLISH, Wording
from engine import Delta, FinishReason
from storage import Turn, TurnStatus


class Answer:
    """The deltas of one turn, in order; ends when the turn is closed.

    The answer goes on without a reader. A reader that is cancelled, and `aclose`, stop it.
    `words` are the sentences of whoever asked.
    """

    def __init__(self, turn: Turn, *, words: Wording = ENGLISH, hint: str = "") -> None:
        self.turn_id = turn.turn_id
        self.conversation = turn.conversation
        self.asker = turn.asker
        self.task = Task(turn.task)
        self.photo_ids = turn.photo_ids
        self.words = words
        self.hint = hint
        self.status = TurnStatus.OPEN
        self.text = ""
        self.finish_reason: FinishReason | None = None
        self.output_ids: tuple[int, ...] = ()
        self._deltas: asyncio.Queue[Delta | None] = asyncio.Queue()
        self._work: asyncio.Task[None] | None = None
        self._has_begun = False
        self._is_stopped = False
        self.is_suspended = False
        # Its question is being read: it is too late to change it.
        self.is_taken = False
        self._failure: BaseException | None = None

    @property
    def is_verbatim(self) -> bool:
        """Whether the text is what stands in the photo, to be shown as it is."""
        return self.task is not Task.ASK

    @classmethod
    def ended(cls, turn: Turn, words: Wording, failure: BaseException | None = None) -> Self:
        """The answer of a closed turn, to be shown once more."""
        answer = cls(turn, words=words)
        answer.text, answer.status = turn.answer, turn.status
        answer._failure = failure
        answer._deltas.put_nowait(None)
        return answer

    def begin(self, work: Coroutine[None, None, None], done: Callable[[], object]) -> None:
        """Let `work` fill this answer; `done` is called when it has ended, however it ends."""

        def end(task: asyncio.Task[None]) -> None:
            # Looked at here, so that a failure nobody reads is not reported as forgotten.
            self._failure = None if task.cancelled() else task.exception()
            self._deltas.put_nowait(None)
            done()

        self._work = asyncio.create_task(self._do(work), name=f"answer {self.turn_id}")
        self._work.add_done_callback(end)

    async def _do(self, work: Coroutine[None, None, None]) -> None:
        # A task that is cancelled before its first step would never close its turn.
        self._has_begun = True
        if self._is_stopped and (task := asyncio.current_task()) is not None:
            task.cancel()
        await work

    def push(self, delta: Delta) -> None:
        """Take in the next piece."""
        self.text = delta.answer if delta.answer is not None else self.text + delta.text
        self.finish_reason = delta.finish_reason or self.finish_reason
        # A loop was cut out of the text but not out of its ids.
        if delta.usage is not None and delta.finish_reason is not FinishReason.REPETITION:
            self.output_ids = delta.usage.output_ids
        self._deltas.put_nowait(delta)

    def add_note(self, note: str) -> None:
        """Say something under the answer, once it has ended."""
        self.hint = f"{self.hint}\n{note}" if self.hint else note

    def push_place(self, place: int) -> None:
        """Tell whoever waits how many answers come before this one; 1 is next."""
        self.push(Delta(place=place))

    def seal(self, status: TurnStatus) -> None:
        """Nothing more will come, and it is too late to stop."""
        self.status = status

    def stop(self) -> bool:
        """End the answer at the next token; False if it has ended already."""
        if self._work is None or self._is_stopped or self.status is not TurnStatus.OPEN:
            return False
        self._is_stopped = True
        if self._has_begun:
            self._work.cancel()
        return True

    def suspend(self) -> bool:
        """Leave the turn open for a later process; False if it has a first word, or has ended.

        Whoever waits for the answer is cancelled, so that it says nothing about it.
        """
        self.is_suspended = not self.text and self.stop()
        return self.is_suspended

    async def aclose(self) -> None:
        """Stop, and wait until the turn is closed."""
        self.stop()
        if self._work is not None:
            await asyncio.wait([self._work])

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Delta:
        try:
            delta = await self._deltas.get()
        except asyncio.CancelledError:
            self.stop()
            raise
        if delta is not None:
            return delta
        self._deltas.put_nowait(None)
        if self.is_suspended:
            raise asyncio.CancelledError
        if self._failure is not None:
            raise self._failure
        raise StopAsyncIteration
