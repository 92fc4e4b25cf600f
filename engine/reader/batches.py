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

from engine.reader.crew import Crew
from engine.reader.design import (
    CELL,
    END_OF_TEXT,
    IM_END,
    IM_START,
    IMAGE_PAD,
    LEAST_PIXELS,
    MOST_PIXELS,
    VISION_END,
    VISION_START,
)
from engine.reader.lessons import Lesson, lesson
from engine.reader.pages import SIZES, page
from engine.reader.slots import slots_of

START = len((IM_START, *b"user\n", VISION_START))


@dataclass(frozen=True, slots=True)
class Batch:
    """One step's worth of lessons.

    pixels: [B, H, W, 3] bytes; ids, answered: [B, T]; slots: [B, cells, slots].
    """

    pixels: Tensor
    ids: Tensor
    answered: Tensor
    slots: Tensor

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
    budgets: tuple[int, ...] = (0, 0, 0, 0, 90, 90, 150, 150)


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
        torch.stack([slots_of(lesson.marks, rows, columns) for lesson in lessons]),
    )


def cells_for(level: float, rng: random.Random) -> tuple[int, int]:
    """Columns and rows of a picture's cells; small pictures are more frequent than large ones."""
    least, most = LEAST_PIXELS // CELL**2, MOST_PIXELS // CELL**2
    most = round(least * 2 + (most - least * 2) * level)
    while True:
        area = least * (most / least) ** rng.random() ** 0.9
        columns = min(14, max(2, round(math.sqrt(area * math.exp(rng.uniform(-0.2, 2.1))))))
        rows = max(1, round(area / columns))
        if least <= rows * columns <= most:
            return columns, rows


def draw_batch(difficulty: float, mix: Mix, seed: str, crew: Crew) -> Batch:
    """This worker's share of a batch of lessons at and below a difficulty.

    Picture size and length of the conversations are those of the whole crew.
    """
    common = random.Random(seed)
    columns, rows = cells_for(difficulty * common.random() ** mix.spread, common)
    budget = common.choice(mix.budgets)
    rng = random.Random(f"{seed} {crew.rank}")
    lessons: list[Lesson] = []
    while len(lessons) < mix.size // crew.num_workers:
        level = difficulty * rng.random() ** mix.spread
        lessons.append(lesson(level, (columns * CELL, rows * CELL), budget, rng))
    return collate(lessons)


def draw_pages(ease: float, num_cells: int, seed: str, crew: Crew) -> tuple[Tensor, Tensor]:
    """This worker's share of pages with so many cells in all: pixels, and what is in the slots."""
    width, height = random.Random(seed).choice(SIZES)
    columns, rows = width // CELL, height // CELL
    rng = random.Random(f"{seed} {crew.rank}")
    num_pages = max(2, round(num_cells / (columns * rows * crew.num_workers)))
    pages = [page((width, height), ease, rng) for _ in range(num_pages)]
    pixels = torch.from_numpy(np.stack([np.asarray(image) for image, _ in pages]))
    return pixels, torch.stack([slots_of(marks, rows, columns) for _, marks in pages])
