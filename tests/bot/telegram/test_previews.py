"""Drafts: an answer that grows as one, where Telegram takes it, and as messages elsewhere."""

from itertools import pairwise

import pytest

from bot.telegram.previews import FADES_S
from bot.texts import ENGLISH
from engine import Delta
from tests.bot.telegram.offline import Refusal
from tests.bot.telegram.stage import GROUP, PRIVATE, Stage

UNSUITABLE = Refusal(400, "Bad Request: TEXTDRAFT_PEER_INVALID")


@pytest.fixture
def drafting(stage: Stage) -> Stage:
    stage.policy.are_wanted = True
    return stage


def drafts(stage: Stage) -> list[str]:
    return [call.params["text"] for call in stage.calls.named("sendMessageDraft")]


async def test_answer_grows_as_a_draft_and_ends_as_a_message(drafting: Stage) -> None:
    await drafting.begin()
    await drafting.write("A **cat**")
    await drafting.clock.advance(1.0)
    await drafting.write(" sits")
    await drafting.clock.advance(2.0)
    assert drafts(drafting) == ["A cat", "A cat sits"]
    assert drafting.calls.texts() == []
    await drafting.end()
    assert drafting.calls.texts() == ["A cat sits"]
    assert drafting.calls.last_buttons() == [
        ENGLISH.button_regenerate,
        ENGLISH.button_read,
        ENGLISH.button_translate,
    ]
    first = drafting.calls.named("sendMessageDraft")[0].params
    assert (first["chat_id"], first["draft_id"]) == (PRIVATE.chat_id, 1)
    assert [mark["type"] for mark in first["entities"]] == ["bold"]


async def test_drafts_keep_the_pace(drafting: Stage) -> None:
    await drafting.begin()
    for number in range(100):
        await drafting.write(f"word{number} ")
        await drafting.clock.advance(0.1)
    times = [call.at for call in drafting.calls.named("sendMessageDraft")]
    assert min(b - a for a, b in pairwise(times)) >= PRIVATE.pace_s - 1e-6


async def test_draft_is_renewed_before_it_fades(drafting: Stage) -> None:
    await drafting.begin()
    await drafting.write("A cat")
    await drafting.clock.advance(2.5 * FADES_S)
    assert drafts(drafting) == ["A cat"] * 3


async def test_place_in_line_is_a_draft_too(drafting: Stage) -> None:
    await drafting.begin()
    await drafting.write(Delta(place=2))
    await drafting.clock.advance(3.0)
    assert drafts(drafting) == [ENGLISH.place_in_line(2)]


@pytest.mark.parametrize("is_wanted", [True, False], ids=["group", "switched off"])
async def test_no_draft_where_there_is_none(stage: Stage, is_wanted: bool) -> None:
    stage.policy.are_wanted = is_wanted
    await stage.begin(GROUP if is_wanted else PRIVATE)
    await stage.write("A cat")
    await stage.clock.advance(1.0)
    assert drafts(stage) == []
    assert stage.calls.texts() == ["A cat"]


async def test_refused_draft_becomes_a_message_for_good(drafting: Stage) -> None:
    drafting.calls.faults["sendMessageDraft"] = [UNSUITABLE]
    await drafting.begin()
    await drafting.write("A cat")
    await drafting.clock.advance(3.0)
    await drafting.write(" sits")
    await drafting.clock.advance(3.0)
    assert drafting.calls.texts() == ["A cat", "A cat sits"]
    assert len(drafts(drafting)) == 1
    assert not drafting.policy.allows(PRIVATE.chat_id)


async def test_long_answer_goes_on_in_messages(drafting: Stage) -> None:
    await drafting.begin()
    await drafting.write("word " * 500)
    await drafting.clock.advance(1.0)
    assert drafting.calls.texts() == []
    await drafting.write("word " * 700)
    await drafting.clock.advance(5.0)
    num_drafts = len(drafts(drafting))
    assert len(drafting.calls.named("sendMessage")) == 2
    await drafting.write("more")
    await drafting.clock.advance(5.0)
    assert len(drafts(drafting)) == num_drafts


async def test_retry_writes_into_its_message(drafting: Stage) -> None:
    await drafting.begin(into=44)
    await drafting.write("A cat")
    await drafting.clock.advance(1.0)
    assert drafts(drafting) == []
    assert drafting.calls.named("editMessageText")[0].params["message_id"] == 44
