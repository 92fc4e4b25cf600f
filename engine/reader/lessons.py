"""A training picture with its questions and answers, as difficult as it is told.

Knows no tensors.
"""

import random
from dataclasses import dataclass

from PIL import Image

from engine.reader.contents import EMPTY, TWO_LINES, Content, compose
from engine.reader.pictures import Mark
from engine.reader.questions import answer, ask
from engine.reader.wordings import Kind

# From which part of the way on there are other questions than a brief wish to read.
WORDINGS, COLOUR_QUESTIONS, LINE_QUESTIONS, OTHER_QUESTIONS = 0.1, 0.2, 0.5, 0.65
# Most of a conversation is question; these leave the time for reading.
BRIEF, BRIEF_ZH = ("Read", "ocr", "Text?"), ("读一下。",)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A picture, what stands where in it, and a conversation about it."""

    image: Image.Image
    marks: tuple[Mark, ...]
    turns: tuple[tuple[str, str], ...]


def _kinds(level: float, content: Content, rng: random.Random) -> list[Kind]:
    """Reading and what may follow it, in any order; reading is first more often than not."""
    kinds: list[Kind] = []
    if content.background and level > COLOUR_QUESTIONS:
        kinds.append(Kind.COLOUR)
    if level > TWO_LINES:
        kinds.append(Kind.COUNT)
    if level > LINE_QUESTIONS:
        kinds += [Kind.FIRST, Kind.LAST]
    if level > OTHER_QUESTIONS and rng.random() < 0.4:
        kinds.append(Kind.OTHER)
    rng.shuffle(kinds)
    kinds.insert(
        0 if level < EMPTY or rng.random() < 0.5 else rng.randint(0, len(kinds)), Kind.READ
    )
    return kinds


def converse(
    level: float, content: Content, budget: int, rng: random.Random
) -> tuple[tuple[str, str], ...]:
    """Questions and answers until the budget of bytes is used up; with none, one brief question."""
    if not budget or level < WORDINGS:
        chinese = level > WORDINGS and rng.random() < 0.25
        said = answer(Kind.READ, content.lines, content.background, chinese=chinese)
        return ((rng.choice(BRIEF_ZH if chinese else BRIEF), said),)
    turns: list[tuple[str, str]] = []
    for kind in _kinds(level, content, rng):
        chinese = rng.random() < 0.25
        said = answer(kind, content.lines, content.background, chinese=chinese)
        turns.append((ask(kind, rng, chinese=chinese), said))
        budget -= len("".join(turns[-1]).encode()) + 22
        if budget < 40:
            break
    return tuple(turns)


def lesson(level: float, size: tuple[int, int], budget: int, rng: random.Random) -> Lesson:
    """A picture of this size and a conversation of about this many bytes."""
    content = compose(level, size, rng)
    return Lesson(content.image, content.marks, converse(level, content, budget, rng))
