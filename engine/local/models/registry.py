"""Architecture name to family: the one place where families are listed."""

from pathlib import Path

from engine.config import EngineConfig
from engine.errors import ModelNotUsable
from engine.local.checkpoint import Checkpoint
from engine.local.hardware import choose_device, choose_dtype
from engine.local.models.base import VisionLanguageModel
from engine.local.models.qwen3_vl import Qwen3VL

FAMILIES = {"Qwen3VLForConditionalGeneration": Qwen3VL}


def load_model(folder: Path, config: EngineConfig) -> VisionLanguageModel:
    """The model of a folder; raises ModelNotUsable."""
    checkpoint = Checkpoint(folder)
    architecture = next(iter(checkpoint.json("config.json").get("architectures") or ["nothing"]))
    if architecture not in FAMILIES:
        known = ", ".join(FAMILIES)
        raise ModelNotUsable(str(folder), f"it holds {architecture}; what runs here is {known}")
    device = choose_device()
    dtype = choose_dtype(config, device, checkpoint.num_bytes)
    return FAMILIES[architecture](folder, device, dtype)
