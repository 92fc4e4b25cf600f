"""The small world that the simulator opens with: you, Ada and Ben, a private chat and a group."""

import asyncio
from pathlib import Path

from bot.simulator.crowd import Place
from bot.simulator.records import Chat, Person
from bot.simulator.scene import Scene
from bot.simulator.world import World

SAMPLES = Path(__file__).parent / "page" / "samples"
BOT = Person(7_000_000_001, "Darkroom", username="darkroom_bot", is_bot=True)
YOU = Person(500_000_001, "You", username="you")
ADA = Person(500_000_002, "Ada", "Keller", username="ada_k")
BEN = Person(500_000_003, "Ben", "Okafor", username="ben_o")
PRIVATE = Chat(YOU.person_id, "private")
GROUP = Chat(
    -1_001_000_000_001,
    "supergroup",
    title="Market day",
    member_ids=(YOU.person_id, ADA.person_id, BEN.person_id),
    admin_ids=(YOU.person_id,),
)


async def furnish(scene: Scene) -> None:
    """Fills an empty world; Ada and Ben have already shown a picture each."""
    settle(scene.world)
    for person, sample, caption in (
        (ADA, "sign.png", "Saw this on the way in"),
        (BEN, "receipt.jpg", "Who can read what I paid?"),
    ):
        data = await asyncio.to_thread((SAMPLES / sample).read_bytes)
        await scene.crowd.show_photo(Place(person.person_id, GROUP.chat_id), data, caption)


def settle(world: World) -> None:
    """The people and their two chats, with nothing said yet."""
    for record in (YOU, ADA, BEN, PRIVATE, GROUP):
        world.put(record)
