"""The helper task: which character stands in which slot of a picture's cells. Thrown away later.

A cell of 32 x 32 pixels has 8 x 2 slots; the order of the slots is the order of reading.
"""

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from engine.reader.design import WIDTH
from engine.reader.pictures import Mark
from engine.reader.words import CHARACTERS

COLUMNS, ROWS = 8, 2
NUM_SLOTS = COLUMNS * ROWS
BLANK = 0
NUM_CLASSES = len(CHARACTERS) + 1
CLASS_OF = {character: place for place, character in enumerate(CHARACTERS, start=1)}
# Most slots are blank: without less weight for them nothing else would be learned.
BLANK_WEIGHT = 0.2


def slots_of(marks: Sequence[Mark], rows: int, columns: int) -> Tensor:
    """[cells, slots]: the class of the character whose centre is in the slot."""
    slots = torch.full((rows * ROWS, columns * COLUMNS), BLANK)
    for mark in marks:
        row, column = int(mark.y * rows * ROWS), int(mark.x * columns * COLUMNS)
        if 0 <= row < rows * ROWS and 0 <= column < columns * COLUMNS:
            slots[row, column] = CLASS_OF[mark.character]
    return slots.view(rows, ROWS, columns, COLUMNS).transpose(1, 2).reshape(-1, NUM_SLOTS)


class SlotReader(nn.Linear):
    """One linear layer on each merged visual token."""

    def __init__(self) -> None:
        super().__init__(WIDTH, NUM_SLOTS * NUM_CLASSES)
        nn.init.zeros_(self.bias)
        with torch.no_grad():
            self.bias.view(NUM_SLOTS, NUM_CLASSES)[:, BLANK] = 3.0

    def forward(self, cells: Tensor) -> Tensor:
        """[B, cells, width] -> [B, cells, slots, classes]."""
        return super().forward(cells).view(*cells.shape[:2], NUM_SLOTS, NUM_CLASSES)


def slot_loss(scores: Tensor, slots: Tensor) -> Tensor:
    """Cross-entropy over all slots, blank ones counting less."""
    weight = torch.ones(NUM_CLASSES)
    weight[BLANK] = BLANK_WEIGHT
    return F.cross_entropy(scores.flatten(0, 2), slots.flatten(), weight=weight)


def part_seen(scores: Tensor, slots: Tensor) -> float:
    """The part of the characters that are told right from the features alone."""
    there = slots != BLANK
    right = (scores.argmax(-1) == slots) & there
    return float(right.sum() / there.sum().clamp(min=1))
