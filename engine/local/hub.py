"""Where a model's files are: the small reader, a folder, or a hub that is asked once.

Knows no weights; only this room may use the network, and only for a hub id.
"""

from importlib import import_module
from pathlib import Path

import huggingface_hub
from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

from engine.config import EngineConfig
from engine.errors import ModelNotUsable
from engine.reader import WEIGHTS

READER = "reader"
PATTERNS = ["*.json", "*.safetensors", "*.jinja", "*.txt"]


def locate(config: EngineConfig) -> Path:
    """The folder of the configured model; downloads a hub id that is not on this disk yet."""
    if config.model == READER:
        return WEIGHTS
    folder = Path(config.model).expanduser()
    if folder.is_dir():
        return folder
    if _looks_like_a_path(config.model):
        raise ModelNotUsable(config.model, "there is no such folder")
    if config.model_hub == "modelscope":
        return _from_modelscope(config.model)
    return _from_huggingface(config.model)


def _looks_like_a_path(model: str) -> bool:
    return model.startswith((".", "/", "~")) or model.count("/") != 1


def _from_huggingface(model: str) -> Path:
    try:
        return Path(huggingface_hub.snapshot_download(model, allow_patterns=PATTERNS))
    except LocalEntryNotFoundError as error:
        why = "it is not on this disk and the hub cannot be reached"
        raise ModelNotUsable(model, why) from error
    except (HfHubHTTPError, HFValidationError) as error:
        raise ModelNotUsable(model, "the hub does not give a model of this name") from error
    except OSError as error:
        raise ModelNotUsable(model, f"the download failed ({type(error).__name__})") from error


def _from_modelscope(model: str) -> Path:
    try:
        modelscope = import_module("modelscope")
    except ImportError as error:
        raise ModelNotUsable(
            model, "MODEL_HUB=modelscope needs the package modelscope (pip install modelscope)"
        ) from error
    try:
        return Path(modelscope.snapshot_download(model, allow_patterns=PATTERNS))
    except (OSError, ValueError) as error:
        why = f"ModelScope gives no such model ({type(error).__name__})"
        raise ModelNotUsable(model, why) from error
