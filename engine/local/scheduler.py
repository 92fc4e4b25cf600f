"""Who runs next: fair between conversations, few at once, one new prompt at a time.

While nobody asks, prompts are read in that will be asked about soon.
"""

from collections import Counter, OrderedDict, deque
from collections.abc import Callable

from engine.chat import Delta
from engine.local.sequence import Sequence, Status

# About what a step reads of a prompt while others write.
STEP_TOKENS = 128
Begin = Callable[[Sequence], bool]


def _anyhow(sequence: Sequence) -> bool:
    return True


MAX_AHEAD = 8


class Scheduler:
    """Waiting requests by conversation, and the ones that run.

    Conversations take turns: whoever sends many waits behind whoever sends one, and whoever has
    answers under way behind whoever has none.
    """

    def __init__(self, max_running: int) -> None:
        self._max_running = max_running
        self._waiting: OrderedDict[str, deque[Sequence]] = OrderedDict()
        self._ahead: OrderedDict[str, Sequence] = OrderedDict()
        self._num_steps = 0
        self.running: list[Sequence] = []

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing at all to do."""
        return not (self.running or self._waiting or self._ahead)

    def add_ahead(self, sequence: Sequence) -> None:
        """Take in a prompt to be read while nobody asks; the newest of a conversation counts."""
        self.drop_ahead(sequence.session_id)
        self._ahead[sequence.session_id] = sequence
        while len(self._ahead) > MAX_AHEAD:
            self._ahead.popitem(last=False)

    def drop_ahead(self, session_id: str) -> None:
        """Read no further ahead in a conversation."""
        self._ahead.pop(session_id, None)
        for sequence in self.running:
            if sequence.is_ahead and sequence.session_id == session_id:
                sequence.cancel()

    def add(self, sequence: Sequence) -> None:
        """Take in a request; what was read ahead for it is there, as far as it came."""
        self.drop_ahead(sequence.session_id)
        self._waiting.setdefault(sequence.session_id, deque()).append(sequence)

    def admit(self, begin: Begin = _anyhow) -> list[Sequence]:
        """Requests that begin now, next in line first; the others learn their place.

        `begin` gives one its memory; False if there is none as long as others run.
        """
        admitted: list[Sequence] = []
        while len(self.running) < self._max_running and self._waiting:
            sequence = self._line()[0]
            if not begin(sequence):
                break
            self._leave_line(sequence)
            admitted.append(sequence)
            self.running.append(sequence)
        if not self.running and not self._waiting and self._ahead:
            _, sequence = self._ahead.popitem(last=False)
            if begin(sequence):
                admitted.append(sequence)
                self.running.append(sequence)
        self._tell_places()
        return admitted

    def batch(self) -> list[Sequence]:
        """The requests of the next step: every one that writes, and one that is read in.

        That is the one that would have been ready first if each were read in alone: a short
        question passes a long one, and a long one is passed no longer than it takes itself.
        """
        self._num_steps += 1
        reading = [sequence for sequence in self.running if sequence.prefilling]
        for sequence in reading:
            if sequence.due is None:
                missing = len(sequence.prompt) - sequence.num_computed
                sequence.due = self._num_steps + missing / STEP_TOKENS
        reading.sort(key=lambda sequence: sequence.due or 0.0)
        return [s for s in self.running if not s.prefilling] + reading[:1]

    def take_ended(self) -> list[Sequence]:
        """Remove and return what is finished or cancelled; cancelled ones that wait just go."""
        for queue in self._waiting.values():
            for sequence in [s for s in queue if s.cancelled]:
                queue.remove(sequence)
        self._waiting = OrderedDict((k, queue) for k, queue in self._waiting.items() if queue)
        ended = [s for s in self.running if s.cancelled or s.status is Status.FINISHED]
        if self._waiting:
            ended += self._give_way()
        self.running = [s for s in self.running if s not in ended]
        return ended

    def take_all(self) -> list[Sequence]:
        """Remove and return everything."""
        everything = [*self.running, *self._line()]
        self.running = []
        self._waiting.clear()
        self._ahead.clear()
        return everything

    def _give_way(self) -> list[Sequence]:
        """What is read ahead now, to go on when nobody asks any more."""
        ahead = [s for s in self.running if s.is_ahead and s.status is Status.RUNNING]
        ahead = [sequence for sequence in ahead if not sequence.cancelled]
        for sequence in ahead:
            self._ahead[sequence.session_id] = sequence
        return ahead

    def _line(self) -> list[Sequence]:
        """Who waits, in the order in which they begin."""
        running = Counter(sequence.session_id for sequence in self.running)
        ranks = {
            sequence: running[session_id] + index
            for session_id, queue in self._waiting.items()
            for index, sequence in enumerate(queue)
        }
        return sorted(ranks, key=ranks.__getitem__)

    def _leave_line(self, sequence: Sequence) -> None:
        """Its conversation goes behind all others, with what it has left."""
        queue = self._waiting.pop(sequence.session_id)
        queue.remove(sequence)
        if queue:
            self._waiting[sequence.session_id] = queue

    def _tell_places(self) -> None:
        for place, sequence in enumerate(self._line(), start=1):
            if sequence.place != place:
                sequence.place = place
                sequence.deliver(Delta(place=place))
