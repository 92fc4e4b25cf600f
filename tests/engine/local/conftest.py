"""Fixtures of the local engine: a tiny checkpoint, an engine on it, and transformers' own model."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import torch
from transformers import AutoImageProcessor, BaseImageProcessor, Qwen3VLForConditionalGeneration

from engine.config import EngineConfig
from engine.local.local_engine import LocalEngine
from engine.local.models import registry
from engine.local.models.base import VisionLanguageModel
from engine.local.models.registry import load_model
from tests.engine.local.tiny import write_tiny


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tiny")
    write_tiny(folder)
    return folder


@pytest.fixture(scope="session")
def reference(tiny_folder: Path) -> Qwen3VLForConditionalGeneration:
    loaded = Qwen3VLForConditionalGeneration.from_pretrained(tiny_folder, dtype=torch.float32)
    assert isinstance(loaded, Qwen3VLForConditionalGeneration)
    return loaded


@pytest.fixture(scope="session")
def processor(tiny_folder: Path) -> BaseImageProcessor:
    loaded = AutoImageProcessor.from_pretrained(tiny_folder)  # type: ignore[no-untyped-call]
    assert isinstance(loaded, BaseImageProcessor)
    return loaded


@pytest.fixture(scope="session")
def model(tiny_folder: Path) -> VisionLanguageModel:
    return load_model(tiny_folder, EngineConfig(precision="float32"))


@pytest.fixture(autouse=True)
def _one_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    # Two measurements of one machine may choose different formats; the laws are about one choice.
    monkeypatch.setattr(registry, "taken", lambda work: work() or 1.0)


@pytest.fixture
def config(tiny_folder: Path) -> EngineConfig:
    return EngineConfig(
        model=str(tiny_folder), precision="float32", question_image_tokens=24, cpu_threads=1
    )


@pytest.fixture
async def engine(config: EngineConfig) -> AsyncIterator[LocalEngine]:
    async with LocalEngine(config) as started:
        yield started
