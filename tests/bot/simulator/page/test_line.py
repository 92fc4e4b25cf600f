"""What comes over the line is never lost: not while the page reads, nor when reading fails."""

import asyncio

import pytest
from playwright.async_api import Page, Route, expect

from bot.simulator import ADA, Place, Simulator
from bot.simulator.records import Chat
from tests.bot.simulator.conftest import GROUP_ID, ME, PRIVATE_ID, Api
from tests.bot.simulator.page.conftest import bubble, keyboard

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]
STATE = "**/control/state"
TRANSCRIPTS = "**/control/chats/*/messages"
NUM_EARLY = "import('/page/presses.js').then((presses) => presses.numEarly())"


async def fail(route: Route) -> None:
    await route.abort()


@pytest.mark.parametrize("path", [STATE, TRANSCRIPTS], ids=["state", "transcript"])
async def test_failed_reading_is_done_again(page: Page, simulator: Simulator, path: str) -> None:
    await page.route(path, fail)
    await page.reload()
    await expect(page.get_by_test_id("offline")).to_be_visible()
    simulator.scene.crowd.say(ME, "meanwhile")
    await page.unroute(path)
    await expect(bubble(page, 1)).to_contain_text("meanwhile")
    await expect(page.get_by_test_id("offline")).to_be_hidden()
    simulator.scene.crowd.say(ME, "afterwards")
    await expect(bubble(page, 2)).to_contain_text("afterwards")


async def test_failed_refresh_is_done_again(page: Page, simulator: Simulator) -> None:
    await page.route(STATE, fail)
    simulator.describe("Something else answers.")
    await expect(page.get_by_test_id("offline")).to_be_visible()
    await page.unroute(STATE)
    await expect(page.get_by_test_id("about-model")).to_have_text("Something else answers.")
    await expect(page.get_by_test_id("offline")).to_be_hidden()


async def test_first_words_of_a_new_chat_are_kept(page: Page, simulator: Simulator) -> None:
    released = asyncio.Event()

    async def hold(route: Route) -> None:
        await released.wait()
        await route.continue_()

    await page.route(STATE, hold)
    async with page.expect_request(STATE):
        simulator.scene.world.put(Chat(-77, "group", "New room", member_ids=(ADA.person_id,)))
        simulator.scene.crowd.say(Place(ADA.person_id, -77), "hello there")
        # What comes after it on the line says that the page has seen it.
        simulator.scene.crowd.say(ME, "seen")
    await expect(bubble(page, 2)).to_contain_text("seen")
    released.set()
    room = page.locator("[data-chat-id='-77']")
    await expect(room).to_contain_text("hello there")
    await expect(room.get_by_test_id("unread")).to_have_text("1")
    await room.click()
    await expect(bubble(page, 1)).to_contain_text("hello there")


async def test_early_answer_waits_for_its_press(page: Page, api: Api) -> None:
    markup = keyboard({"text": "Stop", "callback_data": "stop"})
    await api.result("sendMessage", chat_id=PRIVATE_ID, text="x", reply_markup=markup)

    async def answer_first(route: Route) -> None:
        response = await route.fetch()
        query = await api.next("callback_query")
        await api.result("answerCallbackQuery", callback_query_id=query["id"], text="Stopped")
        await api.result("sendMessage", chat_id=PRIVATE_ID, text="after the answer")
        await expect(bubble(page, 2)).to_contain_text("after the answer")
        assert await page.evaluate(NUM_EARLY) == 1
        await route.fulfill(response=response)

    await page.route("**/control/presses", answer_first)
    await page.get_by_test_id("inline-button").click()
    await expect(page.get_by_test_id("toast")).to_have_text("Stopped")
    assert await page.evaluate(NUM_EARLY) == 0


async def test_answers_to_others_are_not_collected(
    page: Page, api: Api, simulator: Simulator
) -> None:
    markup = keyboard({"text": "Stop", "callback_data": "stop"})
    await api.result("sendMessage", chat_id=GROUP_ID, text="x", reply_markup=markup)
    press = {"person_id": ADA.person_id, "chat_id": GROUP_ID, "message_id": 1, "data": "stop"}
    await api.client.post(f"{simulator.url}/control/presses", json=press)
    query = await api.next("callback_query")
    await api.result("answerCallbackQuery", callback_query_id=query["id"], text="Stopped")
    await api.result("sendMessage", chat_id=PRIVATE_ID, text="after the answer")
    await expect(bubble(page, 1)).to_contain_text("after the answer")
    assert await page.evaluate(NUM_EARLY) == 0
