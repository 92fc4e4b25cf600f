"""Where an answer goes: a chat, a topic in it, the message it replies to.

Knows no answers; the pace is part of the place because Telegram counts edits by chat.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from telegram import Message

from bot.telegram import addressing

PRIVATE_PACE_S = 1.2
GROUP_PACE_S = 3.6  # with a burst of three, twenty a minute


@dataclass(frozen=True, slots=True)
class Target:
    """The place of an answer."""

    chat_id: int
    topic: int | None
    reply_to: int | None
    pace_s: float

    def ref(self, message_id: int) -> str:
        """The name of a message in this chat, as history links it to a turn."""
        return f"telegram:{self.chat_id}:{message_id}"

    def message_ids(self, refs: Iterable[str]) -> tuple[int, ...]:
        """The messages of this chat among those named, in order."""
        numbers = [addressing.numbers_of(ref) for ref in refs]
        return tuple(sorted(one[1] for one in numbers if one and one[0] == self.chat_id))


def target_of(message: Message, *, reply_to: Message | None = None) -> Target:
    """Below a message, or below another one of the same chat."""
    pace_s = PRIVATE_PACE_S if addressing.is_private(message) else GROUP_PACE_S
    below = message if reply_to is None else reply_to
    return Target(message.chat.id, addressing.topic_of(message), below.message_id, pace_s)
