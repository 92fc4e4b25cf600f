"""The photos of a turn with their numbers: loaded, fetched again where their bytes are gone.

Knows the store and the platform's way to give a photo again; no engine.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.questions import PhotoNotFetched
from storage import PhotoGone, PhotoStore, Turn

FetchPhoto = Callable[[str], Awaitable[bytes]]
Missing = PhotoGone | PhotoNotFetched


@dataclass(frozen=True, slots=True)
class Loaded:
    """One photo of a turn, 1 is the first; or why there is none."""

    number: int
    photo: bytes | Missing

    def data(self) -> bytes:
        """The bytes; raises PhotoGone, PhotoNotFetched."""
        if isinstance(self.photo, bytes):
            return self.photo
        raise self.photo


async def no_fetching(source: str) -> bytes:
    """For platforms that cannot give a photo again."""
    raise PhotoNotFetched(is_gone=True)


class Albums:
    """Gives the photos of turns."""

    def __init__(self, photos: PhotoStore) -> None:
        self.fetch_photo: FetchPhoto = no_fetching
        self._photos = photos

    async def load(self, turn: Turn) -> list[Loaded]:
        """All photos of a turn; raises PhotoGone or PhotoNotFetched if none of them can be had."""
        loaded = [
            Loaded(number, await self._find(photo_id))
            for number, photo_id in enumerate(turn.photo_ids, start=1)
        ]
        missing = [one.photo for one in loaded if not isinstance(one.photo, bytes)]
        if missing and len(missing) == len(loaded):
            # If one of them may still come, it is worth another try.
            raise next((one for one in missing if isinstance(one, PhotoNotFetched)), missing[0])
        return loaded

    async def _find(self, photo_id: str) -> bytes | Missing:
        try:
            return await self._photos.load(photo_id)
        except PhotoGone as gone:
            return await self._fetch(gone) if gone.source else gone

    async def _fetch(self, gone: PhotoGone) -> bytes | Missing:
        try:
            data = await self.fetch_photo(gone.source)
        except PhotoNotFetched as error:
            return gone if error.is_gone else error
        photo_id = await self._photos.save(data, source=gone.source)
        await self._photos.rename(gone.photo_id, photo_id)
        return data
