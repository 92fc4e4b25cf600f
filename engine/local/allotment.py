"""How the memory that is granted is shared out: the model first, then work, then caches.

Knows numbers only, no tensors.
"""

from dataclasses import dataclass
from typing import Self

from engine.config import EngineConfig

# What steps, the interpreter and its libraries take: a part, and at least so much.
WORKING_SHARE = 0.15
MIN_WORKING_BYTES = 512 * 1024**2
# So small a cache holds a conversation of the smallest models, and keeps counting.
MIN_CACHE_BYTES = 16 * 1024**2


@dataclass(frozen=True, slots=True)
class Allotment:
    """Budgets of keys and values, and of picture features."""

    kv_bytes: int
    feature_bytes: int

    @classmethod
    def of(cls, config: EngineConfig, model_bytes: int, granted_bytes: int | None) -> Self:
        """What the owner has set, or less of both where the machine has less."""
        wanted = (config.kv_cache_bytes, config.feature_cache_bytes)
        if granted_bytes is None:
            return cls(*wanted)
        working = max(int(granted_bytes * WORKING_SHARE), MIN_WORKING_BYTES)
        left = max(granted_bytes - model_bytes - working, 0)
        share = min(1.0, left / max(sum(wanted), 1))
        return cls(*(max(int(n * share), min(n, MIN_CACHE_BYTES)) for n in wanted))

    def most_tokens(self, bytes_per_token: int) -> int | None:
        """The longest conversation that fits; None where nothing is counted."""
        return self.kv_bytes // bytes_per_token if self.kv_bytes else None
