"""A model in int8: packed once, layer by layer, and compared with the weights it was made of.

Layers that are too far off stay in bfloat16. Knows no family.
"""

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import torch
import torch.nn.functional as F
from safetensors import SafetensorError

from engine.local.linear import BLOCK_ROWS, INT8_KERNELS, Int8Weight, Linear, Read, kept
from engine.local.models.base import Formats, VisionLanguageModel
from engine.local.models.probe import scores
from engine.local.packed import PackedDamaged, PackedFolder
from engine.local.precision import PLAIN, Plan

logger = logging.getLogger(__name__)

Make = Callable[[Formats], VisionLanguageModel]
# A layer in int8, or None where it stays in bfloat16.
Find = Callable[[str, Read], Int8Weight | None]
# Of what a layer's outputs differ by from token to token. Rounding alone is off by 0.01 to 0.02.
MOST_OFF = 0.05
# Where tokens hardly differ, bfloat16 is off as well: a layer stays in it only where that helps.
# Rounding alone is five times as far off in int8, a few channels that set all scales a hundred.
MOST_TIMES = 10.0
# Nats between the chances of the next token; no layer alone need be off for their sum to be.
MOST_DIVERGENCE = 0.1
SMALLEST = 1e-30


def load_int8(make: Make, folder: PackedFolder, plan: Plan) -> VisionLanguageModel:
    """The model from its packed layers, which are made first where they are not there."""
    if folder.is_there():
        try:
            folder.open()
            return _built(make, _on_disk(folder), plan)
        except PackedDamaged as error:
            logger.warning("%s is damaged, the weights are packed again", error.path.name)
            folder.drop()
    try:
        with folder.writing() as write:
            packing, exact = _packed(make, plan, write)
            for name in packing.too_far_off:
                folder.leave_out(name)
        find = _on_disk(folder)
    except (OSError, SafetensorError) as error:
        _not_kept(error)
        packing, exact = _packed(make, plan, lambda name, weight: None)
        find = _in_memory(packing)
    model = _built(make, find, plan)
    told = _findings(packing, exact, scores(model))
    _note(folder, told)
    logger.info(
        "int8 for %(packed)d layers, bfloat16 for %(kept)d; %(divergence).2g nats off", told
    )
    # Written so that no number counts as too far.
    if told["divergence"] <= MOST_DIVERGENCE:
        return model
    logger.warning("int8 is too far off for this model, it runs in bfloat16")
    del model
    return _built(make, lambda name, read: None, plan)


def _note(folder: PackedFolder, told: dict[str, Any]) -> None:
    if not folder.is_there():
        return
    try:
        if not told["divergence"] <= MOST_DIVERGENCE:
            folder.leave_all_out()
        folder.note(told)
    except OSError as error:
        # A folder that says too much would be believed at the next start.
        folder.drop()
        logger.warning("packed weights are not kept: %s", error.strerror)


def _not_kept(error: Exception) -> None:
    # A file's own message may hold its path; a system's words do not.
    why = error.strerror if isinstance(error, OSError) else "a file could not be written"
    logger.warning("packed weights are not kept, each start packs them again: %s", why)


def _packed(
    make: Make, plan: Plan, write: Callable[[str, Int8Weight], None]
) -> tuple["Packing", torch.Tensor]:
    packing = Packing(plan, write)
    return packing, scores(make(Formats(torch.float32, torch.float32, packing.pack)))


def _on_disk(folder: PackedFolder) -> Find:
    return lambda name, read: folder.read(name) if name in folder else None


def _in_memory(packing: "Packing") -> Find:
    packed = packing.errors.keys() - packing.too_far_off
    return lambda name, read: Int8Weight.of(read()) if name in packed else None


class Packing:
    """Makes exact layers that are packed and compared when their first rows come."""

    def __init__(self, plan: Plan, write: Callable[[str, Int8Weight], None]) -> None:
        self._plan = plan
        self._write = write
        self.errors: dict[str, float] = {}
        # The layers that stay as they are.
        self.too_far_off: set[str] = set()

    def pack(self, name: str, read: Read, bias: torch.Tensor | None) -> Linear:
        """A layer that holds no weight: it reads it for each call."""

        def linear(x: torch.Tensor) -> torch.Tensor:
            exact = self._compared(name, read(), x)
            return exact if bias is None else exact + bias

        return linear

    def _compared(self, name: str, weight: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        starts = range(0, len(weight), BLOCK_ROWS)
        blocks = [F.linear(x, weight[start : start + BLOCK_ROWS].float()) for start in starts]
        exact, rounded = torch.cat(blocks, dim=-1), Int8Weight.of(weight)
        if name not in self.errors:
            self._write(name, rounded)
        kernel = INT8_KERNELS[self._plan.kernel_of(name)]
        error = off_by(kernel(rounded, self._plan.levels, None)(x), exact)
        self.errors[name] = max(error, self.errors.get(name, 0.0))
        if is_too_far(error, off_by(kept(weight, None)(x), exact)):
            self.too_far_off.add(name)
        return exact


def off_by(found: torch.Tensor, exact: torch.Tensor) -> float:
    """The error beside what differs from row to row: what all rows share carries no meaning."""
    spread = exact - exact.mean(0) if len(exact) > 1 else exact
    return float((found - exact).norm() / spread.norm().clamp_min(SMALLEST))


def is_too_far(error: float, narrow_error: float) -> bool:
    """Whether a layer so far off in int8, and so far in bfloat16, had better stay in bfloat16."""
    # Written so that a comparison with no number in it counts as too far.
    return not error <= MOST_OFF and not error <= MOST_TIMES * narrow_error


def _built(make: Make, find: Find, plan: Plan) -> VisionLanguageModel:
    """The model, its layers made side by side; raises what the making of one of them raised."""

    def layer(name: str, read: Read, bias: torch.Tensor | None) -> Linear:
        weight = find(name, read)
        if weight is None:
            return kept(read(), bias)
        wide = None if bias is None else bias.float()
        return INT8_KERNELS[plan.kernel_of(name)](weight, plan.levels, wide)

    made: list[Future[Linear]] = []
    with ThreadPoolExecutor(torch.get_num_threads()) as threads:

        def pack(name: str, read: Read, bias: torch.Tensor | None) -> Linear:
            making = threads.submit(layer, name, read, bias)
            made.append(making)
            return lambda x: making.result()(x).to(x.dtype)

        model = make(Formats(torch.float32, PLAIN[plan.tower], pack))
    for making in made:
        making.result()
    return model


def _findings(packing: Packing, exact: torch.Tensor, found: torch.Tensor) -> dict[str, Any]:
    kept_layers = sorted(packing.too_far_off)
    return {
        "packed": len(packing.errors) - len(kept_layers),
        "kept": len(kept_layers),
        "kept_layers": kept_layers,
        "divergence": float((exact.exp() * (exact - found)).sum(-1).mean()),
        "same_token": float((exact.argmax(-1) == found.argmax(-1)).float().mean()),
        "errors": packing.errors,
    }
