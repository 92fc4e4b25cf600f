"""Architecture name to family: the one place where families are listed."""

import tempfile
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import torch

from engine.config import EngineConfig
from engine.errors import ModelNotUsable, OutOfMemory
from engine.local.checkpoint import Checkpoint
from engine.local.hardware import (
    DTYPES,
    SMALL_MODEL_BYTES,
    choose_device,
    choose_dtype,
)
from engine.local.linear import kept, packer
from engine.local.memory import is_out_of_memory
from engine.local.models.base import Formats, VisionLanguageModel
from engine.local.models.configuration import read_config
from engine.local.models.int8 import Make, load_int8
from engine.local.models.qwen3_vl import Qwen3VL
from engine.local.packed import PackedFolder, digest_of
from engine.local.precision import Machine, Plan, choose, known_speeds, taken

# Counts up when layers are cut or named otherwise, so that older packed files are made anew.
PACKED_LAYOUT = 2
FAMILIES = {"Qwen3VLForConditionalGeneration": Qwen3VL}


def load_model(folder: Path, config: EngineConfig) -> VisionLanguageModel:
    """The model of a folder; raises ModelNotUsable, and OutOfMemory when it is too large.

    Files are checked before they are loaded: any other error is a fault of ours.
    """
    fields = Checkpoint(folder).fields("config.json")
    architecture = next(iter(fields.texts("architectures")), "nothing")
    if architecture not in FAMILIES:
        known = ", ".join(FAMILIES)
        raise fields.refused(f"it is a {architecture}; what runs here is {known}")
    try:
        make = partial(FAMILIES[architecture], folder, choose_device())
        plan = plan_of(folder, config)
        if plan.precision == "int8":
            model = _in_int8(make, folder, config, plan)
        else:
            model = make(_plain_formats(DTYPES[plan.precision], choose_device()))
        model.formats = str(plan)
        return model
    except (MemoryError, RuntimeError) as error:
        if is_out_of_memory(error):
            raise OutOfMemory from error
        raise


def precision_of(folder: Path, config: EngineConfig) -> torch.dtype:
    """The number format that a folder's model runs in on this machine."""
    return choose_dtype(config, choose_device(), Checkpoint(folder).num_bytes)


def _plain_formats(dtype: torch.dtype, device: torch.device) -> Formats:
    if dtype is torch.bfloat16 and device.type == "cpu":
        # Between narrow layers rows stay wide: attention over one row and over many would round
        # its sums differently, and a cached answer could differ from a computed one.
        return Formats(torch.float32, dtype, lambda name, read, bias: kept(read(), bias))
    return Formats(dtype, dtype, packer(dtype))


def plan_of(folder: Path, config: EngineConfig) -> Plan:
    """The number format and kernels of a folder's model; on a CPU by measurement."""
    device, checkpoint = choose_device(), Checkpoint(folder)
    wanted, is_small = config.precision, checkpoint.num_bytes < SMALL_MODEL_BYTES
    if wanted == "float16" and device.type == "cpu":
        raise ModelNotUsable(str(folder), "PRECISION=float16 needs a GPU, and there is none here")
    if wanted == "int8" and device.type != "cpu":
        raise ModelNotUsable(str(folder), "PRECISION=int8 runs on the processor, not on the GPU")
    if wanted != "int8" and (wanted != "auto" or is_small or device.type != "cpu"):
        return Plan(str(choose_dtype(config, device, checkpoint.num_bytes)).partition(".")[2])
    machine = Machine.this(_shapes(checkpoint))
    speeds = known_speeds(config.cache_folder, machine, taken)
    try:
        return choose(wanted, speeds, room_for_float32=is_small)
    except ValueError as error:
        raise ModelNotUsable(str(folder), str(error)) from error


def _shapes(checkpoint: Checkpoint) -> list[tuple[int, int]]:
    """Outputs and inputs of the linear layers of one layer of the text model."""
    text: Any = read_config(checkpoint).text_config
    width, inner = text.hidden_size, text.intermediate_size
    queries = text.num_attention_heads * text.head_dim
    merged = queries + 2 * text.num_key_value_heads * text.head_dim
    return [(merged, width), (width, queries), (2 * inner, width), (width, inner)]


def _in_int8(make: Make, folder: Path, config: EngineConfig, plan: Plan) -> VisionLanguageModel:
    key = {
        "weights": digest_of(Checkpoint(folder).paths),
        "torch": torch.__version__,
        "kernels": [plan.many, plan.few, plan.both, plan.levels],
        "layout": PACKED_LAYOUT,
    }
    with ExitStack() as stack:
        root = config.cache_folder
        if root is None:
            root = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        return load_int8(make, PackedFolder(root / "packed", str(folder.resolve()), key), plan)
