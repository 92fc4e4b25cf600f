"""A line of turns as the messages that a model reads: the photos in question, and what was said.

Knows no storage and no engine at work; the same turns always give the same messages.
"""

from collections.abc import Sequence

from bot.questions import Task
from bot.texts import earlier_photos
from engine import Image, Message
from storage import Turn, TurnStatus


def said(branch: Sequence[Turn]) -> list[Turn]:
    """The turns that the last one can build on, and the last one itself.

    A failed turn said nothing, and neither did one that was stopped before its first word.
    """
    ended = (TurnStatus.ANSWERED, TurnStatus.STOPPED)
    return [turn for turn in branch[:-1] if turn.status in ended and turn.answer] + [branch[-1]]


def bringing(branch: Sequence[Turn]) -> Turn:
    """The first turn that is about the photos of the last one."""
    photo_ids = branch[-1].photo_ids
    return next(turn for turn in said(branch) if turn.photo_ids == photo_ids)


def messages_of(branch: Sequence[Turn], images: tuple[Image, ...], model_id: str) -> list[Message]:
    """The messages of a branch; `images` are the photos of its last turn."""
    photo_ids, bearer = branch[-1].photo_ids, bringing(branch)
    messages: list[Message] = []
    before: tuple[str, ...] = ()
    for turn in said(branch):
        text = turn.question
        if turn.photo_ids not in (before, photo_ids, ()):
            text = f"{earlier_photos(len(turn.photo_ids))}\n{text}"
        before = turn.photo_ids
        messages.append(Message("user", text, images if turn is bearer else ()))
        if turn is not branch[-1]:
            ids = turn.answer_ids if turn.model_id == model_id else ()
            messages.append(Message("assistant", turn.answer, token_ids=ids))
    return messages


def image_tokens(branch: Sequence[Turn], *, asking: int, reading: int) -> int:
    """How many tokens each photo of the last turn may cost.

    A photo keeps what it had when a model first saw it, or nothing kept of it would fit any more.
    The photos of one set share it.
    """
    total = reading if bringing(branch).task == Task.READ_BY_MODEL else asking
    return max(total // max(len(branch[-1].photo_ids), 1), min(total, 64))
