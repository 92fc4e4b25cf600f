"""What we say in a chat: one sentence, or an answer while it is being written.

Knows the assistant only as the one who is told which message stands for which turn.
"""

import logging
from contextlib import AbstractAsyncContextManager

from telegram import Bot, InlineKeyboardMarkup, Message
from telegram.error import TelegramError

from bot.assistant import Answer, Assistant
from bot.languages import Languages
from bot.telegram import addressing
from bot.telegram.clock import Clock
from bot.telegram.errors import sentence_of
from bot.telegram.formatting import Part
from bot.telegram.outbox import Outbox
from bot.telegram.pages import Page
from bot.telegram.presence import typing
from bot.telegram.previews import DraftPolicy
from bot.telegram.reply import LiveReply
from bot.telegram.strays import Strays
from bot.telegram.target import Target
from bot.telegram.writer import ChatWriter
from bot.texts import ENGLISH, Wording

logger = logging.getLogger(__name__)


class Delivery:
    """Everything that goes out, apart from the answers to buttons."""

    def __init__(
        self,
        bot: Bot,
        assistant: Assistant,
        outbox: Outbox,
        clock: Clock,
        *,
        with_drafts: bool = False,
    ) -> None:
        self._bot = bot
        self._assistant = assistant
        self._outbox = outbox
        self._clock = clock
        self._strays = Strays(bot, clock)
        self._policy = DraftPolicy(with_drafts)
        self._shown: dict[Answer, LiveReply] = {}
        self._is_closing = False
        outbox.on_closed = self._leave

    def close(self) -> None:
        """Stop every answer that is being shown, and each one to come; what is left is said now."""
        self._is_closing = True
        for answer in self._shown:
            answer.stop()
        self._strays.close()
        self._outbox.hurry()

    async def show(self, answer: Answer, target: Target, *, into: tuple[int, ...] = ()) -> None:
        """Show an answer from its first word to its end; `into` are messages to write over."""
        await self._show(answer, self._writer(target), into)

    async def show_again(
        self, answer: Answer, target: Target, *, into: tuple[int, ...], after: int
    ) -> None:
        """The same, when more messages may be there above one number than we know of."""
        writer = self._writer(target)
        writer.doubt(max(into, default=after))
        await self._show(answer, writer, into)

    def know(self, chat_id: int, message_id: int) -> None:
        """This message is none that may have been lost."""
        self._strays.note(chat_id, message_id)

    async def _show(self, answer: Answer, writer: ChatWriter, into: tuple[int, ...]) -> None:
        reply = LiveReply(answer, writer, self._clock, self._assistant.link, policy=self._policy)
        reply.take_over(into)
        self._shown[answer] = reply
        if self._is_closing:
            answer.stop()
        try:
            await reply.stream()
        finally:
            del self._shown[answer]

    @property
    def languages(self) -> Languages:
        """Who reads what."""
        return self._assistant.languages

    def words(self, message: Message) -> Wording:
        """The sentences in the language of whoever wrote a message."""
        return self._assistant.languages.words(addressing.asker_of(message))

    async def say(
        self, target: Target, sentence: str, keyboard: InlineKeyboardMarkup | None = None
    ) -> None:
        """Send one sentence of ours."""
        await self._writer(target).say(Page(Part(sentence), keyboard))

    async def apologise(
        self, target: Target, error: BaseException, words: Wording = ENGLISH
    ) -> None:
        """Say what went wrong; if even that fails, the log has it."""
        try:
            await self.say(target, sentence_of(error, words))
        except TelegramError as failure:
            logger.warning("A failure could not be told: %s", type(failure).__name__)

    def typing(self, target: Target) -> AbstractAsyncContextManager[None]:
        """Show that we are at work."""
        return typing(self._writer(target), self._clock)

    def _writer(self, target: Target) -> ChatWriter:
        return ChatWriter(self._bot, target, self._outbox, self._strays)

    def _leave(self, chat_id: int) -> None:
        for reply in self._shown.values():
            if self._outbox.home_of(reply.chat_id) == chat_id:
                reply.leave()
