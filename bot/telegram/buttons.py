"""What the buttons under an answer do, and who may press them.

Knows turns by their number only; the answers they lead to are shown by the delivery.
"""

import logging

from telegram import CallbackQuery, Message, Update
from telegram.error import TelegramError

from bot.assistant import Answer, Assistant
from bot.telegram import addressing
from bot.telegram.delivery import Delivery
from bot.telegram.keyboards import Press, Pressed, parse
from bot.telegram.members import is_admin
from bot.telegram.outbox import Outbox
from bot.telegram.target import target_of
from bot.texts import Wording, sentence_for
from storage import Turn, TurnNotFound

logger = logging.getLogger(__name__)


class Buttons:
    """Stop, Regenerate, Try again, Read text, Read with the model, Translate."""

    def __init__(self, assistant: Assistant, delivery: Delivery, outbox: Outbox) -> None:
        self._assistant = assistant
        self._delivery = delivery
        self._outbox = outbox
        # A finger on a slow network presses twice: one job comes of it.
        self._at_work: set[Pressed] = set()

    async def on_press(self, update: Update, context: object) -> None:
        """A button of ours was pressed; the sign of life comes before the work."""
        query = update.callback_query
        if query is None:
            return
        pressed = parse(query.data)
        refusal = await self._refusal(query, pressed)
        if pressed is None or refusal or not isinstance(query.message, Message):
            await self._answer(query, refusal)
        elif pressed in self._at_work:
            await self._answer(query, self._words(query).at_work)
        else:
            self._at_work.add(pressed)
            try:
                await self._answer(query, "")
                await self._do(pressed, query.message, addressing.press_ref(query))
            finally:
                self._at_work.discard(pressed)

    async def _refusal(self, query: CallbackQuery, pressed: Pressed | None) -> str:
        if pressed is None or not isinstance(query.message, Message):
            return self._words(query).button_too_old
        try:
            turn = await self._assistant.history.turn(pressed.turn_id)
        except TurnNotFound as error:
            return sentence_for(error, self._words(query))
        if addressing.chat_of(turn.conversation) != query.message.chat.id:
            return self._words(query).button_too_old
        may_press = await self._may_press(query, query.message, turn)
        return "" if may_press else self._words(query).not_yours

    def _words(self, query: CallbackQuery) -> Wording:
        return self._assistant.languages.words(query.from_user.id)

    async def _do(self, pressed: Pressed, message: Message, ref: str) -> None:
        if pressed.press is Press.STOP:
            self._assistant.running.stop_turn(pressed.turn_id)
            return
        target = target_of(message, reply_to=message.reply_to_message)
        async with self._delivery.typing(target):
            answer = await self._begin(pressed, ref)
            into: tuple[int, ...] = ()
            if pressed.press in (Press.RETRY, Press.ANSWER_EDITED):
                into = (message.message_id,)
                await self._assistant.link(answer.turn_id, addressing.message_ref(message))
            await self._delivery.show(answer, target, into=into)

    async def _begin(self, pressed: Pressed, ref: str) -> Answer:
        turn_id = pressed.turn_id
        match pressed.press:
            case Press.READ:
                return await self._assistant.read_text(turn_id, message_ref=ref)
            case Press.READ_BY_MODEL:
                return await self._assistant.read_text(turn_id, by_model=True, message_ref=ref)
            case Press.ANSWER_EDITED:
                return await self._assistant.answer_edited(turn_id, message_ref=ref)
            case Press.TRANSLATE:
                return await self._assistant.translate(turn_id, message_ref=ref)
            case _:
                return await self._assistant.regenerate(turn_id, message_ref=ref)

    async def _answer(self, query: CallbackQuery, text: str) -> None:
        try:
            await self._outbox.ask(lambda: query.answer(text or None))
        except TelegramError as error:
            # It is too late for a pop-up, but not for what was asked.
            logger.info("A press was not answered: %s", type(error).__name__)

    async def _may_press(self, query: CallbackQuery, message: Message, turn: Turn) -> bool:
        if turn.asker == str(query.from_user.id):
            return True
        if addressing.is_private(message):
            return False
        return await is_admin(self._outbox, message.chat, query.from_user.id)
