"""The messages that one answer fills, and what each of them shows now.

Knows nothing of time: one step changes one message, and decides which when it is made.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from bot.telegram.lane import Rank
from bot.telegram.pages import Page
from bot.telegram.writer import ChatWriter


class MessageGone(Exception):
    """A message of ours was deleted while we wrote into it."""


@dataclass(slots=True)
class _Leaf:
    """A message, and what it shows if we know it."""

    message_id: int
    page: Page | None = None


class PageStack:
    """Brings messages to the state that is wanted; `on_sent` hears chat and number of new ones."""

    def __init__(self, writer: ChatWriter, on_sent: Callable[[int, int], Awaitable[None]]) -> None:
        self._writer = writer
        self._on_sent = on_sent
        self._leaves: list[_Leaf] = []

    def __len__(self) -> int:
        return len(self._leaves)

    def take_over(self, message_ids: Sequence[int]) -> None:
        """Write into messages that are already there; one that is not needed is deleted."""
        self._leaves = [_Leaf(message_id) for message_id in message_ids]

    def shows(self, pages: Sequence[Page]) -> bool:
        """Whether there is nothing to do."""
        return [leaf.page for leaf in self._leaves] == list(pages)

    async def preview(self, render: Callable[[], Sequence[Page]]) -> None:
        """Show what there is, as new as it can be; raises what Telegram says, and MessageGone."""
        await self._show(render, Rank.PREVIEW)

    async def settle(self, pages: Sequence[Page]) -> None:
        """Show this for good; a message that cannot be written into is sent anew."""
        await self._show(lambda: pages, Rank.FINAL)

    async def _show(self, render: Callable[[], Sequence[Page]], rank: Rank) -> None:
        async def step(chat_id: int) -> bool:
            pages = render()
            await self._change_one(chat_id, pages, rank)
            return self.shows(pages)

        # A message of ours may be on its way right now: only when a step is made, it is known.
        while not await self._writer.post(step, rank):
            pass

    async def _change_one(self, chat_id: int, pages: Sequence[Page], rank: Rank) -> None:
        for index, page in enumerate(pages):
            if index == len(self._leaves):
                self._leaves.append(await self._sent(chat_id, page, index))
                return
            leaf = self._leaves[index]
            if leaf.page != page:
                if await self._writer.edit(chat_id, leaf.message_id, page):
                    leaf.page = page
                elif rank is Rank.PREVIEW:
                    raise MessageGone
                else:
                    self._leaves[index] = await self._sent(chat_id, page, index)
                    self._leaves.append(leaf)  # one too many, to be deleted at the end
                return
        if len(self._leaves) > len(pages):
            await self._writer.delete(chat_id, self._leaves[-1].message_id)
            self._leaves.pop()

    async def _sent(self, chat_id: int, page: Page, index: int) -> _Leaf:
        sent = await self._writer.send(chat_id, page, is_reply=not index)
        await self._on_sent(chat_id, sent.message_id)
        return _Leaf(sent.message_id, None if sent.was_lost else page)
