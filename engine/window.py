"""How much of a conversation is kept: five turns, and at the sixth the newest three.

A pure rule over messages; knows no tokens. A turn is a user message and what answers it.
"""

from collections.abc import Sequence
from dataclasses import replace

from engine.chat import Image, Message

MAX_TURNS = 5
KEPT_TURNS = 3


def num_dropped(num_turns: int) -> int:
    """How many of the oldest turns go, of `num_turns` with the new question included.

    Depends on the count alone, so that the same history gives the same window after a restart.
    """
    if num_turns <= MAX_TURNS:
        return 0
    step = MAX_TURNS - KEPT_TURNS
    return step * ((num_turns - KEPT_TURNS - 1) // step)


def will_be_cut(messages: Sequence[Message]) -> bool:
    """Whether one question more makes the oldest turns go."""
    num_turns = sum(message.role == "user" for message in messages)
    return num_dropped(num_turns + 1) > num_dropped(num_turns)


def bounded(messages: Sequence[Message]) -> list[Message]:
    """The messages that the model sees.

    Pictures of dropped turns move, in their order, to the front of the oldest question that
    stays: the tokens up to the end of the last of them are then the same as before.
    """
    system = [message for message in messages if message.role == "system"]
    rest = [message for message in messages if message.role != "system"]
    starts = [i for i, message in enumerate(rest) if message.role == "user"]
    dropped = num_dropped(len(starts))
    if not dropped:
        return system + rest
    cut = starts[dropped]
    moved: tuple[Image, ...] = sum((message.images for message in rest[:cut]), ())
    first = replace(rest[cut], images=moved + rest[cut].images)
    return [*system, first, *rest[cut + 1 :]]
