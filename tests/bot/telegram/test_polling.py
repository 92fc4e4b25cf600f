"""Updates are fetched through every fault, and acknowledged only when they are taken in."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from telegram import Bot
from telegram._utils.types import ODVInput
from telegram.error import NetworkError, TimedOut
from telegram.request import BaseRequest, RequestData

from bot.telegram.errors import PolledElsewhere, TokenRejected
from bot.telegram.polling import CONFLICTS_TO_END, HANG_S, MAX_UPDATES, PAUSES_S, Polling
from storage import DatabaseNotUsable
from tests.bot.telegram.clockwork import HandClock, settle
from tests.bot.telegram.offline import TOKEN, RecordingRequest

Said = tuple[int, bytes] | Exception
FULL = DatabaseNotUsable(Path("darkroom.db"), "database or disk is full")


def found(*numbers: int) -> Said:
    return 200, json.dumps({"ok": True, "result": [{"update_id": one} for one in numbers]}).encode()


def refused(status: int, description: str, **parameters: int) -> Said:
    content = {"ok": False, "error_code": status, "description": description}
    return status, json.dumps(content | {"parameters": parameters}).encode()


CONFLICT = refused(409, "Conflict: terminated by other getUpdates request")
WEBHOOK = refused(409, "Conflict: can't use getUpdates method while webhook is active")


class Server(BaseRequest):
    """Answers one poll after another as it was told; then a poll does not end."""

    def __init__(self) -> None:
        self.answers: list[Said] = []
        self.offsets: list[int] = []
        self.num_renewed = 0

    @property
    def read_timeout(self) -> float:
        return 1.0

    async def initialize(self) -> None:
        self.num_renewed += 1

    async def shutdown(self) -> None:
        return

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: ODVInput[float] = BaseRequest.DEFAULT_NONE,
        write_timeout: ODVInput[float] = BaseRequest.DEFAULT_NONE,
        connect_timeout: ODVInput[float] = BaseRequest.DEFAULT_NONE,
        pool_timeout: ODVInput[float] = BaseRequest.DEFAULT_NONE,
    ) -> tuple[int, bytes]:
        self.offsets.append(int(parse_qs(urlsplit(url).query)["offset"][0]))
        if not self.answers:
            await asyncio.Event().wait()
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


class Fetching:
    """Polls a server, and notes what it hands over."""

    def __init__(self, bot: Bot, server: Server, clock: HandClock) -> None:
        self.polling = Polling(bot, server, clock)
        self.batches: list[tuple[list[object], bool]] = []
        self.refusals: list[Exception] = []
        self.work: asyncio.Task[None] | None = None

    async def begin(self) -> asyncio.Task[None]:
        self.work = asyncio.create_task(self.polling.run(self._take_in))
        await settle()
        return self.work

    async def _take_in(self, updates: list[object], may_be_old: bool) -> None:
        if self.refusals:
            raise self.refusals.pop(0)
        self.batches.append((updates, may_be_old))

    def handed_over(self) -> list[int]:
        return [one["update_id"] for batch, _ in self.batches for one in batch]  # type: ignore[index]


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
async def fetching(bot: Bot, server: Server, clock: HandClock) -> AsyncIterator[Fetching]:
    fetching = Fetching(bot, server, clock)
    yield fetching
    if fetching.work is not None:
        fetching.work.cancel()
        await asyncio.wait([fetching.work])


async def test_offset_follows_what_was_taken_in(fetching: Fetching, server: Server) -> None:
    server.answers = [found(7, 8), found(), found(9)]
    await fetching.begin()
    assert fetching.handed_over() == [7, 8, 9]
    assert server.offsets == [0, 9, 9, 10]


async def test_numbers_that_begin_anew_are_followed(fetching: Fetching, server: Server) -> None:
    server.answers = [found(900), found(3)]
    await fetching.begin()
    assert server.offsets == [0, 901, 4]


async def test_what_cannot_be_written_comes_again(
    fetching: Fetching, server: Server, clock: HandClock, caplog: pytest.LogCaptureFixture
) -> None:
    server.answers = [found(7), found(7), found(7, 8)]
    fetching.refusals = [FULL, FULL]
    with caplog.at_level(logging.INFO):
        await fetching.begin()
        assert server.offsets == [0]
        await clock.advance(PAUSES_S[0])
        await clock.advance(PAUSES_S[1])
    assert fetching.handed_over() == [7, 8]
    assert server.offsets == [0, 0, 0, 9]
    assert caplog.messages == [
        "Messages cannot be fetched, trying again: "
        "DatabaseNotUsable: darkroom.db: database or disk is full",
        "Messages are fetched again",
    ]


async def test_broken_network_is_waited_for(
    fetching: Fetching, server: Server, clock: HandClock, caplog: pytest.LogCaptureFixture
) -> None:
    server.answers = [NetworkError("no route"), *[TimedOut()] * 6, found(7)]
    await fetching.begin()
    for pause_s in (*PAUSES_S, PAUSES_S[-1]):
        assert fetching.handed_over() == []
        await clock.advance(pause_s)
    assert fetching.handed_over() == [7]
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert TOKEN not in caplog.text


async def test_connections_are_taken_anew_after_some_failures(
    fetching: Fetching, server: Server, clock: HandClock
) -> None:
    server.answers = [NetworkError("reset")] * 3
    await fetching.begin()
    await clock.advance(PAUSES_S[0])
    assert server.num_renewed == 0
    await clock.advance(PAUSES_S[1])
    assert server.num_renewed == 1


async def test_poll_that_does_not_end_is_ended(
    fetching: Fetching, server: Server, clock: HandClock
) -> None:
    await fetching.begin()
    await clock.advance(HANG_S - 1)
    assert server.offsets == [0]
    server.answers = [found(7)]
    await clock.advance(1 + PAUSES_S[0])
    assert fetching.handed_over() == [7]
    assert server.num_renewed == 1


async def test_silence_is_measured_since_the_last_poll(
    fetching: Fetching, server: Server, clock: HandClock
) -> None:
    assert fetching.polling.silent_s is None
    server.answers = [found()]
    await fetching.begin()
    await clock.advance(12.0)
    assert fetching.polling.silent_s == 12.0


@pytest.mark.parametrize("status", [401, 404])
async def test_revoked_token_ends_polling(fetching: Fetching, server: Server, status: int) -> None:
    server.answers = [found(), refused(status, "Unauthorized")]
    with pytest.raises(TokenRejected) as caught:
        await (await fetching.begin())
    assert (caught.value.__cause__, caught.value.__context__) == (None, None)


async def test_second_program_ends_polling_after_a_while(
    fetching: Fetching, server: Server, clock: HandClock, caplog: pytest.LogCaptureFixture
) -> None:
    server.answers = [CONFLICT] * CONFLICTS_TO_END
    work = await fetching.begin()
    for pause_s in PAUSES_S[: CONFLICTS_TO_END - 1]:
        assert not work.done()
        await clock.advance(pause_s)
    with pytest.raises(PolledElsewhere):
        await work
    assert [record.levelname for record in caplog.records] == ["ERROR"]


async def test_conflict_with_our_own_last_poll_passes(
    fetching: Fetching, server: Server, clock: HandClock
) -> None:
    few = CONFLICTS_TO_END - 1
    server.answers = [*[CONFLICT] * few, found(7), *[CONFLICT] * few, found(8)]
    await fetching.begin()
    for pause_s in 2 * PAUSES_S[:few]:
        await clock.advance(pause_s)
    assert fetching.handed_over() == [7, 8]


async def test_webhook_is_taken_away(
    fetching: Fetching, server: Server, clock: HandClock, request_: RecordingRequest
) -> None:
    server.answers = [WEBHOOK, found(7)]
    await fetching.begin()
    await clock.advance(PAUSES_S[0])
    dropped = request_.named("deleteWebhook")
    assert [call.params for call in dropped] == 2 * [{"drop_pending_updates": False}]
    assert fetching.handed_over() == [7]


async def test_flood_is_waited_out(fetching: Fetching, server: Server, clock: HandClock) -> None:
    server.answers = [refused(429, "Too Many Requests", retry_after=50), found(7)]
    await fetching.begin()
    await clock.advance(49.0)
    assert fetching.handed_over() == []
    await clock.advance(1.0)
    assert fetching.handed_over() == [7]


@pytest.mark.parametrize(
    "strange",
    [
        (200, b"[]"),
        (200, b"<html>"),
        (200, b'{"ok": true, "result": {"update_id": 1}}'),
        (200, b'{"ok": true, "result": [{"no": "number"}]}'),
        (404, b"[]"),
        (502, b"<html>"),
    ],
    ids=["list", "page", "object", "no-number", "odd-404", "gateway"],
)
async def test_strange_answer_is_no_end(
    fetching: Fetching, server: Server, clock: HandClock, strange: tuple[int, bytes]
) -> None:
    server.answers = [strange, found(7)]
    await fetching.begin()
    assert fetching.handed_over() == []
    await clock.advance(PAUSES_S[0])
    assert fetching.handed_over() == [7]


async def test_what_may_have_waited_is_said(
    fetching: Fetching, server: Server, clock: HandClock
) -> None:
    full = found(*range(MAX_UPDATES))
    server.answers = [full, found(200), found(201), NetworkError("reset"), found(202), found(203)]
    await fetching.begin()
    await clock.advance(PAUSES_S[0])
    assert [may_be_old for _, may_be_old in fetching.batches] == [True, True, False, True, False]
