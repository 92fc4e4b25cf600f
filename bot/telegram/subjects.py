"""Which photos messages bring with them: their own, or that of the message they reply to.

Knows files and downloads; a photo that cannot be had is named, the others are used.
"""

import asyncio
from collections.abc import Sequence

from telegram import Message

from bot import texts
from bot.assistant import Photo
from bot.telegram import addressing
from bot.telegram.delivery import Delivery
from bot.telegram.downloads import Downloads, PhotoFile, is_named_photo, photo_file
from bot.telegram.errors import NotAPhoto, TelegramFailure, sentence_of
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
            sentence = texts.photo_missing(number, sentence_of(failure))
            await self._delivery.say(target_of(messages[0]), sentence)
        return photos

    async def _fetch(self, file: PhotoFile | TelegramFailure) -> Photo | TelegramFailure:
        if isinstance(file, TelegramFailure):
            return file
        try:
            return Photo(await self._downloads.fetch(file), source=file.file_id)
        except TelegramFailure as failure:
            return failure
