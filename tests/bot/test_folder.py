"""One bot at a time has a folder; whoever has ended or was killed has none."""

import subprocess
import sys
from pathlib import Path

import pytest

from bot.folder import FolderInUse, occupied

HOLDER = """
import sys
from pathlib import Path
from bot.folder import occupied
with occupied(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_second_is_refused(tmp_path: Path) -> None:
    with occupied(tmp_path), pytest.raises(FolderInUse) as caught, occupied(tmp_path):
        pass
    assert caught.value.folder == tmp_path


def test_next_one_has_it(tmp_path: Path) -> None:
    for _ in range(2):
        with occupied(tmp_path):
            pass


def test_folders_are_independent(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    with occupied(tmp_path), occupied(other):
        pass


def test_killed_bot_leaves_its_folder(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    words = [sys.executable, "-c", HOLDER, str(tmp_path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, cwd=root, stdin=pipe, stdout=pipe, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(FolderInUse), occupied(tmp_path):
            pass
        holder.kill()
    with occupied(tmp_path):
        pass
