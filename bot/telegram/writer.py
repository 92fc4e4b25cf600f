"""Sends, edits and deletes in one place, and knows how Telegram words what it does not like.

Knows pages, not answers; when and how often something is said is the outbox's business.
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from telegram import Bot, LinkPreviewOptions, Message, ReplyParameters
from telegram.constants import ChatAction
from telegram.error import BadRequest, TelegramError

from bot.telegram.errors import is_surely_undone
from bot.telegram.lane import Rank
from bot.telegram.outbox import Outbox
from bot.telegram.pages import Page
from bot.telegram.strays import Doubt, Strays
from bot.telegram.target import Target

# What Telegram complains of, and what to leave out then. Where a topic is gone, so is the question.
_COMPLAINTS = (
    ("entit", ("entities",)),
    ("replied not found", ("reply_parameters",)),
    ("thread not found", ("message_thread_id", "reply_parameters")),
    ("topic_deleted", ("message_thread_id", "reply_parameters")),
    ("topic_closed", ("message_thread_id", "reply_parameters")),
)

Result = TypeVar("Result")
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that is there; if it was lost for a while, it may show something else."""

    message_id: int
    was_lost: bool = False


class ChatWriter:
    """The pen for one place."""

    def __init__(self, bot: Bot, target: Target, outbox: Outbox, strays: Strays) -> None:
        self.target = target
        self._bot = bot
        self._outbox = outbox
        self._strays = strays
        self._doubt: Doubt | None = None
        if target.reply_to is not None:
            strays.note(target.chat_id, target.reply_to)

    def doubt(self, after: int) -> None:
        """A message of ours may be there above this number, of an earlier process, among others."""
        self._doubt = Doubt(after, self._answers_here)

    async def post(self, call: Callable[[int], Awaitable[Result]], rank: Rank) -> Result:
        """Make a call in this chat when its turn has come; it is given where the chat is now."""
        return await self._outbox.deliver(self.target, call, rank)

    async def say(self, page: Page) -> None:
        """Send one message of ours."""
        await self.post(lambda chat_id: self.send(chat_id, page), Rank.SENTENCE)

    async def sign(self) -> None:
        """Show that we are typing, if nothing else is to be shown."""
        await self._outbox.sign(
            self.target,
            lambda chat_id: self._bot.send_chat_action(
                chat_id, ChatAction.TYPING, message_thread_id=self.target.topic
            ),
        )

    async def send(self, chat_id: int, page: Page, *, is_reply: bool = True) -> Sent:
        """Send a message; one that may have arrived is looked for before it is sent again."""
        if self._doubt is not None:
            found = await self._strays.find(chat_id, self._doubt, page.keyboard)
            if found is not None:
                self._doubt = None
                return Sent(found, was_lost=True)
        before = self._strays.last(chat_id)
        try:
            message_id = await self._send(chat_id, page, is_reply=is_reply)
        except TelegramError as error:
            if self._doubt is None and not is_surely_undone(error):
                self._doubt = Doubt(before)
            raise
        self._strays.note(chat_id, message_id)
        if self._doubt is not None:
            self._strays.look_later(partial(self._remove_stray, self._doubt))
            self._doubt = None
        return Sent(message_id)

    async def draft(self, chat_id: int, number: int, page: Page) -> None:
        """Show what fades by itself, without buttons; raises BadRequest where that may not be."""
        await self._bot.send_message_draft(
            chat_id,
            number,
            page.part.text,
            message_thread_id=self.target.topic,
            entities=page.part.entities or None,
        )

    async def edit(self, chat_id: int, message_id: int, page: Page) -> bool:
        """Bring a message to this state; False if that can never be done."""
        for entities in (page.part.entities, ()):
            try:
                await self._bot.edit_message_text(
                    page.part.text,
                    chat_id,
                    message_id,
                    entities=entities or None,
                    reply_markup=page.keyboard,
                    link_preview_options=LinkPreviewOptions(is_disabled=True),
                )
            except BadRequest as error:
                reason = error.message.lower()
                if "not modified" in reason:
                    return True
                if not entities or "entit" not in reason:
                    return False
                logger.warning("Telegram refused the markup of an answer; it is shown plain")
            else:
                return True
        return False

    async def delete(self, chat_id: int, message_id: int) -> None:
        """Take a message away if that is possible."""
        try:
            await self._bot.delete_message(chat_id, message_id)
        except BadRequest:
            logger.info("A message stays, for it can't be deleted")

    def _answers_here(self, message: Message | None) -> bool:
        # Sentences of ours have no buttons, and what answers another question replies to that.
        reply = message.reply_to_message if message is not None else None
        return message is not None and (reply is None or reply.message_id == self.target.reply_to)

    async def _remove_stray(self, doubt: Doubt) -> bool:
        """Take away what arrived after it had been sent again; False if there is nothing."""

        async def remove(chat_id: int) -> bool:
            found = await self._strays.find(chat_id, doubt)
            if found is not None:
                await self.delete(chat_id, found)
            return found is not None

        return await self.post(remove, Rank.PREVIEW)

    async def _send(self, chat_id: int, page: Page, *, is_reply: bool) -> int:
        fields: dict[str, Any] = {"message_thread_id": self.target.topic}
        fields["entities"] = page.part.entities or None
        fields["reply_parameters"] = self._reply() if is_reply else None
        while True:
            try:
                message = await self._bot.send_message(
                    chat_id,
                    page.part.text,
                    reply_markup=page.keyboard,
                    link_preview_options=LinkPreviewOptions(is_disabled=True),
                    **fields,
                )
            except BadRequest as error:
                fields |= dict.fromkeys(_complained_of(error, fields))
            else:
                return message.message_id

    def _reply(self) -> ReplyParameters | None:
        if self.target.reply_to is None:
            return None
        return ReplyParameters(self.target.reply_to, allow_sending_without_reply=True)


def _complained_of(error: BadRequest, fields: dict[str, Any]) -> tuple[str, ...]:
    """What to leave out; raises the error again if that is nothing."""
    for words, names in _COMPLAINTS:
        if words in error.message.lower() and fields[names[0]] is not None:
            logger.warning("Telegram takes a message only without %s", " and ".join(names))
            return names
    raise error
