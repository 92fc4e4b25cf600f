"""The shared words refuse what makes no sense."""

import pytest

from engine.chat import Image, SamplingParams, Usage
from engine.config import EngineConfig


@pytest.mark.parametrize(
    "bad",
    [{"max_tokens": 0}, {"temperature": 0.0}, {"top_p": 0.0}, {"top_p": 1.5}, {"top_k": -1}],
    ids=str,
)
def test_bad_sampling_is_named(bad: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(bad))):
        SamplingParams(**bad)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "bad",
    [
        {"model_hub": "elsewhere"},
        {"precision": "int3"},
        {"question_image_tokens": 3},
        {"max_waiting": -1},
    ],
    ids=str,
)
def test_bad_configuration_is_named(bad: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=f"(?i){next(iter(bad))}"):
        EngineConfig(**bad)  # type: ignore[arg-type]


def test_digest_tells_pictures_apart() -> None:
    assert Image(b"a").digest == Image(b"a", 5).digest != Image(b"b").digest


def test_usage_counts_the_prompt() -> None:
    assert Usage(prompt_ids=(1, 2, 3), output_ids=()).prompt_tokens == 3
