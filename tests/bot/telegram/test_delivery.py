"""What goes out as a whole: lost chats, the end of the process, failures that cannot be told."""

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from telegram import Bot

from bot import texts
from bot.answers import Answer
from bot.telegram.delivery import Delivery
from bot.telegram.outbox import Outbox
from bot.telegram.target import Target
from bot.texts import ENGLISH
from engine import Delta, QueueFull
from storage import TurnStatus
from tests.bot.conftest import Hall
from tests.bot.telegram.clockwork import HandClock, settle
from tests.bot.telegram.offline import RecordingRequest, Refusal
from tests.bot.telegram.stage import GROUP, PRIVATE, turn

BLOCKED = Refusal(403, "Forbidden: bot was kicked from the supergroup chat")


class Street:
    """A delivery, and answers that go on until they are stopped."""

    def __init__(self, delivery: Delivery) -> None:
        self.delivery = delivery
        self.tasks: list[asyncio.Task[None]] = []

    def show(self, turn_id: int, target: Target) -> Answer:
        answer = Answer(replace(turn(), turn_id=turn_id))
        answer.begin(self._write(answer), done=lambda: None)
        self.tasks.append(asyncio.create_task(self.delivery.show(answer, target)))
        return answer

    async def _write(self, answer: Answer) -> None:
        answer.push(Delta(f"Answer {answer.turn_id}"))
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            answer.seal(TurnStatus.STOPPED)


async def link(turn_id: int, message_ref: str) -> None:
    """No database: its thread keeps its own time."""


@pytest.fixture
async def street(
    bot: Bot, hall: Hall, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Street]:
    monkeypatch.setattr(hall.assistant, "link", link)
    street = Street(Delivery(bot, hall.assistant, Outbox(clock), clock))
    yield street
    for task in street.tasks:
        task.cancel()
    await asyncio.gather(*street.tasks, return_exceptions=True)


async def test_lost_chat_stops_all_its_answers(
    street: Street, request_: RecordingRequest, clock: HandClock
) -> None:
    here, also_here = street.show(1, GROUP), street.show(2, replace(GROUP, reply_to=9))
    elsewhere = street.show(3, PRIVATE)
    request_.faults["sendMessage"] = [BLOCKED]
    await clock.advance(2.0)
    assert (here.status, also_here.status) == (TurnStatus.STOPPED, TurnStatus.STOPPED)
    assert elsewhere.status is TurnStatus.OPEN
    assert sum(call.params["chat_id"] == -100 for call in request_.named("sendMessage")) == 1


async def test_closing_stops_and_says_so_at_once(
    street: Street, request_: RecordingRequest, clock: HandClock
) -> None:
    answers = [street.show(number, replace(GROUP, reply_to=number)) for number in range(5, 11)]
    await clock.advance(0.5)
    street.delivery.close()
    answers.append(street.show(11, GROUP))
    await clock.advance(1.0)
    assert all(answer.status is TurnStatus.STOPPED for answer in answers)
    assert all(task.done() for task in street.tasks)
    last = list(request_.sent.values())
    assert len(last) == 7
    assert all(text.endswith(ENGLISH.stopped) for text in last)


async def test_failure_is_told_below_the_question(
    street: Street, request_: RecordingRequest
) -> None:
    await street.delivery.apologise(PRIVATE, QueueFull(3))
    (call,) = request_.named("sendMessage")
    assert call.params["text"] == texts.sentence_for(QueueFull(3))
    assert call.params["reply_parameters"]["message_id"] == PRIVATE.reply_to


async def test_failure_that_cannot_be_told_is_in_the_log(
    street: Street, request_: RecordingRequest, caplog: pytest.LogCaptureFixture
) -> None:
    request_.faults["sendMessage"] = [BLOCKED]
    with caplog.at_level(logging.WARNING):
        await street.delivery.apologise(PRIVATE, QueueFull(3))
    assert "A failure could not be told: Forbidden" in caplog.messages


async def test_known_messages_are_not_taken_for_lost_ones(
    street: Street, request_: RecordingRequest, clock: HandClock
) -> None:
    request_.sent = {6: "another answer"}
    request_.last_id = 6
    street.delivery.know(PRIVATE.chat_id, 6)
    answer = Answer(turn())
    answer.begin(street._write(answer), done=lambda: None)
    showing = street.delivery.show_again(answer, PRIVATE, into=(), after=5)
    street.tasks.append(asyncio.create_task(showing))
    await settle()
    await clock.advance(1.0)
    assert request_.sent == {6: "another answer", 7: "Answer 1"}
