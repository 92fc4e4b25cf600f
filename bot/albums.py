"""The photos of a turn with their numbers: loaded, fetched again where their bytes are gone.

Knows the store and the platform's way to give a photo again; no engine.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.questions import PhotoNotFetched
from storage import PhotoGone, PhotoStore, Turn

FetchPhoto = Callable[[str], Awaitable[bytes]]


@dataclass(frozen=True, slots=True)
class Loaded:
    """One photo of a turn, 1 is the first; or why there is none."""

    number: int
    photo: bytes | PhotoGone

    def data(self) -> bytes:
        """The bytes; raises PhotoGone."""
        if isinstance(self.photo, PhotoGone):
            raise self.photo
        return self.photo


async def no_fetching(source: str) -> bytes:
    """For platforms that cannot give a photo again."""
    raise PhotoNotFetched(source)


class Albums:
    """Gives the photos of turns."""

    def __init__(self, photos: PhotoStore) -> None:
        self.fetch_photo: FetchPhoto = no_fetching
        self._photos = photos

    async def load(self, turn: Turn) -> list[Loaded]:
        """All photos of a turn; raises PhotoGone if none of them is left."""
        loaded = [
            Loaded(number, await self._find(photo_id))
            for number, photo_id in enumerate(turn.photo_ids, start=1)
        ]
        gone = [one.photo for one in loaded if isinstance(one.photo, PhotoGone)]
        if gone and len(gone) == len(loaded):
            raise gone[0]
        return loaded

    async def _find(self, photo_id: str) -> bytes | PhotoGone:
        try:
            return await self._photos.load(photo_id)
        except PhotoGone as gone:
            return await self._fetch(gone) if gone.source else gone

    async def _fetch(self, gone: PhotoGone) -> bytes | PhotoGone:
        try:
            data = await self.fetch_photo(gone.source)
        except (PhotoNotFetched, OSError):
            return gone
        await self._photos.save(data, source=gone.source)
        return data
