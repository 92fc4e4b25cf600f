"""Attention in bfloat16 without the fused kernel: the same rows, within what rounding allows."""

import pytest
import torch

from engine.local.models.attention import SCORED_ROWS, attend_to_all


@pytest.mark.parametrize("num_rows", [1, 5, SCORED_ROWS, SCORED_ROWS + 7])
def test_products_are_near_the_fused(num_rows: int) -> None:
    drawn = torch.randn(3, 4, num_rows, 16, generator=torch.Generator().manual_seed(0))
    narrow = drawn.to(torch.bfloat16)
    exact = attend_to_all(*narrow.float())
    found = attend_to_all(*narrow).float()
    assert float((found - exact).norm() / exact.norm()) < 0.01
