"""Questions that were changed: while they wait they are replaced, later a button answers them.

Knows which message was changed and its turn; commands that were changed are not done again.
"""

import asyncio

from telegram import Message, Update

from bot.assistant import Assistant, Task
from bot.telegram import addressing
from bot.telegram.delivery import Delivery
from bot.telegram.handlers import WithBot
from bot.telegram.keyboards import after_edit
from bot.telegram.target import target_of
from storage import Turn


class Edits:
    """What happens when a message is changed."""

    def __init__(self, assistant: Assistant, delivery: Delivery) -> None:
        self._assistant = assistant
        self._delivery = delivery
        # Who types on changes a message several times a minute: one note comes of it.
        self._one_by_one = asyncio.Lock()

    async def on_edit(self, update: Update, context: WithBot) -> None:
        """A message was changed, or only what Telegram shows of it: most edits ask nothing new."""
        message = update.edited_message
        if message is None:
            return
        request = addressing.read([message], context.bot.bot)
        turn = await self._assistant.history.turn_of(addressing.message_ref(message))
        if request is None or turn is None or not _asks(turn, message):
            return
        text = request.text.strip()
        if request.command in ("", "ask") and text and text != turn.question:
            async with self._one_by_one:
                await self._take(turn, message, text)

    async def _take(self, turn: Turn, message: Message, text: str) -> None:
        noted = await self._assistant.history.edited(turn.turn_id)
        if await self._assistant.edit(turn.turn_id, text) or noted:
            return
        words = self._delivery.words(message)
        keyboard = after_edit(turn.turn_id, words)
        await self._delivery.say(target_of(message), words.question_edited, keyboard)


def _asks(turn: Turn, message: Message) -> bool:
    return turn.task == Task.ASK and turn.asker == str(addressing.asker_of(message))
