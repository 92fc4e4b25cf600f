"""Deletes what is kept of a person: turns, photos, and what the engine remembers of them.

Knows where things are kept, not who asks for it and whether they meant it.
"""

from bot.writing import session_ids
from engine import Engine
from storage import History, PhotoStore


class Forgetting:
    """Everything of one person, in all their conversations."""

    def __init__(self, engine: Engine, history: History, photos: PhotoStore) -> None:
        self._engine = engine
        self._history = history
        self._photos = photos

    async def forget(self, asker: str) -> None:
        """Once nothing of this person is being answered any more."""
        left = await self._history.forget(asker)
        await self._photos.forget(left.photo_ids)
        for conversation in left.conversations:
            for session_id in session_ids(conversation):
                await self._engine.forget(session_id)
