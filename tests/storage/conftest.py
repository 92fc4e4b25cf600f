"""A database in a temporary folder, and a clock that stands still until it is moved."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from storage import Database, History, PhotoStore, open_database


class StandingClock:
    def __init__(self) -> None:
        self.now_s = 1_000_000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> StandingClock:
    return StandingClock()


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with open_database(tmp_path / "darkroom.db") as opened:
        yield opened


@pytest.fixture
def history(database: Database, clock: StandingClock) -> History:
    return History(database, clock=clock)


@pytest.fixture
def photos(database: Database, clock: StandingClock, tmp_path: Path) -> PhotoStore:
    return PhotoStore(database, tmp_path / "photos", max_age_s=100.0, max_bytes=1000, clock=clock)
