"""Shows what there is of an answer so far: as a draft where that may be, else in its messages.

Knows that a draft fades and never stays; the end of an answer is none of its business.
"""

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from telegram.error import BadRequest

from bot.telegram.clock import Clock
from bot.telegram.lane import Rank
from bot.telegram.pages import Page
from bot.telegram.stack import PageStack
from bot.telegram.writer import ChatWriter

FADES_S = 20.0  # Telegram shows a draft for half a minute

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class DraftPolicy:
    """Whether drafts are wanted, and the chats that turned out not to take them."""

    are_wanted: bool = False
    refused: set[int] = field(default_factory=set)

    def allows(self, chat_id: int) -> bool:
        """Groups have negative numbers, and no drafts."""
        return self.are_wanted and chat_id > 0 and chat_id not in self.refused


class Previews:
    """The previews of one answer; `number` tells its draft from others."""

    def __init__(
        self,
        writer: ChatWriter,
        stack: PageStack,
        policy: DraftPolicy,
        *,
        number: int,
        clock: Clock,
    ) -> None:
        self._writer = writer
        self._stack = stack
        self._policy = policy
        self._number = number
        self._clock = clock
        self._drafted: Sequence[Page] = ()
        self._drafted_at = -math.inf

    def shown_until(self, pages: Sequence[Page]) -> float:
        """Until when there is nothing to do."""
        if not self._may_draft(pages):
            return math.inf if self._stack.shows(pages) else -math.inf
        return self._drafted_at + FADES_S if self._drafted == pages else -math.inf

    async def show(self, render: Callable[[], Sequence[Page]]) -> None:
        """Show this, as new as it can be; raises what Telegram says, and MessageGone."""
        if not self._may_draft(render()) or not await self._draft(render):
            await self._stack.preview(render)

    def _may_draft(self, pages: Sequence[Page]) -> bool:
        # A message that is sent wipes the draft away: from then on there are messages only.
        is_first = len(pages) == 1 and not self._stack
        return is_first and self._policy.allows(self._writer.target.chat_id)

    async def _draft(self, render: Callable[[], Sequence[Page]]) -> bool:
        async def show(chat_id: int) -> None:
            pages = render()
            await self._writer.draft(chat_id, self._number, pages[0])
            self._drafted, self._drafted_at = pages, self._clock.time()

        try:
            await self._writer.post(show, Rank.PREVIEW)
        except BadRequest:
            logger.info("A chat takes no drafts")
            self._policy.refused.add(self._writer.target.chat_id)
            return False
        return True
