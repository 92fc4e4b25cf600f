"""One browser for all tests of the page, and a person's hands in it."""

import shutil
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import Browser, ConsoleMessage, Locator, Page, async_playwright, expect

from bot.simulator import Simulator
from tests.bot.simulator.conftest import Clock, settled

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
]
# A busy machine is not a fault.
expect.set_options(timeout=30_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here runs in the browser's event loop, and only where there is a browser."""
    missing = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(missing)


# One browser for all tests: starting it takes longer than any of them. Whatever talks to it shares
# its event loop, so the fixtures of conftest stand here once more.
@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield started
        await started.close()


@pytest_asyncio.fixture(loop_scope="session")
async def simulator(clock: Clock, tmp_path: Path) -> AsyncIterator[Simulator]:
    async with settled(clock, tmp_path) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(trust_env=False, verify=False, timeout=20) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def page(browser: Browser, simulator: Simulator) -> AsyncIterator[Page]:
    faults: list[str] = []
    opened = await browser.new_page(viewport={"width": 1100, "height": 800})
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on("console", lambda line: faults.extend(complaints(line)))
    await opened.goto(simulator.url)
    await expect(opened.get_by_test_id("chat-title")).to_have_text("Darkroom")
    yield opened
    await opened.context.close()
    assert faults == []


def complaints(line: ConsoleMessage) -> list[str]:
    """Errors in the console, without the refusals and broken lines that tests bring about."""
    expected = "status of 400" in line.text or "ERR_" in line.text
    return [line.text] if line.type == "error" and not expected else []


def keyboard(*buttons: Mapping[str, object]) -> dict[str, object]:
    return {"inline_keyboard": [list(buttons)]}


def bubble(page: Page, number: int) -> Locator:
    return page.locator(f"[data-message-id='{number}']")


async def send(page: Page, text: str) -> None:
    await page.get_by_test_id("composer-text").fill(text)
    await page.get_by_test_id("send").click()
