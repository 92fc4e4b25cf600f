"""Keys and values of one sequence in buffers that are made once and written in place."""

from dataclasses import dataclass

import torch

BLOCK_TOKENS = 256


@dataclass(frozen=True, slots=True)
class KVShape:
    """What one cached token takes: layers, key/value heads, size of a head."""

    num_layers: int
    num_heads: int
    head_dim: int
    dtype: torch.dtype
    device: torch.device

    @property
    def bytes_per_token(self) -> int:
        """Keys and values of all layers for one token."""
        return 2 * self.num_layers * self.num_heads * self.head_dim * self.dtype.itemsize


class KVCache:
    """The keys and values of one sequence: (layers, heads, capacity, head_dim) each.

    `length` tokens are valid. A step writes its rows into every layer first and then `advance`s
    once: half a step never counts, so a failed one leaves the cache as it was.
    """

    def __init__(self, shape: KVShape) -> None:
        self._shape = shape
        self.length = 0
        self._keys = self._buffer(0)
        self._values = self._buffer(0)

    def _buffer(self, capacity: int) -> torch.Tensor:
        shape = self._shape
        size = (shape.num_layers, shape.num_heads, capacity, shape.head_dim)
        return torch.empty(size, dtype=shape.dtype, device=shape.device)

    @property
    def nbytes(self) -> int:
        """Bytes of both buffers, the unused part included."""
        return self._keys.nbytes + self._values.nbytes

    def reserve(self, num_tokens: int) -> None:
        """Make room for `num_tokens` in all, in whole blocks."""
        if num_tokens <= self._keys.shape[2]:
            return
        capacity = -(-num_tokens // BLOCK_TOKENS) * BLOCK_TOKENS
        keys, values = self._buffer(capacity), self._buffer(capacity)
        keys[:, :, : self.length] = self._keys[:, :, : self.length]
        values[:, :, : self.length] = self._values[:, :, : self.length]
        self._keys, self._values = keys, values

    def copy(self, num_tokens: int) -> "KVCache":
        """A cache of its own that holds the first `num_tokens` as well."""
        assert num_tokens <= self.length, (num_tokens, self.length)
        copied = KVCache(self._shape)
        copied.reserve(num_tokens)
        copied._keys[:, :, :num_tokens] = self._keys[:, :, :num_tokens]
        copied._values[:, :, :num_tokens] = self._values[:, :, :num_tokens]
        copied.length = num_tokens
        return copied

    @classmethod
    def of(cls, shape: KVShape, keys: torch.Tensor, values: torch.Tensor) -> "KVCache":
        """A cache of rows that `rows` gave; all of them are valid."""
        cache = cls(shape)
        num_tokens = keys.shape[2]
        cache.reserve(num_tokens)
        cache._keys[:, :, :num_tokens] = keys
        cache._values[:, :, :num_tokens] = values
        cache.length = num_tokens
        return cache

    def rows(self) -> tuple[torch.Tensor, torch.Tensor]:
        """The valid keys and values, (layers, heads, length, head_dim) each: views."""
        return self._keys[:, :, : self.length], self._values[:, :, : self.length]

    def write(
        self, layer: int, keys: torch.Tensor, values: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Put rows behind the valid ones and return all of the layer, the new rows included.

        keys, values: (heads, rows, head_dim); returned: (heads, length + rows, head_dim), views.
        """
        end = self.length + keys.shape[1]
        assert end <= self._keys.shape[2], "reserve before a step"
        self._keys[layer, :, self.length : end] = keys
        self._values[layer, :, self.length : end] = values
        return self._keys[layer, :, :end], self._values[layer, :, :end]

    def advance(self, num_tokens: int) -> None:
        """Count the rows that a step has written as valid."""
        self.length += num_tokens
        assert self.length <= self._keys.shape[2]

    def crop_to(self, num_tokens: int) -> None:
        """Keep the first `num_tokens` only; the memory stays for what comes next."""
        assert 0 <= num_tokens <= self.length, (num_tokens, self.length)
        self.length = num_tokens
