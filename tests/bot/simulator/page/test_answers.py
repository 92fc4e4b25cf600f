"""The test is the bot: what it sends, changes and asks is seen at once."""

import pytest
from playwright.async_api import Page, expect

from bot.simulator import Simulator
from tests.bot.simulator.conftest import ME, PRIVATE_ID, Api, Clock
from tests.bot.simulator.page.conftest import bubble, keyboard, send

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]
STOP = keyboard({"text": "Stop", "callback_data": "stop"})


async def test_it_says_what_it_is(page: Page) -> None:
    about = page.get_by_test_id("about")
    await expect(about).to_contain_text("simulator on this computer")
    await expect(page.get_by_test_id("about-model")).to_have_text("A test answers.")
    await expect(page.get_by_test_id("empty")).to_be_visible()


async def test_sample_is_one_click_away(page: Page, api: Api) -> None:
    await page.get_by_test_id("sample-note").click()
    photo = bubble(page, 1).get_by_test_id("photo").locator("img")
    await expect(photo).to_be_visible()
    decoded = "async (image) => { await image.decode(); return image.naturalWidth }"
    assert await photo.evaluate(decoded) == 320
    message = await api.next("message")
    assert [size["width"] for size in message["photo"]] == [90, 320]


async def test_answer_grows_before_the_eyes(page: Page, api: Api) -> None:
    here = {"chat_id": PRIVATE_ID, "message_id": 1}
    await api.result("sendChatAction", chat_id=PRIVATE_ID, action="typing")
    await expect(page.get_by_test_id("typing")).to_have_text("Darkroom is writing")
    await api.result("sendMessage", chat_id=PRIVATE_ID, text="O", reply_markup=STOP)
    shown = bubble(page, 1)
    await expect(shown.get_by_test_id("message-text")).to_have_text("O")
    await expect(page.get_by_test_id("typing")).to_have_text("")
    await api.result("editMessageText", **here, text="Open", reply_markup=STOP)
    await expect(shown.get_by_test_id("message-text")).to_have_text("Open")
    await api.result("editMessageText", **here, text="<pre>Open</pre>", parse_mode="HTML")
    await expect(shown.get_by_test_id("pre")).to_have_text("Open")
    await expect(shown.get_by_test_id("inline-button")).to_have_count(0)


async def test_button_waits_for_its_answer(page: Page, api: Api) -> None:
    await api.result("sendMessage", chat_id=PRIVATE_ID, text="x", reply_markup=STOP)
    button = bubble(page, 1).get_by_test_id("inline-button")
    await button.click()
    query = await api.next("callback_query")
    assert query["data"] == "stop"
    await expect(button).to_have_attribute("aria-busy", "true")
    await api.result("answerCallbackQuery", callback_query_id=query["id"], text="Stopped")
    await expect(page.get_by_test_id("toast")).to_have_text("Stopped")
    await expect(page.locator("[aria-busy]")).to_have_count(0)


async def test_reply_names_its_message(page: Page, api: Api) -> None:
    await api.result("sendMessage", chat_id=PRIVATE_ID, text="two lines")
    await bubble(page, 1).hover()
    await bubble(page, 1).get_by_test_id("reply-action").click()
    await expect(page.get_by_test_id("reply-bar")).to_contain_text("two lines")
    await send(page, "and the second?")
    await expect(bubble(page, 2).get_by_test_id("quoted")).to_contain_text("two lines")
    message = await api.next("message")
    assert message["reply_to_message"]["message_id"] == 1


async def test_alert_and_copy_buttons(page: Page, api: Api) -> None:
    copying = {"text": "Copy", "copy_text": {"text": "TOTAL 19.85"}}
    asking = {"text": "Ask", "callback_data": "ask"}
    markup = keyboard(copying, asking)
    await api.result("sendMessage", chat_id=PRIVATE_ID, text="x", reply_markup=markup)
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await page.get_by_role("button", name="Copy").click()
    await expect(page.get_by_test_id("toast")).to_have_text("Copied")
    assert await page.evaluate("navigator.clipboard.readText()") == "TOTAL 19.85"
    await page.get_by_role("button", name="Ask").click()
    number = (await api.next("callback_query"))["id"]
    await api.result(
        "answerCallbackQuery", callback_query_id=number, text="Not yours", show_alert=True
    )
    await expect(page.get_by_test_id("alert-text")).to_have_text("Not yours")
    await page.get_by_test_id("alert-ok").click()
    await expect(page.get_by_test_id("alert")).to_be_hidden()


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


async def test_answer_is_spoken_once_it_rests(page: Page, api: Api) -> None:
    await api.result("sendMessage", chat_id=PRIVATE_ID, text="Op")
    await api.result("editMessageText", chat_id=PRIVATE_ID, message_id=1, text="Open daily")
    await expect(page.get_by_test_id("spoken")).to_have_text("Darkroom: Open daily")


async def test_page_recovers_when_the_simulator_returns(
    page: Page, simulator: Simulator, clock: Clock
) -> None:
    await simulator.__aexit__(None, None, None)
    await expect(page.get_by_test_id("offline")).to_be_visible()
    again = Simulator(port=simulator.port, folder=simulator.folder, clock=clock, about="Back.")
    async with again:
        again.scene.crowd.say(ME, "still here")
        await expect(page.get_by_test_id("offline")).to_be_hidden()
        await expect(bubble(page, 1)).to_contain_text("still here")
        await expect(page.get_by_test_id("about-model")).to_have_text("Back.")
        await page.close()
