"""Where a model's files are: the small reader, a folder, or a hub that is asked once.

Knows no weights; only this room may use the network, and only for a hub id.
"""

from importlib import import_module
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import huggingface_hub
from huggingface_hub import constants
from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

from engine.config import EngineConfig
from engine.errors import ModelNotUsable
from engine.local.checkpoint import Checkpoint
from engine.naming import READER
from engine.reader import WEIGHTS

# A hub that takes the connection and says nothing would otherwise be waited for without end.
ANSWER_S = 15.0
PATTERNS = ["*.json", "*.safetensors", "*.jinja", "*.txt"]


class HubSilent(OSError):
    """Nobody answers at the hub's address."""


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
        return _downloaded(model)
    except (LocalEntryNotFoundError, HubSilent) as error:
        why = "it is not on this disk and the hub cannot be reached"
        raise ModelNotUsable(model, why) from error
    except (HfHubHTTPError, HFValidationError) as error:
        raise ModelNotUsable(model, "the hub does not give a model of this name") from error
    except OSError as error:
        raise ModelNotUsable(model, f"the download failed ({type(error).__name__})") from error


def _downloaded(model: str) -> Path:
    known = _on_this_disk(model)
    if known is not None:
        return known
    _listen(constants.ENDPOINT)
    return Path(huggingface_hub.snapshot_download(model, allow_patterns=PATTERNS))


def _listen(address: str) -> None:
    """Wait for any answer at all, but not for long."""
    try:
        urlopen(address, timeout=ANSWER_S).close()
    except HTTPError:
        return
    except OSError as error:
        raise HubSilent from error


def _on_this_disk(model: str) -> Path | None:
    """The folder of an earlier download, if it was not broken off: then no hub is asked."""
    try:
        folder = Path(huggingface_hub.snapshot_download(model, local_files_only=True))
        Checkpoint(folder)
    except (LocalEntryNotFoundError, ModelNotUsable):
        return None
    return folder


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
