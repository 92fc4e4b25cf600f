"""Who runs next: fair between conversations, few at once, one new prompt at a time."""

from collections import OrderedDict, deque
from collections.abc import Iterator

from engine.chat import Delta
from engine.local.sequence import Sequence, Status


class Scheduler:
    """Waiting requests by conversation, and the ones that run.

    Conversations take turns: whoever sends many waits behind whoever sends one.
    """

    def __init__(self, max_running: int) -> None:
        self._max_running = max_running
        self._waiting: OrderedDict[str, deque[Sequence]] = OrderedDict()
        self.running: list[Sequence] = []

    def add(self, sequence: Sequence) -> None:
        """Take in a request."""
        self._waiting.setdefault(sequence.session_id, deque()).append(sequence)

    def admit(self) -> list[Sequence]:
        """Requests that begin now, next in line first; the others learn their place."""
        admitted: list[Sequence] = []
        while len(self.running) < self._max_running and self._waiting:
            sequence = self._pop_next()
            self.running.append(sequence)
            admitted.append(sequence)
        self._tell_places()
        return admitted

    def batch(self) -> list[Sequence]:
        """The requests of the next step: every one that writes, and the first that is read in."""
        prefilling = [sequence for sequence in self.running if sequence.prefilling]
        return [s for s in self.running if not s.prefilling] + prefilling[:1]

    def take_ended(self) -> list[Sequence]:
        """Remove and return what is finished or cancelled; cancelled ones that wait just go."""
        for queue in self._waiting.values():
            for sequence in [s for s in queue if s.cancelled]:
                queue.remove(sequence)
        self._waiting = OrderedDict((k, queue) for k, queue in self._waiting.items() if queue)
        ended = [s for s in self.running if s.cancelled or s.status is Status.FINISHED]
        self.running = [s for s in self.running if s not in ended]
        return ended

    def take_all(self) -> list[Sequence]:
        """Remove and return everything."""
        everything = [*self.running, *self._in_line()]
        self.running = []
        self._waiting.clear()
        return everything

    def _pop_next(self) -> Sequence:
        session_id, queue = self._waiting.popitem(last=False)
        sequence = queue.popleft()
        if queue:
            self._waiting[session_id] = queue
        return sequence

    def _in_line(self) -> Iterator[Sequence]:
        longest = max((len(queue) for queue in self._waiting.values()), default=0)
        for index in range(longest):
            for queue in self._waiting.values():
                if index < len(queue):
                    yield queue[index]

    def _tell_places(self) -> None:
        for place, sequence in enumerate(self._in_line(), start=1):
            if sequence.place != place:
                sequence.place = place
                sequence.deliver(Delta(place=place))
