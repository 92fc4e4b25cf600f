"""Scene: everything that the methods and the control interface work on, put together once."""

from collections.abc import Callable
from pathlib import Path

from bot.simulator.clock import Clock
from bot.simulator.crowd import Crowd
from bot.simulator.faults import Fault, FaultKind, Faults
from bot.simulator.files import FileStore
from bot.simulator.floods import Floods
from bot.simulator.gestures import Gestures
from bot.simulator.records import Change, Message, Person
from bot.simulator.rendering import View
from bot.simulator.spoiling import refusal_of
from bot.simulator.updates import UpdateQueue
from bot.simulator.world import World

FIRST_UPDATE_ID = 710_000_001
# Enough of a message to be told apart, too little for any library: it has no number and no date.
_POISON = {"text": "?"}
_MEETS_WAITING_POLL = frozenset(
    {FaultKind.SECOND_POLLER, FaultKind.WEBHOOK_SET, FaultKind.REVOKED_TOKEN}
)


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

    def spoil(self, fault: Fault) -> Fault:
        """Plants a fault; what needs no further call is done at once."""
        if fault.kind is FaultKind.POISON_UPDATE:
            for _ in range(fault.count or 1):
                self.updates.add("message", dict(_POISON))
            return fault
        planted = self.faults.plant(fault)
        refusal = refusal_of(planted)
        # A poll that waits already meets it too, as it would on the real server.
        if fault.kind in _MEETS_WAITING_POLL and refusal and self.updates.interrupt(refusal):
            self.faults.take("getUpdates")
        return planted
