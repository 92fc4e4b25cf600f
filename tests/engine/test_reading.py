"""The `read` command prints what a line reader found, as text or as objects."""

import json
from collections.abc import Sequence
from types import TracebackType
from typing import Self

import pytest

from engine.base import LineReader
from engine.chat import Line
from engine.reading import NO_TEXT, read
from tests.engine.ocr.lines import line


class FixedReader(LineReader):
    """Finds the same lines in every file, and remembers the files."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = list(lines)
        self.files: list[bytes] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        return None

    async def read(self, data: bytes) -> list[Line]:
        self.files.append(data)
        return self.lines


PHOTO = b"the file"
LINES = (line("茶 Tea", 0, 0, 60), line("2.40", 300, 2, 60), line("Total", 0, 40, 80))


async def test_text_goes_out_by_rows(capsys: pytest.CaptureFixture[str]) -> None:
    reader = FixedReader(LINES)
    await read(reader, PHOTO, as_json=False)
    assert capsys.readouterr().out == "茶 Tea  2.40\nTotal\n"
    assert reader.files == [PHOTO]


async def test_each_line_is_an_object(capsys: pytest.CaptureFixture[str]) -> None:
    await read(FixedReader(LINES), PHOTO, as_json=True)
    objects = [json.loads(row) for row in capsys.readouterr().out.splitlines()]
    assert [entry["text"] for entry in objects] == ["茶 Tea", "2.40", "Total"]
    assert objects[1]["corners"] == [[300, 2], [360, 2], [360, 22], [300, 22]]
    assert objects[0].keys() == {"text", "corners", "confidence"}


@pytest.mark.parametrize("as_json", [False, True])
async def test_no_text_leaves_the_output_empty(
    capsys: pytest.CaptureFixture[str], as_json: bool
) -> None:
    await read(FixedReader([]), PHOTO, as_json=as_json)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == ("" if as_json else NO_TEXT + "\n")
