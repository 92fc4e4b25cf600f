"""Which messages of a group reach the bot."""

from dataclasses import replace

import pytest

from bot.simulator import ADA, BEN, GROUP, Place, Simulator
from bot.simulator.records import Person, Profile
from tests.bot.simulator.conftest import GROUP_ID, SIGN

HERE = Place(ADA.person_id, GROUP_ID)


def delivered(simulator: Simulator) -> list[object]:
    return [update.payload.get("text") for update in simulator.scene.updates.pending]


@pytest.mark.parametrize(
    ("text", "arrives"),
    [
        ("hello", False),
        ("@darkroom_bot what is this", False),
        ("/ocr", True),
        ("/ocr@darkroom_bot", True),
        ("/ocr@Darkroom_Bot now", True),
        ("/ocr@other_bot", False),
        ("please /ocr", False),
    ],
)
async def test_privacy_mode_filters(text: str, arrives: bool, simulator: Simulator) -> None:
    simulator.scene.crowd.say(HERE, text)
    assert bool(delivered(simulator)) is arrives


async def test_reply_to_the_bot_arrives(simulator: Simulator) -> None:
    world = simulator.scene.world
    said = simulator.scene.crowd.say(HERE, "/ask")
    ours = world.post(replace(said, sender_id=world.bot.person_id))
    simulator.scene.crowd.say(replace(HERE, reply_to=said.message_id), "to Ada")
    simulator.scene.crowd.say(replace(HERE, reply_to=ours.message_id), "to the bot")
    assert delivered(simulator) == ["/ask", "to the bot"]


async def test_replied_photo_comes_along(simulator: Simulator) -> None:
    photo = await simulator.scene.crowd.show_photo(HERE, SIGN)
    reply = Place(BEN.person_id, GROUP_ID, reply_to=photo.message_id)
    simulator.scene.crowd.say(reply, "/ocr@darkroom_bot")
    payload = simulator.scene.updates.pending[-1].payload
    original = payload["reply_to_message"]
    assert isinstance(original, dict)
    assert original["photo"][-1]["width"] == 640


async def test_command_in_a_caption_arrives(simulator: Simulator) -> None:
    await simulator.scene.crowd.show_photo(HERE, SIGN, "/ocr@darkroom_bot")
    await simulator.scene.crowd.show_photo(HERE, SIGN, "@darkroom_bot what is this")
    assert len(simulator.scene.updates.pending) == 1


async def test_bare_command_is_for_the_bot_that_spoke_last(simulator: Simulator) -> None:
    other = Person(7_000_000_002, "Other", username="other_bot", is_bot=True)
    members = (*GROUP.member_ids, other.person_id)
    simulator.scene.world.put(other)
    simulator.scene.world.put(replace(GROUP, member_ids=members))
    simulator.scene.crowd.say(Place(other.person_id, GROUP_ID), "me first")
    simulator.scene.crowd.say(HERE, "/help")
    assert delivered(simulator) == []


@pytest.mark.parametrize("way", ["no privacy", "administrator"])
async def test_everything_arrives_otherwise(way: str, simulator: Simulator) -> None:
    world = simulator.scene.world
    if way == "administrator":
        world.put(replace(GROUP, bot_standing="administrator"))
    else:
        world.put(Profile(privacy_mode=False))
    simulator.scene.crowd.say(HERE, "hello")
    assert delivered(simulator) == ["hello"]


async def test_kicked_bot_hears_nothing(simulator: Simulator) -> None:
    simulator.scene.world.put(replace(GROUP, bot_standing="kicked"))
    simulator.scene.crowd.say(HERE, "/help@darkroom_bot")
    assert delivered(simulator) == []
