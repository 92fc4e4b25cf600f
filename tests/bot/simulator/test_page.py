"""The page in a real browser: the test is the bot, a person clicks and types."""

import shutil
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, async_playwright, expect

from bot.simulator import ADA, BEN, SAMPLES, Place, Simulator
from tests.bot.simulator.conftest import (
    GROUP_ID,
    ME,
    NOTE,
    PRIVATE_ID,
    SIGN,
    Api,
    Clock,
    settled,
)

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
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]
DROP = """async ([name, bytes]) => {
  const file = new File([new Uint8Array(bytes)], name, { type: "image/png" });
  const transfer = new DataTransfer();
  transfer.items.add(file);
  for (const kind of ["dragover", "drop"]) {
    const event = new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: transfer });
    document.getElementById("timeline").dispatchEvent(event);
  }
}"""
PASTE = """async ([name, bytes]) => {
  const file = new File([new Uint8Array(bytes)], name, { type: "image/png" });
  const transfer = new DataTransfer();
  transfer.items.add(file);
  const event = new ClipboardEvent("paste", { cancelable: true, clipboardData: transfer });
  document.getElementById("text").dispatchEvent(event);
}"""


# One browser for all tests: starting it takes longer than any of them. Whatever talks to it shares
# its event loop, so the fixtures of conftest stand here once more.
@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield started
        await started.close()


@pytest_asyncio.fixture(loop_scope="module")
async def simulator(clock: Clock, tmp_path: Path) -> AsyncIterator[Simulator]:
    async with settled(clock, tmp_path) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="module")
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(trust_env=False, verify=False, timeout=20) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="module")
async def page(browser: Browser, simulator: Simulator) -> AsyncIterator[Page]:
    faults: list[str] = []
    opened = await browser.new_page(viewport={"width": 1100, "height": 800})
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    await opened.goto(simulator.url)
    await expect(opened.get_by_test_id("chat-title")).to_have_text("Darkroom")
    yield opened
    await opened.context.close()
    assert faults == []


def keyboard(*buttons: Mapping[str, object]) -> dict[str, object]:
    return {"inline_keyboard": [list(buttons)]}


def bubble(page: Page, number: int) -> Locator:
    return page.locator(f"[data-message-id='{number}']")


async def send(page: Page, text: str) -> None:
    await page.get_by_test_id("composer-text").fill(text)
    await page.get_by_test_id("send").click()


async def test_it_says_what_it_is(page: Page) -> None:
    about = page.get_by_test_id("about")
    await expect(about).to_contain_text("simulator on this computer")
    await expect(page.get_by_test_id("about-model")).to_have_text("A test answers.")
    await expect(page.get_by_test_id("empty")).to_be_visible()


async def test_sample_edit_press_reply(page: Page, api: Api, simulator: Simulator) -> None:
    await page.get_by_test_id("sample-note").click()
    photo = bubble(page, 1).get_by_test_id("photo").locator("img")
    await expect(photo).to_be_visible()
    assert (
        await photo.evaluate("async (image) => { await image.decode(); return image.naturalWidth }")
        == 320
    )
    update = (await api.updates())[0]["message"]
    assert isinstance(update, dict)
    assert [size["width"] for size in update["photo"]] == [90, 320]

    await api.result("sendChatAction", chat_id=PRIVATE_ID, action="typing")
    await expect(page.get_by_test_id("typing")).to_have_text("Darkroom is writing")
    stop = keyboard({"text": "Stop", "callback_data": "stop"})
    here = {"chat_id": PRIVATE_ID, "message_id": 2}
    reply = {"message_id": 1}
    await api.result(
        "sendMessage", chat_id=PRIVATE_ID, text="O", reply_parameters=reply, reply_markup=stop
    )
    answer = bubble(page, 2)
    await expect(answer.get_by_test_id("message-text")).to_have_text("O")
    await expect(page.get_by_test_id("typing")).to_have_text("")
    await api.result(
        "editMessageText", **here, text="<pre>Open</pre>", parse_mode="HTML", reply_markup=stop
    )
    await expect(answer.get_by_test_id("pre")).to_have_text("Open")

    await answer.get_by_role("button", name="Stop").click()
    await expect(answer.get_by_role("button", name="Stop")).to_have_attribute("aria-busy", "true")
    query = simulator.scene.updates.pending[-1].payload
    assert query["data"] == "stop"
    await api.result("answerCallbackQuery", callback_query_id=query["id"], text="Stopped")
    await expect(page.get_by_test_id("toast")).to_have_text("Stopped")
    await api.result("editMessageReplyMarkup", **here)
    await expect(answer.get_by_role("button", name="Stop")).to_have_count(0)

    await answer.hover()
    await answer.get_by_test_id("reply-action").click()
    await send(page, "and the second line?")
    await expect(bubble(page, 3).get_by_test_id("quoted")).to_contain_text("Open")
    message = simulator.scene.updates.pending[-1].payload
    assert isinstance(message["reply_to_message"], dict)
    assert message["reply_to_message"]["message_id"] == 2


async def test_alert_and_copy_buttons(page: Page, api: Api, simulator: Simulator) -> None:
    copying = {"text": "Copy", "copy_text": {"text": "TOTAL 19.85"}}
    asking = {"text": "Ask", "callback_data": "ask"}
    markup = keyboard(copying, asking)
    await api.result("sendMessage", chat_id=PRIVATE_ID, text="x", reply_markup=markup)
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await page.get_by_role("button", name="Copy").click()
    await expect(page.get_by_test_id("toast")).to_have_text("Copied")
    assert await page.evaluate("navigator.clipboard.readText()") == "TOTAL 19.85"
    await page.get_by_role("button", name="Ask").click()
    await expect(page.locator("[aria-busy]")).to_have_count(1)
    number = simulator.scene.updates.pending[-1].payload["id"]
    await api.result(
        "answerCallbackQuery", callback_query_id=number, text="Not yours", show_alert=True
    )
    await expect(page.get_by_test_id("alert-text")).to_have_text("Not yours")
    await page.get_by_test_id("alert-ok").click()
    await expect(page.get_by_test_id("alert")).to_be_hidden()


async def test_pictures_come_in_three_ways(page: Page, simulator: Simulator) -> None:
    await page.get_by_test_id("file-input").set_input_files(SAMPLES / "sign.png")
    await send(page, "by dialog")
    await expect(bubble(page, 1)).to_contain_text("by dialog")
    await page.evaluate(DROP, ["a.png", list(NOTE)])
    await expect(page.get_by_test_id("attachment")).to_contain_text("a.png")
    await page.get_by_test_id("as-file").check()
    await send(page, "dropped")
    await expect(bubble(page, 2).get_by_test_id("document")).to_contain_text("a.png")
    await page.evaluate(PASTE, ["b.png", list(NOTE)])
    await page.get_by_test_id("composer-text").press("Enter")
    await expect(bubble(page, 3).get_by_test_id("photo")).to_be_visible()
    await expect(page.get_by_test_id("attachment")).to_be_hidden()
    kinds = [m.media.kind for m in simulator.scene.world.history(PRIVATE_ID) if m.media]
    assert kinds == ["photo", "document", "photo"]


async def test_group_and_another_person(page: Page, api: Api, simulator: Simulator) -> None:
    await simulator.scene.crowd.show_photo(Place(BEN.person_id, GROUP_ID), SIGN)
    await expect(page.get_by_test_id("unread")).to_have_text("1")
    await page.get_by_test_id("chat-group").click()
    await page.get_by_test_id("actor-ada").locator("input").check()
    await bubble(page, 1).hover()
    await bubble(page, 1).get_by_test_id("reply-action").click()
    await send(page, "/ocr")
    await expect(bubble(page, 2)).to_have_attribute("data-own", "true")
    update = (await api.updates())[0]["message"]
    assert isinstance(update, dict)
    assert (update["from"]["id"], "photo" in update["reply_to_message"]) == (ADA.person_id, True)
    await page.get_by_test_id("privacy-mode").uncheck()
    await expect(page.get_by_test_id("privacy-mode")).not_to_be_checked()
    me = await api.result("getMe")
    assert isinstance(me, dict)
    assert me["can_read_all_group_messages"] is True


async def test_words_are_shown_not_run(page: Page, api: Api, simulator: Simulator) -> None:
    simulator.scene.crowd.say(ME, "<img src=x onerror=alert(1)>")
    text = "<b>a <i>b</i></b> &lt;u&gt; <a href='https://example.org/'>l</a> <code>c</code>"
    await api.result("sendMessage", chat_id=PRIVATE_ID, text=text, parse_mode="HTML")
    await expect(bubble(page, 1).get_by_test_id("message-text")).to_have_text(
        "<img src=x onerror=alert(1)>"
    )
    shown = bubble(page, 2).get_by_test_id("message-text")
    await expect(shown.locator("strong em")).to_have_text("b")
    await expect(shown.locator("a")).to_have_attribute("rel", "noopener noreferrer")
    await expect(shown).to_contain_text("<u>")


async def test_own_message_is_edited_and_deleted(page: Page) -> None:
    await send(page, "one")
    await bubble(page, 1).get_by_test_id("bubble").click(button="right")
    await page.get_by_test_id("menu-edit").click()
    await send(page, "two")
    await expect(bubble(page, 1).get_by_test_id("message-text")).to_have_text("two")
    await bubble(page, 1).hover()
    await bubble(page, 1).get_by_test_id("more-action").click()
    await page.get_by_test_id("menu-delete").click()
    await expect(bubble(page, 1)).to_have_count(0)


async def test_phone_has_one_room_at_a_time(page: Page) -> None:
    await page.set_viewport_size({"width": 375, "height": 700})
    await expect(page.get_by_test_id("chat-list")).to_be_hidden()
    await page.get_by_test_id("back").click()
    await expect(page.get_by_test_id("composer")).to_be_hidden()
    await page.get_by_test_id("chat-group").click()
    await expect(page.get_by_test_id("chat-title")).to_have_text("Market day")
    wide = await page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 375
