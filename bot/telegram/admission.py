"""Letting people in from the chat: a stranger's request with its buttons, /allow, /deny, /users.

Knows who may decide; what was decided is kept by the access policy.
"""

import logging
import re
from collections.abc import Awaitable, Callable

from telegram import (
    CallbackQuery,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    Message,
    MessageOriginUser,
    Update,
)
from telegram.error import TelegramError

from bot.access import AccessPolicy
from bot.assistant import Assistant
from bot.telegram import addressing
from bot.telegram.clock import Clock
from bot.telegram.delivery import Delivery
from bot.telegram.outbox import Outbox
from bot.telegram.target import PRIVATE_PACE_S, Target, target_of
from bot.texts import Wording

ADMISSION = r"^(admit|deny):[0-9]{1,18}$"
DAY_S = 24 * 3600.0
# A flood of strangers must not become one of messages to the owner.
MAX_REQUESTS = 20

logger = logging.getLogger(__name__)


class Admission:
    """Everything here acts for admins only; to others it is not there."""

    def __init__(
        self,
        access: AccessPolicy,
        assistant: Assistant,
        delivery: Delivery,
        *,
        outbox: Outbox,
        clock: Clock,
    ) -> None:
        self._access = access
        self._assistant = assistant
        self._delivery = delivery
        self._outbox = outbox
        self._clock = clock
        self._asked_at: list[float] = []

    @property
    def commands(self) -> dict[str, Callable[[Message], Awaitable[None]]]:
        """The commands that are answered here."""
        return {"allow": self._allow, "deny": self._deny, "users": self._list}

    async def ask(self, message: Message) -> None:
        """Tell the admins that a stranger wants to be let in; who was turned away, is not heard."""
        asker, now = addressing.asker_of(message), self._clock.time()
        self._asked_at = [moment for moment in self._asked_at if now - moment < DAY_S]
        if self._access.is_denied(asker) or len(self._asked_at) >= MAX_REQUESTS:
            return
        self._asked_at.append(now)
        name = message.from_user.full_name if message.from_user else ""
        for admin in self._access.admins:
            words = self._delivery.languages.words(admin)
            row = [
                InlineKeyboardButton(words.button_allow, callback_data=f"admit:{asker}"),
                InlineKeyboardButton(words.button_deny, callback_data=f"deny:{asker}"),
            ]
            told = words.access_asked.format(name=name, asker=asker)
            await self._tell(int(admin), told, InlineKeyboardMarkup([row]))

    async def on_press(self, update: Update, context: object) -> None:
        """One of the two buttons was pressed."""
        query = update.callback_query
        if query is None or query.data is None:
            return
        words = self._delivery.languages.words(query.from_user.id)
        if not self._access.is_admin(query.from_user.id):
            await self._end(query, words.not_yours, is_pop_up=True)
            return
        verb, _, asker = query.data.partition(":")
        known = self._access.guests.get(asker)
        # Another admin was faster: what they said holds, /allow and /deny change it.
        if known is None:
            await self._decide(asker, is_allowed=verb == "admit")
            known = self._access.guests.get(asker)
        is_allowed = known is not None and known.is_allowed
        await self._end(query, _verdict(words, asker, is_allowed=is_allowed))

    async def _allow(self, message: Message) -> None:
        await self._command(message, is_allowed=True)

    async def _deny(self, message: Message) -> None:
        await self._command(message, is_allowed=False)

    async def _command(self, message: Message, *, is_allowed: bool) -> None:
        if not await self._is_for_admins(message):
            return
        words, said = self._delivery.words(message), []
        for asker in _meant(message):
            if self._access.is_admin(asker):
                said.append(words.admin_stays.format(asker=asker))
                continue
            await self._decide(asker, is_allowed=is_allowed)
            said.append(_verdict(words, asker, is_allowed=is_allowed))
        await self._delivery.say(target_of(message), "\n".join(said) or words.allow_how)

    async def _list(self, message: Message) -> None:
        if not await self._is_for_admins(message):
            return
        words, guests = self._delivery.words(message), self._access.guests.values()
        allowed = [*sorted(self._access.named - self._access.guests.keys())]
        allowed += [f"{guest.asker} {guest.name}".strip() for guest in guests if guest.is_allowed]
        denied = [f"{guest.asker} {guest.name}".strip() for guest in guests if not guest.is_allowed]
        rows = [
            f"{words.users_admins} {', '.join(sorted(self._access.admins))}",
            f"{words.users_allowed} {', '.join(allowed) or '–'}",
            f"{words.users_denied} {', '.join(denied) or '–'}",
        ]
        await self._delivery.say(target_of(message), "\n".join(rows))

    async def _is_for_admins(self, message: Message) -> bool:
        """Say to others in private that there is no such command."""
        if not addressing.is_private(message):
            return False
        if not self._access.is_admin(addressing.asker_of(message)):
            words = self._delivery.words(message)
            await self._delivery.say(target_of(message), words.unknown_command)
            return False
        return True

    async def _decide(self, asker: str, *, is_allowed: bool) -> None:
        was_allowed = self._access.is_allowed(asker)
        await self._access.decide(asker, is_allowed=is_allowed)
        if not is_allowed:
            for answer in self._assistant.running.of(asker):
                answer.stop()
        elif not was_allowed and not asker.startswith("-"):
            await self._tell(int(asker), self._delivery.languages.words(asker).let_in)

    async def _tell(
        self, person: int, sentence: str, keyboard: InlineKeyboardMarkup | None = None
    ) -> None:
        """Write to somebody who did not ask right now, and may have blocked us."""
        try:
            await self._delivery.say(Target(person, None, None, PRIVATE_PACE_S), sentence, keyboard)
        except TelegramError as error:
            logger.warning("Somebody could not be told: %s", type(error).__name__)

    async def _end(self, query: CallbackQuery, sentence: str, *, is_pop_up: bool = False) -> None:
        try:
            await self._outbox.ask(lambda: query.answer(sentence if is_pop_up else None))
            if not is_pop_up:
                await self._outbox.ask(lambda: query.edit_message_text(sentence))
        except TelegramError as error:
            logger.warning("A decision was taken, but not confirmed: %s", type(error).__name__)


def _meant(message: Message) -> list[str]:
    """The ids behind the command, or whoever wrote the forwarded message that it answers."""
    ids = re.findall(r"(?<![\w-])-?[0-9]{1,18}\b", (message.text or "").partition(" ")[2])
    replied = addressing.replied_to(message)
    if not ids and replied is not None and isinstance(replied.forward_origin, MessageOriginUser):
        return [str(replied.forward_origin.sender_user.id)]
    return ids


def _verdict(words: Wording, asker: str, *, is_allowed: bool) -> str:
    return (words.is_allowed if is_allowed else words.is_denied).format(asker=asker)
