"""A model in int8: near float32, packed once, and with the layers kept that int8 would spoil."""

import errno
import json
import logging
import math
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from engine.config import EngineConfig
from engine.errors import ModelNotUsable
from engine.local import packed
from engine.local.models.base import VisionLanguageModel
from engine.local.models.int8 import MOST_DIVERGENCE, MOST_OFF, is_too_far, off_by
from engine.local.models.probe import scores
from engine.local.models.registry import load_model

NORM = "model.language_model.norm.weight"
WEIGHTS = "model.safetensors"
DOWN = "model.language_model.layers.1.mlp.down_proj.weight"
UP = "model.language_model.layers.1.mlp.up_proj.weight"


@pytest.fixture
def int8(tmp_path: Path) -> EngineConfig:
    return EngineConfig(precision="int8", cache_folder=tmp_path / "cache")


def findings(config: EngineConfig) -> dict[str, object]:
    assert config.cache_folder is not None
    [path] = config.cache_folder.glob("packed/*/findings.json")
    found: dict[str, object] = json.loads(path.read_text())
    return found


def times(config: EngineConfig) -> dict[Path, int]:
    assert config.cache_folder is not None
    return {path: path.stat().st_mtime_ns for path in config.cache_folder.rglob("*.safetensors")}


def test_int8_is_near_float32(
    tiny_folder: Path, int8: EngineConfig, model: VisionLanguageModel
) -> None:
    exact, found = scores(model), scores(load_model(tiny_folder, int8))
    told = findings(int8)
    assert 0 < float(told["divergence"]) < 0.1  # type: ignore[arg-type]
    assert float((exact.exp() * (exact - found)).sum(-1).mean()) < 0.1


def test_second_start_reads_what_the_first_has_packed(
    tiny_folder: Path, int8: EngineConfig
) -> None:
    first, before = scores(load_model(tiny_folder, int8)), times(int8)
    assert torch.equal(scores(load_model(tiny_folder, int8)), first)
    assert before
    assert times(int8) == before


def test_nothing_kept_gives_the_same(tiny_folder: Path, int8: EngineConfig) -> None:
    kept = scores(load_model(tiny_folder, int8))
    assert torch.equal(scores(load_model(tiny_folder, replace(int8, cache_folder=None))), kept)


def test_full_disk_does_not_stop_the_start(
    tiny_folder: Path,
    int8: EngineConfig,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept = scores(load_model(tiny_folder, replace(int8, cache_folder=None)))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "/private/file")

    monkeypatch.setattr(packed, "save_file", full)
    assert torch.equal(scores(load_model(tiny_folder, int8)), kept)
    assert not times(int8)
    assert caplog.text.count("packed weights are not kept") == 1
    assert "/private" not in caplog.text


def test_findings_that_cannot_be_written_are_no_fault(
    tiny_folder: Path,
    int8: EngineConfig,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(packed.PackedFolder, "note", full)
    first = scores(load_model(tiny_folder, int8))
    assert caplog.text.count("packed weights are not kept: No space left on device") == 1
    assert torch.equal(scores(load_model(tiny_folder, int8)), first)


def test_answers_too_far_off_run_in_bfloat16(
    tiny_folder: Path, tmp_path: Path, int8: EngineConfig, caplog: pytest.LogCaptureFixture
) -> None:
    folder = Path(shutil.copytree(tiny_folder, tmp_path / "model"))
    weights = load_file(folder / WEIGHTS)
    # No layer is further off than before, but small differences decide between tokens.
    weights[NORM] *= 60
    save_file(weights, folder / WEIGHTS)
    found = scores(load_model(folder, int8))
    assert findings(int8)["divergence"] > MOST_DIVERGENCE  # type: ignore[operator]
    assert caplog.text.count("int8 is too far off for this model") == 1
    assert torch.equal(scores(load_model(folder, int8)), found)
    exact = scores(load_model(folder, EngineConfig(precision="float32")))
    told = float((exact.exp() * (exact - found)).sum(-1).mean())
    assert told < findings(int8)["divergence"]  # type: ignore[operator]


def test_damaged_layer_is_packed_again(
    tiny_folder: Path, int8: EngineConfig, caplog: pytest.LogCaptureFixture
) -> None:
    first = scores(load_model(tiny_folder, int8))
    path = next(path for path in times(int8) if path.name == "output.safetensors")
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    assert torch.equal(scores(load_model(tiny_folder, int8)), first)
    assert "output.safetensors is damaged" in caplog.text


def test_layer_with_an_outlier_stays(
    tiny_folder: Path, tmp_path: Path, int8: EngineConfig, caplog: pytest.LogCaptureFixture
) -> None:
    folder = Path(shutil.copytree(tiny_folder, tmp_path / "model"))
    weights = load_file(folder / WEIGHTS)
    # One channel a thousand times the others, which the next layer takes back.
    weights[UP][5] *= 1000
    weights[DOWN][:, 5] /= 1000
    save_file(weights, folder / WEIGHTS)
    caplog.set_level(logging.INFO)
    planted = load_model(folder, int8)
    told = findings(int8)
    assert "layers.1.down" in told["kept_layers"]  # type: ignore[operator]
    assert f"bfloat16 for {told['kept']}" in caplog.text
    exact = scores(load_model(folder, EngineConfig(precision="float32")))
    assert float((exact.exp() * (exact - scores(planted))).sum(-1).mean()) < 0.1


def test_float16_needs_a_gpu(tiny_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ModelNotUsable, match="PRECISION=float16 needs a GPU"):
        load_model(tiny_folder, EngineConfig(precision="float16"))


def test_what_all_rows_share_does_not_hide_an_error() -> None:
    exact = torch.randn(20, 8, generator=torch.Generator().manual_seed(0))
    found = exact + 0.2
    assert off_by(found, exact) > MOST_OFF
    assert off_by(found + 1000, exact + 1000) == pytest.approx(off_by(found, exact), rel=0.01)


@pytest.mark.parametrize(
    ("error", "narrow", "is_far"),
    [
        pytest.param(0.04, 0.001, False, id="near"),
        pytest.param(2.0, 0.4, False, id="bfloat16-no-better"),
        pytest.param(0.9, 0.003, True, id="outlier"),
        pytest.param(math.nan, math.nan, True, id="no-number"),
    ],
)
def test_bfloat16_only_where_it_helps(error: float, narrow: float, is_far: bool) -> None:
    assert is_too_far(error, narrow) is is_far
