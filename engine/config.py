"""Everything that an owner can set about the engine, checked once."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

Precision = Literal["auto", "float32", "bfloat16", "float16", "int8"]
ModelHub = Literal["huggingface", "modelscope"]

GIB = 1024**3
# Where the commands of this package keep what is slow to make.
CACHE_FOLDER = Path("data") / "engine"


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """What to load and how much of the machine it may use.

    `model` is "reader" (the small model that ships with the project), a folder, or a hub id.
    Token counts are merged image tokens of 32 x 32 pixels each. Threads of 0 mean: as many as
    the machine grants. `kv_cache_gib` is for answers under way, which wait for one another where
    they do not fit, and for what is kept between questions; 0 keeps and counts nothing.
    `max_draft_tokens` bounds how far a step guesses ahead; 0 is never.
    In `cache_folder` what is slow to make is kept: speeds of this machine and packed weights.
    """

    model: str = "reader"
    model_hub: ModelHub = "huggingface"
    precision: Precision = "auto"
    cache_folder: Path | None = None
    question_image_tokens: int = 384
    reading_image_tokens: int = 1024
    context_tokens: int = 16384
    kv_cache_gib: float = 1.0
    feature_cache_gib: float = 0.25
    num_answers_kept: int = 256
    session_folder: Path | None = None
    session_disk_gib: float = 1.0
    session_age_s: float = 7 * 24 * 3600.0
    max_draft_tokens: int = 10
    max_running: int = 5
    max_waiting: int = 32
    memory_gib: float = 0.0
    cpu_threads: int = 0
    ocr_threads: int = 0

    def __post_init__(self) -> None:
        if self.model_hub not in get_args(ModelHub):
            raise ValueError(f"MODEL_HUB must be one of {get_args(ModelHub)}")
        if self.precision not in get_args(Precision):
            raise ValueError(f"PRECISION must be one of {get_args(Precision)}")
        for name in ("question_image_tokens", "reading_image_tokens", "context_tokens"):
            if getattr(self, name) < 4:
                raise ValueError(f"{name} must be at least 4")
        for name in (
            "kv_cache_gib",
            "feature_cache_gib",
            "memory_gib",
            "session_disk_gib",
            "session_age_s",
            "num_answers_kept",
            "max_waiting",
        ):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} must not be negative")

    @property
    def kv_cache_bytes(self) -> int:
        """The budget of kept keys and values."""
        return int(self.kv_cache_gib * GIB)

    @property
    def feature_cache_bytes(self) -> int:
        """The budget of kept image features."""
        return int(self.feature_cache_gib * GIB)
