"""The typing sign: renewed while it is wanted, silent when Telegram does not want it."""

import asyncio
from typing import Any

from telegram import Bot

from bot.telegram.formatting import Part
from bot.telegram.outbox import Outbox
from bot.telegram.pages import Page
from bot.telegram.presence import MAX_RENEWALS, typing
from bot.telegram.strays import Strays
from bot.telegram.target import Target
from bot.telegram.writer import ChatWriter
from tests.bot.telegram.clockwork import HandClock, settle
from tests.bot.telegram.offline import TOKEN, RecordingRequest, Refusal
from tests.bot.telegram.stage import GROUP, PRIVATE


def writer(bot: Bot, clock: HandClock, target: Target = PRIVATE) -> ChatWriter:
    return ChatWriter(bot, target, Outbox(clock), Strays(bot))


async def test_sign_is_renewed_until_the_end(
    bot: Bot, request_: RecordingRequest, clock: HandClock
) -> None:
    async with typing(writer(bot, clock, GROUP), clock):
        await clock.advance(9.0)
    await clock.advance(60.0)
    signs = request_.named("sendChatAction")
    assert [call.at for call in signs] == [0.0, 4.0, 8.0]
    assert signs[0].params == {"chat_id": -100, "action": "typing", "message_thread_id": 3}


async def test_sign_ends_by_itself(bot: Bot, request_: RecordingRequest, clock: HandClock) -> None:
    async with typing(writer(bot, clock), clock):
        await clock.advance(4.0 * MAX_RENEWALS * 2)
        assert len(request_.named("sendChatAction")) == MAX_RENEWALS


async def test_flood_makes_the_sign_wait(
    bot: Bot, request_: RecordingRequest, clock: HandClock
) -> None:
    flood = Refusal(429, "Too Many Requests: retry after 30", {"retry_after": 30})
    request_.faults["sendChatAction"] = [flood]
    async with typing(writer(bot, clock), clock):
        await clock.advance(33.0)
        assert [call.at for call in request_.named("sendChatAction")] == [0.0, 32.0]


async def test_refused_sign_is_given_up(
    bot: Bot, request_: RecordingRequest, clock: HandClock
) -> None:
    request_.faults["sendChatAction"] = [Refusal(400, "Bad Request: wrong parameter action")]
    async with typing(writer(bot, clock), clock):
        await clock.advance(30.0)
        assert len(request_.named("sendChatAction")) == 1


async def test_cancelled_work_ends_the_sign(
    bot: Bot, request_: RecordingRequest, clock: HandClock
) -> None:
    async def work() -> None:
        async with typing(writer(bot, clock), clock):
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    await clock.advance(1.0)
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()
    await clock.advance(30.0)
    assert len(request_.named("sendChatAction")) == 1


class SlowSigns(RecordingRequest):
    """Answers to a sign only when it is let."""

    def __init__(self, clock: HandClock) -> None:
        super().__init__(clock)
        self.let = asyncio.Event()
        self.arrived: list[str] = []

    async def do_request(self, url: str, *args: Any, **fields: Any) -> tuple[int, bytes]:
        answer = await super().do_request(url, *args, **fields)
        if url.endswith("sendChatAction"):
            await self.let.wait()
        self.arrived.append(url.rpartition("/")[2])
        return answer


async def test_last_words_come_after_the_sign(clock: HandClock) -> None:
    request = SlowSigns(clock)
    pen = writer(Bot(TOKEN, request=request, get_updates_request=request), clock)
    async with typing(pen, clock):
        await settle()
        saying = asyncio.create_task(pen.say(Page(Part("done"))))
        await clock.advance(0.5)
        assert request.named("sendMessage") == []
        request.let.set()
        await saying
    await clock.advance(60.0)
    assert request.arrived == ["sendChatAction", "sendMessage"]


async def test_sign_that_is_called_off_holds_up_nothing(clock: HandClock) -> None:
    request = SlowSigns(clock)
    pen = writer(Bot(TOKEN, request=request, get_updates_request=request), clock)
    async with typing(pen, clock):
        await settle()
    await pen.say(Page(Part("done")))
    assert request.arrived == ["sendMessage"]
