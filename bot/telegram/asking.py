"""Puts what messages ask to the assistant; a photo without words is taken as its sender wants it.

Knows how messages become a question; when they are whole is decided before.
"""

from collections.abc import Sequence
from dataclasses import replace

from telegram import Message

from bot.assistant import Answer, Assistant, Photo, Question, Task
from bot.choices import Setting
from bot.telegram import addressing, keyboards
from bot.telegram.addressing import Request
from bot.telegram.delivery import Delivery
from bot.telegram.target import target_of


class Asking:
    """The last step before an answer."""

    def __init__(self, assistant: Assistant, delivery: Delivery) -> None:
        self._assistant = assistant
        self._delivery = delivery

    async def put(
        self, messages: Sequence[Message], request: Request, photos: tuple[Photo, ...]
    ) -> Answer | None:
        """Begin the answer; None if there is only a photo, and its question is to come."""
        question = _question(messages, request, photos)
        head = messages[0]
        if request.text or request.command or not addressing.is_private(head):
            return await self._assistant.ask(question)
        match self._assistant.choices.value(question.asker, Setting.PHOTO):
            case "read":
                return await self._assistant.ask(replace(question, task=Task.READ))
            case "describe":
                return await self._assistant.ask(question)
            case wish:
                turn = await self._assistant.note(question)
                if wish == "ask":
                    words = self._delivery.words(head)
                    keyboard = keyboards.after_photo(turn.turn_id, words)
                    await self._delivery.say(target_of(head), words.photo_question, keyboard)
                return None


def _question(messages: Sequence[Message], request: Request, photos: tuple[Photo, ...]) -> Question:
    head = messages[0]
    replied = addressing.replied_to(head)
    refs = [addressing.message_ref(message) for message in messages]
    return Question(
        conversation=addressing.conversation_of(head),
        asker=str(addressing.asker_of(head)),
        task=Task.READ if request.command == "ocr" else Task.ASK,
        text=request.text,
        photos=photos,
        message_ref=refs[0],
        reply_to=addressing.message_ref(replied) if replied else None,
        language=(head.from_user.language_code or "") if head.from_user else "",
        other_refs=tuple(refs[1:]),
    )
