"""The whole bot in the simulator, in one process: people write, the bot answers over HTTP."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.access import AccessPolicy
from bot.assistant import Assistant, AssistantConfig
from bot.simulator import SAMPLES, YOU, Place, Simulator
from bot.simulator.records import Message as Shown
from bot.telegram import TelegramConfig, TelegramPlatform
from engine import ImageRejected, Line, Message, RejectReason, SamplingParams
from storage import History, PhotoStore, UpdateStore, open_database
from tests.fakes import ScriptedEngine, ScriptedLineReader, echo

NOTE = (SAMPLES / "note.png").read_bytes()
RECEIPT = (SAMPLES / "receipt.jpg").read_bytes()
PATIENCE_S = 20.0
TEXT_WAIT_S = 0.5


class AnyLineReader(ScriptedLineReader):
    """Reads the same two lines in every picture."""

    async def read(self, data: bytes) -> list[Line]:
        check_picture(data)
        self.texts[data] = "CORNER *BAKERY*\nTOTAL  19.85"
        return await super().read(data)


def check_picture(data: bytes) -> None:
    """Refuse what is no picture, as the real engine does."""
    if not data.startswith((b"\x89PNG", b"\xff\xd8")) and data[8:12] != b"WEBP":
        raise ImageRejected(RejectReason.NOT_AN_IMAGE if data else RejectReason.EMPTY)


EVERYTHING = "Tell me everything"
LONG = " ".join(f"word{number}." for number in range(1200))


def careful_echo(messages: Sequence[Message], params: SamplingParams) -> str:
    """Say what was shown, if it can be shown."""
    for message in messages:
        for image in message.images:
            check_picture(image.data)
    if messages[-1].text == EVERYTHING:
        return LONG
    return echo(messages, replace(params, greedy=True))


class LeapingClock:
    """Ours, until it leaps: then the server's pauses between like polls are over."""

    def __init__(self) -> None:
        self.ahead_s = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead_s


@dataclass
class Town:
    """The simulator, and what answers in it."""

    simulator: Simulator
    folder: Path
    engine: ScriptedEngine = field(default_factory=lambda: ScriptedEngine(careful_echo))
    line_reader: AnyLineReader = field(default_factory=AnyLineReader)
    clock: LeapingClock = field(default_factory=LeapingClock)
    access: AccessPolicy = field(default_factory=lambda: AccessPolicy(open_to_all=True))
    with_drafts: bool = False

    def place(self, chat_id: int = YOU.person_id, *, reply_to: int = 0) -> Place:
        """Where You write."""
        return Place(YOU.person_id, chat_id, reply_to)

    def say(self, text: str, place: Place | None = None) -> Shown:
        """Write something."""
        return self.simulator.scene.crowd.say(place or self.place(), text)

    async def show(self, data: bytes, caption: str = "", place: Place | None = None) -> Shown:
        """Send a photo."""
        return await self.simulator.scene.crowd.show_photo(place or self.place(), data, caption)

    def press(self, message: Shown, label: str, *, person_id: int = YOU.person_id) -> None:
        """Press a button under a message."""
        (data,) = [
            button.callback_data for row in message.keyboard for button in row
            if button.text == label
        ]  # fmt: skip
        self.simulator.scene.gestures.press(person_id, message.chat_id, message.message_id, data)

    def answers(self, chat_id: int = YOU.person_id) -> list[Shown]:
        """What the bot has written in a chat, as it looks now."""
        world = self.simulator.scene.world
        me = world.bot.person_id
        return [message for message in world.history(chat_id) if message.sender_id == me]

    async def answer(
        self, index: int = 0, text: str = "", *, label: str = "", chat_id: int = YOU.person_id
    ) -> Shown:
        """Wait for the bot's message of this number to hold a text and a button."""

        def is_there() -> bool:
            shown = self.answers(chat_id)
            return (
                len(shown) > index
                and text in shown[index].text
                and (not label or label in labels(shown[index]))
            )

        await self.until(is_there, lambda: str([one.text for one in self.answers(chat_id)]))
        return self.answers(chat_id)[index]

    async def until(
        self, condition: Callable[[], bool], describe: Callable[[], str] = lambda: ""
    ) -> None:
        """Wait for something to become true, at most until patience ends."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not condition():  # noqa: ASYNC110 - the other side is a server
                    await asyncio.sleep(0.01)
        except TimeoutError:
            raise AssertionError(f"it did not happen: {describe()}") from None

    @asynccontextmanager
    async def bot(self) -> AsyncIterator[Assistant]:
        """The bot at work; leaving stops it as SIGTERM would."""
        place = (self.simulator.token, self.simulator.api_url)
        config = TelegramConfig(*place, TEXT_WAIT_S, with_drafts=self.with_drafts)
        platform = TelegramPlatform(config)
        async with open_database(self.folder / "darkroom.db") as database, self.engine:
            history, photos = History(database), PhotoStore(database, self.folder / "photos")
            async with Assistant(
                self.engine,
                self.line_reader,
                history,
                photos,
                config=AssistantConfig(max_answer_tokens=len(LONG)),
                fetch_photo=platform.fetch_photo,
            ) as assistant:
                updates = UpdateStore(database)
                serving = asyncio.create_task(platform.serve(assistant, self.access, updates))
                await self.until(lambda: serving.done() or self._is_listening())
                try:
                    yield assistant
                finally:
                    self.clock.ahead_s += 5
                    serving.cancel()
                    await asyncio.wait([serving])
                    if not serving.cancelled():
                        serving.result()

    def _is_listening(self) -> bool:
        return any(call.method == "setMyCommands" for call in self.simulator.calls.all())


@asynccontextmanager
async def open_town(folder: Path) -> AsyncIterator[Town]:
    """A new town without a bot; every call that a bot made there was as Telegram wants it."""
    clock = LeapingClock()
    async with Simulator(strict=True, clock=clock) as simulator:
        yield Town(simulator, folder, clock=clock)
        problems = [problem for call in simulator.calls.all() for problem in call.problems]
        assert not problems


def labels(message: Shown) -> list[str]:
    """The labels of the buttons under a message."""
    return [button.text for row in message.keyboard for button in row]
