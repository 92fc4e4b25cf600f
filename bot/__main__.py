"""Starts the bot: opens settings, database, engine and platform, in this order, and closes them.

    python -m bot                                          on Telegram
    python -m bot --simulator [--port N] [--no-browser]    with a Telegram on this computer

What cannot be used is said in one sentence, with exit status 2.
"""

import argparse
import asyncio
import sys
import webbrowser
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from bot import notices
from bot.access import AccessPolicy
from bot.assistant import Assistant
from bot.choices import open_choices
from bot.folder import occupied
from bot.languages import open_languages
from bot.logs import set_up_logs
from bot.loopback import Loopback
from bot.metrics import Metrics
from bot.settings import SIMULATOR_MODEL, TELEGRAM_MODEL, Settings, load_settings
from bot.simulator import Simulator
from bot.telegram import (
    PolledElsewhere,
    TelegramConfig,
    TelegramPlatform,
    TelegramUnreachable,
    TokenRejected,
    WebhookRefused,
)
from bot.upkeep import expiring
from engine import Engine, EngineConfig, LineReader, about
from engine.backends import create_engine, create_line_reader
from storage import Database, Guests, History, PhotoStore, Preferences, UpdateStore, open_database

CANNOT_START = 2
INTERRUPTED = 130
DATABASE = "darkroom.db"


@dataclass(frozen=True, slots=True)
class Platform:
    """Where the bot talks, to whom, and what is said when it can answer."""

    telegram: TelegramPlatform
    access: AccessPolicy
    ready: str
    simulator: Simulator | None = None

    def say_ready(self, about: str) -> None:
        """In the terminal and, if there is a page, on it."""
        print(self.ready, flush=True)
        if self.simulator is not None:
            self.simulator.describe(about)


def parse(words: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bot", description=__doc__.split("\n")[0])
    parser.add_argument("--simulator", action="store_true", help="no Telegram, a page instead")
    parser.add_argument("--port", type=_port, help="the port of the page, 0 for a free one")
    parser.add_argument("--no-browser", action="store_true", help="do not open the page")
    return parser.parse_args(words)


def _port(word: str) -> int:
    port = int(word)
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError("must be from 0 to 65535")
    return port


async def run(settings: Settings, options: argparse.Namespace) -> None:
    """Serve until told to end."""
    # Demo chats never mix with real ones: each has a folder with a database of its own.
    folder = settings.data_dir / "simulator" if options.simulator else settings.data_dir
    config = settings.engine_config(SIMULATOR_MODEL if options.simulator else TELEGRAM_MODEL)
    config = replace(config, session_folder=folder / "sessions")
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(open_database(folder / DATABASE))
        # A second bot would close the turns that the first one answers.
        stack.enter_context(occupied(folder))
        # Loading the model takes long: the page is there before it, and a wrong token is said.
        if options.simulator:
            port = settings.simulator_port if options.port is None else options.port
            simulator = Simulator(port=port, about=notices.waking(about(config)), folder=folder)
            platform = _simulated(await stack.enter_async_context(simulator), settings)
            await announce(simulator, with_browser=not options.no_browser)
        else:
            platform = _on_telegram(settings)
        stack.push_async_callback(platform.telegram.close)
        if not options.simulator:
            await platform.telegram.meet()
        engine, line_reader = await _load(stack, config)
        photos = _photo_store(settings, database, folder)
        await photos.tidy()
        assistant = await stack.enter_async_context(
            Assistant(
                engine,
                line_reader,
                History(database),
                photos,
                config=settings.assistant_config,
                fetch_photo=platform.telegram.fetch_photo,
                languages=await open_languages(Preferences(database)),
                choices=await open_choices(database),
            )
        )
        await stack.enter_async_context(expiring(photos, assistant.forgetting))
        await _watch(stack, settings.monitor_port, platform.telegram, assistant)
        platform.say_ready(engine.about)
        await platform.access.keep_in(Guests(database))
        await platform.telegram.serve(assistant, platform.access, UpdateStore(database))


def _photo_store(settings: Settings, database: Database, folder: Path) -> PhotoStore:
    age_s, num_bytes = settings.photo_age_s, settings.photo_cache_bytes
    return PhotoStore(database, folder / "photos", max_age_s=age_s, max_bytes=num_bytes)


async def _watch(
    stack: AsyncExitStack, port: int, telegram: TelegramPlatform, assistant: Assistant
) -> None:
    metrics = Metrics(
        silent_s=lambda: telegram.silent_s,
        num_open=lambda: assistant.num_open,
        updates=lambda: telegram.fates,
    )
    assistant.on_ended = metrics.note
    if port:
        await stack.enter_async_context(Loopback(port, metrics.routes))


async def _load(stack: AsyncExitStack, config: EngineConfig) -> tuple[Engine, LineReader]:
    """Their libraries take seconds to import: on a thread, so that the page lives meanwhile."""
    print(notices.loading(config.model), flush=True)
    engine = await stack.enter_async_context(await asyncio.to_thread(create_engine, config))
    line_reader = await asyncio.to_thread(create_line_reader, config)
    return engine, await stack.enter_async_context(line_reader)


def _simulated(simulator: Simulator, settings: Settings) -> Platform:
    telegram = TelegramPlatform(_config(settings, simulator.token, simulator.api_url))
    return Platform(telegram, AccessPolicy(open_to_all=True), notices.LOADED, simulator)


def _on_telegram(settings: Settings) -> Platform:
    access = AccessPolicy(settings.admin_ids, settings.allowed_ids)
    if not settings.admin_ids and not settings.allowed_ids:
        print(notices.CLOSED, flush=True)
    config = replace(
        _config(settings, settings.token, settings.telegram_api_url),
        webhook_url=settings.webhook_url or "",
        webhook_port=settings.webhook_port,
    )
    return Platform(TelegramPlatform(config), access, notices.STARTED)


def _config(settings: Settings, token: str, api_url: str) -> TelegramConfig:
    return TelegramConfig(
        token,
        api_url,
        settings.text_wait_s,
        settings.shutdown_grace_s,
        with_drafts=settings.with_drafts,
        photo_days=settings.photo_days,
    )


async def announce(simulator: Simulator, *, with_browser: bool) -> None:
    print(notices.page_is_open(simulator.url), flush=True)
    if with_browser:
        await asyncio.to_thread(_open_browser, simulator.url)


def _open_browser(url: str) -> None:
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return
    # A browser inside the terminal would hide what the bot says there.
    if type(browser) is not webbrowser.GenericBrowser:
        browser.open(url)


def main() -> int:
    """Exit status 0, or 2 after a sentence about what is wrong."""
    options = parse(sys.argv[1:])
    try:
        settings = load_settings()
        set_up_logs(settings.log_level, [] if options.simulator else [settings.token])
        asyncio.run(run(settings, options))
    except TokenRejected:
        return _cannot_start(notices.TOKEN_REJECTED)
    except PolledElsewhere:
        return _cannot_start(notices.POLLED_ELSEWHERE)
    except WebhookRefused as error:
        return _cannot_start(notices.webhook_refused(error.why))
    except TelegramUnreachable as error:
        return _cannot_start(notices.unreachable(error.api_url))
    except notices.CANNOT_START as error:
        return _cannot_start(notices.sentence_for(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def _cannot_start(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return CANNOT_START


if __name__ == "__main__":
    sys.exit(main())
