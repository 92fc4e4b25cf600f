"""One SQLite file: looked at before it is touched, brought up to date, spoken to by one connection.

Knows no table but its own list of applied steps.
"""

import asyncio
import contextlib
import os
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import aiosqlite

from storage.errors import DatabaseDamaged, DatabaseNotUsable, DatabaseTooNew
from storage.migrations import KNOWN, STEPS, Step

Value = str | int | float | bytes | None
Row = tuple[Value, ...]

APPLIED = """
CREATE TABLE IF NOT EXISTS schema_steps (number INTEGER PRIMARY KEY, applied_at REAL NOT NULL)
"""
BUSY_TIMEOUT_MS = 5000


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Give SQLite's refusals the name of the file."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise
    except sqlite3.OperationalError as error:
        raise DatabaseNotUsable(path, str(error)) from error
    except sqlite3.DatabaseError as error:
        raise DatabaseDamaged(path) from error


class Database:
    """The open connection: single statements, and transactions that nobody comes between."""

    def __init__(self, connection: aiosqlite.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._writing = asyncio.Lock()

    async def read(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        """All rows of a query."""
        with _named(self._path):
            return [tuple(row) for row in await self._connection.execute_fetchall(sql, values)]

    async def write(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        """Run one statement by itself; gives the rows that it returns."""
        async with self._writing:
            return await self.read(sql, values)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        """All statements `read` inside, or none; others that write wait meanwhile."""
        async with self._writing:
            try:
                await self.read("BEGIN IMMEDIATE")
                yield
                await self.read("COMMIT")
            except BaseException:
                # Refused when there is nothing to undo: BEGIN failed, or COMMIT went through.
                with contextlib.suppress(DatabaseNotUsable):
                    await self.read("ROLLBACK")
                raise


@asynccontextmanager
async def open_database(path: Path) -> AsyncIterator[Database]:
    """Open or create the file; raises DatabaseDamaged, DatabaseTooNew, DatabaseNotUsable.

    Nothing is written to a file that is refused.
    """
    found = await asyncio.to_thread(_inspect, path)
    if found > KNOWN:
        raise DatabaseTooNew(found, KNOWN)
    with _named(path):
        connection = await aiosqlite.connect(path, isolation_level=None)
    try:
        database = Database(connection, path)
        for pragma in (
            f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}",
            "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = FULL",
            "PRAGMA foreign_keys = ON",
            # What people wrote is overwritten when it is deleted, not only struck from the list.
            "PRAGMA secure_delete = ON",
        ):
            await database.read(pragma)
        await _bring_up_to_date(database)
        yield database
    finally:
        await connection.close()


def _inspect(path: Path) -> int:
    """Make room for the file, and see by a read-only connection what it is.

    Gives the number of the last applied step, 0 for a new file.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Whoever may read the file may read what people asked: created closed, not closed later.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise DatabaseNotUsable(path, error.strerror or str(error)) from error
    with _named(path), contextlib.closing(_connect_to_read(path)) as connection:
        if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise DatabaseDamaged(path)
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        if not tables:
            return 0
        if "schema_steps" not in tables:
            raise DatabaseNotUsable(path, "it is the database of another program")
        (number,) = connection.execute("SELECT max(number) FROM schema_steps").fetchone()
        return int(number or 0)


def _connect_to_read(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    return connection


async def _bring_up_to_date(database: Database) -> None:
    await database.write(APPLIED)
    for step in STEPS:
        async with database.transaction():
            # Asked inside the transaction: another process may have been first.
            if not await database.read(
                "SELECT 1 FROM schema_steps WHERE number = ?", [step.number]
            ):
                await _apply(database, step)


async def _apply(database: Database, step: Step) -> None:
    for statement in step.statements:
        await database.read(statement)
    await database.read("INSERT INTO schema_steps VALUES (?, ?)", [step.number, time.time()])
