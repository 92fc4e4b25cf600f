"""Deletes what is kept of a person: turns, photos, and what the engine remembers of them.

Knows where things are kept and what people have chosen, not whether they meant it.
"""

from bot.choices import Choices, Setting
from bot.writing import session_ids
from engine import Engine
from storage import History, NewTurn, PhotoStore, Remains, Turn

DAY_S = 24 * 3600.0


class Forgetting:
    """Everything of one person, in all their conversations, or what they do not want kept."""

    def __init__(
        self, engine: Engine, history: History, photos: PhotoStore, choices: Choices
    ) -> None:
        self._engine = engine
        self._history = history
        self._photos = photos
        self._choices = choices

    async def forget(self, asker: str) -> None:
        """Once nothing of this person is being answered any more."""
        await self._drop(await self._history.forget(asker))
        await self._choices.forget(asker)

    async def open(self, new: NewTurn) -> Turn:
        """Open a turn; where no history is wanted, what was asked before is gone then."""
        turn = await self._history.open_turn(new)
        if self._choices.value(turn.asker, Setting.HISTORY) == "off":
            left = await self._history.forget_ended(turn.asker, before_turn=turn.turn_id)
            await self._drop(left, still=turn.conversation)
        return turn

    async def reset(self, conversation: str) -> None:
        """Begin a conversation anew."""
        await self._history.reset(conversation)
        await self._forget_sessions(conversation)

    async def expire(self) -> None:
        """Delete what is older than its asker wants it kept."""
        for asker in self._choices.owners(Setting.DAYS):
            days = self._choices.value(asker, Setting.DAYS)
            if days != "all":
                left = await self._history.forget_ended(asker, age_s=int(days) * DAY_S)
                await self._drop(left)

    async def _drop(self, left: Remains, *, still: str = "") -> None:
        await self._photos.forget(left.photo_ids)
        for conversation in left.conversations:
            # Where a talk goes on, what the engine knows of its photo is of use at once.
            if conversation != still:
                await self._forget_sessions(conversation)

    async def _forget_sessions(self, conversation: str) -> None:
        for session_id in session_ids(conversation):
            await self._engine.forget(session_id)
