"""What this machine offers: a device, a number format and threads."""

from contextlib import suppress
from pathlib import Path

import torch

from engine.config import EngineConfig
from engine.cores import granted_cores

DTYPES = {
    "float32": torch.float32,
    "bfloat16": torch.bfloat16,
    "float16": torch.float16,
}
# Below this size a narrower format saves no memory worth having.
SMALL_MODEL_BYTES = 256 * 1024**2
BFLOAT16_FLAGS = {"avx512_bf16", "amx_bf16", "bf16"}


def choose_device() -> torch.device:
    """A CUDA device if there is one, else the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def choose_dtype(config: EngineConfig, device: torch.device, num_bytes: int) -> torch.dtype:
    """The number format of weights and activations.

    float32 is the faster one on a CPU without bfloat16 instructions, and the slower one with them.
    """
    if config.precision in DTYPES:
        return DTYPES[config.precision]
    if num_bytes < SMALL_MODEL_BYTES:
        return torch.float32
    if device.type == "cuda":
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
    return torch.bfloat16 if BFLOAT16_FLAGS & _cpu_flags() else torch.float32


def use_threads(num_threads: int) -> None:
    """Bind torch to a number of threads; 0 means the cores that this process is granted."""
    torch.set_num_threads(num_threads or granted_cores())
    # One thread owns the model: there is never a second operation to run beside the first.
    if torch.get_num_interop_threads() != 1:
        # Too late, and harmless, where somebody has used them already.
        with suppress(RuntimeError):
            torch.set_num_interop_threads(1)


def _cpu_flags() -> set[str]:
    path = Path("/proc/cpuinfo")
    if not path.is_file():
        return set()
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    flags = (line for line in lines if line.startswith(("flags", "Features")))
    return set(next(flags, "").partition(":")[2].split())
