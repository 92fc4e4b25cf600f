"""The messages that one answer fills, and what each of them shows now.

Knows nothing of time; a preview is tried once, the end is brought about.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from telegram import InlineKeyboardMarkup

from bot.telegram.formatting import Part
from bot.telegram.writer import ChatWriter


class MessageGone(Exception):
    """A message of ours was deleted while we wrote into it."""


@dataclass(frozen=True, slots=True)
class Page:
    """What one message is to show."""

    part: Part
    keyboard: InlineKeyboardMarkup | None = None


class PageStack:
    """Brings messages to the state that is wanted; `on_sent` hears the number of each new one."""

    def __init__(self, writer: ChatWriter, on_sent: Callable[[int], Awaitable[None]]) -> None:
        self._writer = writer
        self._on_sent = on_sent
        self._message_ids: list[int] = []
        self._pages: list[Page] = []

    def __len__(self) -> int:
        return len(self._pages)

    def take_over(self, message_ids: Sequence[int]) -> None:
        """Write into messages that are already there; one that is not needed is deleted."""
        self._message_ids = list(message_ids)
        self._pages = [Page(Part("")) for _ in message_ids]

    def shows(self, pages: list[Page]) -> bool:
        """Whether there is nothing to do."""
        return self._pages == pages

    async def preview(self, pages: list[Page]) -> None:
        """One try for each message; raises what Telegram says, and MessageGone."""
        for index, page in enumerate(pages):
            if index == len(self._pages):
                await self._add(
                    await self._writer.try_send(*_shown(page), is_reply=not index), page
                )
            elif self._pages[index] != page:
                if not await self._writer.try_edit(self._message_ids[index], *_shown(page)):
                    raise MessageGone
                self._pages[index] = page

    async def settle(self, pages: list[Page]) -> None:
        """Show this for good; a message that is gone is sent anew, one too many is deleted."""
        for index, page in enumerate(pages):
            if index == len(self._pages):
                message_id = await self._writer.send(*_shown(page), is_reply=not index)
                await self._add(message_id, page)
            elif self._pages[index] != page:
                await self._replace(index, page)
        for message_id in self._message_ids[len(pages) :]:
            await self._writer.delete(message_id)
        del self._message_ids[len(pages) :], self._pages[len(pages) :]

    async def _replace(self, index: int, page: Page) -> None:
        if not await self._writer.edit(self._message_ids[index], *_shown(page)):
            self._message_ids[index] = await self._writer.send(*_shown(page), is_reply=not index)
            await self._on_sent(self._message_ids[index])
        self._pages[index] = page

    async def _add(self, message_id: int, page: Page) -> None:
        self._message_ids.append(message_id)
        self._pages.append(page)
        await self._on_sent(message_id)


def _shown(page: Page) -> tuple[Part, InlineKeyboardMarkup | None]:
    return page.part, page.keyboard
