"""What a group wants of us: whether mentions are answered, and who may ask.

Knows the choices of groups and who is admin; private chats have no customs.
"""

from collections.abc import Sequence

from telegram import Message, User

from bot.choices import Choices, Setting
from bot.telegram import addressing, members
from bot.telegram.addressing import Request
from bot.telegram.outbox import Outbox


class Customs:
    """Reads messages as their chat wants it."""

    def __init__(self, choices: Choices, outbox: Outbox) -> None:
        self._choices = choices
        self._outbox = outbox

    async def read(self, messages: Sequence[Message], me: User) -> Request | None:
        """What these messages ask of us; None when they do not, or may not."""
        head = messages[0]
        mentions = self._choices.value(head.chat.id, Setting.MENTIONS)
        request = addressing.read(messages, me, with_mentions=mentions == "on")
        if request is None or addressing.is_private(head):
            return request
        if self._choices.value(head.chat.id, Setting.WHO) == "everybody":
            return request
        return request if await members.is_by_admin(self._outbox, head) else None
