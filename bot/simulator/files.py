"""FileStore: the bytes of everything that was sent, as files in one folder, and their names.

Knows no chats. All reading, writing and decoding happens in threads.
"""

import asyncio
import base64
import binascii
import hashlib
import mimetypes
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.simulator.media import Media, MediaKind, StoredFile
from bot.simulator.photos import (
    STANDARD_SIDE,
    Rendition,
    dimensions,
    renditions,
    thumbnail,
)
from bot.simulator.refusal import Refusal, bad_request

MAX_DOWNLOAD_BYTES = 20 * 2**20
MAX_UPLOAD_BYTES = 50 * 2**20
LINK_LIFETIME_S = 3600.0
_MARK = {
    "photos": "AgAC",
    "thumbnails": "AAMC",
    "documents": "BQAC",
    "stickers": "CAAC",
    "animations": "CgAC",
    "videos": "BAAC",
    "video_notes": "DQAC",
    "voices": "AwAC",
    "audios": "CQAC",
}
_TYPES = {"voice": "audio/ogg", "audio": "audio/mpeg", "sticker": "video/webm"}


@dataclass(frozen=True, slots=True)
class Clip:
    """Something that moves or sounds, as it was sent, and a still of it where there is one."""

    kind: MediaKind
    data: bytes = field(repr=False)
    name: str = ""
    still: bytes = field(default=b"", repr=False)


class FileStore:
    """Files by number; the bot sees ids made from its own number and that one."""

    def __init__(self, folder: Path, bot_id: int, clock: Callable[[], float]) -> None:
        self._folder = folder
        self._bot_id = bot_id
        self._clock = clock
        self._files: dict[int, StoredFile] = {}
        self._media: dict[int, Media] = {}
        self._links: dict[str, tuple[float, StoredFile]] = {}
        self._next_key = 1

    def know(self, media: Media) -> None:
        """Takes in the files of a message, sent now or before a restart."""
        for file in media.all_files:
            self._files[file.key] = file
            self._media[file.key] = media
            self._next_key = max(self._next_key, file.key + 1)

    async def photo(self, data: bytes, *, largest_side: int = STANDARD_SIDE) -> Media:
        sizes = await asyncio.to_thread(renditions, data, largest_side=largest_side)
        files = [await self._save_rendition(size, "photos") for size in sizes]
        return self._known(Media("photo", tuple(files)))

    async def document(self, data: bytes, name: str, mime_type: str = "") -> Media:
        if not data:
            raise bad_request("File must be non-empty")
        name = _plain_name(name)
        mime_type = mime_type or mimetypes.guess_type(name)[0] or "application/octet-stream"
        preview = await asyncio.to_thread(thumbnail, data)
        small = await self._save_rendition(preview, "thumbnails") if preview else None
        suffix = Path(name).suffix.lower()[:8]
        file = await self._save(data, "documents", suffix, mime_type=mime_type)
        return self._known(Media("document", (file,), small, file_name=name))

    async def sticker(self, data: bytes, emoji: str = "") -> Media:
        size = await asyncio.to_thread(dimensions, data)
        if not size[0]:
            raise bad_request("IMAGE_PROCESS_FAILED")
        file = await self._save(data, "stickers", ".webp", mime_type="image/webp", size=size)
        return self._known(Media("sticker", (file,), emoji=emoji))

    async def clip(self, clip: Clip) -> Media:
        """Nothing of it is looked at but the still, which makes the preview."""
        if clip.kind == "live_photo":
            photo = await self.photo(clip.still)
            moving = await self._save(clip.data, "videos", ".mp4", mime_type="video/mp4")
            return self._known(replace(photo, kind=clip.kind, clip=moving))
        preview = await asyncio.to_thread(thumbnail, clip.still)
        small = await self._save_rendition(preview, "thumbnails") if preview else None
        size = (small.width, small.height) if small else (320, 240)
        name = _plain_name(clip.name)
        mime_type = _TYPES.get(clip.kind) or mimetypes.guess_type(name)[0] or "video/mp4"
        suffix = Path(name).suffix.lower()[:8]
        file = await self._save(clip.data, f"{clip.kind}s", suffix, mime_type=mime_type, size=size)
        moves = clip.kind == "sticker"
        return self._known(Media(clip.kind, (file,), small, file_name=name, moves=moves))

    async def read(self, file: StoredFile) -> bytes:
        try:
            return await asyncio.to_thread((self._folder / str(file.key)).read_bytes)
        except FileNotFoundError as error:
            raise Refusal(404) from error

    def media_of(self, file: StoredFile) -> Media:
        return self._media[file.key]

    def file_id(self, file: StoredFile) -> str:
        plain = f"{self._bot_id}/{file.key}/{file.digest[:12]}".encode()
        code = base64.urlsafe_b64encode(plain).decode().rstrip("=")
        return _MARK[file.path.partition("/")[0]] + code

    def by_file_id(self, file_id: str) -> StoredFile:
        if not file_id:
            raise bad_request("File_id not specified")
        try:
            padded = file_id[4:] + "=" * (-len(file_id[4:]) % 4)
            owner, key, digest = base64.urlsafe_b64decode(padded).decode().split("/")
        except (ValueError, binascii.Error) as error:
            raise bad_request("Invalid file_id") from error
        file = self._files.get(int(key)) if key.isdigit() else None
        if file is None or owner != str(self._bot_id) or file.digest[:12] != digest:
            raise bad_request("Wrong file_id or the file is temporarily unavailable")
        return file

    def open_link(self, file: StoredFile) -> str:
        """The download path of a file, good for an hour from now."""
        if file.num_bytes > MAX_DOWNLOAD_BYTES:
            raise bad_request("File is too big")
        self._links[file.path] = (self._clock() + LINK_LIFETIME_S, file)
        return file.path

    def by_link(self, path: str) -> StoredFile:
        until, file = self._links.get(path, (0.0, None))
        if file is None or until < self._clock():
            raise Refusal(404)
        return file

    async def _save_rendition(self, size: Rendition, kind: str) -> StoredFile:
        area = (size.width, size.height)
        return await self._save(size.data, kind, ".jpg", mime_type="image/jpeg", size=area)

    async def _save(
        self,
        data: bytes,
        kind: str,
        suffix: str,
        *,
        mime_type: str,
        size: tuple[int, int] = (0, 0),
    ) -> StoredFile:
        key = self._next_key
        self._next_key += 1
        digest = await asyncio.to_thread(_write, self._folder / str(key), data)
        path = f"{kind}/file_{key}{suffix}"
        return StoredFile(key, path, digest, len(data), mime_type, *size)

    def _known(self, media: Media) -> Media:
        self.know(media)
        return media


def _write(path: Path, data: bytes) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".part")
    draft.write_bytes(data)
    os.replace(draft, path)
    return hashlib.sha256(data).hexdigest()


def _plain_name(name: str) -> str:
    return name.replace("\\", "/").rpartition("/")[2][:64] or "file"
