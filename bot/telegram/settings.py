"""/settings: one's own in private, those of a group for its admins; and groups that move.

Knows menus of buttons and who may press them; what a choice changes is the business of others.
"""

import logging

from telegram import CallbackQuery, InlineKeyboardButton, InlineKeyboardMarkup, Message, Update
from telegram.error import TelegramError

from bot.choices import OF_GROUP, OF_PERSON, VALUES, Choices, Setting
from bot.telegram import addressing, members
from bot.telegram.delivery import Delivery
from bot.telegram.outbox import Outbox
from bot.telegram.target import target_of
from bot.texts import WORDINGS, Wording

SETTINGS = r"^settings:"
MARK = "✓ "

logger = logging.getLogger(__name__)


class SettingsMenu:
    """A list of settings, and behind each of them its values; the chosen one is marked."""

    def __init__(self, choices: Choices, delivery: Delivery, outbox: Outbox) -> None:
        self._choices = choices
        self._delivery = delivery
        self._outbox = outbox

    async def open(self, message: Message) -> None:
        """Show what can be set here, to whoever may set it."""
        if not addressing.is_private(message) and not await members.is_by_admin(
            self._outbox, message
        ):
            return
        words = self._delivery.words(message)
        await self._delivery.say(target_of(message), *self._list(message, words))

    async def on_press(self, update: Update, context: object) -> None:
        """A button of a menu, however old, was pressed."""
        query = update.callback_query
        if query is None or not isinstance(query.message, Message):
            return
        message, words = query.message, self._delivery.languages.words(query.from_user.id)
        if not await self._may_press(query, message):
            await self._show(query, None, words.settings_for_admins)
            return
        _, name, value = f"{query.data}::".split(":")[:3]
        if name not in _settings_of(message):
            await self._show(query, self._list(message, words))
            return
        setting = Setting(name)
        if value not in VALUES[setting]:
            await self._show(query, self._values(message, setting, words))
            return
        await self._choices.choose(message.chat.id, setting, value)
        await self._show(query, self._list(message, words))

    async def on_migration(self, update: Update, context: object) -> None:
        """A group has become a supergroup: what it has chosen goes along."""
        message = update.message
        if message is not None and message.migrate_to_chat_id is not None:
            await self._choices.move(message.chat.id, message.migrate_to_chat_id)

    async def _may_press(self, query: CallbackQuery, message: Message) -> bool:
        if addressing.is_private(message):
            return True
        return await members.is_admin(self._outbox, message.chat, query.from_user.id)

    def _list(self, message: Message, words: Wording) -> tuple[str, InlineKeyboardMarkup]:
        rows = []
        for setting in _settings_of(message):
            value = _name(self._choices.value(message.chat.id, setting), words)
            rows.append([_button(f"{words.setting(setting)}: {value}", f"{setting}")])
        is_private = addressing.is_private(message)
        title = words.settings_ask if is_private else words.settings_ask_group
        return title, InlineKeyboardMarkup(rows)

    def _values(
        self, message: Message, setting: Setting, words: Wording
    ) -> tuple[str, InlineKeyboardMarkup]:
        now, rows = self._choices.value(message.chat.id, setting), []
        for value in VALUES[setting]:
            mark = MARK if value == now else ""
            rows.append([_button(f"{mark}{_name(value, words)}", f"{setting}:{value}")])
        rows.append([_button(words.button_back, "")])
        return words.setting(setting), InlineKeyboardMarkup(rows)

    async def _show(
        self, query: CallbackQuery, page: tuple[str, InlineKeyboardMarkup] | None, pop_up: str = ""
    ) -> None:
        try:
            await self._outbox.ask(lambda: query.answer(pop_up or None))
            if page is not None:
                sentence, keyboard = page
                await self._outbox.ask(
                    lambda: query.edit_message_text(sentence, reply_markup=keyboard)
                )
        except TelegramError as error:
            logger.info("A menu stays as it was: %s", type(error).__name__)


def _settings_of(message: Message) -> tuple[Setting, ...]:
    return OF_PERSON if addressing.is_private(message) else OF_GROUP


def _name(value: str, words: Wording) -> str:
    return WORDINGS[value].name if value in WORDINGS else words.value(value)


def _button(label: str, data: str) -> InlineKeyboardButton:
    return InlineKeyboardButton(label, callback_data=f"settings:{data}")
