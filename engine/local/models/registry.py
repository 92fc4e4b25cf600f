"""Architecture name to family: the one place where families are listed."""

from pathlib import Path

import torch

from engine.config import EngineConfig
from engine.errors import OutOfMemory
from engine.local.checkpoint import Checkpoint
from engine.local.hardware import choose_device, choose_dtype
from engine.local.linear import packer
from engine.local.memory import is_out_of_memory
from engine.local.models.base import Formats, VisionLanguageModel
from engine.local.models.qwen3_vl import Qwen3VL

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
        dtype = precision_of(folder, config)
        formats = Formats(dtype, dtype, packer(dtype))
        return FAMILIES[architecture](folder, choose_device(), formats)
    except (MemoryError, RuntimeError) as error:
        if is_out_of_memory(error):
            raise OutOfMemory from error
        raise


def precision_of(folder: Path, config: EngineConfig) -> torch.dtype:
    """The number format that a folder's model runs in on this machine."""
    return choose_dtype(config, choose_device(), Checkpoint(folder).num_bytes)
