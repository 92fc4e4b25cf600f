"""Streams one answer into one chat: first words soon, edits at the chat's pace, a certain end.

Knows when to show what; how the messages are sent is the business of stack and writer.
"""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable

from telegram import InlineKeyboardMarkup
from telegram.error import BadRequest, Forbidden, NetworkError, RetryAfter, TelegramError

from bot.answers import Answer
from bot.telegram import keyboards
from bot.telegram.clock import Clock
from bot.telegram.errors import wait_s
from bot.telegram.formatting import Part
from bot.telegram.pages import final_pages, pages_of, waiting_page
from bot.telegram.stack import MessageGone, Page, PageStack
from bot.telegram.writer import ChatWriter
from storage import StorageError

FIRST_WORDS_S = 0.4  # an answer that is complete by then is one message, never edited
PLACEHOLDER_S = 2.0
SLOWEST_PACE_S = 30.0

Link = Callable[[int, str], Awaitable[None]]
logger = logging.getLogger(__name__)


class LiveReply:
    """Shows one answer while it is being written."""

    def __init__(self, answer: Answer, writer: ChatWriter, clock: Clock, link: Link) -> None:
        self._answer = answer
        self._target = writer.target
        self._clock = clock
        self._link = link
        self._stack = PageStack(writer, self._on_sent)
        self._pace_s = writer.target.pace_s
        self._next_at = -math.inf
        self._place: int | None = None
        self._gave_up = False  # no more previews; the end is delivered all the same
        self._changed = asyncio.Event()

    def take_over(self, message_ids: tuple[int, ...]) -> None:
        """Write into messages that are already there."""
        self._stack.take_over(message_ids)

    async def stream(self) -> None:
        """Show the answer until it has ended, and then its end."""
        reading = asyncio.create_task(self._read(), name=f"reply {self._answer.turn_id}")
        reading.add_done_callback(lambda _: self._changed.set())
        try:
            await self._show_previews(reading)
            await self._conclude(reading.exception())
        except Forbidden:
            logger.info("Turn %d: the chat is closed to us", self._answer.turn_id)
        finally:
            reading.cancel()  # a reader that leaves stops the answer

    async def _read(self) -> None:
        async for delta in self._answer:
            self._place = delta.place
            self._changed.set()

    async def _show_previews(self, reading: asyncio.Task[None]) -> None:
        started_at, words_at = self._clock.time(), math.inf
        while not reading.done():
            self._changed.clear()
            if self._answer.text:
                words_at = min(words_at, self._clock.time())
            due_at = self._due_at(started_at, words_at)
            if due_at > self._clock.time():
                await self._wait_until(due_at)
            elif self._stack.shows(pages := self._preview()):
                await self._changed.wait()
            else:
                await self._try_to_show(pages)

    def _due_at(self, started_at: float, words_at: float) -> float:
        if self._gave_up:
            return math.inf
        first_at = min(words_at + FIRST_WORDS_S, started_at + PLACEHOLDER_S)
        if self._stack or self._place is not None:
            first_at = started_at
        return max(first_at, self._next_at)

    async def _wait_until(self, due_at: float) -> None:
        delay_s = due_at - self._clock.time()
        timer = self._clock.call_later(delay_s, self._changed.set) if delay_s < math.inf else None
        try:
            await self._changed.wait()
        finally:
            if timer is not None:
                timer.cancel()

    def _preview(self) -> list[Page]:
        parts = pages_of(self._answer) or [waiting_page(self._place)]
        return _pages(parts, keyboards.while_running(self._answer.turn_id))

    async def _try_to_show(self, pages: list[Page]) -> None:
        self._next_at = self._clock.time() + self._pace_s
        try:
            await self._stack.preview(pages)
        except RetryAfter as error:
            self._pace_s = min(2 * self._pace_s, SLOWEST_PACE_S)
            self._next_at = self._clock.time() + max(wait_s(error), self._pace_s)
        except Forbidden:
            raise
        except (MessageGone, TelegramError) as error:
            is_passing = isinstance(error, NetworkError) and not isinstance(error, BadRequest)
            # A message may have arrived though nobody told us: it is not sent a second time.
            self._gave_up = not is_passing or len(self._stack) < len(pages)
            logger.warning("A preview failed: %s", type(error).__name__)

    async def _conclude(self, error: BaseException | None) -> None:
        await self._clock.sleep(self._next_at - self._clock.time())
        keyboard = keyboards.after_answer(self._answer, error)
        await self._stack.settle(_pages(final_pages(self._answer, error), keyboard))

    async def _on_sent(self, message_id: int) -> None:
        try:
            await self._link(self._answer.turn_id, self._target.ref(message_id))
        except StorageError as error:
            logger.warning("A reply to this message will not find it: %s", type(error).__name__)


def _pages(parts: list[Part], keyboard: InlineKeyboardMarkup | None) -> list[Page]:
    return [*(Page(part) for part in parts[:-1]), Page(parts[-1], keyboard)]
