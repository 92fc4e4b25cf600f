"""The panel of faults: what is planted there happens, and what happened is gone from it."""

import pytest
from playwright.async_api import Page, expect

from bot.simulator import Simulator
from tests.bot.simulator.conftest import GROUP_ID, PRIVATE_ID, Api

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]


async def test_fault_is_planted_and_used_up(page: Page, api: Api) -> None:
    await expect(page.get_by_test_id("faults")).to_be_hidden()
    await page.get_by_test_id("faults-open").click()
    await expect(page.get_by_test_id("fault-none")).to_be_visible()
    await page.get_by_test_id("fault-chat").select_option(label="Market day")
    await page.get_by_test_id("fault-retry").fill("9")
    await page.get_by_test_id("fault-plant").click()
    planted = page.get_by_test_id("fault")
    await expect(planted).to_contain_text("Too many requests (429)")
    await expect(planted).to_contain_text("Everything sent · Market day · 9 s · once")
    await expect(page.get_by_test_id("faults-badge")).to_have_text("1")
    assert (await api.call("sendMessage", chat_id=PRIVATE_ID, text="x"))["ok"]
    refused = await api.call("sendMessage", chat_id=GROUP_ID, text="x")
    assert refused["parameters"] == {"retry_after": 9}
    await expect(planted).to_have_count(0)
    await expect(page.get_by_test_id("faults-badge")).to_be_hidden()


async def test_only_fitting_fields_are_asked(page: Page, simulator: Simulator) -> None:
    await page.get_by_test_id("faults-open").click()
    extra = ("fault-retry", "fault-delay", "fault-status", "fault-method", "fault-chat")
    for kind, asked in (
        ("flood", {"fault-retry", "fault-method", "fault-chat"}),
        ("error", {"fault-status", "fault-method", "fault-chat"}),
        ("slow_download", {"fault-delay"}),
        ("duplicate_update", {"fault-chat"}),
        ("second_poller", set()),
    ):
        await page.get_by_test_id("fault-kind").select_option(kind)
        shown = {name for name in extra if await page.get_by_test_id(name).is_visible()}
        assert shown == asked
        await page.get_by_test_id("fault-plant").click()
    await expect(page.get_by_test_id("fault")).to_have_count(5)
    await page.get_by_test_id("fault-remove").first.click()
    await expect(page.get_by_test_id("fault")).to_have_count(4)
    kinds = [fault.kind for fault in simulator.scene.faults.planted]
    assert kinds == ["error", "slow_download", "duplicate_update", "second_poller"]
    await page.get_by_test_id("fault-clear").click()
    await expect(page.get_by_test_id("fault-none")).to_be_visible()


async def test_limits_and_clock(page: Page, simulator: Simulator) -> None:
    await page.get_by_test_id("faults-open").click()
    await page.get_by_test_id("floods").check()
    await expect(page.get_by_test_id("faults-badge")).to_have_text("1")
    assert simulator.scene.floods.are_limited
    before, shown = simulator.scene.clock(), await page.get_by_test_id("clock-now").inner_text()
    await page.get_by_test_id("clock-hour").click()
    await expect(page.get_by_test_id("clock-now")).not_to_have_text(shown)
    assert simulator.scene.clock() == before + 3600
    await page.keyboard.press("Escape")
    await expect(page.get_by_test_id("faults")).to_be_hidden()
    await expect(page.get_by_test_id("faults-open")).to_be_focused()
