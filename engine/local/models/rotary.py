"""Rotary embedding: turning the halves of a head by the angles of its position."""

import torch


def rotate(x: torch.Tensor, rotation: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Turn x by (cosine, sine), each as wide as a head with both halves alike."""
    cosine, sine = rotation
    first, second = x.chunk(2, dim=-1)
    return x * cosine + torch.cat([-second, first], dim=-1) * sine
