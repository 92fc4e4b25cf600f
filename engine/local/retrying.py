"""A second try with smaller pictures, for a request that the memory was not enough for."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace

from engine.chat import Delta, Message
from engine.errors import OutOfMemory

Answer = Callable[[Sequence[Message]], AsyncIterator[Delta]]


async def with_one_retry(
    answer: Answer, messages: Sequence[Message], image_tokens: int
) -> AsyncIterator[Delta]:
    """An answer; once more with half the image tokens, as long as nothing of it was told."""
    has_told = False
    try:
        async for delta in answer(messages):
            has_told = has_told or bool(delta.text)
            yield delta
        return
    except (OutOfMemory, MemoryError) as error:
        if has_told or not any(message.images for message in messages):
            raise OutOfMemory from error
    try:
        async for delta in answer(_halved(messages, image_tokens)):
            yield delta
    except MemoryError as error:
        raise OutOfMemory from error


def _halved(messages: Sequence[Message], image_tokens: int) -> list[Message]:
    def smaller(message: Message) -> Message:
        images = tuple(
            replace(image, max_tokens=max((image.max_tokens or image_tokens) // 2, 4))
            for image in message.images
        )
        return replace(message, images=images)

    return [smaller(message) for message in messages]
