"""An assistant on a real database, with a scripted engine, in an event loop that must not block."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from blockbuster import blockbuster_ctx

from bot.assistant import Answer, Assistant, AssistantConfig, Photo, Question, Task
from engine import Message
from storage import Database, History, PhotoStore, Turn, UpdateStore, open_database
from tests.bot.town import Town, open_town
from tests.fakes import ScriptedEngine, ScriptedLineReader

HERE = "telegram:1/0/7"


@dataclass(frozen=True, slots=True)
class Hall:
    """The assistant with everything that it stands on."""

    assistant: Assistant
    engine: ScriptedEngine
    line_reader: ScriptedLineReader
    history: History
    photos: PhotoStore
    folder: Path
    updates: UpdateStore
    database: Database

    async def answer(self, question: Question) -> Turn:
        """Ask, read the answer to its end, and give the turn."""
        return await self.turn_of(await self.assistant.ask(question))

    async def turn_of(self, answer: Answer) -> Turn:
        """Read an answer to its end and give the turn."""
        async for _ in answer:
            pass
        return await self.history.turn(answer.turn_id)

    async def lose(self, photo_id: str) -> None:
        """Take the bytes of a photo away."""
        await asyncio.to_thread((self.folder / photo_id).unlink)

    def shown(self, index: int = -1) -> list[tuple[str, str, tuple[bytes, ...]]]:
        """What the engine was shown: role, text and pictures."""
        return [_seen(message) for message in self.engine.requests[index].messages]


def _seen(message: Message) -> tuple[str, str, tuple[bytes, ...]]:
    return message.role, message.text, tuple(image.data for image in message.images)


def asked(
    text: str = "",
    *photos: bytes,
    task: Task = Task.ASK,
    conversation: str = HERE,
    ref: str = "",
    reply_to: str | None = None,
    language: str = "",
) -> Question:
    """A question of asker 7."""
    sent = tuple(Photo(data, f"file of {data.decode()}") for data in photos)
    return Question(conversation, "7", task, text, sent, ref, reply_to, language)


@pytest.fixture
def unblocked() -> Iterator[None]:
    with blockbuster_ctx():
        yield


@pytest.fixture
def config() -> AssistantConfig:
    return AssistantConfig()


@pytest.fixture
async def hall(tmp_path: Path, config: AssistantConfig) -> AsyncIterator[Hall]:
    line_reader = ScriptedLineReader({b"receipt": "TEA 2.50\nTOTAL 2.50"})
    async with open_database(tmp_path / "darkroom.db") as database, ScriptedEngine() as engine:
        history, photos = History(database), PhotoStore(database, tmp_path / "photos")
        async with Assistant(engine, line_reader, history, photos, config=config) as assistant:
            folder, updates = tmp_path / "photos", UpdateStore(database)
            yield Hall(assistant, engine, line_reader, history, photos, folder, updates, database)


@pytest.fixture
async def town(tmp_path: Path) -> AsyncIterator[Town]:
    """The whole bot in the simulator."""
    async with open_town(tmp_path) as town, town.bot():
        yield town
