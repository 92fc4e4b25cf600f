"""What a model is called and what it says of itself, before anything of it is loaded."""

from engine.config import EngineConfig
from engine.reader import ABOUT

READER = "reader"


def name_of(config: EngineConfig) -> str:
    """The configured name, without the folders above it."""
    return config.model.rstrip("/").rpartition("/")[2]


def about(config: EngineConfig) -> str:
    """One sentence for people: what it is that answers."""
    return ABOUT if config.model == READER else f"{name_of(config)}, on this computer."
