"""Every call through one door: its pace, its rank, and what becomes of it when it fails."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise

import pytest
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
    TimedOut,
)

from bot.telegram.lane import BURST, REST_S, SIGN_S, Rank
from bot.telegram.outbox import LONGEST_WAIT_S, MANY_LANES, NUM_TRIES, Outbox
from bot.telegram.target import Target
from tests.bot.telegram.clockwork import HandClock, settle
from tests.bot.telegram.stage import GROUP, PRIVATE

OTHER = replace(PRIVATE, chat_id=8)


@dataclass
class Wire:
    """Where calls arrive: when, in which chat, and what they say."""

    clock: HandClock
    outbox: Outbox
    calls: list[tuple[float, int, str]] = field(default_factory=list)
    faults: list[Exception] = field(default_factory=list)
    open: asyncio.Event = field(default_factory=asyncio.Event)

    def call(self, name: str) -> Callable[[int], Awaitable[str]]:
        async def arrive(chat_id: int) -> str:
            self.calls.append((round(self.clock.time(), 3), chat_id, name))
            await self.open.wait()
            if self.faults:
                raise self.faults.pop(0)
            return name

        return arrive

    def post(
        self, name: str, target: Target = PRIVATE, rank: Rank = Rank.FINAL
    ) -> asyncio.Task[str]:
        return asyncio.create_task(self.outbox.deliver(target, self.call(name), rank))

    @property
    def names(self) -> list[str]:
        return [name for _, _, name in self.calls]

    def times(self, target: Target) -> list[float]:
        return [at for at, chat_id, _ in self.calls if chat_id == target.chat_id]


@pytest.fixture
def wire(clock: HandClock) -> Wire:
    wire = Wire(clock, Outbox(clock))
    wire.open.set()
    return wire


def flood(seconds: int) -> RetryAfter:
    return RetryAfter(seconds)


async def test_call_gives_its_result(wire: Wire) -> None:
    assert await wire.post("hello") == "hello"
    assert wire.calls == [(0.0, PRIVATE.chat_id, "hello")]


@pytest.mark.parametrize("target", [PRIVATE, GROUP], ids=["private", "group"])
async def test_chat_has_a_burst_and_then_its_pace(wire: Wire, target: Target) -> None:
    posts = [wire.post(str(number), target) for number in range(30)]
    await wire.clock.advance(200.0)
    times = wire.times(target)
    assert times[:BURST] == [0.0] * BURST
    gaps = [later - earlier for earlier, later in pairwise(times[BURST - 1 :])]
    assert min(gaps) == pytest.approx(target.pace_s, abs=0.01)
    assert all(post.done() for post in posts)


def most_within(times: list[float], window_s: float) -> int:
    return max(sum(start <= at < start + window_s for at in times) for start in times)


async def test_limits_of_telegram_are_kept(wire: Wire) -> None:
    for number in range(100):
        for target in (PRIVATE, GROUP):
            wire.post(f"final {number}", target)
            wire.post(f"preview {number}", target, Rank.PREVIEW)
    await wire.clock.advance(90.0)
    assert most_within(wire.times(GROUP), 60.0) <= 20
    assert most_within(wire.times(PRIVATE), 30.0) <= 30
    assert most_within(wire.times(PRIVATE), 3.0) <= 5


@pytest.mark.parametrize("target", [PRIVATE, GROUP], ids=["private", "group"])
async def test_signs_count_as_calls(wire: Wire, target: Target) -> None:
    for number in range(70):
        await wire.outbox.sign(target, wire.call("typing"))
        if number % 5 == 0:
            wire.post("words", target)
        await wire.clock.advance(1.0)
    assert most_within(wire.times(target), 60.0) <= (20 if target is GROUP else 60)
    assert most_within(wire.times(target), 3.0) <= 5
    assert wire.names.count("words") == 14
    assert wire.names.count("typing") >= 3


async def test_whole_bot_keeps_below_thirty_a_second(wire: Wire) -> None:
    for number in range(200):
        wire.post("hello", replace(PRIVATE, chat_id=1000 + number))
    await wire.clock.advance(20.0)
    times = [at for at, _, _ in wire.calls]
    assert len(times) == 200
    assert most_within(times, 1.0) <= 30
    assert times[-1] < 9.0


async def test_previews_keep_their_distance(wire: Wire) -> None:
    for number in range(5):
        wire.post(str(number), rank=Rank.PREVIEW)
    await wire.clock.advance(20.0)
    gaps = [later - earlier for earlier, later in pairwise(wire.times(PRIVATE))]
    assert min(gaps) >= PRIVATE.pace_s - 0.001


async def test_final_text_overtakes_previews(wire: Wire) -> None:
    for number in range(3):
        wire.post(f"preview {number}", rank=Rank.PREVIEW)
    await wire.clock.advance(0.1)
    wire.post("final")
    await wire.clock.advance(0.0)
    assert wire.calls[-1] == (0.1, PRIVATE.chat_id, "final")
    await wire.clock.advance(20.0)
    assert wire.names == ["preview 0", "final", "preview 1", "preview 2"]


async def test_final_text_goes_before_previews_of_other_chats(wire: Wire) -> None:
    for number in range(20):
        wire.post("preview", replace(PRIVATE, chat_id=100 + number), Rank.PREVIEW)
    await settle()
    wire.post("final", OTHER)
    await wire.clock.advance(5.0)
    assert wire.names.index("final") < 8


async def test_preview_leaves_room_for_the_final_text(wire: Wire) -> None:
    for _ in range(BURST):
        wire.post("words")
    wire.post("preview", rank=Rank.PREVIEW)
    await wire.clock.advance(PRIVATE.pace_s + 0.1)
    wire.post("final")
    await wire.clock.advance(0.0)
    assert wire.names == ["words"] * BURST + ["final"]
    await wire.clock.advance(5.0)
    assert wire.names[-1] == "preview"


async def test_calls_of_a_chat_go_one_at_a_time_and_in_order(wire: Wire) -> None:
    wire.open.clear()
    for name in ("first", "second"):
        wire.post(name)
    await wire.clock.advance(10.0)
    assert wire.names == ["first"]
    wire.open.set()
    await wire.clock.advance(10.0)
    assert wire.names == ["first", "second"]


async def test_call_says_what_is_true_when_it_goes(wire: Wire) -> None:
    wire.faults = [flood(20)]
    shown: list[str] = []
    text = ["early"]

    async def edit(chat_id: int) -> None:
        await wire.call("edit")(chat_id)
        shown.append(text[0])

    edited = asyncio.create_task(wire.outbox.deliver(PRIVATE, edit, Rank.PREVIEW))
    for number in range(19):
        text[0] = f"later {number}"
        await wire.clock.advance(1.0)
    await wire.clock.advance(2.0)
    await edited
    assert shown == ["later 18"]
    assert wire.times(PRIVATE) == [0.0, 20.0]


async def test_whoever_leaves_calls_it_off(wire: Wire) -> None:
    wire.open.clear()
    first, second = wire.post("first"), wire.post("second")
    await settle()
    second.cancel()
    wire.open.set()
    await wire.clock.advance(10.0)
    assert wire.names == ["first"]
    assert await first == "first"


async def test_call_on_its_way_is_not_broken_off(wire: Wire) -> None:
    wire.open.clear()
    arrived: list[str] = []

    async def send(chat_id: int) -> None:
        arrived.append(await wire.call("send")(chat_id))

    sending = asyncio.create_task(wire.outbox.deliver(PRIVATE, send, Rank.FINAL))
    await settle()
    sending.cancel()
    await settle()
    wire.open.set()
    await settle()
    assert arrived == ["send"]


async def test_flood_holds_up_its_chat_only(wire: Wire) -> None:
    wire.faults = [flood(9)]
    wire.post("here")
    await settle()
    wire.post("there", OTHER)
    await wire.clock.advance(8.9)
    assert wire.times(PRIVATE) == [0.0]
    assert wire.times(OTHER) == [0.0]
    await wire.clock.advance(0.2)
    assert wire.times(PRIVATE) == [0.0, 9.0]


async def test_flood_slows_the_chat_down_until_it_rests(wire: Wire) -> None:
    wire.faults = [flood(5)]
    for number in range(8):
        wire.post(str(number), rank=Rank.PREVIEW)
    await wire.clock.advance(100.0)
    gaps = [later - earlier for earlier, later in pairwise(wire.times(PRIVATE)[1:])]
    assert min(gaps) >= 2 * PRIVATE.pace_s - 0.001


async def test_wait_for_a_day_is_an_error(wire: Wire) -> None:
    wire.faults = [flood(int(LONGEST_WAIT_S) + 1)]
    with pytest.raises(RetryAfter):
        await wire.post("hello")
    assert len(wire.calls) == 1


@pytest.mark.parametrize(
    "fault",
    [TimedOut(), NetworkError("Bad Gateway"), TelegramError("Invalid server response")],
    ids=["timeout", "gateway", "no json"],
)
async def test_passing_failure_is_tried_again(wire: Wire, fault: TelegramError) -> None:
    wire.faults = [fault, fault]
    post = wire.post("hello")
    await wire.clock.advance(60.0)
    assert await post == "hello"
    assert wire.times(PRIVATE) == [0.0, 1.0, 3.0]


async def test_tries_are_bounded(wire: Wire) -> None:
    wire.faults = [TimedOut() for _ in range(99)]
    post = wire.post("hello")
    await wire.clock.advance(3600.0)
    with pytest.raises(TimedOut):
        await post
    assert len(wire.calls) == NUM_TRIES


@pytest.mark.parametrize(
    "fault",
    [BadRequest("chat not found"), InvalidToken("no"), Forbidden("blocked"), AttributeError()],
    ids=["bad", "token", "forbidden", "library"],
)
async def test_lasting_failure_is_not_repeated(wire: Wire, fault: Exception) -> None:
    wire.faults = [fault]
    with pytest.raises(type(fault)):
        await wire.post("hello")
    await wire.clock.advance(600.0)
    assert len(wire.calls) == 1


async def test_failure_of_one_call_does_not_stop_the_next(wire: Wire) -> None:
    wire.faults = [BadRequest("no")]
    first, second = wire.post("first"), wire.post("second")
    await wire.clock.advance(5.0)
    assert isinstance(first.exception(), BadRequest)
    assert await second == "second"


async def test_closed_chat_ends_all_that_waits_there(wire: Wire) -> None:
    closed: list[int] = []
    wire.outbox.on_closed = closed.append
    wire.faults = [Forbidden("bot was blocked by the user")]
    posts = [wire.post(str(number)) for number in range(4)]
    other = wire.post("there", OTHER)
    await wire.clock.advance(10.0)
    assert [type(post.exception()) for post in posts] == [Forbidden] * 4
    assert await other == "there"
    assert closed == [PRIVATE.chat_id]
    assert wire.names == ["0", "there"]


async def test_chat_that_opens_again_is_written_to(wire: Wire) -> None:
    wire.faults = [Forbidden("blocked")]
    with pytest.raises(Forbidden):
        await wire.post("first")
    assert await wire.post("second") == "second"


async def test_chat_that_moved_is_followed(wire: Wire) -> None:
    wire.faults = [ChatMigrated(-1009)]
    posts = [wire.post(name, GROUP) for name in ("first", "second")]
    await wire.clock.advance(5.0)
    assert [await post for post in posts] == ["first", "second"]
    await wire.post("third", GROUP)
    assert [chat_id for _, chat_id, _ in wire.calls] == [-100, -1009, -1009, -1009]
    assert wire.outbox.home_of(GROUP.chat_id) == -1009


async def test_chat_that_moved_twice_is_found(wire: Wire) -> None:
    wire.faults = [ChatMigrated(-1009), ChatMigrated(-1010)]
    await wire.post("hello", GROUP)
    assert wire.outbox.home_of(GROUP.chat_id) == -1010
    assert wire.outbox.home_of(-1009) == -1010


async def test_sign_goes_when_nothing_else_does(wire: Wire) -> None:
    await wire.outbox.sign(PRIVATE, wire.call("typing"))
    assert wire.names == ["typing"]


async def test_sign_gives_way_to_words(wire: Wire) -> None:
    for _ in range(BURST + 1):
        wire.post("words")
    await settle()
    await wire.outbox.sign(PRIVATE, wire.call("typing"))
    await wire.outbox.sign(OTHER, wire.call("typing elsewhere"))
    assert "typing" not in wire.names
    for number in range(20):
        wire.post("more", replace(PRIVATE, chat_id=100 + number))
    await settle()
    await wire.outbox.sign(OTHER, wire.call("typing in the rush"))
    assert "typing in the rush" not in wire.names


async def test_sign_that_hangs_holds_up_words_for_a_moment(wire: Wire) -> None:
    wire.open.clear()
    sign = asyncio.create_task(wire.outbox.sign(PRIVATE, wire.call("typing")))
    await settle()
    wire.post("words")
    await settle()
    assert wire.names == ["typing"]
    await wire.clock.advance(SIGN_S)
    assert wire.names == ["typing", "words"]
    wire.open.set()
    await sign


async def test_flood_by_a_sign_holds_up_words(wire: Wire) -> None:
    wire.faults = [flood(9)]
    await wire.outbox.sign(PRIVATE, wire.call("typing"))
    wire.post("words")
    await wire.outbox.sign(PRIVATE, wire.call("typing"))
    await wire.clock.advance(10.0)
    assert wire.calls == [(0.0, 7, "typing"), (9.0, 7, "words")]


async def test_sign_notices_that_a_chat_is_closed(wire: Wire) -> None:
    closed: list[int] = []
    wire.outbox.on_closed = closed.append
    wire.faults = [Forbidden("blocked")]
    with pytest.raises(Forbidden):
        await wire.outbox.sign(PRIVATE, wire.call("typing"))
    assert closed == [PRIVATE.chat_id]


async def test_question_goes_before_everything_and_once(wire: Wire) -> None:
    for number in range(20):
        wire.post("words", replace(PRIVATE, chat_id=100 + number))
    await settle()
    wire.faults = [TimedOut()]
    with pytest.raises(TimedOut):
        await asyncio.gather(
            wire.outbox.ask(lambda: wire.call("question")(0)), wire.clock.advance(0.1)
        )
    assert wire.names.index("question") < 8
    assert wire.names.count("question") == 1


async def test_question_that_is_not_waited_for_costs_nothing(wire: Wire) -> None:
    for number in range(20):
        wire.post("words", replace(PRIVATE, chat_id=100 + number))
    await settle()
    asking = asyncio.create_task(wire.outbox.ask(lambda: wire.call("question")(0)))
    await settle()
    asking.cancel()
    await wire.clock.advance(10.0)
    assert len(wire.names) == 20
    assert "question" not in wire.names


async def test_hurry_lets_the_last_words_go(wire: Wire) -> None:
    posts = [wire.post(str(number), GROUP) for number in range(BURST + 5)]
    await settle()
    assert len(wire.calls) == BURST
    wire.outbox.hurry()
    await wire.clock.advance(0.5)
    assert all(post.done() for post in posts)


async def test_hurry_respects_a_flood(wire: Wire) -> None:
    wire.faults = [flood(9)]
    wire.post("hello")
    await settle()
    wire.outbox.hurry()
    await wire.clock.advance(8.0)
    assert wire.times(PRIVATE) == [0.0]


async def test_closing_breaks_off_what_hangs(wire: Wire) -> None:
    wire.open.clear()
    post = wire.post("hello")
    await settle()
    await wire.outbox.close()
    await asyncio.wait([post])
    assert post.cancelled()


async def test_lanes_that_rest_are_forgotten(wire: Wire) -> None:
    for number in range(MANY_LANES):
        wire.post("hello", replace(PRIVATE, chat_id=1000 + number))
    await wire.clock.advance(30.0)
    wire.faults = [flood(500)]
    wire.post("late")
    await wire.clock.advance(REST_S + 1)
    for number in range(2):
        wire.post("hello", replace(PRIVATE, chat_id=5000 + number))
    assert len(wire.calls) == MANY_LANES + 1
    await settle()
    assert len(wire.outbox._lanes) == 3  # the chat that has to wait is not among those forgotten


async def test_answer_to_a_command_passes_everything(wire: Wire) -> None:
    async def look(name: str) -> None:
        wire.calls.append((0.0, 0, name))

    asks = [
        asyncio.create_task(wire.outbox.ask(partial(look, f"file {number}"))) for number in range(9)
    ]
    late = [
        wire.post(f"answer {number}", replace(PRIVATE, chat_id=100 + number)) for number in range(9)
    ]
    await settle()
    command = wire.post("sentence", OTHER, Rank.SENTENCE)
    before = len(wire.calls)
    await wire.clock.advance(5)
    await asyncio.gather(*asks, *late, command)
    assert wire.names[before] == "sentence"


@pytest.mark.parametrize("error", [InvalidToken(), BadRequest("odd")])
async def test_lost_token_is_told(wire: Wire, error: TelegramError) -> None:
    heard: list[str] = []
    wire.outbox.on_rejected = lambda: heard.append("rejected")
    wire.faults.append(error)
    with pytest.raises(type(error)):
        await wire.post("hello")
    assert heard == (["rejected"] if isinstance(error, InvalidToken) else [])
