"""A simulator for each test, a real python-telegram-bot to talk to it, and a clock to turn."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from blockbuster import blockbuster_ctx
from telegram import Bot
from telegram.request import HTTPXRequest

from bot.simulator import GROUP, SAMPLES, YOU, Place, Simulator
from bot.simulator.demo import settle

PRIVATE_ID = YOU.person_id
GROUP_ID = GROUP.chat_id
ME = Place(YOU.person_id, PRIVATE_ID)
FORM = {"person_id": str(PRIVATE_ID), "chat_id": str(PRIVATE_ID)}
NOTE = (SAMPLES / "note.png").read_bytes()
RECEIPT = (SAMPLES / "receipt.jpg").read_bytes()
SIGN = (SAMPLES / "sign.png").read_bytes()


@dataclass
class Clock:
    """Time as the test says it."""

    now: float = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now

    def pass_by(self, seconds: float) -> None:
        self.now += seconds


class Api:
    """The Bot API without a library: what comes back, as it comes back."""

    def __init__(self, client: httpx.AsyncClient, simulator: Simulator) -> None:
        self.client = client
        self.base = f"{simulator.api_url}/bot{simulator.token}"
        self._offset = 0

    async def call(self, method: str, **parameters: object) -> dict[str, object]:
        response = await self.client.post(f"{self.base}/{method}", json=parameters)
        answer = response.json()
        assert isinstance(answer, dict)
        assert answer["ok"] is (response.status_code == 200)
        assert answer.get("error_code", 200) == response.status_code
        return answer

    async def result(self, method: str, **parameters: object) -> object:
        answer = await self.call(method, **parameters)
        assert answer["ok"], answer
        return answer["result"]

    async def refusal(self, method: str, **parameters: object) -> str:
        answer = await self.call(method, **parameters)
        return str(answer["description"])

    async def next(self, kind: str) -> dict[str, Any]:
        """Waits for the next update of a kind; what comes before it is left behind."""
        while True:
            for update in await self.updates(offset=self._offset, timeout=20):
                self._offset = int(str(update["update_id"])) + 1
                if kind in update:
                    found = update[kind]
                    assert isinstance(found, dict)
                    return found

    async def updates(self, **parameters: object) -> list[dict[str, object]]:
        found = await self.result("getUpdates", **parameters)
        assert isinstance(found, list)
        return found


class Control:
    """A script that plays the people."""

    def __init__(self, client: httpx.AsyncClient, simulator: Simulator) -> None:
        self._client = client
        self._base = f"{simulator.url}/control"

    async def post(self, path: str, **fields: object) -> dict[str, object]:
        answer = (await self._client.post(f"{self._base}/{path}", json=fields)).json()
        assert isinstance(answer, dict)
        return answer

    async def upload(self, path: str, data: bytes, **fields: str) -> dict[str, object]:
        files = {"file": ("picture.png", data, "image/png")}
        url = f"{self._base}/{path}"
        answer = (await self._client.post(url, data=FORM | fields, files=files)).json()
        assert isinstance(answer, dict)
        return answer

    async def get(self, path: str) -> object:
        return (await self._client.get(f"{self._base}/{path}")).json()

    async def transcript(self, chat_id: int) -> list[dict[str, object]]:
        found = await self.get(f"chats/{chat_id}/messages")
        assert isinstance(found, list)
        return found


class ListeningRequest(HTTPXRequest):
    """The library's own way to the server, and every answer as it came."""

    def __init__(self, answers: list[tuple[str, object]], refusals: list[object]) -> None:
        super().__init__(read_timeout=30, httpx_kwargs={"trust_env": False, "verify": False})
        self._answers = answers
        self._refusals = refusals

    async def do_request(self, url: str, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
        status, body = await super().do_request(url, *args, **kwargs)
        if status == 200 and "/file/" not in url:
            self._answers.append((url.rpartition("/")[2], json.loads(body)["result"]))
        elif status != 200 and body.startswith(b"{"):
            self._refusals.append(json.loads(body))
        return status, body


@pytest.fixture(autouse=True)
def unblocked() -> Iterator[None]:
    with blockbuster_ctx(scanned_modules=["bot.simulator"]):
        yield


@pytest.fixture
def clock() -> Clock:
    return Clock()


@asynccontextmanager
async def settled(clock: Clock, folder: Path) -> AsyncIterator[Simulator]:
    """A simulator with the usual people, and nothing said yet."""
    about = "A test answers."
    async with Simulator(about=about, folder=folder, clock=clock, demo=False) as opened:
        settle(opened.scene.world)
        yield opened


@pytest.fixture
async def simulator(clock: Clock, tmp_path: Path) -> AsyncIterator[Simulator]:
    async with settled(clock, tmp_path) as opened:
        yield opened


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(trust_env=False, verify=False, timeout=20) as opened:
        yield opened


@pytest.fixture
def api(client: httpx.AsyncClient, simulator: Simulator) -> Api:
    return Api(client, simulator)


@pytest.fixture
def control(client: httpx.AsyncClient, simulator: Simulator) -> Control:
    return Control(client, simulator)


@pytest.fixture
def answers() -> list[tuple[str, object]]:
    return []


@pytest.fixture
def refusals() -> list[object]:
    return []


@pytest.fixture
async def bot(
    simulator: Simulator, answers: list[tuple[str, object]], refusals: list[object]
) -> AsyncIterator[Bot]:
    opened = Bot(
        simulator.token,
        base_url=f"{simulator.api_url}/bot",
        base_file_url=f"{simulator.api_url}/file/bot",
        request=ListeningRequest(answers, refusals),
        get_updates_request=ListeningRequest(answers, refusals),
    )
    async with opened:
        yield opened
