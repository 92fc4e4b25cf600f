"""Letting people in from the chat, through the simulator."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.access import AccessPolicy
from bot.simulator import ADA, BEN, GROUP, YOU, Place
from bot.simulator.records import Chat
from bot.texts import ENGLISH
from storage import Guests, open_database
from tests.bot.town import NOTE, Town, labels, open_town

DONE = ENGLISH.button_regenerate
ADMIN, STRANGER = YOU.person_id, ADA.person_id
ALLOWED = ENGLISH.is_allowed.format(asker=STRANGER)
DENIED = ENGLISH.is_denied.format(asker=STRANGER)


@pytest.fixture
async def closed(tmp_path: Path) -> AsyncIterator[Town]:
    """A town whose bot knows its owner only."""
    async with open_town(tmp_path) as town:
        town.access = AccessPolicy([ADMIN])
        town.simulator.scene.world.put(Chat(STRANGER, "private"))
        async with town.bot():
            yield town


def knock(town: Town, text: str = "hello") -> None:
    town.say(text, Place(STRANGER, STRANGER))


async def test_stranger_is_let_in_by_a_button(closed: Town) -> None:
    knock(closed)
    refusal = await closed.answer(0, str(STRANGER), chat_id=STRANGER)
    request = await closed.answer(0, str(STRANGER), label=ENGLISH.button_allow)
    assert "hello" not in refusal.text + request.text
    closed.press(request, ENGLISH.button_allow)
    assert labels(await closed.answer(0, ALLOWED)) == []
    await closed.answer(1, ENGLISH.let_in, chat_id=STRANGER)
    await closed.show(NOTE, "What?", Place(STRANGER, STRANGER))
    await closed.answer(2, "1 shown, 1 said: What?", label=DONE, chat_id=STRANGER)


async def test_who_was_turned_away_asks_in_vain(closed: Town) -> None:
    knock(closed)
    request = await closed.answer(0, label=ENGLISH.button_deny)
    closed.press(request, ENGLISH.button_deny)
    await closed.answer(0, DENIED)
    closed.say("/users")
    told = await closed.answer(1, f"{ENGLISH.users_denied} {STRANGER}")
    assert f"{ENGLISH.users_admins} {ADMIN}" in told.text
    knock(closed, "again")
    closed.say("/help")
    await closed.answer(2, ENGLISH.help)
    assert len(closed.answers(STRANGER)) == 1


async def test_commands_decide_by_number(closed: Town) -> None:
    closed.say(f"/allow {STRANGER} {GROUP.chat_id}")
    await closed.answer(0, ALLOWED)
    await closed.answer(0, ENGLISH.is_allowed.format(asker=GROUP.chat_id))
    photo = await closed.show(NOTE, "", Place(BEN.person_id, GROUP.chat_id))
    closed.say("/ask What?", Place(BEN.person_id, GROUP.chat_id, reply_to=photo.message_id))
    await closed.answer(0, "1 shown, 1 said: What?", chat_id=GROUP.chat_id)
    closed.say(f"/deny {ADMIN}")
    await closed.answer(1, ENGLISH.admin_stays.format(asker=ADMIN))
    closed.say("/allow")
    await closed.answer(2, ENGLISH.allow_how)


async def test_denying_stops_what_runs(closed: Town) -> None:
    closed.say(f"/allow {STRANGER}")
    await closed.answer(0, ALLOWED)
    closed.engine.gate.clear()
    await closed.show(NOTE, "What?", Place(STRANGER, STRANGER))
    await closed.answer(1, label=ENGLISH.button_stop, chat_id=STRANGER)
    closed.say(f"/deny {STRANGER}")
    await closed.answer(1, DENIED)
    await closed.until(lambda: closed.engine.num_open == 0)


async def test_commands_of_admins_are_unknown_to_others(closed: Town) -> None:
    closed.say(f"/allow {STRANGER}")
    await closed.answer(0, ALLOWED)
    for text in ("/users", f"/allow {BEN.person_id}", "/deny 1"):
        knock(closed, text)
    await closed.answer(3, ENGLISH.unknown_command, chat_id=STRANGER)
    assert not closed.access.is_allowed(BEN.person_id)


async def test_decisions_outlive_the_process(tmp_path: Path) -> None:
    async with open_database(tmp_path / "darkroom.db") as database:
        access = AccessPolicy([ADMIN], [-5])
        await access.keep_in(Guests(database))
        await access.decide(STRANGER, is_allowed=True, name="Ada")
        await access.decide(BEN.person_id, is_allowed=False)
        await access.decide(STRANGER, is_allowed=True)
        await access.move(-5, -1005)
        later = AccessPolicy([ADMIN], [-5])
        await later.keep_in(Guests(database))
    assert later.is_allowed(STRANGER)
    assert later.guests[str(STRANGER)].name == "Ada"
    assert not later.is_allowed(BEN.person_id, -5)
    assert later.is_allowed(7, -1005)
