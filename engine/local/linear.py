"""Linear layers in every number format: made of a weight once, then called with rows of inputs.

In int8 an output has one scale and so has each row. Between them only whole numbers are summed, so
that every kernel gives the same bits, and no row depends on its neighbours. Knows no model.
"""

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import torch
import torch.nn.functional as F

Linear = Callable[[torch.Tensor], torch.Tensor]
Read = Callable[[], torch.Tensor]
# Makes the layer of a name ("layers.0.qkv"); a weight that is not needed is not read.
Pack = Callable[[str, Read, torch.Tensor | None], Linear]

WEIGHT_LEVELS = 127
# Where products are added in pairs of 16 bits, an activation may have half the levels.
ACTIVATION_LEVELS = (127, 63)
BLOCK_ROWS = 4096
SMALLEST = 1e-30


@dataclass(frozen=True, slots=True)
class Int8Weight:
    """values: (outputs, inputs), int8; scales: (outputs,), float32."""

    values: torch.Tensor
    scales: torch.Tensor

    @classmethod
    def of(cls, weight: torch.Tensor) -> "Int8Weight":
        """Rounded to the nearest level; in blocks, so that it is never whole in float32."""
        starts = range(0, len(weight), BLOCK_ROWS)
        blocks = [_rounded(weight[start : start + BLOCK_ROWS]) for start in starts]
        return cls(*(torch.cat(parts) for parts in zip(*blocks, strict=True)))


# Makes a layer of a weight and a bias, for activations of so many levels to either side.
Int8Kernel = Callable[[Int8Weight, int, torch.Tensor | None], Linear]


def _rounded(block: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    wide = block.float()
    scales = wide.abs().amax(1).clamp_min(SMALLEST) / WEIGHT_LEVELS
    return (wide / scales[:, None]).round().to(torch.int8), scales


def plain(weight: torch.Tensor, bias: torch.Tensor | None = None) -> Linear:
    """In the format of the weight, which is that of the rows too."""
    if weight.device.type == "cpu" and weight.dtype is torch.bfloat16:
        return lambda x: F.linear(_never_alone(x), weight, bias)[: len(x)]
    return lambda x: F.linear(x, weight, bias)


def kept(weight: torch.Tensor, bias: torch.Tensor | None) -> Linear:
    """In bfloat16, for rows of another format."""
    narrow = None if bias is None else bias.to(torch.bfloat16)
    linear = plain(weight.to(torch.bfloat16), narrow)
    return lambda x: linear(x.to(torch.bfloat16)).to(x.dtype)


def packer(dtype: torch.dtype) -> Pack:
    """Makes plain layers of one format."""

    def pack(name: str, read: Read, bias: torch.Tensor | None) -> Linear:
        return plain(read().to(dtype), bias)

    return pack


def _never_alone(x: torch.Tensor) -> torch.Tensor:
    # One row would be summed in another order than the same row among several.
    return x.expand(2, -1) if len(x) == 1 else x


def fbgemm(weight: Int8Weight, levels: int, bias: torch.Tensor | None) -> Linear:
    """With FBGEMM's packed weights."""
    zeros = torch.zeros(len(weight.scales), dtype=torch.int32)
    with warnings.catch_warnings():
        # Tensors of a quantised type will leave torch one day; this kernel will then be passed by.
        warnings.simplefilter("ignore")
        joined = torch._make_per_channel_quantized_tensor(weight.values, weight.scales, zeros, 0)
        # For good: layers are packed side by side, and nothing else asks for an engine.
        torch.backends.quantized.engine = "fbgemm"
        packed = torch.ops.quantized.linear_prepack(joined, None)
    multiply = torch.ops.quantized.linear_with_input_q_dq_qweight_dq_output_fp32

    def linear(x: torch.Tensor) -> torch.Tensor:
        steps, scale = _in_levels(x, levels)
        product: torch.Tensor = multiply(steps, 1.0, levels + 1, packed)
        return _scaled(product, scale, bias)

    return linear


def onednn(weight: Int8Weight, levels: int, bias: torch.Tensor | None) -> Linear:
    """With oneDNN's packed weights; activations are unsigned, as signed ones have no fast path."""
    zeros = torch.zeros(len(weight.scales), dtype=torch.int32)
    packed, scales = torch.ops.onednn.qlinear_prepack(weight.values, None), weight.scales.clone()
    multiply = torch.ops.onednn.qlinear_pointwise
    into: tuple[object, ...] = (None, 1.0, 0, torch.float32, "none", [], "")

    def linear(x: torch.Tensor) -> torch.Tensor:
        steps, scale = _in_levels(x, levels)
        unsigned = steps.add_(levels + 1).to(torch.uint8)
        product: torch.Tensor = multiply(unsigned, 1.0, levels + 1, packed, scales, zeros, *into)
        return _scaled(product, scale, bias)

    return linear


def _in_levels(x: torch.Tensor, levels: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Rows as whole numbers, and the scale of each row."""
    wide = x.float()
    scale = wide.abs().amax(-1, keepdim=True).clamp_min_(SMALLEST).div_(levels)
    # Memory is what takes time here: no more of it than needed.
    return (wide / scale if wide is x else wide.div_(scale)).round_(), scale


def _scaled(product: torch.Tensor, scale: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
    return product.mul_(scale) if bias is None else torch.addcmul(bias, product, scale)


INT8_KERNELS: dict[str, Int8Kernel] = {"fbgemm": fbgemm, "onednn": onednn}


def levels_of(kernel: Int8Kernel, allowed: Iterable[int] = ACTIVATION_LEVELS) -> int | None:
    """The most levels with which the largest sums are right; None where the kernel is not.

    Without instructions that add four products in 32 bits, sums of two are cut at 16 bits.
    """
    sides = torch.tensor([[WEIGHT_LEVELS], [-WEIGHT_LEVELS]]).repeat(16, 128).to(torch.int8)
    weight = Int8Weight(sides, torch.ones(len(sides)))
    expected = sides.double().sum(1)
    for levels in allowed:
        try:
            found = kernel(weight, levels, None)(torch.tensor([[1.0], [-1.0]]).expand(2, 128))
        except (RuntimeError, AttributeError):
            return None
        right = torch.stack([expected, -expected]).float()
        if torch.allclose(found, right, rtol=1e-5):
            return levels
    return None
