"""Messages become questions and commands; failures become one plain sentence.

Translates, nothing else: what is asked goes to the assistant, what is said to the delivery.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Protocol

from telegram import Bot, Message, Update, User
from telegram.error import Forbidden

from bot.assistant import Answer, Assistant
from bot.lanes import Lanes
from bot.telegram import addressing
from bot.telegram.addressing import Request
from bot.telegram.asking import Asking
from bot.telegram.customs import Customs
from bot.telegram.delivery import Delivery
from bot.telegram.downloads import photo_file
from bot.telegram.errors import sentence_of
from bot.telegram.gathering import Gathered, Gathering
from bot.telegram.subjects import Subjects, is_foreign
from bot.telegram.target import Target, target_of


class WithBot(Protocol):
    """The part of the library's context that messages need."""

    @property
    def bot(self) -> Bot:
        """The bot itself; it knows its own name once it is connected."""


class WithError(Protocol):
    """The part of the library's context that failures need."""

    @property
    def error(self) -> Exception | None:
        """What was raised."""


class Handlers:
    """What happens with a message."""

    def __init__(
        self,
        assistant: Assistant,
        delivery: Delivery,
        gathering: Gathering,
        subjects: Subjects,
        *,
        customs: Customs,
    ) -> None:
        self._asking = Asking(assistant, delivery)
        self._customs = customs
        self._assistant = assistant
        self._delivery = delivery
        self._gathering = gathering
        self._subjects = subjects
        self._order = Lanes()
        self._coming: set[Gathered] = set()
        self._commands: dict[str, Callable[[Message], Awaitable[None]]] = {
            "start": self._start,
            "help": self._help,
            "stop": self._stop,
            "cancel": self._stop,
        }

    def add(self, commands: Mapping[str, Callable[[Message], Awaitable[None]]]) -> None:
        """Let somebody else answer these commands."""
        self._commands |= commands

    async def on_message(self, update: Update, context: WithBot) -> None:
        """Every new message, of whatever kind."""
        message = update.message
        if message is None:
            return
        me = context.bot.bot
        request = await self._customs.read([message], me)
        command = self._commands.get(request.command) if request else None
        if command is not None and message.media_group_id is None:
            await command(message)
            return
        gathered = self._gathering.add(message)
        if gathered is None:
            # Until then only we know of it: its update is not struck out.
            await self._gathering.settled(message)
            return
        self._coming.add(gathered)
        try:
            await self._ask(gathered, me)
        finally:
            gathered.settled.set()
            self._coming.discard(gathered)

    async def on_error(self, update: object, context: WithError) -> None:
        """Whatever was not foreseen, and whatever is best said in one sentence."""
        error = context.error
        message = update.effective_message if isinstance(update, Update) else None
        if error is None or isinstance(error, Forbidden):
            return
        if message is None:
            sentence_of(error)
            return
        await self._delivery.apologise(target_of(message), error, self._delivery.words(message))

    async def _ask(self, gathered: Gathered, me: User) -> None:
        first = gathered.messages[0]
        typing = self._delivery.typing(target_of(first))
        async with AsyncExitStack() as stack:
            # Photos take longer to come than words, and still the order is the sender's.
            with self._order.enter(addressing.conversation_of(first)) as place:
                if is_private := addressing.is_private(first):
                    await stack.enter_async_context(typing)
                await place.first()
                messages = await self._gather(gathered, stack)
                request = await self._customs.read(messages, me)
                if request is None:
                    return
                if not is_private:
                    await stack.enter_async_context(typing)
                answer = await self._begin(messages, request, gathered)
            if answer is not None:
                await self._delivery.show(answer, place_of(messages, request))

    async def _gather(self, gathered: Gathered, stack: AsyncExitStack) -> list[Message]:
        """All messages of a set; a photo is looked at while it waits for its words."""
        head = gathered.messages[0]
        if gathered.complete.is_set() or head.media_group_id is not None:
            return await self._gathering.finish(gathered)
        stack.callback(self._subjects.let_go, head)
        looking = asyncio.ensure_future(self._look_at(head))
        try:
            return await self._gathering.finish(gathered)
        finally:
            looking.cancel()

    async def _look_at(self, message: Message) -> None:
        photo = await self._subjects.early(message)
        if photo is not None and photo.data is not None:
            await self._assistant.expect(addressing.conversation_of(message), photo.data)

    async def _begin(
        self, messages: Sequence[Message], request: Request, gathered: Gathered
    ) -> Answer | None:
        head = messages[0]
        if request.command in ("new", "reset"):
            await self._assistant.reset(addressing.conversation_of(head))
            await self._delivery.say(target_of(head), self._delivery.words(head).new)
            return None
        if request.command not in ("", *addressing.PHOTO_COMMANDS):
            if addressing.is_private(head):
                sentence = self._delivery.words(head).unknown_command
                await self._delivery.say(target_of(head), sentence)
            return None
        photos = await self._subjects.photos(messages)
        if not photos and (reason := self._no_question(messages, request)):
            await self._delivery.say(target_of(head), reason)
            return None
        if gathered.is_stopped:
            return None
        answer = await self._asking.put(messages, request, photos)
        if answer is not None and gathered.is_stopped:
            answer.stop()
        self._coming.discard(gathered)
        gathered.settled.set()
        return answer

    def _no_question(self, messages: Sequence[Message], request: Request) -> str:
        words = self._delivery.words(messages[0])
        if any(is_foreign(message) for message in messages):
            return words.unsupported
        replied = addressing.replied_to(messages[0])
        if replied is not None and is_foreign(replied):
            return words.unsupported
        if request.text or request.command == "ocr":
            return ""
        return words.ask_how if request.command else words.ocr_how

    async def _start(self, message: Message) -> None:
        await self._explain(message, self._delivery.words(message).hello)

    async def _help(self, message: Message) -> None:
        await self._explain(message, self._delivery.words(message).help)

    async def _explain(self, message: Message, in_private: str) -> None:
        sees_all = message.get_bot().bot.can_read_all_group_messages
        in_group = self._delivery.words(message).group_help(sees_all=bool(sees_all))
        sentence = in_private if addressing.is_private(message) else in_group
        await self._delivery.say(target_of(message), sentence)

    async def _stop(self, message: Message) -> None:
        conversation = addressing.conversation_of(message)
        coming = [one for one in self._coming if one.sender == conversation]
        for gathered in coming:
            gathered.stop()
        is_running = self._assistant.running.stop(conversation)
        if coming or not is_running:
            words = self._delivery.words(message)
            sentence = words.stopped if coming else words.nothing_to_stop
            await self._delivery.say(target_of(message), sentence)


def place_of(messages: Sequence[Message], request: Request) -> Target:
    """Below the photo that was read, so that its text stands with it; else below the words."""
    head, replied = messages[0], addressing.replied_to(messages[0])
    is_about_reply = request.command == "ocr" and replied is not None and photo_file(replied)
    return target_of(head, reply_to=replied if is_about_reply else None)
