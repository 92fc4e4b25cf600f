"""`python -m engine` as it is called: what it prints, and how it refuses."""

import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engine import __main__ as command
from engine.asking import Asking, ask
from engine.base import Engine
from engine.chat import SamplingParams
from tests.engine.pictures import corners_picture, encoded
from tests.fakes import ScriptedEngine

PARAMS = SamplingParams(greedy=True)


@pytest.fixture
async def engine() -> AsyncIterator[Engine]:
    async with ScriptedEngine() as started:
        yield started


async def test_answers_are_objects_on_lines(
    engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    await ask(engine, Asking(b"photo", ("One?", "Two?"), PARAMS, as_json=True))
    first, second = (json.loads(row) for row in capsys.readouterr().out.splitlines())
    assert first["text"] == "1 shown, 1 said: One?"
    assert second["text"] == "1 shown, 3 said: Two?"
    assert first.keys() == {
        "text",
        "finish_reason",
        "prompt_ids",
        "prompt_tokens",
        "cached_tokens",
        "image_cached",
        "answer_cached",
        "output_ids",
        "ttft_s",
        "decode_tokens_per_s",
    }
    assert first["prompt_tokens"] == len(first["prompt_ids"])


async def test_text_is_written_as_it_comes(
    engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    await ask(engine, Asking(b"photo", ("One?",), PARAMS, as_json=False))
    assert capsys.readouterr().out == "1 shown, 1 said: One?\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["ask", "absent.png", "?"], "absent.png: No such file or directory"),
        (["read", "absent.png"], "absent.png: No such file or directory"),
        (["read", "."], ".: Is a directory"),
        (["ask", "photo.png", "?", "--model", "/none"], "/none: there is no such folder"),
        (["ask", "photo.png", "?", "--max-tokens", "0"], "max_tokens must be at least 1, not 0"),
        (["ask", "photo.png", "?", "--image-tokens", "1"], "question_image_tokens must be"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_is_one_sentence(
    arguments: list[str],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "photo.png").write_bytes(encoded(corners_picture(), "PNG"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["engine", *arguments])
    assert command.main() == command.BAD_INPUT
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"engine: {sentence}")
    assert printed.err.count("\n") == 1
