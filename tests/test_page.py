"""The three uses by hand: a person in a browser, and the bot as its owner starts it."""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect, sync_playwright

from tests.test_whole import NOTE_TEXT
from tests.whole import PATIENCE_S, Whole, started

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
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(400),
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    with started(tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture
def page(whole: Whole) -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        opened = browser.new_page(viewport={"width": 1100, "height": 800})
        opened.set_default_timeout(PATIENCE_S * 1000)
        opened.goto(whole.url)
        yield opened
        browser.close()


def newest(page: Page, button: str) -> Locator:
    """The last message that has a button of this name."""
    with_button = page.get_by_test_id("inline-button").filter(has_text=button)
    return page.get_by_test_id("message").filter(has=with_button).last


def write(page: Page, text: str) -> None:
    page.get_by_test_id("composer-text").fill(text)
    page.get_by_test_id("send").click()


def shows(message: Locator, text: str) -> None:
    expect(message.get_by_test_id("message-text")).to_have_text(text, timeout=PATIENCE_S * 1000)


def test_sample_is_read_and_asked_about(page: Page) -> None:
    page.get_by_test_id("sample-note").click()
    shows(newest(page, "Regenerate"), NOTE_TEXT)
    write(page, "How many lines are there?")
    shows(newest(page, "Regenerate"), "2")


def test_ocr_of_a_photo_in_the_group(page: Page) -> None:
    page.get_by_test_id("chat-group").click()
    sign = page.get_by_test_id("message").filter(has_text="Saw this on the way in")
    sign.hover()
    sign.get_by_test_id("reply-action").click()
    write(page, "/ocr")
    read = newest(page, "Read with the model")
    expect(read.get_by_test_id("pre")).to_have_text("PLATFORM 4\nTrains to Harbour")
