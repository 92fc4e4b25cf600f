"""Scene: everything that the methods and the control interface work on, put together once."""

from collections.abc import Callable
from pathlib import Path

from bot.simulator.clock import Clock
from bot.simulator.crowd import Crowd
from bot.simulator.faults import Faults
from bot.simulator.files import FileStore
from bot.simulator.floods import Floods
from bot.simulator.gestures import Gestures
from bot.simulator.records import Change, Message, Person
from bot.simulator.rendering import View
from bot.simulator.updates import UpdateQueue
from bot.simulator.world import World

FIRST_UPDATE_ID = 710_000_001


class Scene:
    """One world with its time, files, faults, its bot's queue and view, and its people's hands."""

    def __init__(self, bot: Person, folder: Path, clock: Callable[[], float]) -> None:
        self.clock = Clock(clock)
        self.faults = Faults()
        self.floods = Floods(self.clock)
        self.world = World(bot, self.clock)
        self.files = FileStore(folder, bot.person_id, self.clock)
        self.updates = UpdateQueue(self.clock, FIRST_UPDATE_ID)
        self.updates.comes_again = self.faults.take_duplicate
        self.view = View(self.world, self.files)
        self.crowd = Crowd(self.world, self.files, self.updates, self.view)
        self.gestures = Gestures(self.world, self.updates, self.view)

    def take_in(self, change: Change) -> None:
        """A change that was made before a restart."""
        self.world.apply(change)
        if isinstance(change, Message) and change.media is not None:
            self.files.know(change.media)
