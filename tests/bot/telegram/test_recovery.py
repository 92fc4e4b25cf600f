"""After a restart: what is young is answered, what was answered is shown, the rest is excused."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.access import AccessPolicy
from bot.choices import Setting
from bot.telegram import TelegramConfig, TelegramPlatform
from bot.telegram.customs import Customs
from bot.telegram.flight import InFlight
from bot.telegram.inbox import Inbox
from bot.telegram.outbox import Outbox
from bot.telegram.recovery import LATE_S, MAX_TRIES, Recovery
from bot.texts import ENGLISH
from storage import NewTurn, Turn, TurnStatus, Update, UpdateStore
from tests.bot.conftest import Hall
from tests.bot.telegram.clockwork import HandClock
from tests.bot.telegram.messages import command_in, message_json, person
from tests.bot.telegram.offline import API_URL, TOKEN, RecordingRequest

LATE = LATE_S + 1
ANSWER = "0 shown, 1 said: What? #5"


class Return:
    """A bot that starts after another one was killed."""

    def __init__(self, hall: Hall, clock: HandClock, calls: RecordingRequest) -> None:
        self.hall = hall
        self.clock = clock
        self.calls = calls
        self.in_flight = InFlight()
        config = TelegramConfig(TOKEN, API_URL, text_wait_s=0.0)
        self.platform = TelegramPlatform(config, clock=clock, calling=calls)
        self.application = self.platform.application
        self._next = 1

    @property
    def inbox(self) -> Inbox:
        return Inbox(self.hall.updates, self.application.bot, self.in_flight)

    async def leave(self, *, age_s: float = 0.0, **content: Any) -> None:
        """An update that was taken in and not finished."""
        left_at = self.clock.wall_s() - age_s
        store = UpdateStore(self.hall.database, max_age_s=1e9, clock=lambda: left_at)
        raw = {"update_id": self._next, **content}
        await store.take_in(self.inbox.source, [Update(self._next, json.dumps(raw))])
        self._next += 1

    async def leave_question(
        self, message_id: int = 1, chat_id: int = 7, *, age_s: float = 0.0, **fields: Any
    ) -> None:
        message = message_json(message_id, chat_id, **{"text": "What?", **fields})
        await self.leave(age_s=age_s, message=message)

    async def open_turn(self, *refs: str, shown_in: tuple[int, ...] = ()) -> Turn:
        """A turn as it stood when the process was killed."""
        new = NewTurn("telegram:7/0/7", "7", "ask", "What?", seed=5, message_refs=refs)
        turn = await self.hall.history.open_turn(new)
        for message_id in shown_in:
            await self.hall.assistant.link(turn.turn_id, f"telegram:7:{message_id}")
        return turn

    async def start(self, access: AccessPolicy | None = None) -> None:
        """Take over, and let everything come to its end."""
        access = access or AccessPolicy(open_to_all=True)
        recovery = self.recovery(access)
        await recovery.take_over(self.inbox)
        await self.end()

    def recovery(self, access: AccessPolicy) -> Recovery:
        delivery = self.platform.connect(self.hall.assistant, access)
        handle = self.application.process_update
        clock = self.clock
        customs = Customs(self.hall.assistant.choices, Outbox(clock))
        return Recovery(
            self.hall.assistant, delivery, access, customs=customs, clock=clock, handle=handle
        )

    async def end(self) -> None:
        while self.in_flight.is_busy:
            await self.in_flight.rest(0.01)
            await self.clock.advance(1.0)

    async def left(self) -> int:
        return len(await self.inbox.left())

    def sent(self) -> list[tuple[str, int]]:
        """What was sent, and below which message."""
        return [
            (call.params["text"], call.params["reply_parameters"]["message_id"])
            for call in self.calls.named("sendMessage")
        ]

    def edited(self) -> list[tuple[int, str]]:
        """The last text of each message that was edited."""
        edits = self.calls.named("editMessageText")
        return list({call.params["message_id"]: call.params["text"] for call in edits}.items())


@pytest.fixture
async def back(hall: Hall, clock: HandClock, request_: RecordingRequest) -> AsyncIterator[Return]:
    back = Return(hall, clock, request_)
    await back.application.initialize()
    request_.calls.clear()
    yield back
    await back.in_flight.land(0.0)
    await back.application.shutdown()


async def test_update_that_nobody_looked_at_is_answered(back: Return) -> None:
    await back.leave_question()
    await back.start()
    ((text, below),) = back.sent()
    assert text.startswith("0 shown, 1 said: What?")
    assert (below, await back.left()) == (1, 0)


async def test_open_turn_is_answered_below_its_question(back: Return) -> None:
    turn = await back.open_turn("telegram:7:1")
    await back.leave_question()
    await back.start()
    ((text, below),) = back.sent()
    assert (text.split("\n")[0], below) == (ANSWER, 1)
    assert (await back.hall.history.turn(turn.turn_id)).status is TurnStatus.ANSWERED
    await back.start()
    assert len(back.sent()) == len(back.hall.engine.requests) == 1


async def test_placeholder_becomes_the_answer(back: Return) -> None:
    await back.open_turn("telegram:7:1", shown_in=(50,))
    await back.leave_question()
    await back.start()
    ((message_id, text),) = back.edited()
    assert (message_id, text.split("\n")[0], back.sent()) == (50, ANSWER, [])


async def test_parts_that_are_too_many_go(back: Return) -> None:
    await back.open_turn("telegram:7:1", shown_in=(51, 50))
    await back.leave_question()
    await back.start()
    assert [message_id for message_id, _ in back.edited()] == [50]
    assert [call.params["message_id"] for call in back.calls.named("deleteMessage")] == [51]


async def test_answer_that_was_written_is_only_shown(back: Return) -> None:
    turn = await back.open_turn("telegram:7:1", shown_in=(50,))
    await back.hall.history.close_turn(turn.turn_id, status=TurnStatus.ANSWERED, answer="A cat.")
    await back.leave_question(age_s=LATE)
    await back.start()
    ((message_id, text),) = back.edited()
    assert (message_id, text.split("\n")[0]) == (50, "A cat.")
    assert back.hall.engine.requests == []


@pytest.mark.parametrize("is_open", [True, False], ids=["open", "answered"])
async def test_message_that_was_sent_but_not_noted_is_found(back: Return, is_open: bool) -> None:
    turn = await back.open_turn("telegram:7:1")
    other = await back.open_turn("telegram:7:2", shown_in=(3,))
    back.calls.sent[3] = ANSWER
    if not is_open:
        for one in (turn, other):
            await back.hall.history.close_turn(
                one.turn_id, status=TurnStatus.ANSWERED, answer=ANSWER
            )
    await back.leave_question(1)
    await back.leave_question(2)
    back.calls.sent[4] = ANSWER
    await back.start()
    assert back.sent() == []
    assert dict(back.edited()).keys() == {3, 4}
    assert await back.hall.assistant.history.answer_refs(turn.turn_id) == ("telegram:7:4",)


async def test_album_is_answered_once(back: Return) -> None:
    await back.open_turn("telegram:7:1", "telegram:7:2")
    await back.leave_question(1)
    await back.leave_question(2)
    await back.start()
    assert len(back.sent()) == len(back.hall.engine.requests) == 1
    assert await back.left() == 0


async def test_late_questions_get_one_note_for_each_chat(back: Return) -> None:
    for message_id, chat_id in ((1, 7), (2, 7), (3, 8)):
        await back.leave_question(message_id, chat_id, age_s=LATE)
    await back.start()
    assert back.sent() == [(ENGLISH.away, 1), (ENGLISH.away, 3)]
    assert (back.hall.engine.requests, await back.left()) == ([], 0)


async def test_late_placeholder_offers_another_try(back: Return) -> None:
    turn = await back.open_turn("telegram:7:1", shown_in=(50,))
    await back.leave_question(age_s=LATE)
    await back.start()
    assert (back.edited(), back.sent()) == ([(50, ENGLISH.interrupted)], [])
    assert back.calls.last_buttons() == [ENGLISH.button_retry]
    assert (await back.hall.history.turn(turn.turn_id)).status is TurnStatus.FAILED


async def test_late_turns_without_placeholder_get_one_note(back: Return) -> None:
    for message_id in (1, 2):
        await back.open_turn(f"telegram:7:{message_id}")
        await back.leave_question(message_id, age_s=LATE)
    await back.start()
    assert back.sent() == [(ENGLISH.away, 1)]
    assert await back.hall.history.open_turns() == ()


async def test_what_ends_the_process_again_and_again_is_given_up(back: Return) -> None:
    await back.open_turn("telegram:7:1", shown_in=(50,))
    await back.leave_question()
    for _ in range(MAX_TRIES - 1):
        await back.left()
    await back.start()
    assert back.edited() == [(50, ENGLISH.interrupted)]
    assert (back.hall.engine.requests, await back.left()) == ([], 0)


@pytest.mark.parametrize(
    "fields",
    [
        {"chat_id": -100},
        {"from": person(7) | {"is_bot": True}},
    ],
    ids=["not-addressed", "other-bot"],
)
async def test_what_is_not_for_us_is_not_excused(back: Return, fields: dict[str, Any]) -> None:
    await back.leave_question(age_s=LATE, **fields)
    await back.start()
    assert (back.calls.calls, await back.left()) == ([], 0)


async def test_strangers_are_not_excused(back: Return) -> None:
    await back.leave_question(age_s=LATE)
    await back.start(AccessPolicy(admin_ids=[8]))
    assert back.calls.calls == []


async def test_who_may_not_ask_in_a_group_is_not_excused(back: Return) -> None:
    await back.hall.assistant.choices.choose(-100, Setting.WHO, "admins")
    text, channel = "/ocr", {"id": -300, "type": "channel", "title": "News"}
    fields = {"text": text, "entities": command_in(text), "sender_chat": channel}
    await back.leave_question(1, -100, age_s=LATE, **fields)
    await back.start()
    assert back.sent() == []


async def test_command_in_a_group_is_excused(back: Return) -> None:
    text = "/ask What?"
    await back.leave_question(1, -100, age_s=LATE, text=text, entities=command_in(text))
    await back.start()
    assert back.sent() == [(ENGLISH.away, 1)]


def press(data: str, *, below: int = 50) -> dict[str, Any]:
    asked = message_json(1, text="What?")
    message = message_json(below, reply_to_message=asked, text="old")
    return {"id": "99", "from": person(7), "chat_instance": "1", "data": data, "message": message}


async def test_press_goes_on_below_the_question(back: Return) -> None:
    turn = await back.open_turn("telegram:press:99")
    await back.leave(callback_query=press(f"again:{turn.turn_id}"))
    await back.start()
    ((text, below),) = back.sent()
    assert (text.split("\n")[0], below) == (ANSWER, 1)


async def test_retry_goes_on_in_its_message(back: Return) -> None:
    turn = await back.open_turn("telegram:press:99")
    await back.leave(callback_query=press(f"retry:{turn.turn_id}"))
    await back.start()
    ((message_id, text),) = back.edited()
    assert (message_id, text.split("\n")[0], back.sent()) == (50, ANSWER, [])


async def test_late_press_is_passed_over(back: Return) -> None:
    await back.leave(age_s=LATE, callback_query=press("again:1"))
    await back.start()
    assert (back.calls.calls, await back.left()) == ([], 0)


async def test_turn_that_nobody_asks_about_is_closed(back: Return) -> None:
    turn = await back.open_turn("telegram:7:1")
    await back.start()
    assert (await back.hall.history.turn(turn.turn_id)).status is TurnStatus.FAILED
    assert back.calls.calls == []


@pytest.mark.parametrize(("age_s", "answered"), [(LATE_S - 1, True), (LATE, False)])
async def test_message_that_waited_at_telegram_is_judged_by_its_date(
    back: Return, age_s: float, answered: bool
) -> None:
    await back.clock.advance(age_s)
    recovery = back.recovery(AccessPolicy(open_to_all=True))
    raw = {"update_id": 1, "message": message_json(1, text="What?")}
    await back.inbox.take_in([raw], recovery.welcome)
    await back.end()
    ((text, _),) = back.sent()
    assert (text != ENGLISH.away) is answered
