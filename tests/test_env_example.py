"""`.env.example` names every setting once, with its default and a comment."""

from itertools import pairwise
from pathlib import Path

import pytest

from bot.settings import Settings, load_settings

LINES = (Path(__file__).parents[1] / ".env.example").read_text(encoding="utf-8").splitlines()
KEYS = [line.partition("=")[0] for line in LINES if line and not line.startswith("#")]


def test_every_setting_is_named_once() -> None:
    assert sorted(KEYS) == sorted(name.upper() for name in Settings.model_fields)


def test_every_setting_is_explained() -> None:
    for before, line in pairwise(LINES):
        assert line.startswith("#") or not line or before.startswith("# ")


def test_example_holds_the_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for key in KEYS:
        monkeypatch.delenv(key, raising=False)
    monkeypatch.chdir(tmp_path)
    defaults = load_settings()
    (tmp_path / ".env").write_text("\n".join(LINES), encoding="utf-8")
    assert load_settings() == defaults


def test_example_writes_defaults_out() -> None:
    written = dict(line.split("=", 1) for line in LINES if "=" in line and line[0] != "#")
    defaults = {name.upper(): field.default for name, field in Settings.model_fields.items()}
    assert written == {
        key: "" if value in (None, ()) else str(value) for key, value in defaults.items()
    }
