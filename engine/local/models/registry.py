"""Architecture name to family: the one place where families are listed."""

import logging
from pathlib import Path

import torch

from engine.config import EngineConfig
from engine.errors import EngineError, ModelNotUsable
from engine.local.checkpoint import Checkpoint
from engine.local.hardware import choose_device, choose_dtype
from engine.local.models.base import VisionLanguageModel
from engine.local.models.qwen3_vl import Qwen3VL

FAMILIES = {"Qwen3VLForConditionalGeneration": Qwen3VL}

logger = logging.getLogger(__name__)


def load_model(folder: Path, config: EngineConfig) -> VisionLanguageModel:
    """The model of a folder; raises ModelNotUsable."""
    try:
        return _load(folder, config)
    except (EngineError, MemoryError):
        raise
    except Exception as error:  # each library has its own way to refuse a file of a folder
        logger.debug("The model does not load", exc_info=error)
        told = f"{type(error).__name__}: {error}".partition("\n")[0]
        raise ModelNotUsable(str(folder), f"its files do not fit together ({told})") from error


def _load(folder: Path, config: EngineConfig) -> VisionLanguageModel:
    checkpoint = Checkpoint(folder)
    architecture = next(iter(checkpoint.json("config.json").get("architectures") or ["nothing"]))
    if architecture not in FAMILIES:
        known = ", ".join(FAMILIES)
        raise ModelNotUsable(str(folder), f"it holds {architecture}; what runs here is {known}")
    return FAMILIES[architecture](folder, choose_device(), precision_of(folder, config))


def precision_of(folder: Path, config: EngineConfig) -> torch.dtype:
    """The number format that a folder's model runs in on this machine."""
    return choose_dtype(config, choose_device(), Checkpoint(folder).num_bytes)
