"""Messages that belong together: the photos of one album, or a photo and the text after it.

Knows when a set is complete, not what is done with it; time comes from the clock it is given.
"""

import asyncio
from dataclasses import dataclass, field

from telegram import Message

from bot.telegram import addressing
from bot.telegram.clock import Clock, Timer

ALBUM_QUIET_S = 1.2
ALBUM_CAP_S = 6.0
ALBUM_ITEMS = 10


@dataclass(slots=True, eq=False)
class Gathered:
    """A set that is being gathered; `complete` ends the wait of whoever opened it.

    `is_stopped` says that the sender does not want it answered any more, `settled` that its turn
    is open, or that there will be none.
    """

    sender: str
    closes_by: float
    messages: list[Message] = field(default_factory=list)
    complete: asyncio.Event = field(default_factory=asyncio.Event)
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    timer: Timer | None = None
    is_stopped: bool = False

    def stop(self) -> None:
        """Wait no longer, and do not answer."""
        self.is_stopped = True
        self.complete.set()


class Gathering:
    """The open sets of all chats."""

    def __init__(self, clock: Clock, text_wait_s: float) -> None:
        self._clock = clock
        self._text_wait_s = text_wait_s
        self._open: dict[str, Gathered] = {}

    def add(self, message: Message) -> Gathered | None:
        """Open a set with this message, or put it into an open one and return None."""
        sender = addressing.conversation_of(message)
        album = message.media_group_id
        if album is not None:
            return self._add_item(message, f"{message.chat.id}:{album}", sender)
        if message.text and self._take_text(message, sender):
            return None
        return self._open_single(message, sender)

    async def settled(self, message: Message) -> None:
        """Wait until the set that a message has just joined is written down, or given up."""
        for gathered in list(self._open.values()):
            if message in gathered.messages:
                await gathered.settled.wait()
                return

    async def finish(self, gathered: Gathered) -> list[Message]:
        """All messages of a set, in the order in which they were sent."""
        try:
            await gathered.complete.wait()
        finally:
            self._forget(gathered)
        return sorted(gathered.messages, key=lambda message: message.message_id)

    def _add_item(self, message: Message, key: str, sender: str) -> Gathered | None:
        known = self._open.get(key)
        if known is not None and not known.complete.is_set():
            known.messages.append(message)
            quiet_s = 0.0 if len(known.messages) == ALBUM_ITEMS else ALBUM_QUIET_S
            self._close_in(known, quiet_s)
            return None
        gathered = Gathered(sender, self._clock.time() + ALBUM_CAP_S, [message])
        self._open[key] = gathered
        self._close_in(gathered, ALBUM_QUIET_S)
        return gathered

    def _open_single(self, message: Message, sender: str) -> Gathered:
        gathered = Gathered(sender, self._clock.time() + self._text_wait_s, [message])
        if not self._waits_for_text(message):
            gathered.complete.set()
            return gathered
        earlier = self._open.get(sender)
        if earlier is not None:  # a text that comes now is about the newer photo
            earlier.complete.set()
        self._open[sender] = gathered
        self._close_in(gathered, self._text_wait_s)
        return gathered

    def _waits_for_text(self, message: Message) -> bool:
        has_words = bool(addressing.words_of(message))
        return addressing.is_private(message) and not has_words and self._text_wait_s > 0

    def _take_text(self, message: Message, sender: str) -> bool:
        if message.reply_to_message or (message.text or "").startswith("/"):
            return False
        for gathered in reversed(self._open.values()):
            if gathered.sender == sender and not gathered.complete.is_set():
                if any(addressing.words_of(item) for item in gathered.messages):
                    return False
                gathered.messages.append(message)
                gathered.complete.set()
                return True
        return False

    def _close_in(self, gathered: Gathered, delay_s: float) -> None:
        if gathered.timer is not None:
            gathered.timer.cancel()
        left_s = min(delay_s, gathered.closes_by - self._clock.time())
        gathered.timer = self._clock.call_later(max(left_s, 0.0), gathered.complete.set)

    def _forget(self, gathered: Gathered) -> None:
        if gathered.timer is not None:
            gathered.timer.cancel()
        for key in [key for key, known in self._open.items() if known is gathered]:
            del self._open[key]
