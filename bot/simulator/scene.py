"""Scene: everything that the methods and the control interface work on, put together once."""

from collections.abc import Callable
from pathlib import Path

from bot.simulator.crowd import Crowd
from bot.simulator.files import FileStore
from bot.simulator.gestures import Gestures
from bot.simulator.records import Change, Message, Person
from bot.simulator.rendering import View
from bot.simulator.updates import UpdateQueue
from bot.simulator.world import World

FIRST_UPDATE_ID = 710_000_001


class Scene:
    """One world with its files, its bot's queue, its people's hands, and the bot's view of it."""

    def __init__(self, bot: Person, folder: Path, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.world = World(bot, clock)
        self.files = FileStore(folder, bot.person_id, clock)
        self.updates = UpdateQueue(clock, FIRST_UPDATE_ID)
        self.view = View(self.world, self.files)
        self.crowd = Crowd(self.world, self.files, self.updates, self.view)
        self.gestures = Gestures(self.world, self.updates, self.view)

    def take_in(self, change: Change) -> None:
        """A change that was made before a restart."""
        self.world.apply(change)
        if isinstance(change, Message) and change.media is not None:
            self.files.know(change.media)
