"""Prompts that are read in before anybody asks: what the next question will surely begin with.

Knows messages and turns; how a prompt is built and who reads it in, it is told.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from engine.chat import Delta, Message
from engine.errors import EngineError
from engine.local.prompt import Prompt
from engine.window import will_be_cut

Build = Callable[[Sequence[Message]], Awaitable[Prompt]]
Submit = Callable[[Prompt, str], None]


class Foresight:
    """Beginnings on their way to the model, the newest of each session."""

    def __init__(self, build: Build, submit: Submit) -> None:
        self._build = build
        self._submit = submit
        self._newest: dict[str, object] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def prepare(self, messages: Sequence[Message], session_id: str) -> None:
        """Read in a conversation whose last message has no words yet."""
        mark = self._newest[session_id] = object()
        try:
            prompt = await self._build(messages)
        except EngineError:
            # Whoever asks will be told what is wrong with it.
            return
        finally:
            is_newest = self._newest.get(session_id) is mark
            if is_newest:
                del self._newest[session_id]
        if is_newest:
            self._submit(prompt, session_id)

    def after(self, messages: Sequence[Message], last: Delta, session_id: str) -> None:
        """Prepare for the question behind an answer, if the oldest turns will go with it."""
        if not will_be_cut(messages) or last.answer is None or last.usage is None:
            return
        reply = Message("assistant", last.answer, token_ids=last.usage.output_ids)
        following = [*messages, reply, Message("user", "")]
        task = asyncio.ensure_future(self.prepare(following, session_id))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def drop(self, session_id: str) -> None:
        """Whatever is on its way for a session is out of date."""
        self._newest.pop(session_id, None)

    def close(self) -> None:
        """Prepare nothing any more."""
        self._newest.clear()
        for task in self._tasks:
            task.cancel()
