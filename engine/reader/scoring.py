"""How near an answer is to the truth. Knows no engine and no pictures."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reading:
    """What stands in a picture and what was read there."""

    lines: tuple[str, ...]
    read: str


def num_edits(one: str, other: str) -> int:
    """Characters to put in, take out or change to make one text the other."""
    above = list(range(len(other) + 1))
    for row, left in enumerate(one, start=1):
        here = [row]
        for column, right in enumerate(other, start=1):
            change = above[column - 1] + (left != right)
            here.append(min(change, above[column] + 1, here[column - 1] + 1))
        above = here
    return above[-1]


def part_of_lines(readings: Sequence[Reading]) -> float:
    """The part of the lines that were read exactly, each in its place."""
    right = total = 0
    for reading in readings:
        read = reading.read.split("\n")
        right += sum(line == said for line, said in zip(reading.lines, read, strict=False))
        total += len(reading.lines)
    return right / total if total else 1.0


def part_of_characters(readings: Sequence[Reading]) -> float:
    """One less the edits that would be needed, in parts of the true characters."""
    truths = ["\n".join(reading.lines) for reading in readings]
    edits = sum(num_edits(truth, r.read) for truth, r in zip(truths, readings, strict=True))
    return 1.0 - edits / max(1, sum(map(len, truths)))
