"""The thread that owns the model: takes requests in, steps, delivers.

Everything that touches the model runs here; the other side only appends to a queue. Whatever
happens in a step ends as a delta or an error at its asker.
"""

import logging
from collections.abc import Callable
from queue import Empty, SimpleQueue

import torch

from engine.errors import EngineError, EngineFailed, EngineStopped, OutOfMemory
from engine.local.memory import is_out_of_memory
from engine.local.model_runner import ModelRunner
from engine.local.scheduler import Scheduler
from engine.local.sequence import Sequence, Status

logger = logging.getLogger(__name__)

Command = Callable[[], None]


class InferenceThread:
    """The loop of the model thread; `run` is called on that thread, all else from outside."""

    def __init__(self, runner: ModelRunner, max_running: int) -> None:
        self._runner = runner
        self._scheduler = Scheduler(max_running)
        self._commands: SimpleQueue[Command] = SimpleQueue()
        self._open = True

    def submit(self, sequence: Sequence) -> None:
        """Hand over a request; its `deliver` is called from the model thread."""
        self._commands.put(lambda: self._scheduler.add(sequence))

    def prepare(self, sequence: Sequence) -> None:
        """Hand over a prompt to be read in while nobody asks."""
        self._commands.put(lambda: self._scheduler.add_ahead(sequence))

    def cancel(self, sequence: Sequence) -> None:
        """End a request at the next token, and wake the loop so that it notices."""
        sequence.cancel()
        self._commands.put(lambda: None)

    def forget(self, session_id: str) -> None:
        """Drop what is kept of a session."""
        self._commands.put(lambda: self._forget(session_id))

    def call(self, command: Command) -> None:
        """Have something done on the model's thread, before what is asked later."""
        self._commands.put(command)

    def close(self) -> None:
        """End the loop after the step in progress."""
        self._commands.put(self._stop)

    def run(self) -> None:
        """Step until closed."""
        while self._open:
            self._take_in()
            self._release_ended()
            self._scheduler.admit(self._begin)
            batch = self._scheduler.batch()
            if batch:
                self._step(batch)

    def _take_in(self) -> None:
        if self._scheduler.is_idle:
            self._commands.get()()
        while True:
            try:
                self._commands.get_nowait()()
            except Empty:
                return

    def _release_ended(self) -> None:
        for sequence in self._scheduler.take_ended():
            self._runner.release(sequence)

    def _begin(self, sequence: Sequence) -> bool:
        try:
            return self._runner.admit(sequence)
        except Exception as error:  # noqa: BLE001 - its asker must learn of it, and nobody else
            sequence.fail(_as_engine_error(error))
            sequence.cancel()
            return False

    def _step(self, batch: list[Sequence]) -> None:
        try:
            self._runner.run(batch)
        except Exception as error:  # noqa: BLE001 - whatever it is, its askers must learn of it
            if len(batch) == 1 or not is_out_of_memory(error):
                for sequence in batch:
                    self._fail(sequence, _as_engine_error(error))
                batch = []
        else:
            return
        # Outside the except block, where the traceback no longer holds on to the tensors.
        if torch.cuda.is_available():
            torch.cuda.empty_cache()
        # Together they were too large: alone, who fails is the one that is.
        for sequence in batch:
            self._step([sequence])

    def _fail(self, sequence: Sequence, error: EngineError) -> None:
        if sequence.status is not Status.FINISHED:
            sequence.fail(error)
        self._scheduler.running.remove(sequence)
        self._runner.discard(sequence)

    def _forget(self, session_id: str) -> None:
        # What has just ended would otherwise be kept a moment after it was to be forgotten.
        self._scheduler.drop_ahead(session_id)
        self._release_ended()
        self._runner.forget(session_id)

    def _stop(self) -> None:
        self._open = False
        running = list(self._scheduler.running)
        for sequence in self._scheduler.take_all():
            if sequence.status is not Status.FINISHED:
                sequence.fail(EngineStopped())
        for sequence in running:
            self._runner.release(sequence)


def _as_engine_error(error: Exception) -> EngineError:
    if isinstance(error, EngineError):
        return error
    if is_out_of_memory(error):
        return OutOfMemory()
    logger.error("A step of the model failed", exc_info=error)
    return EngineFailed(type(error).__name__)
