"""What becomes of updates that had to wait: answered, shown again, or too late for an answer.

Knows when it is too late and who is told so; how questions are answered is not its business.
"""

from telegram import Message, Update

from bot.access import AccessPolicy
from bot.assistant import Answer, Assistant
from bot.telegram import addressing, keyboards
from bot.telegram.clock import Clock
from bot.telegram.customs import Customs
from bot.telegram.delivery import Delivery
from bot.telegram.handlers import place_of
from bot.telegram.inbox import Handle, Inbox
from bot.telegram.target import Target, target_of
from storage import LeftUpdate, Turn, TurnStatus

LATE_S = 600.0
MAX_TRIES = 3
MAX_REMEMBERED = 10_000


class Recovery:
    """Goes on where an earlier process ended."""

    def __init__(
        self,
        assistant: Assistant,
        delivery: Delivery,
        access: AccessPolicy,
        *,
        customs: Customs,
        clock: Clock,
        handle: Handle,
    ) -> None:
        self._assistant = assistant
        self._delivery = delivery
        self._access = access
        self._customs = customs
        self._clock = clock
        self._handle = handle
        self._told_at: dict[int, float] = {}

    async def take_over(self, inbox: Inbox) -> None:
        """Begin with what an earlier process left, and close the turns that nobody asks about."""
        resumed: set[int] = set()
        begun: list[tuple[Update, Handle]] = []
        for left in await inbox.left():
            update = await inbox.read(left.update)
            if update is not None:
                begun.append((update, await self._work(update, left, resumed)))
        await self._assistant.close_open()
        if resumed:
            await self._know_messages(min(resumed))
        for update, handle in begun:
            inbox.begin(update, handle)

    async def _work(self, update: Update, left: LeftUpdate, resumed: set[int]) -> Handle:
        """What is to be done about an update; `resumed` are the turns that others are about."""
        if (sender := update.effective_user) is not None:
            self._assistant.languages.meet(sender.id, sender.language_code or "")
        turn, is_late = await self._turn_of(update), self._is_late(left)
        if turn is None:
            return self._excuse if is_late else self._handle
        if turn.turn_id in resumed:
            return _nothing  # several messages asked the same
        resumed.add(turn.turn_id)
        return self._showing(await self._answer(turn, is_late=is_late), is_late=is_late)

    async def _know_messages(self, turn_id: int) -> None:
        # What was sent without our writing it down stands out among these.
        for ref in await self._assistant.history.refs_since(turn_id):
            if (numbers := addressing.numbers_of(ref)) is not None:
                self._delivery.know(*numbers)

    async def welcome(self, update: Update) -> None:
        """Handle an update that may have waited at Telegram's for long."""
        message = update.message
        is_late = message is not None and self._age_s(message.date.timestamp()) > LATE_S
        await (self._excuse(update) if is_late else self._handle(update))

    async def _turn_of(self, update: Update) -> Turn | None:
        ref = addressing.ref_of(update)
        return await self._assistant.history.turn_of(ref) if ref else None

    def _is_late(self, left: LeftUpdate) -> bool:
        # What ended three processes will end a fourth one.
        return self._age_s(left.taken_at) > LATE_S or left.num_tries > MAX_TRIES

    def _age_s(self, moment: float) -> float:
        return self._clock.wall_s() - moment

    async def _answer(self, turn: Turn, *, is_late: bool) -> Answer:
        # Begun here, one after the other, so that the order stays that of the questions.
        if is_late:
            return await self._assistant.give_up(turn.turn_id)
        return await self._assistant.resume(turn.turn_id)

    def _showing(self, answer: Answer, *, is_late: bool) -> Handle:
        async def show(update: Update) -> None:
            place = _place(update)
            if place is None:
                return
            refs = await self._assistant.history.answer_refs(answer.turn_id)
            into = place.message_ids(refs) or _rewritten(update)
            if is_late and not into and answer.status is TurnStatus.FAILED:
                await self._excuse(update)
                return
            after = _below(update)
            await self._delivery.show_again(answer, place, into=into, after=after)

        return show

    async def _excuse(self, update: Update) -> None:
        """Say once in each chat that it is too late."""
        message = update.message
        if message is None or not await self._is_for_us(message):
            return
        if self._is_news(message.chat.id):
            await self._delivery.say(target_of(message), self._delivery.words(message).away)

    async def _is_for_us(self, message: Message) -> bool:
        sender = message.from_user
        if sender is not None and sender.is_bot and message.sender_chat is None:
            return False
        if await self._customs.read([message], message.get_bot().bot) is None:
            return False
        return self._access.is_allowed(addressing.asker_of(message), message.chat.id)

    def _is_news(self, chat_id: int) -> bool:
        now = self._clock.wall_s()
        if now - self._told_at.get(chat_id, -LATE_S) < LATE_S:
            return False
        if len(self._told_at) >= MAX_REMEMBERED:
            self._told_at.clear()
        self._told_at[chat_id] = now
        return True


async def _nothing(update: Update) -> None:
    return


def _place(update: Update) -> Target | None:
    """Where the answer to an update is shown."""
    query = update.callback_query
    if query is not None:
        below = query.message
        if not isinstance(below, Message):
            return None
        return target_of(below, reply_to=below.reply_to_message)
    message = update.message
    if message is None:
        return None
    request = addressing.read([message], message.get_bot().bot)
    return target_of(message) if request is None else place_of([message], request)


def _below(update: Update) -> int:
    """The message after which the answer to an update was sent, if it was."""
    query = update.callback_query
    message = query.message if query is not None else update.message
    return message.message_id if message is not None else 0


def _rewritten(update: Update) -> tuple[int, ...]:
    """The message that a press asked to be written anew."""
    query = update.callback_query
    pressed = keyboards.parse(query.data) if query is not None else None
    if query is None or query.message is None or pressed is None:
        return ()
    return (query.message.message_id,) if pressed.press is keyboards.Press.RETRY else ()
