"""Lessons as tensors: equally large pictures, padded conversations, where the characters are.

Knows no model.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from engine.reader.design import (
    CELL,
    END_OF_TEXT,
    IM_END,
    IM_START,
    IMAGE_PAD,
    MOST_PIXELS,
    VISION_END,
    VISION_START,
)
from engine.reader.lessons import LINES, RESIZED, WORDS, Lesson, lesson
from engine.reader.pictures import Mark
from engine.reader.words import CHARACTERS

START = len((IM_START, *b"user\n", VISION_START))
PLACE_OF = {character: place for place, character in enumerate(CHARACTERS)}
SMALLEST = (3, 1)


@dataclass(frozen=True, slots=True)
class Batch:
    """One step's worth of lessons.

    pixels: [B, H, W, 3] bytes; ids, answered: [B, T]; presence: [B, cells, characters].
    """

    pixels: Tensor
    ids: Tensor
    answered: Tensor
    presence: Tensor

    @property
    def cells(self) -> tuple[int, int]:
        return self.pixels.shape[1] // CELL, self.pixels.shape[2] // CELL


@dataclass(frozen=True, slots=True)
class Mix:
    """What a batch is made of.

    spread: the smaller, the nearer the lessons are to the present difficulty; budgets: lengths of
    conversations in bytes, 0 for one brief question.
    """

    size: int = 32
    spread: float = 0.35
    budgets: tuple[int, ...] = (0, 0, 0, 0, 90, 150)


def question_ids(question: str, num_cells: int) -> list[int]:
    """A user's turn and the head of the answer; with the picture where there are cells."""
    picture = [VISION_START, *[IMAGE_PAD] * num_cells, VISION_END] if num_cells else []
    return [
        IM_START,
        *b"user\n",
        *picture,
        *question.encode(),
        IM_END,
        *b"\n",
        IM_START,
        *b"assistant\n",
    ]


def conversation_ids(
    turns: Sequence[tuple[str, str]], num_cells: int
) -> tuple[list[int], list[bool]]:
    """The ids of the turns, and which of them the model has to say."""
    ids: list[int] = []
    answered: list[bool] = []
    for place, (question, said) in enumerate(turns):
        asked, reply = question_ids(question, 0 if place else num_cells), [*said.encode(), IM_END]
        if ids:
            asked = [*b"\n", *asked]
        ids += asked + reply
        answered += [False] * len(asked) + [True] * len(reply)
    return ids, answered


def presence_of(marks: Sequence[Mark], rows: int, columns: int) -> Tensor:
    """[cells, characters]: which characters have their centre in which cell."""
    presence = torch.zeros(rows * columns, len(CHARACTERS))
    for mark in marks:
        row, column = int(mark.y * rows), int(mark.x * columns)
        if 0 <= row < rows and 0 <= column < columns:
            presence[row * columns + column, PLACE_OF[mark.character]] = 1.0
    return presence


def collate(lessons: Sequence[Lesson]) -> Batch:
    """Lessons with pictures of one size."""
    columns, rows = (side // CELL for side in lessons[0].image.size)
    talks = [conversation_ids(lesson.turns, rows * columns) for lesson in lessons]
    longest = max(len(ids) for ids, _ in talks)
    ids = torch.full((len(talks), longest), END_OF_TEXT)
    answered = torch.zeros((len(talks), longest), dtype=torch.bool)
    for row, (talk, said) in enumerate(talks):
        ids[row, : len(talk)] = torch.tensor(talk)
        answered[row, : len(said)] = torch.tensor(said)
    pixels = torch.from_numpy(np.stack([np.asarray(lesson.image) for lesson in lessons]))
    return Batch(
        pixels,
        ids,
        answered,
        torch.stack([presence_of(lesson.marks, rows, columns) for lesson in lessons]),
    )


def most_cells(level: float) -> int:
    """How many cells a picture has at most, by difficulty."""
    if level < RESIZED:
        return 6
    if level < LINES:
        return 12
    return round(12 + (level - LINES) / (1 - LINES) * (MOST_PIXELS // CELL**2 - 12))


def cells_for(level: float, rng: random.Random) -> tuple[int, int]:
    """Columns and rows of a picture's cells; small pictures are more frequent than large ones."""
    if level < WORDS:
        return SMALLEST
    least = SMALLEST[0] * SMALLEST[1]
    area = least * (most_cells(level) / least) ** rng.random() ** 0.9
    columns = min(14, max(2, round(math.sqrt(area * math.exp(rng.uniform(-0.2, 2.1))))))
    rows = max(1, round(area / columns))
    return (columns, rows) if rows * columns >= least else SMALLEST


def draw_batch(difficulty: float, mix: Mix, rng: random.Random) -> Batch:
    """Lessons at and below a difficulty; the picture size is that of one of them."""
    columns, rows = cells_for(difficulty * rng.random() ** mix.spread, rng)
    budget = rng.choice(mix.budgets)
    lessons: list[Lesson] = []
    while len(lessons) < mix.size:
        level = difficulty * rng.random() ** mix.spread
        lessons.append(lesson(level, (columns * CELL, rows * CELL), budget, rng))
    return collate(lessons)
