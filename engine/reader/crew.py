"""Several processes that train one model: each its share of a batch, gradients averaged.

On few cores this beats threads, which wait for each other at every operation.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import torch
import torch.distributed as dist
from torch import Tensor, nn


class Crew:
    """This process among its fellows; alone it is a crew of one."""

    def __init__(self, rank: int = 0, num_workers: int = 1) -> None:
        self.rank, self.num_workers = rank, num_workers

    @classmethod
    def join(cls, rank: int, num_workers: int, meeting: Path) -> Self:
        """Meet the others at a file that does not exist yet; every worker keeps to one core."""
        os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
        os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[rank]})
        torch.set_num_threads(1)
        dist.init_process_group(
            "gloo", init_method=f"file://{meeting}", rank=rank, world_size=num_workers
        )
        return cls(rank, num_workers)

    def add(self, values: Tensor) -> None:
        """Make the values the sum over the crew, in place."""
        if self.num_workers > 1:
            dist.all_reduce(values)

    def average(self, values: Tensor) -> None:
        """Make the values the mean over the crew, in place."""
        self.add(values)
        values /= self.num_workers


class Gradients:
    """The gradients of all parameters in one piece of memory, with a few figures behind them."""

    def __init__(self, parameters: Sequence[nn.Parameter], num_figures: int) -> None:
        total = sum(parameter.numel() for parameter in parameters)
        self.all = torch.zeros(total + num_figures)
        self.values, self.figures = self.all[:total], self.all[total:]
        place = 0
        for parameter in parameters:
            size = parameter.numel()
            parameter.grad = self.values[place : place + size].view_as(parameter)
            place += size

    def clip(self, most: float) -> None:
        """Shorten the whole gradient to this length."""
        length = float(torch.linalg.vector_norm(self.values))
        if length > most:
            self.values *= most / length
