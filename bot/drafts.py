"""What a new turn is about: its photos, the turn it follows, and the words that the model reads.

Knows the history, but begins nothing.
"""

import random
from dataclasses import replace

from bot import texts
from bot.questions import AlbumUnusable, NoPhoto, Photo, Question, Task
from bot.quota import Quota
from bot.texts import Wording
from engine import ImageRejected
from storage import History, NewTurn, PhotoStore, Turn, TurnStatus

USELESS_PHOTOS = {ImageRejected.__name__, AlbumUnusable.__name__}


def random_seed() -> int:
    """A seed that no other answer has."""
    return random.getrandbits(31)


def refs_of(*message_refs: str) -> tuple[str, ...]:
    """The messages that there are."""
    return tuple(message_ref for message_ref in message_refs if message_ref)


class Drafts:
    """Turns about to be opened."""

    def __init__(
        self, history: History, photos: PhotoStore, quota: Quota, *, read_by_model: bool
    ) -> None:
        self._quota = quota
        self._history = history
        self._photos = photos
        self._read_by_model = read_by_model

    async def of_question(self, question: Question) -> NewTurn:
        """The turn of a question, its photos saved.

        Raises NoPhoto if there is nothing to read, and QuotaExceeded.
        """
        await self._quota.check(question.asker, len(question.photos))
        photo_ids = tuple([await self._kept(photo) for photo in question.photos])
        parent = await self._parent(question, photo_ids)
        draft = NewTurn(
            conversation=question.conversation,
            asker=question.asker,
            task=question.task,
            question=question.text.strip(),
            photo_ids=photo_ids or (parent.photo_ids if parent else ()),
            parent_id=parent.turn_id if parent else None,
            message_refs=refs_of(question.message_ref, *question.other_refs),
        )
        if question.task is not Task.ASK:
            return self._to_read(draft, language=question.language)
        if not draft.question and draft.photo_ids:
            text = texts.describe_prompt(is_chinese=_is_chinese(question.language))
            return replace(draft, question=text, seed=random_seed())
        return replace(draft, seed=random_seed())

    def again(self, turn: Turn) -> NewTurn:
        """The same question once more, beside the first."""
        return NewTurn(
            conversation=turn.conversation,
            asker=turn.asker,
            task=turn.task,
            question=turn.question,
            photo_ids=turn.photo_ids,
            parent_id=turn.parent_id,
            seed=random_seed(),
        )

    def of_reading(self, turn: Turn, *, by_model: bool) -> NewTurn:
        """The photos of a turn to be read, after it; raises NoPhoto."""
        task = Task.READ_BY_MODEL if by_model else Task.READ
        draft = replace(self.again(turn), task=task, parent_id=turn.turn_id)
        return self._to_read(draft, language="")

    def of_edit(self, turn: Turn, question: str) -> NewTurn:
        """The question that a turn was changed to, beside it."""
        return replace(self.again(turn), question=question)

    def of_translation(self, turn: Turn, words: Wording) -> NewTurn:
        """The answer of a turn to be said in another language, after it."""
        question = words.translate_prompt
        return replace(self.again(turn), task=Task.ASK, parent_id=turn.turn_id, question=question)

    async def _kept(self, photo: Photo) -> str:
        if photo.data is None:
            return await self._photos.expect(photo.source)
        return await self._photos.save(photo.data, source=photo.source)

    def _to_read(self, draft: NewTurn, *, language: str) -> NewTurn:
        if not draft.photo_ids:
            raise NoPhoto
        # What is written beside the command tells the language; the prompt is always ours.
        is_chinese = texts.is_chinese(draft.question) or (
            not draft.question and _is_chinese(language)
        )
        task = Task.READ_BY_MODEL if self._read_by_model else Task(draft.task)
        return replace(draft, task=task, question=texts.read_prompt(is_chinese=is_chinese))

    async def _parent(self, question: Question, photo_ids: tuple[str, ...]) -> Turn | None:
        replied = None
        if question.reply_to is not None:
            replied = await self._history.turn_of(question.reply_to)
        if not photo_ids:
            return replied or await self._newest(question.conversation)
        # New photos begin alone, or the answer would mix them with the earlier ones; a reply
        # says that they belong together. Nobody's photos join the talk of somebody else.
        if replied is not None and replied.conversation == question.conversation:
            return replied
        if question.reply_to is None:
            return None
        return await self._history.newest_about(question.conversation, photo_ids)

    async def _newest(self, conversation: str) -> Turn | None:
        # The photo of a failed answer is still the newest one, unless it cannot be opened.
        newest = await self._history.newest(conversation, with_failed=True)
        if newest is None or newest.status is not TurnStatus.FAILED:
            return newest
        if newest.photo_ids and newest.error not in USELESS_PHOTOS:
            return newest
        return await self._history.newest(conversation)


def _is_chinese(language: str) -> bool:
    return language.lower().startswith("zh")
