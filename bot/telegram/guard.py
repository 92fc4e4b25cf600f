"""At the door: who may come in, and the one sentence a day for whoever may not.

Knows the policy of the bot hall and Telegram's updates; groups hear nothing.
"""

from telegram import CallbackQuery, Message, Update
from telegram.ext import ApplicationHandlerStop

from bot.access import AccessDenied, AccessPolicy
from bot.telegram import addressing
from bot.telegram.admission import Admission
from bot.telegram.clock import Clock
from bot.telegram.delivery import Delivery
from bot.telegram.target import target_of

DAY_S = 24 * 3600.0
MAX_REMEMBERED = 10_000


class Guard:
    """Lets updates pass or ends them."""

    def __init__(
        self, policy: AccessPolicy, delivery: Delivery, clock: Clock, admission: Admission
    ) -> None:
        self._policy = policy
        self._admission = admission
        self._delivery = delivery
        self._clock = clock
        self._languages = delivery.languages
        self._refused_at: dict[str, float] = {}

    async def check(self, update: Update, context: object) -> None:
        """Raise ApplicationHandlerStop for strangers, and for what other bots write."""
        message = update.message or update.edited_message
        if message is not None:
            await self._check_message(message)
        elif update.callback_query is not None:
            self._check_press(update.callback_query)

    async def _check_message(self, message: Message) -> None:
        self._delivery.know(message.chat.id, message.message_id)
        if message.migrate_from_chat_id is not None:
            await self._policy.move(message.migrate_from_chat_id, message.chat.id)
        sender = message.from_user
        if sender is not None and sender.is_bot and message.sender_chat is None:
            raise ApplicationHandlerStop
        if sender is not None:
            self._languages.meet(sender.id, sender.language_code or "")
        try:
            self._policy.check(addressing.asker_of(message), message.chat.id)
        except AccessDenied as denied:
            if addressing.is_private(message) and self.is_news(denied.asker):
                words = self._delivery.words(message)
                await self._delivery.apologise(target_of(message), denied, words)
                await self._admission.ask(message)
            raise ApplicationHandlerStop from None

    def _check_press(self, query: CallbackQuery) -> None:
        self._languages.meet(query.from_user.id, query.from_user.language_code or "")
        chat = query.message.chat.id if query.message else None
        if not self._policy.is_allowed(query.from_user.id, chat):
            raise ApplicationHandlerStop

    def is_news(self, asker: str) -> bool:
        """Whether a stranger has not been refused today; the next time they have."""
        now = self._clock.time()
        if now - self._refused_at.get(asker, -DAY_S) < DAY_S:
            return False
        if len(self._refused_at) >= MAX_REMEMBERED:
            self._refused_at.clear()
        self._refused_at[asker] = now
        return True
