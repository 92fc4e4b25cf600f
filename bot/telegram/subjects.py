"""Which photos messages bring with them: their own, or that of the message they reply to.

Knows files and downloads; a photo that cannot be had is named, the others are used.
"""

import asyncio
from collections.abc import Sequence

from telegram import Message

from bot.assistant import Photo
from bot.telegram import addressing
from bot.telegram.delivery import Delivery
from bot.telegram.downloads import Downloads, PhotoFile, is_named_photo, photo_file
from bot.telegram.errors import FileNotFetched, NotAPhoto, TelegramFailure, sentence_of
from bot.telegram.target import target_of


def is_foreign(message: Message) -> bool:
    """Whether a message brings something that is not for us: a voice, a video, a place."""
    return message.effective_attachment is not None and photo_file(message) is None


def files_of(messages: Sequence[Message]) -> list[PhotoFile | TelegramFailure]:
    """The files that a question is about, in order."""
    bearers = [message for message in messages if message.effective_attachment is not None]
    files: list[PhotoFile | TelegramFailure] = []
    for message in bearers:
        file = photo_file(message)
        # Alone a file may turn out to be a photo whatever it is called; among others it is not.
        is_photo = file is not None and (len(bearers) == 1 or is_named_photo(message))
        if file is not None and is_photo:
            files.append(file)
        elif len(bearers) > 1:
            files.append(NotAPhoto())
    return files or _replied(messages[0])


def _replied(message: Message) -> list[PhotoFile | TelegramFailure]:
    source = addressing.replied_to(message) or message.external_reply
    file = photo_file(source) if source is not None else None
    return [file] if file is not None else []


class Subjects:
    """Fetches what a question is about."""

    def __init__(self, downloads: Downloads, delivery: Delivery) -> None:
        self._downloads = downloads
        self._delivery = delivery
        self._early: dict[str, asyncio.Task[Photo | TelegramFailure]] = {}

    async def early(self, message: Message) -> Photo | None:
        """The photo of a message that may not be whole yet; it is fetched once."""
        file = photo_file(message)
        if file is None:
            return None
        if file.file_id not in self._early:
            self._early[file.file_id] = asyncio.ensure_future(self._try(file))
        fetched = await asyncio.shield(self._early[file.file_id])
        return fetched if isinstance(fetched, Photo) else None

    def let_go(self, message: Message) -> None:
        """Keep nothing of what was fetched early."""
        file = photo_file(message)
        if file is not None and (task := self._early.pop(file.file_id, None)):
            task.cancel()

    async def photos(self, messages: Sequence[Message]) -> tuple[Photo, ...]:
        """The photos in question; raises the first failure if none of them could be had."""
        results = await asyncio.gather(*(self._fetch(file) for file in files_of(messages)))
        photos = tuple(result for result in results if isinstance(result, Photo))
        failures = [
            (number, result)
            for number, result in enumerate(results, start=1)
            if isinstance(result, TelegramFailure)
        ]
        if failures and not photos:
            raise failures[0][1]
        for number, failure in failures:
            words = self._delivery.words(messages[0])
            sentence = words.photo_missing(number, sentence_of(failure, words))
            await self._delivery.say(target_of(messages[0]), sentence)
        return photos

    async def _fetch(self, file: PhotoFile | TelegramFailure) -> Photo | TelegramFailure:
        if isinstance(file, TelegramFailure):
            return file
        early = self._early.pop(file.file_id, None)
        return await (self._try(file) if early is None else early)

    async def _try(self, file: PhotoFile) -> Photo | TelegramFailure:
        try:
            return Photo(await self._downloads.fetch(file), source=file.file_id)
        except FileNotFetched as failure:
            # It may come later: the question is written down, and asking again fetches again.
            return failure if failure.gone else Photo(None, source=file.file_id)
        except TelegramFailure as failure:
            return failure
