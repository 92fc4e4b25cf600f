"""The optimiser of the matrices."""

import pytest
import torch
from torch import Tensor, nn

from engine.reader.crew import Crew
from engine.reader.muon import BLOCK, Muon, orthogonal


class Listener(Crew):
    """A worker that hears its own part only."""

    def __init__(self, rank: int, num_workers: int) -> None:
        super().__init__(rank, num_workers)
        self.heard: list[Tensor] = []

    def add(self, values: Tensor) -> None:
        self.heard.append(values.clone())


def _matrices(*shapes: tuple[int, int]) -> list[nn.Parameter]:
    generator = torch.Generator().manual_seed(3)
    matrices = [nn.Parameter(torch.randn(shape, generator=generator)) for shape in shapes]
    for matrix in matrices:
        matrix.grad = torch.randn(matrix.shape, generator=generator)
    return matrices


@pytest.mark.parametrize("shape", [(8, 40), (40, 8), (3, 8, 40)], ids=["wide", "tall", "blocks"])
def test_all_directions_count_the_same(shape: tuple[int, ...]) -> None:
    matrix = torch.randn(shape, generator=torch.Generator().manual_seed(1)) * 100
    sizes = torch.linalg.svdvals(orthogonal(matrix))
    assert sizes.min() > 0.6
    assert sizes.max() < 1.3


def test_directions_stay() -> None:
    matrix = torch.randn(8, 40, generator=torch.Generator().manual_seed(1))
    left, _, right = torch.linalg.svd(matrix, full_matrices=False)
    turned = left.T @ orthogonal(matrix) @ right.T
    assert torch.allclose(turned, torch.diag(turned.diagonal()), atol=1e-4)


def test_nothing_comes_of_nothing() -> None:
    assert torch.equal(orthogonal(torch.zeros(4, 8)), torch.zeros(4, 8))


def test_a_step_goes_down() -> None:
    (matrix,) = _matrices((4, 8))
    assert matrix.grad is not None
    before, slope = matrix.detach().clone(), matrix.grad.clone()
    Muon([matrix], Crew()).step(0.01)
    assert ((matrix - before) * slope).sum() < 0


def test_the_parts_of_a_crew_are_the_whole() -> None:
    shapes = (4, 8), (2 * BLOCK, 2 * BLOCK), (8, 4)
    listeners = [Listener(0, 1), Listener(0, 2), Listener(1, 2)]
    for listener in listeners:
        Muon(_matrices(*shapes), listener).step(0.01)
    whole, first, second = (listener.heard[0] for listener in listeners)
    assert first.any()
    assert second.any()
    assert torch.equal(first + second, whole)
