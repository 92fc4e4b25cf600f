"""A database that cannot be used is named and left as it was."""

import asyncio
import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from storage import (
    Database,
    DatabaseDamaged,
    DatabaseNotUsable,
    DatabaseTooNew,
    History,
    NewTurn,
    StorageError,
    open_database,
)
from storage.migrations import KNOWN, STEPS, Step


async def refused(path: Path) -> StorageError:
    with pytest.raises(StorageError) as caught:
        async with open_database(path):
            pass
    return caught.value


def execute(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


async def filled(path: Path) -> None:
    async with open_database(path) as database:
        history = History(database)
        for _ in range(200):
            await history.open_turn(NewTurn("c", "7", "ask", "what is it? " * 20))


async def test_steps_are_recorded_once(tmp_path: Path) -> None:
    for _ in range(2):
        async with open_database(tmp_path / "a.db") as database:
            rows = await database.read("SELECT number FROM schema_steps ORDER BY number")
            assert rows == [(step.number,) for step in STEPS]


async def test_half_a_step_is_undone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Step(KNOWN + 1, ("CREATE TABLE extra (number INTEGER)", "CREATE NONSENSE"))
    monkeypatch.setattr("storage.database.STEPS", (*STEPS, broken))
    error = await refused(tmp_path / "a.db")
    assert isinstance(error, DatabaseNotUsable)
    monkeypatch.undo()
    async with open_database(tmp_path / "a.db") as database:
        assert await database.read("SELECT max(number) FROM schema_steps") == [(KNOWN,)]
        assert await database.read("SELECT 1 FROM sqlite_master WHERE name = 'extra'") == []


async def test_new_step_meets_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await filled(tmp_path / "a.db")
    added = Step(KNOWN + 1, ("ALTER TABLE turns ADD COLUMN mark TEXT NOT NULL DEFAULT 'x'",))
    monkeypatch.setattr("storage.database.STEPS", (*STEPS, added))
    async with open_database(tmp_path / "a.db") as database:
        assert await database.read("SELECT count(*), min(mark) FROM turns") == [(200, "x")]


async def test_pragmas_are_set(database: Database) -> None:
    assert await database.read("PRAGMA journal_mode") == [("wal",)]
    assert await database.read("PRAGMA foreign_keys") == [(1,)]
    assert await database.read("PRAGMA busy_timeout") == [(5000,)]


async def test_only_owner_may_look(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "a.db"
    async with open_database(path) as database:
        await History(database).open_turn(NewTurn("c", "7", "ask", "?"))
        modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in path.parent.iterdir()}
    assert modes == {"a.db": 0o600, "a.db-wal": 0o600, "a.db-shm": 0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


async def test_text_file_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(b"my shopping list " * 500)
    error = await refused(path)
    assert isinstance(error, DatabaseDamaged)
    assert error.path == path
    assert path.read_bytes() == b"my shopping list " * 500
    assert os.listdir(tmp_path) == ["a.db"]


@pytest.mark.parametrize("what", ["overwritten", "cut"])
async def test_damaged_pages_are_found(tmp_path: Path, what: str) -> None:
    path = tmp_path / "a.db"
    await filled(path)
    whole = path.read_bytes()
    middle = len(whole) // 2
    broken = whole[:middle] + (b"\xa5" * 8192 + whole[middle + 8192 :] if what[0] == "o" else b"")
    path.write_bytes(broken)
    error = await refused(path)
    assert isinstance(error, DatabaseDamaged)
    assert path.read_bytes() == broken


async def test_later_schema_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    await filled(path)
    execute(path, f"INSERT INTO schema_steps VALUES ({KNOWN + 3}, 0)")
    before = path.read_bytes()
    error = await refused(path)
    assert isinstance(error, DatabaseTooNew)
    assert (error.found, error.known) == (KNOWN + 3, KNOWN)
    assert path.read_bytes() == before


async def test_foreign_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    execute(path, "CREATE TABLE recipes (name TEXT)")
    before = path.read_bytes()
    error = await refused(path)
    assert isinstance(error, DatabaseNotUsable)
    assert "another program" in error.why
    assert path.read_bytes() == before


async def test_folder_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "a.db").mkdir()
    error = await refused(tmp_path / "a.db")
    assert isinstance(error, DatabaseNotUsable)
    assert error.path == tmp_path / "a.db"


async def test_place_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(b"")
    assert isinstance(await refused(tmp_path / "data" / "a.db"), DatabaseNotUsable)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
async def test_read_only_folder(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(mode=0o500)
    error = await refused(tmp_path / "data" / "a.db")
    assert isinstance(error, DatabaseNotUsable)
    assert error.why == "Permission denied"


async def add_reset(database: Database, conversation: str, divisor: int) -> None:
    async with database.transaction():
        await database.read("INSERT INTO resets VALUES (?, 1)", [conversation])
        await database.read("INSERT INTO resets VALUES (?, ?)", [conversation + "2", 2 // divisor])


async def test_transaction_is_all_or_nothing(database: Database) -> None:
    with pytest.raises(ZeroDivisionError):
        await add_reset(database, "c", 0)
    await add_reset(database, "d", 1)
    assert await database.read("SELECT * FROM resets") == [("d", 1), ("d2", 2)]


async def test_writers_wait_for_transaction(database: Database) -> None:
    async with database.transaction():
        waiting = asyncio.create_task(database.write("INSERT INTO resets VALUES ('c', 1)"))
        await database.read("SELECT 1")
        await database.read("INSERT INTO resets VALUES ('c', 2) ON CONFLICT DO NOTHING")
    with pytest.raises(sqlite3.IntegrityError):
        await waiting
    assert await database.read("SELECT * FROM resets") == [("c", 2)]


async def test_damage_found_later_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    await filled(path)
    async with open_database(path) as database:
        path.write_bytes(path.read_bytes()[:4096] + b"\xa5" * (path.stat().st_size - 4096))
        with pytest.raises(DatabaseDamaged) as caught:
            await History(database).turn(100)
    assert caught.value.path == path


async def test_second_process_waits_its_turn(tmp_path: Path) -> None:
    async with open_database(tmp_path / "a.db") as one, open_database(tmp_path / "a.db") as other:
        first, second = History(one), History(other)
        turns = await asyncio.gather(
            *(
                history.open_turn(NewTurn("c", "7", "ask", str(number)))
                for number in range(20)
                for history in (first, second)
            )
        )
        assert len({turn.turn_id for turn in turns}) == 40
        assert await one.read("PRAGMA quick_check") == [("ok",)]
