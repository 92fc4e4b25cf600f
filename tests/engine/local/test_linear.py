"""Linear layers: how far each kernel is from float32, and that no row sees its neighbours."""

import pytest
import torch
import torch.nn.functional as F

from engine.local.linear import (
    INT8_KERNELS,
    Int8Kernel,
    Int8Weight,
    Linear,
    kept,
    levels_of,
    plain,
)

KERNELS = [name for name, kernel in INT8_KERNELS.items() if levels_of(kernel) is not None]


def numbers(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def int8(
    name: str, weight: torch.Tensor, levels: int = 127, bias: torch.Tensor | None = None
) -> Linear:
    return INT8_KERNELS[name](Int8Weight.of(weight), levels, bias)


def off_by(found: torch.Tensor, exact: torch.Tensor) -> float:
    return float((found - exact).norm() / exact.norm())


def test_there_is_an_int8_kernel() -> None:
    assert KERNELS


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize(("levels", "bound"), [(127, 0.02), (63, 0.03)])
def test_int8_is_near_float32(name: str, levels: int, bound: float) -> None:
    x, weight = numbers(9, 192), numbers(80, 192, seed=1)
    assert off_by(int8(name, weight, levels)(x), F.linear(x, weight)) < bound


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("num_rows", [1, 2, 5, 33])
def test_int8_sums_are_exact(name: str, num_rows: int) -> None:
    x, weight = numbers(num_rows, 704), numbers(96, 704, seed=1)
    rounded = Int8Weight.of(weight)
    scale = x.abs().amax(-1, keepdim=True) / 127
    sums = (x / scale).round().double() @ rounded.values.double().T
    assert torch.equal(int8(name, weight)(x), sums.float() * rounded.scales * scale)


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("size", [1e-4, 1.0, 1e6])
def test_int8_rows_know_no_neighbours(name: str, size: float) -> None:
    linear, x = int8(name, numbers(80, 192, seed=1)), numbers(7, 192)
    alone = linear(x[3:4])
    x[[0, 1, 2, 4, 5, 6]] *= size
    assert torch.equal(linear(x)[3:4], alone)


@pytest.mark.parametrize("num_rows", range(1, 9))
def test_bfloat16_rows_know_no_neighbours(num_rows: int) -> None:
    linear, x = plain(numbers(80, 192).bfloat16()), numbers(8, 192, seed=1).bfloat16()
    assert torch.equal(linear(x[:num_rows]), linear(x)[:num_rows])


@pytest.mark.parametrize(("dtype", "bound"), [(torch.float32, 1e-6), (torch.bfloat16, 0.01)])
def test_plain_is_near_float32(dtype: torch.dtype, bound: float) -> None:
    x, weight = numbers(5, 192), numbers(80, 192, seed=1)
    assert off_by(plain(weight.to(dtype))(x.to(dtype)), F.linear(x, weight)) < bound


def test_kept_layer_takes_and_gives_float32() -> None:
    x, weight = numbers(5, 192), numbers(80, 192, seed=1)
    found = kept(weight, None)(x)
    assert found.dtype is torch.float32
    assert off_by(found, F.linear(x, weight)) < 0.01


@pytest.mark.parametrize("name", KERNELS)
def test_bias_is_added(name: str) -> None:
    x, weight, bias = numbers(5, 192, seed=1), numbers(80, 192), numbers(80, seed=2)
    assert torch.allclose(int8(name, weight, bias=bias)(x), int8(name, weight)(x) + bias, atol=1e-5)
    assert torch.allclose(plain(weight, bias)(x), plain(weight)(x) + bias, atol=1e-4)
    assert torch.allclose(kept(weight, bias)(x), kept(weight, None)(x) + bias, atol=0.2)


@pytest.mark.parametrize("name", KERNELS)
def test_row_of_zeros_gives_zeros(name: str) -> None:
    linear = int8(name, torch.cat([numbers(79, 192), torch.zeros(1, 192)]))
    assert torch.equal(linear(torch.zeros(1, 192)), torch.zeros(1, 80))
    assert linear(numbers(3, 192))[:, -1].tolist() == [0.0, 0.0, 0.0]


def cut_at_16_bits(weight: Int8Weight, levels: int, bias: torch.Tensor | None) -> Linear:
    """What a processor without VNNI does: it adds products in pairs, cut at 16 bits."""

    def linear(x: torch.Tensor) -> torch.Tensor:
        scale = x.abs().amax(-1, keepdim=True) / levels
        steps = (x / scale).round() + levels + 1
        products = steps[:, None] * weight.values
        pairs = (products[..., ::2] + products[..., 1::2]).clamp(-(2**15), 2**15 - 1)
        shift = (levels + 1) * weight.values.float().sum(-1)
        found: torch.Tensor = (pairs.sum(-1) - shift) * weight.scales * scale
        return found

    return linear


def refusing(_weight: Int8Weight, _levels: int, bias: torch.Tensor | None) -> Linear:
    raise RuntimeError("this processor has no such instruction")


def wrong(weight: Int8Weight, levels: int, bias: torch.Tensor | None) -> Linear:
    return lambda x: torch.zeros(len(x), len(weight.scales))


@pytest.mark.parametrize(
    ("kernel", "levels"), [(cut_at_16_bits, 63), (refusing, None), (wrong, None)]
)
def test_levels_are_found_by_trying(kernel: Int8Kernel, levels: int | None) -> None:
    assert levels_of(kernel) == levels


def test_large_weights_go_in_blocks() -> None:
    weight = numbers(9000, 8)
    whole = Int8Weight.of(weight)
    assert torch.equal(Int8Weight.of(weight[:5000]).values, whole.values[:5000])
    assert whole.values.abs().amax() == 127
    assert off_by(whole.values * whole.scales[:, None], weight) < 0.01
