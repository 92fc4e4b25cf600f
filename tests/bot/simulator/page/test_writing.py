"""A person writes: pictures in three ways, as somebody else, edits, on a phone."""

import asyncio
import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from bot.simulator import ADA, BEN, SAMPLES, Place, Simulator
from tests.bot.simulator.conftest import GROUP_ID, NOTE, PRIVATE_ID, SIGN, Api
from tests.bot.simulator.page.conftest import bubble, send

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]

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
    message = await api.next("message")
    assert (message["from"]["id"], "photo" in message["reply_to_message"]) == (ADA.person_id, True)
    await page.get_by_test_id("privacy-mode").uncheck()
    await expect(page.get_by_test_id("privacy-mode")).not_to_be_checked()
    me = await api.result("getMe")
    assert isinstance(me, dict)
    assert me["can_read_all_group_messages"] is True


async def test_what_is_no_photo_goes_as_a_file(page: Page, tmp_path: Path) -> None:
    torn = tmp_path / "torn.png"
    await asyncio.to_thread(torn.write_bytes, NOTE[:300])
    await page.get_by_test_id("file-input").set_input_files(torn)
    await page.get_by_test_id("send").click()
    await expect(bubble(page, 1).get_by_test_id("document")).to_contain_text("torn.png")


async def test_commands_are_offered(page: Page, api: Api) -> None:
    commands = [{"command": name, "description": "do it"} for name in ("new", "stop")]
    await api.result("setMyCommands", commands=commands)
    await page.get_by_test_id("composer-text").fill("/")
    await expect(page.get_by_test_id("suggestion")).to_have_count(2)
    await page.get_by_test_id("composer-text").press_sequentially("s")
    await page.get_by_test_id("suggestion").click()
    await expect(bubble(page, 1)).to_have_text(re.compile("/stop"))


async def test_commands_that_come_late_are_offered(page: Page, api: Api) -> None:
    await page.get_by_test_id("composer-text").fill("/")
    await expect(page.get_by_test_id("suggestion")).to_have_count(0)
    await api.result("setMyCommands", commands=[{"command": "new", "description": "do it"}])
    await expect(page.get_by_test_id("suggestion")).to_have_text("/newdo it")


async def test_suggestions_stay_in_their_chat(page: Page, api: Api) -> None:
    await api.result("setMyCommands", commands=[{"command": "new", "description": "do it"}])
    await page.get_by_test_id("composer-text").fill("/")
    await expect(page.get_by_test_id("suggestion")).to_have_count(1)
    await page.get_by_test_id("chat-group").click()
    await expect(page.get_by_test_id("suggestion")).to_have_count(0)
    await page.get_by_test_id("chat-private").click()
    await expect(page.get_by_test_id("suggestion")).to_have_count(1)


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
