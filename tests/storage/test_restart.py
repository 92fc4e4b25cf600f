"""What was written survives a process that is killed in the middle of an answer."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from storage import History, PhotoStore, TurnStatus, open_database

OPENS_A_TURN = """
import asyncio, sys
from pathlib import Path
from storage import History, NewTurn, PhotoStore, TurnStatus, open_database

async def main(folder):
    async with open_database(folder / "darkroom.db") as database:
        photos, history = PhotoStore(database, folder / "photos"), History(database)
        photo_id = await photos.save(b"pixels", source="file-1")
        first = await history.open_turn(NewTurn("c", "7", "ask", "what?", (photo_id,)))
        await history.close_turn(first.turn_id, status=TurnStatus.ANSWERED, answer="a cat")
        second = await history.open_turn(
            NewTurn("c", "7", "ask", "and its colour?", (photo_id,), first.turn_id)
        )
        await history.link("telegram:1:10", second.turn_id)
        print("open", flush=True)
        await asyncio.Event().wait()

asyncio.run(main(Path(sys.argv[1])))
"""


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    with subprocess.Popen(
        [sys.executable, "-c", OPENS_A_TURN, str(tmp_path)],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"open\n"
        process.kill()
        assert process.wait() == -signal.SIGKILL
    return tmp_path


async def test_killed_process_leaves_open_turn(killed: Path) -> None:
    async with open_database(killed / "darkroom.db") as database:
        history, photos = History(database), PhotoStore(database, killed / "photos")
        await photos.tidy()
        (turn,) = await history.open_turns()
        assert (turn.status, turn.question) == (TurnStatus.OPEN, "and its colour?")
        assert await photos.load(turn.photo_ids[0]) == b"pixels"
        assert [one.answer for one in await history.branch(turn.turn_id)] == ["a cat", ""]
        assert await history.turn_of("telegram:1:10") == turn
