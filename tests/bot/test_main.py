"""The whole start: what is wired together works, and what cannot be used is said in a sentence."""

import asyncio
import os
import socket
import subprocess
import sys
import webbrowser
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Self, cast

import httpx
import pytest
from aiohttp import ClientSession

from bot import __main__ as start
from bot import notices
from bot.folder import occupied
from bot.loopback import PortTaken
from bot.settings import Settings, load_settings
from bot.simulator import Simulator
from bot.telegram import PolledElsewhere, TelegramPlatform, TelegramUnreachable, TokenRejected
from bot.texts import ENGLISH
from engine import Engine, ModelNotUsable
from engine.reader import ABOUT
from tests.bot.town import NOTE, Town
from tests.fakes import ScriptedEngine, ScriptedLineReader

Opened = asyncio.Queue[Simulator]
ROOT = Path(__file__).parents[2]
TOKEN = "123456789:" + "A" * 35


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def simulators(monkeypatch: pytest.MonkeyPatch) -> Opened:
    opened = Opened()

    class Remembered(Simulator):
        async def __aenter__(self) -> Self:
            await super().__aenter__()
            opened.put_nowait(self)
            return self

    monkeypatch.setattr(start, "Simulator", Remembered)
    return opened


@asynccontextmanager
async def started(
    simulators: Opened,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    engine: ScriptedEngine | None = None,
) -> AsyncIterator[Town]:
    engine = engine or ScriptedEngine()
    monkeypatch.setattr(start, "create_engine", lambda config: engine)
    monkeypatch.setattr(start, "create_line_reader", lambda config: ScriptedLineReader())
    options = start.parse(["--simulator", "--port", "0", "--no-browser"])
    running = asyncio.create_task(start.run(load_settings(), options))
    try:
        yield Town(await asyncio.wait_for(simulators.get(), 20), folder, engine)
    finally:
        running.cancel()
        await asyncio.wait([running])
        assert running.cancelled()


async def test_simulator_and_bot_start_together(
    folder: Path,
    simulators: Opened,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async with started(simulators, folder, monkeypatch) as town:
        await town.show(NOTE, "what is it?")
        await town.answer(0, "1 shown, 1 said: what is it?", label=ENGLISH.button_regenerate)
        printed = capsys.readouterr().out
        assert notices.loading("reader") in printed
        assert f"Open http://127.0.0.1:{town.simulator.port} in your browser" in printed
    assert (folder / "data" / "simulator" / "darkroom.db").is_file()
    assert not (folder / "data" / "darkroom.db").exists()


async def test_health_and_figures_are_served(
    folder: Path, simulators: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv("MONITOR_PORT", str(port))
    async with started(simulators, folder, monkeypatch) as town:
        await town.show(NOTE, "what is it?")
        await town.answer(0, label=ENGLISH.button_regenerate)
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False) as http:
            health = await http.get("/healthz")
            figures = (await http.get("/metrics")).text
    assert (health.status_code, health.text) == (200, "well\n")
    assert 'darkroom_answers_total{status="answered",task="ask"} 1.0' in figures
    assert "darkroom_answers_open 0.0" in figures


async def test_restart_goes_on(
    folder: Path, simulators: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with started(simulators, folder, monkeypatch) as town:
        await town.show(NOTE, "what is it?")
        await town.answer(0, label=ENGLISH.button_regenerate)
    async with started(simulators, folder, monkeypatch) as town:
        town.say("and its colour?")
        await town.answer(1, "1 shown, 3 said: and its colour?")


def test_bad_values_end_the_program(folder: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME")}
    result = subprocess.run(
        [sys.executable, "-m", "bot"],
        cwd=folder,
        env={**kept, "PYTHONPATH": str(ROOT), "TELEGRAM_BOT_TOKEN": "12:secret", "OCR_BY": "eye"},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert result.returncode == 2
    assert result.stderr.splitlines() == [
        "TELEGRAM_BOT_TOKEN must be what @BotFather gave: digits, a colon, 35 characters.",
        "OCR_BY must be one of 'lines' or 'model', not 'eye'.",
    ]


def main(monkeypatch: pytest.MonkeyPatch, *words: str, engine: Engine | None = None) -> int:
    monkeypatch.setattr(sys, "argv", ["bot", *words])
    monkeypatch.setattr(start, "set_up_logs", lambda *_: None)
    monkeypatch.setattr(start, "create_engine", lambda config: engine or ScriptedEngine())
    monkeypatch.setattr(start, "create_line_reader", lambda config: ScriptedLineReader())
    return start.main()


def test_missing_token_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(monkeypatch) == 2
    assert capsys.readouterr().err.startswith("TELEGRAM_BOT_TOKEN is missing")
    assert list(folder.iterdir()) == []


def test_bad_port_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        start.parse(["--simulator", "--port", "70000"])
    assert caught.value.code == 2
    assert "from 0 to 65535" in capsys.readouterr().err


def test_damaged_database_is_named_and_left(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "data" / "simulator" / "darkroom.db"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"my shopping list " * 500)
    assert main(monkeypatch, "--simulator", "--port", "0") == 2
    sentence = capsys.readouterr().err
    assert sentence.startswith("The database data/simulator/darkroom.db is damaged.")
    assert path.read_bytes() == b"my shopping list " * 500


def test_second_bot_in_a_folder_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shared = Path("data", "simulator")
    shared.mkdir(parents=True)
    with occupied(shared):
        assert main(monkeypatch, "--simulator", "--port", "0") == 2
    assert capsys.readouterr().err == (
        "Another bot is running with the folder data/simulator. "
        "End that one, or set another DATA_DIR.\n"
    )


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield taken.getsockname()[1]


def test_taken_port_is_said(
    folder: Path,
    taken_port: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(monkeypatch, "--simulator", "--port", str(taken_port)) == 2
    assert "Choose another one with --port" in capsys.readouterr().err


class SlowEngine(ScriptedEngine):
    """Loaded when it is told to be."""

    def __init__(self) -> None:
        super().__init__()
        self.loading = asyncio.Event()
        self.loaded = asyncio.Event()

    async def __aenter__(self) -> Self:
        self.loading.set()
        await self.loaded.wait()
        return await super().__aenter__()


async def said_about(simulator: Simulator) -> str:
    """What the page is told of the model."""
    async with ClientSession() as session, session.get(f"{simulator.url}/control/state") as answer:
        return str((await answer.json())["about"])


async def test_page_is_there_before_the_model(
    folder: Path,
    simulators: Opened,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    engine = SlowEngine()
    async with started(simulators, folder, monkeypatch, engine) as town:
        await engine.loading.wait()
        assert await said_about(town.simulator) == notices.waking(ABOUT)
        printed = capsys.readouterr().out
        assert notices.page_is_open(town.simulator.url) in printed
        assert notices.LOADED not in printed
        await town.show(NOTE, "what is it?")
        engine.loaded.set()
        await town.answer(0, "1 shown, 1 said: what is it?", label=ENGLISH.button_regenerate)
        assert await said_about(town.simulator) == engine.about
        assert notices.LOADED in capsys.readouterr().out


# What is asked for last before a model is loaded stops the start, and tells where it stood.
WATCHED = """
import sys, threading
from bot import __main__ as start
from engine import ModelNotUsable

def create_engine(config):
    print("torch" in sys.modules, threading.current_thread() is threading.main_thread())
    raise ModelNotUsable("here", "the test is over")

start.create_engine = create_engine
sys.argv = ["bot", "--simulator", "--port", "0", "--no-browser"]
sys.exit(start.main())
"""


def test_torch_waits_for_the_page(folder: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME")}
    result = subprocess.run(
        [sys.executable, "-c", WATCHED],
        cwd=folder,
        env={**kept, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    opened, loading, watched = result.stdout.splitlines()
    assert opened.startswith("Open http://127.0.0.1:")
    assert loading == notices.loading("reader")
    assert watched == "False False"
    assert result.stderr == "The model here cannot be used: the test is over\n"


class BrokenEngine(ScriptedEngine):
    async def __aenter__(self) -> Self:
        raise ModelNotUsable("/weights", "config.json is missing.")


def test_unusable_model_is_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--simulator", "--port", "0")
    assert main(monkeypatch, *words, engine=BrokenEngine()) == 2
    assert capsys.readouterr().err == (
        "The model /weights cannot be used: config.json is missing.\n"
    )


def test_telegram_is_left_when_the_model_is_unusable(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    steps: list[str] = []

    async def meet(_: TelegramPlatform) -> None:
        steps.append("met")

    async def close(platform: TelegramPlatform) -> None:
        await left(platform)
        steps.append("left")

    left = TelegramPlatform.close
    monkeypatch.setenv("TELEGRAM_BOT_TOKEN", TOKEN)
    monkeypatch.setattr(TelegramPlatform, "meet", meet)
    monkeypatch.setattr(TelegramPlatform, "close", close)
    assert main(monkeypatch, engine=BrokenEngine()) == 2
    assert steps == ["met", "left"]
    assert "config.json is missing" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("failure", "sentence"),
    [
        (TokenRejected(), notices.TOKEN_REJECTED),
        (TelegramUnreachable("http://nowhere"), notices.unreachable("http://nowhere")),
        (PolledElsewhere(), notices.POLLED_ELSEWHERE),
        (PortTaken(80), "The port 80 is taken by another program. Choose another one in .env."),
    ],
    ids=["token", "network", "other-program", "port"],
)
def test_telegram_failures_are_said(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    failure: Exception,
    sentence: str,
) -> None:
    async def fail(*_: object) -> None:
        raise failure

    monkeypatch.setenv("TELEGRAM_BOT_TOKEN", TOKEN)
    monkeypatch.setattr(TelegramPlatform, "meet", fail)
    # The model is not even touched: it would say something else.
    assert main(monkeypatch, engine=BrokenEngine()) == 2
    captured = capsys.readouterr()
    assert captured.err == sentence + "\n"
    assert notices.CLOSED in captured.out
    assert TOKEN not in captured.out + captured.err
    assert (folder / "data" / "darkroom.db").is_file()


class Browser:
    def __init__(self) -> None:
        self.opened: list[str] = []

    def open(self, url: str) -> None:
        self.opened.append(url)


PAGE = cast("Simulator", SimpleNamespace(url="http://page"))
OPEN_IT = notices.page_is_open("http://page") + "\n"


async def test_page_opens_in_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    browser = Browser()
    monkeypatch.setattr("webbrowser.get", lambda: browser)
    await start.announce(PAGE, with_browser=False)
    assert browser.opened == []
    await start.announce(PAGE, with_browser=True)
    assert browser.opened == ["http://page"]


async def test_browser_in_terminal_stays_away(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("webbrowser.get", lambda: webbrowser.GenericBrowser("no-such-browser"))
    await start.announce(PAGE, with_browser=True)
    assert capsys.readouterr().out == OPEN_IT


async def test_no_browser_is_no_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none() -> None:
        raise webbrowser.Error

    monkeypatch.setattr("webbrowser.get", none)
    await start.announce(PAGE, with_browser=True)
    assert capsys.readouterr().out == OPEN_IT


def test_interrupt_ends_quietly(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(start, "run", interrupted)
    assert main(monkeypatch, "--simulator") == 130
    assert capsys.readouterr().err == ""
