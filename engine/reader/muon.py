"""The optimiser of the matrices: momentum whose directions all count the same. Knows no model.

After Jordan and others, "Muon: An optimizer for hidden layers in neural networks" (2024), with the
step length of Liu and others, arXiv 2502.16982. torch has one too; here the workers of a crew share
its work, and wide matrices are taken in blocks.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from engine.reader.crew import Crew

MOMENTUM, DECAY = 0.95, 0.02
# The quintic's coefficients lift small singular values fast and keep the large ones near one.
QUINTIC, ROUNDS = (3.4445, -4.7750, 2.0315), 4
# The cost grows with the square of the shorter side.
BLOCK = 192


def orthogonal(matrix: Tensor) -> Tensor:
    """Nearly the same directions, all singular values near one. [..., rows, columns]."""
    wide = matrix if matrix.shape[-2] <= matrix.shape[-1] else matrix.mT
    linear, cubic, quintic = QUINTIC
    out: Tensor = wide / (wide.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(ROUNDS):
        square = out @ out.mT
        out = linear * out + (cubic * square + quintic * square @ square) @ out
    return out if wide is matrix else out.mT


def _blocks(matrix: Tensor) -> Tensor:
    rows, columns = matrix.shape
    whole = min(rows, columns) <= BLOCK or rows % BLOCK
    return matrix[None] if whole else matrix.view(-1, BLOCK, columns)


class Muon:
    """Keeps the momentum of the matrices, in one piece of memory, and steps along it."""

    def __init__(self, matrices: Sequence[nn.Parameter], crew: Crew) -> None:
        self.matrices = sorted(matrices, key=torch.numel, reverse=True)
        self.crew = crew
        total = sum(matrix.numel() for matrix in self.matrices)
        self.momentum, self.steps = torch.zeros(total), torch.zeros(total)

    def _views(self, flat: Tensor) -> list[Tensor]:
        parts = torch.split(flat, [matrix.numel() for matrix in self.matrices])
        return [part.view_as(matrix) for part, matrix in zip(parts, self.matrices, strict=True)]

    @torch.no_grad()
    def step(self, rate: float) -> None:
        """Every worker turns its share of the matrices; the sum over the crew is the whole."""
        self.steps.zero_()
        views = zip(self.matrices, self._views(self.momentum), self._views(self.steps), strict=True)
        for place, (matrix, momentum, step) in enumerate(views):
            if matrix.grad is None:
                raise RuntimeError("a matrix has no gradient")
            momentum.mul_(MOMENTUM).add_(matrix.grad)
            if place % self.crew.num_workers == self.crew.rank:
                ahead = _blocks(matrix.grad + MOMENTUM * momentum)
                length = 0.2 * max(ahead.shape[-2:]) ** 0.5
                step.copy_(orthogonal(ahead).view_as(step) * length)
        self.crew.add(self.steps)
        for matrix, step in zip(self.matrices, self._views(self.steps), strict=True):
            matrix.mul_(1 - rate * DECAY).sub_(step, alpha=rate)
