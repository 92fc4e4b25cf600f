"""One answer in one chat: how it grows."""

from itertools import pairwise

import pytest

from bot.telegram.formatting import width
from bot.telegram.target import Target
from bot.texts import ENGLISH
from engine import Delta, FinishReason
from tests.bot.telegram.stage import GROUP, PRIVATE, Stage


async def test_quick_answer_is_one_message(stage: Stage) -> None:
    await stage.begin()
    await stage.write("A ", "**cat**.")
    await stage.end()
    (call,) = stage.calls.named("sendMessage", "editMessageText")
    assert call.params["text"] == "A cat."
    assert [mark["type"] for mark in call.params["entities"]] == ["bold"]
    assert call.params["reply_parameters"] == {
        "message_id": 5,
        "allow_sending_without_reply": True,
    }
    assert "parse_mode" not in call.params
    assert stage.calls.last_buttons() == [
        ENGLISH.button_regenerate,
        ENGLISH.button_read,
        ENGLISH.button_translate,
    ]
    assert stage.links == [(1, "telegram:7:1001")]


async def test_first_words_appear_with_a_stop_button(stage: Stage) -> None:
    await stage.begin()
    await stage.write("A cat")
    await stage.clock.advance(0.4)
    assert stage.calls.texts() == ["A cat"]
    assert stage.calls.last_buttons() == [ENGLISH.button_stop]


async def test_slow_start_is_shown(stage: Stage) -> None:
    await stage.begin()
    await stage.clock.advance(1.9)
    assert stage.calls.texts() == []
    await stage.clock.advance(0.2)
    assert stage.calls.texts() == [ENGLISH.thinking]
    assert stage.calls.last_buttons() == [ENGLISH.button_stop]


@pytest.mark.parametrize("target", [PRIVATE, GROUP], ids=["private", "group"])
async def test_edits_keep_their_distance(stage: Stage, target: Target) -> None:
    await stage.begin(target)
    for number in range(100):
        await stage.write(f"word{number} ")
        await stage.clock.advance(0.1)
    calls = stage.calls.named("sendMessage", "editMessageText")
    gaps = [later.at - earlier.at for earlier, later in pairwise(calls)]
    assert len(calls) >= 10 / target.pace_s - 1
    assert min(gaps) >= target.pace_s - 1e-6


@pytest.mark.parametrize("target", [PRIVATE, GROUP], ids=["private", "group"])
async def test_end_does_not_wait_for_the_pace(stage: Stage, target: Target) -> None:
    await stage.begin(target)
    await stage.write("A cat")
    await stage.clock.advance(0.5)
    await stage.write(" sits", Delta(finish_reason=FinishReason.STOP))
    await stage.clock.advance(0.1)
    stage.script.put_nowait(None)
    await stage.clock.advance(0.0)
    assert stage.calls.texts() == ["A cat", "A cat sits"]


async def test_group_answer_stays_in_its_topic(stage: Stage) -> None:
    await stage.begin(GROUP)
    await stage.write("A cat.")
    await stage.end()
    assert stage.calls.named("sendMessage")[0].params["message_thread_id"] == 3


async def test_place_in_line_is_one_message(stage: Stage) -> None:
    await stage.begin()
    for place in (3, 3, 2, 1):
        await stage.write(Delta(place=place))
        await stage.clock.advance(2.0)
    await stage.write("A cat.")
    await stage.end()
    lines = [ENGLISH.place_in_line(place) for place in (3, 2, 1)]
    assert list(dict.fromkeys(stage.calls.texts())) == [*lines, "A cat."]
    assert len(stage.calls.named("sendMessage")) == 1


async def test_long_answer_fills_several_messages(stage: Stage) -> None:
    text = " ".join(f"word{number}." for number in range(1500))
    await stage.begin()
    for start in range(0, len(text), 500):
        await stage.write(text[start : start + 500])
        await stage.clock.advance(1.0)
    await stage.end()
    final: dict[int, str] = {}
    for number, call in enumerate(stage.calls.named("sendMessage"), start=1001):
        final[number] = call.params["text"]
    for call in stage.calls.named("editMessageText"):
        final[call.params["message_id"]] = call.params["text"]
    assert "".join(final.values()) == text
    assert max(width(part) for part in final.values()) <= 4096
    sent = stage.calls.named("sendMessage")
    assert ["reply_parameters" in call.params for call in sent] == [True] + [False] * (
        len(sent) - 1
    )
    assert [ref for _, ref in stage.links] == [f"telegram:7:{number}" for number in final]


async def test_only_the_last_message_bears_buttons(stage: Stage) -> None:
    await stage.begin()
    await stage.write("a " * 1900)
    await stage.clock.advance(2.0)
    await stage.write("b " * 1900)
    await stage.clock.advance(2.0)
    await stage.end()
    markup: dict[int, object] = {}
    for call in stage.calls.named("editMessageText"):
        markup[call.params["message_id"]] = call.params.get("reply_markup")
    assert markup[1001] is None
    assert markup[1002] is not None
