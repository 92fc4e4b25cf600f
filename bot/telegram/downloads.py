"""The photo of a message, and its bytes.

Knows where Telegram keeps files; what a file really is, its bytes decide elsewhere.
"""

import logging
from dataclasses import dataclass

from telegram import Bot, Document, ExternalReplyInfo, Message, PhotoSize, Sticker
from telegram.error import BadRequest, InvalidToken, NetworkError, RetryAfter

from bot.questions import PhotoNotFetched
from bot.telegram.clock import Clock
from bot.telegram.errors import FileNotFetched, FileTooBig, wait_s
from bot.telegram.outbox import Outbox

LIMIT_BYTES = 20 * 1024 * 1024
PAUSES_S = (1.0, 3.0)
READ_TIMEOUT_S = 60.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PhotoFile:
    """Where a photo lies: Telegram's file id, and its size if it says so."""

    file_id: str
    num_bytes: int | None


def photo_file(message: Message | ExternalReplyInfo) -> PhotoFile | None:
    """The best file of a message that may hold a photo."""
    if message.photo:
        return _file(max(message.photo, key=lambda size: size.width * size.height))
    sticker = message.sticker
    if sticker and not sticker.is_animated and not sticker.is_video:
        return _file(sticker)
    if message.document and not message.animation and _may_be_photo(message.document):
        return _file(message.document)
    return None


def is_named_photo(message: Message) -> bool:
    """Whether the sender's side calls it a picture; else only its bytes can say so."""
    kind = (message.document.mime_type or "") if message.document else "image/"
    return kind.startswith("image/")


class Downloads:
    """Fetches files of Telegram by their id, with a few tries."""

    def __init__(self, bot: Bot, outbox: Outbox, clock: Clock) -> None:
        self._bot = bot
        self._outbox = outbox
        self._clock = clock

    async def fetch_again(self, file_id: str) -> bytes:
        """The bytes of a photo that was seen before; raises PhotoNotFetched."""
        try:
            return await self.fetch(PhotoFile(file_id, None))
        except FileTooBig as error:
            raise PhotoNotFetched(is_gone=True) from error
        except FileNotFetched as error:
            raise PhotoNotFetched(is_gone=error.gone) from error

    async def fetch(self, file: PhotoFile) -> bytes:
        """The bytes of a file; raises FileTooBig or FileNotFetched."""
        if file.num_bytes is not None and file.num_bytes > LIMIT_BYTES:
            raise FileTooBig(LIMIT_BYTES)
        for pause_s in (*PAUSES_S, None):
            try:
                return await self._fetch_once(file.file_id)
            except BadRequest as error:
                if "too big" in error.message.lower():
                    raise FileTooBig(LIMIT_BYTES) from None
                raise FileNotFetched(gone=True) from None
            except (NetworkError, RetryAfter, InvalidToken) as error:
                # A link that has expired is reported as an invalid token: ask for a new one.
                logger.warning("A download failed: %s", type(error).__name__)
                if pause_s is None:
                    break
                await self._clock.sleep(wait_s(error) if isinstance(error, RetryAfter) else pause_s)
        raise FileNotFetched(gone=False)

    async def _fetch_once(self, file_id: str) -> bytes:
        file = await self._outbox.ask(lambda: self._bot.get_file(file_id))
        path = file.file_path or ""
        # The library leaves out the address when a file of that name lies in our own folder.
        url = path if "://" in path else f"{self._bot.base_file_url}/{path}"
        data = await self._bot.request.retrieve(url, read_timeout=READ_TIMEOUT_S)
        if file.file_size and len(data) < file.file_size:
            raise NetworkError("the file broke off")
        return data


def _file(media: PhotoSize | Document | Sticker) -> PhotoFile:
    return PhotoFile(media.file_id, media.file_size)


def _may_be_photo(document: Document) -> bool:
    kind = document.mime_type or ""
    return not kind.startswith(("video/", "audio/", "text/"))
