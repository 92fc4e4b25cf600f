"""Topics, albums, drafts, shared things, and what a chat lets the bot do."""

import re

import pytest
from playwright.async_api import Page, expect

from bot.simulator import ADA, GROUP, Place, Simulator
from bot.simulator.media import Special
from tests.bot.simulator.conftest import GROUP_ID, NOTE, PRIVATE_ID, SIGN, Api
from tests.bot.simulator.page.conftest import bubble, send

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]


async def test_topic_is_opened_written_in_and_chosen(
    page: Page, api: Api, simulator: Simulator
) -> None:
    await page.get_by_test_id("chat-group").click()
    await expect(page.get_by_test_id("topics")).to_be_hidden()
    await send(page, "before")
    await page.get_by_test_id("faults-open").click()
    await page.get_by_test_id("topic-name").fill("News")
    await page.get_by_test_id("topic-open").click()
    topics = page.get_by_test_id("topic")
    await expect(topics).to_have_text(["All", "General", "News"])
    await expect(bubble(page, 2).get_by_test_id("note")).to_contain_text("News")
    await topics.nth(2).click()
    await expect(bubble(page, 1)).to_be_hidden()
    await send(page, "inside")
    await expect(bubble(page, 3)).to_be_visible()
    assert simulator.scene.world.history(GROUP_ID)[-1].thread_id == 2
    await api.result("sendMessage", chat_id=GROUP_ID, text="elsewhere")
    await expect(bubble(page, 4)).to_be_hidden()
    await topics.nth(1).click()
    await expect(bubble(page, 4)).to_be_visible()
    await expect(bubble(page, 3)).to_be_hidden()
    await page.get_by_test_id("chat-private").click()
    await expect(page.get_by_test_id("topics")).to_be_hidden()


async def test_album_is_numbered_as_one_set(page: Page, simulator: Simulator) -> None:
    await page.get_by_test_id("chat-group").click()
    place = Place(ADA.person_id, GROUP_ID)
    crowd = simulator.scene.crowd
    first, _ = await crowd.show_album(place, [(NOTE, "Both?"), (SIGN, "")])
    places = page.get_by_test_id("album-place")
    await expect(places).to_have_text(["1 of 2", "2 of 2"])
    crowd.say(place, "between")
    await crowd.join_album(place, first.album_id, NOTE)
    await expect(places).to_have_text(["1 of 3", "2 of 3", "3 of 3"])
    await expect(bubble(page, 2)).to_have_class(re.compile(r"\bjoined\b"))
    await expect(bubble(page, 4)).not_to_have_class(re.compile(r"\bjoined\b"))


async def test_draft_grows_until_the_message(page: Page, api: Api) -> None:
    here = {"chat_id": PRIVATE_ID, "draft_id": 1}
    draft = page.get_by_test_id("draft")
    await api.result("sendMessageDraft", **here)
    await expect(draft).to_have_text("Thinking…")
    await api.result("sendMessageDraft", **here, text="<b>So</b> far", parse_mode="HTML")
    await expect(draft.locator("strong, b")).to_have_text("So")
    await page.get_by_test_id("chat-group").click()
    await expect(draft).to_be_hidden()
    await page.get_by_test_id("chat-private").click()
    await expect(draft).to_have_text("So far")
    await api.result("sendMessage", chat_id=PRIVATE_ID, text="So far and no further")
    await expect(draft).to_be_hidden()


async def test_shared_things_are_named(page: Page, simulator: Simulator) -> None:
    await page.get_by_test_id("chat-group").click()
    place = Place(ADA.person_id, GROUP.chat_id)
    simulator.scene.crowd.declare(place, Special("contact", text="Cleo"))
    simulator.scene.crowd.declare(place, Special("location"))
    await expect(bubble(page, 1).get_by_test_id("note")).to_have_text("Contact: Cleo")
    await expect(bubble(page, 2).get_by_test_id("note")).to_have_text("A place on the map")


async def test_chat_lets_the_bot_do_less(page: Page, api: Api, simulator: Simulator) -> None:
    await page.get_by_test_id("faults-open").click()
    await page.get_by_test_id("blocked").check()
    await expect(page.get_by_test_id("silent")).to_be_hidden()
    refusal = await api.refusal("sendMessage", chat_id=PRIVATE_ID, text="x")
    assert refusal == "Forbidden: bot was blocked by the user"
    await send(page, "again")
    await expect(page.get_by_test_id("blocked")).not_to_be_checked()
    await page.get_by_test_id("chat-group").click()
    await page.get_by_test_id("silent").check()
    await page.get_by_test_id("admin").check()
    await expect(page.get_by_test_id("admin")).to_be_checked()
    chat = simulator.scene.world.chats[GROUP_ID]
    assert (chat.silent, chat.bot_standing) == (True, "administrator")
    await page.get_by_test_id("away").check()
    await expect(page.get_by_test_id("admin")).not_to_be_checked()
    assert simulator.scene.world.chats[GROUP_ID].bot_standing == "kicked"
