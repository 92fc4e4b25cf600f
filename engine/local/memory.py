"""How torch says that there is no memory left."""

import torch


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error means that the machine has no memory for a tensor."""
    if isinstance(error, MemoryError | torch.OutOfMemoryError):
        return True
    # torch's CPU allocator has no class of its own for this.
    return isinstance(error, RuntimeError) and "not enough memory" in str(error)
