"""The proof itself, in small: it ends, and finds everybody answered."""

import pytest

from tests.proofs.load import run

pytestmark = pytest.mark.slow


async def test_a_few_people_are_all_answered(capsys: pytest.CaptureFixture[str]) -> None:
    assert await run(num_people=4, waiting=1) == 0
    assert "answers 8 of 8" in capsys.readouterr().out
