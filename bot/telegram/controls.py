"""What people set, see and delete for themselves, in private: /language, /privacy and /forget.

Knows what a button bears; what is chosen or deleted is kept elsewhere.
"""

import logging
from collections.abc import Awaitable, Callable

from telegram import CallbackQuery, InlineKeyboardButton, InlineKeyboardMarkup, Message, Update
from telegram.error import TelegramError

from bot.assistant import Assistant
from bot.telegram import addressing
from bot.telegram.delivery import Delivery
from bot.telegram.outbox import Outbox
from bot.telegram.target import target_of
from bot.texts import WORDINGS, Wording

CONTROLS = r"^(language:[a-z]{0,2}|forget:(yes|no))$"

logger = logging.getLogger(__name__)


class Controls:
    """Each press acts for whoever pressed, and for nobody else."""

    def __init__(
        self, assistant: Assistant, delivery: Delivery, outbox: Outbox, *, photo_days: float
    ) -> None:
        self._photo_days = photo_days
        self._assistant = assistant
        self._delivery = delivery
        self._outbox = outbox

    @property
    def commands(self) -> dict[str, Callable[[Message], Awaitable[None]]]:
        """The commands that are answered here."""
        return {
            "language": self._ask_language,
            "privacy": self._tell_what_is_kept,
            "forget": self._ask_to_forget,
        }

    async def on_press(self, update: Update, context: object) -> None:
        """One of the buttons below was pressed."""
        query = update.callback_query
        if query is None or query.data is None:
            return
        name, _, value = query.data.partition(":")
        asker = query.from_user.id
        if name == "language":
            await self._assistant.languages.choose(asker, value)
            await self._end(query, self._words(query).language_set)
        elif value == "yes":
            words = self._words(query)
            await self._assistant.forget(str(asker))
            await self._end(query, words.forgotten)
        else:
            await self._end(query, self._words(query).kept)

    async def _ask_language(self, message: Message) -> None:
        if not addressing.is_private(message):
            return
        words = self._delivery.words(message)
        languages = [_button(one.name, f"language:{tag}") for tag, one in WORDINGS.items()]
        rows = [languages[:3], languages[3:], [_button(words.language_auto, "language:")]]
        await self._delivery.say(target_of(message), words.language_ask, InlineKeyboardMarkup(rows))

    async def _tell_what_is_kept(self, message: Message) -> None:
        if not addressing.is_private(message):
            return
        told = self._delivery.words(message).privacy.format(days=f"{self._photo_days:g}")
        await self._delivery.say(target_of(message), told)

    async def _ask_to_forget(self, message: Message) -> None:
        if not addressing.is_private(message):
            return
        words = self._delivery.words(message)
        row = [_button(words.button_forget, "forget:yes"), _button(words.button_keep, "forget:no")]
        await self._delivery.say(target_of(message), words.forget_ask, InlineKeyboardMarkup([row]))

    def _words(self, query: CallbackQuery) -> Wording:
        return self._assistant.languages.words(query.from_user.id)

    async def _end(self, query: CallbackQuery, sentence: str) -> None:
        """Say it in the place of the question, without its buttons."""
        try:
            await self._outbox.ask(query.answer)
            await self._outbox.ask(lambda: query.edit_message_text(sentence))
        except TelegramError as error:
            logger.warning("A choice was taken, but not confirmed: %s", type(error).__name__)


def _button(label: str, data: str) -> InlineKeyboardButton:
    return InlineKeyboardButton(label, callback_data=data)
