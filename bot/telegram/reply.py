"""Streams one answer into one chat: first words soon, then what is new, a certain end.

Knows when there is something to show; the pace is the outbox's, the messages are the stack's.
"""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from telegram.error import Forbidden, TelegramError

from bot.answers import Answer
from bot.telegram.clock import Clock
from bot.telegram.pages import Page, final_pages, preview_pages
from bot.telegram.previews import DraftPolicy, Previews
from bot.telegram.stack import MessageGone, PageStack
from bot.telegram.writer import ChatWriter
from storage import StorageError

FIRST_WORDS_S = 0.4  # an answer that is complete by then is one message, never edited
PLACEHOLDER_S = 2.0

Link = Callable[[int, str], Awaitable[None]]
logger = logging.getLogger(__name__)


class LiveReply:
    """Shows one answer while it is being written."""

    def __init__(
        self, answer: Answer, writer: ChatWriter, clock: Clock, link: Link, *, policy: DraftPolicy
    ) -> None:
        self._answer = answer
        self._target = writer.target
        self._clock = clock
        self._link = link
        self._stack = PageStack(writer, self._on_sent)
        self._previews = Previews(writer, self._stack, policy, number=answer.turn_id, clock=clock)
        self._place: int | None = None
        self._changed = asyncio.Event()
        self._is_left = False

    @property
    def chat_id(self) -> int:
        """Where the answer is shown."""
        return self._target.chat_id

    def leave(self) -> None:
        """Nobody reads this chat any more: stop the answer, and say nothing of it."""
        self._is_left = True
        self._answer.stop()

    def take_over(self, message_ids: Sequence[int]) -> None:
        """Write into messages that are already there."""
        self._stack.take_over(message_ids)

    async def stream(self) -> None:
        """Show the answer until it has ended, and then its end."""
        reading = asyncio.create_task(self._read(), name=f"reply {self._answer.turn_id}")
        showing = asyncio.create_task(self._show_previews(), name="previews")
        try:
            await asyncio.wait((reading, showing), return_when=asyncio.FIRST_COMPLETED)
            if not showing.done():
                # What waits is called off; what is on its way will be there before the end.
                showing.cancel()
                await asyncio.wait([showing])
            if not showing.cancelled():
                showing.result()
            await asyncio.wait([reading])
            if not self._is_left:
                await self._stack.settle(final_pages(self._answer, reading.exception()))
        except Forbidden:
            logger.info("Turn %d: the chat is closed to us", self._answer.turn_id)
        finally:
            showing.cancel()
            reading.cancel()  # a reader that leaves stops the answer

    async def _read(self) -> None:
        async for delta in self._answer:
            self._place = delta.place
            self._changed.set()

    async def _show_previews(self) -> None:
        started_at, words_at = self._clock.time(), math.inf
        while True:
            self._changed.clear()
            if self._answer.text:
                words_at = min(words_at, self._clock.time())
            due_at = self._due_at(started_at, words_at)
            if due_at <= self._clock.time():
                due_at = self._previews.shown_until(self._preview())
            if due_at > self._clock.time():
                await self._wait_until(due_at)
            elif not await self._try_to_show():
                return

    def _due_at(self, started_at: float, words_at: float) -> float:
        if self._stack or self._place is not None:
            return started_at
        return min(words_at + FIRST_WORDS_S, started_at + PLACEHOLDER_S)

    async def _wait_until(self, due_at: float) -> None:
        delay_s = due_at - self._clock.time()
        timer = self._clock.call_later(delay_s, self._changed.set) if delay_s < math.inf else None
        try:
            await self._changed.wait()
        finally:
            if timer is not None:
                timer.cancel()

    def _preview(self) -> list[Page]:
        return preview_pages(self._answer, self._place)

    async def _try_to_show(self) -> bool:
        """False if there is no use in showing more before the end."""
        try:
            await self._previews.show(self._preview)
        except Forbidden:
            raise
        except (MessageGone, TelegramError) as error:
            logger.warning("A preview failed: %s", type(error).__name__)
            return False
        return True

    async def _on_sent(self, chat_id: int, message_id: int) -> None:
        ref = replace(self._target, chat_id=chat_id).ref(message_id)
        try:
            await self._link(self._answer.turn_id, ref)
        except StorageError as error:
            logger.warning("A reply to this message will not find it: %s", type(error).__name__)
