"""The rows that storage hands out: a turn is one question with its answer.

Knows neither SQL nor who asks.
"""

from dataclasses import dataclass
from enum import StrEnum


class TurnStatus(StrEnum):
    """How far a turn has come."""

    OPEN = "open"
    ANSWERED = "answered"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Update:
    """Something that a platform told us; `number` is how it tells updates apart."""

    number: int
    content: str


@dataclass(frozen=True, slots=True)
class LeftUpdate:
    """An update that an earlier process took in and did not finish."""

    update: Update
    taken_at: float
    num_tries: int


@dataclass(frozen=True, slots=True)
class Remains:
    """What is left when the turns of a person are gone: where they talked, and photos of nobody."""

    conversations: tuple[str, ...]
    photo_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NewTurn:
    """A question about to be answered; `photo_ids` are the photos that it is about.

    `message_refs` are the messages that ask it: they stand for the turn from the beginning.
    """

    conversation: str
    asker: str
    task: str
    question: str
    photo_ids: tuple[str, ...] = ()
    parent_id: int | None = None
    seed: int = 0
    message_refs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """A question with its answer, as far as there is one.

    `answer_ids` fit only the model that `model_id` names. `error` is the kind of a failure.
    """

    turn_id: int
    conversation: str
    asker: str
    task: str
    question: str
    photo_ids: tuple[str, ...]
    parent_id: int | None
    answer: str
    answer_ids: tuple[int, ...]
    model_id: str
    status: TurnStatus
    seed: int
    created_at: float
    error: str = ""
