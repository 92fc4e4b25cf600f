"""Turns: opened before an answer is written, closed after it, found again by their messages.

Knows no model; what a task or a conversation means is the caller's business.
"""

import json
import time
from collections.abc import Callable
from typing import cast

from storage.database import Database, Row
from storage.errors import TurnNotFound
from storage.records import NewTurn, Remains, Turn, TurnStatus
from storage.remains import remains_of

COLUMNS = (
    "turn_id, conversation, asker, task, question, photo_ids, parent_id, answer, answer_ids, "
    "model_id, status, seed, created_at, error"
)
AFTER_RESET = """
conversation = ?1 AND turn_id > coalesce(
    (SELECT last_turn_id FROM resets WHERE conversation = ?1), 0)
"""

LINK = """
INSERT INTO message_links (message_ref, turn_id, is_answer)
SELECT ?1, turn_id, ?3 FROM turns WHERE turn_id = ?2
ON CONFLICT (message_ref) DO UPDATE
SET turn_id = excluded.turn_id, is_answer = excluded.is_answer RETURNING turn_id
"""


class History:
    """The truth about what was asked and answered."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    async def open_turn(self, new: NewTurn) -> Turn:
        """Write a question down before anybody begins to answer it, with the messages that ask."""
        if new.parent_id is not None:
            await self.turn(new.parent_id)
        rest = [json.dumps(new.photo_ids), new.parent_id, new.seed, self._clock()]
        # Together: whoever finds the message after a crash finds its turn, or neither.
        async with self._database.transaction():
            rows = await self._database.read(
                "INSERT INTO turns (conversation, asker, task, question, photo_ids, parent_id, "
                f"seed, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING {COLUMNS}",
                [new.conversation, new.asker, new.task, new.question, *rest],
            )
            turn = _turn(rows[0])
            for message_ref in new.message_refs:
                await self._database.read(LINK, [message_ref, turn.turn_id, False])
        return turn

    async def close_turn(
        self,
        turn_id: int,
        *,
        status: TurnStatus,
        answer: str = "",
        answer_ids: tuple[int, ...] = (),
        model_id: str = "",
        error: str = "",
    ) -> Turn:
        """Write down how an open turn ended; raises TurnNotFound if it is not open."""
        rows = await self._database.write(
            "UPDATE turns SET status = ?, answer = ?, answer_ids = ?, model_id = ?, error = ? "
            f"WHERE turn_id = ? AND status = 'open' RETURNING {COLUMNS}",
            [status.value, answer, json.dumps(answer_ids), model_id, error, turn_id],
        )
        return _the_turn(rows, turn_id)

    async def edit(self, turn_id: int, question: str, *, is_noted: bool) -> None:
        """Change the question of a turn, or note the change beside it; raises TurnNotFound."""
        column = "edited" if is_noted else "question"
        rows = await self._database.write(
            f"UPDATE turns SET {column} = ? WHERE turn_id = ? RETURNING {COLUMNS}",
            [question, turn_id],
        )
        _the_turn(rows, turn_id)

    async def edited(self, turn_id: int) -> str:
        """What the question of a turn was changed to; "" where it was not."""
        rows = await self._database.read("SELECT edited FROM turns WHERE turn_id = ?", [turn_id])
        return str(rows[0][0]) if rows else ""

    async def turn(self, turn_id: int) -> Turn:
        """One turn; raises TurnNotFound."""
        rows = await self._database.read(
            f"SELECT {COLUMNS} FROM turns WHERE turn_id = ?", [turn_id]
        )
        return _the_turn(rows, turn_id)

    async def branch(self, turn_id: int) -> tuple[Turn, ...]:
        """A turn with all those it follows, from the first of them on; raises TurnNotFound."""
        # A parent is always older than its child, so the order of numbers is the order of time.
        rows = await self._database.read(
            "WITH RECURSIVE line (id) AS (SELECT ? UNION "
            "SELECT parent_id FROM turns JOIN line ON turn_id = id WHERE parent_id IS NOT NULL) "
            f"SELECT {COLUMNS} FROM turns JOIN line ON turn_id = id ORDER BY turn_id",
            [turn_id],
        )
        _the_turn(rows, turn_id)
        return tuple(_turn(row) for row in rows)

    async def newest(self, conversation: str, *, with_failed: bool = False) -> Turn | None:
        """The last turn since the conversation was reset."""
        rows = await self._database.read(
            f"SELECT {COLUMNS} FROM turns WHERE {AFTER_RESET} "
            "AND (?2 OR status != 'failed') ORDER BY turn_id DESC LIMIT 1",
            [conversation, with_failed],
        )
        return _turn(rows[0]) if rows else None

    async def newest_about(self, conversation: str, photo_ids: tuple[str, ...]) -> Turn | None:
        """The last turn about exactly these photos since the conversation was reset."""
        rows = await self._database.read(
            f"SELECT {COLUMNS} FROM turns WHERE {AFTER_RESET} "
            "AND photo_ids = ?2 AND status != 'failed' ORDER BY turn_id DESC LIMIT 1",
            [conversation, json.dumps(photo_ids)],
        )
        return _turn(rows[0]) if rows else None

    async def reset(self, conversation: str) -> None:
        """Begin anew: older turns stay, but nothing follows them by itself any more."""
        await self._database.write(
            "INSERT INTO resets SELECT ?1, coalesce(max(turn_id), 0) FROM turns "
            "WHERE conversation = ?1 "
            "ON CONFLICT (conversation) DO UPDATE SET last_turn_id = excluded.last_turn_id",
            [conversation],
        )

    async def link(self, message_ref: str, turn_id: int, *, is_answer: bool = False) -> None:
        """Let a message stand for a turn; a later turn takes over. Raises TurnNotFound."""
        if not await self._database.write(LINK, [message_ref, turn_id, is_answer]):
            raise TurnNotFound(turn_id)

    async def answer_refs(self, turn_id: int) -> tuple[str, ...]:
        """The messages in which the answer of a turn is shown."""
        rows = await self._database.read(
            "SELECT message_ref FROM message_links WHERE turn_id = ? AND is_answer", [turn_id]
        )
        return tuple(str(row[0]) for row in rows)

    async def turn_of(self, message_ref: str) -> Turn | None:
        """The turn that a message stands for."""
        rows = await self._database.read(
            f"SELECT {COLUMNS} FROM turns JOIN message_links USING (turn_id) WHERE message_ref = ?",
            [message_ref],
        )
        return _turn(rows[0]) if rows else None

    async def refs_since(self, turn_id: int) -> tuple[str, ...]:
        """The messages that stand for this turn and those opened after it."""
        rows = await self._database.read(
            "SELECT message_ref FROM message_links WHERE turn_id >= ?", [turn_id]
        )
        return tuple(str(row[0]) for row in rows)

    async def forget(self, asker: str) -> Remains:
        """Delete the turns of a person with everything that leads to them."""
        async with self._database.transaction():
            rows = await self._database.read(
                "DELETE FROM turns WHERE asker = ? RETURNING conversation, photo_ids", [asker]
            )
            conversations = {str(row[0]) for row in rows}
            for conversation in conversations:
                await self._database.read(
                    "DELETE FROM resets WHERE conversation = ?", [conversation]
                )
            return await remains_of(self._database, rows)

    async def forget_ended(
        self, asker: str, *, before_turn: int = 0, age_s: float | None = None
    ) -> Remains:
        """Delete the closed turns of a person that came before another one, or are older."""
        before_s = 0.0 if age_s is None else self._clock() - age_s
        async with self._database.transaction():
            rows = await self._database.read(
                "DELETE FROM turns WHERE asker = ? AND status != 'open' "
                "AND (turn_id < ? OR created_at < ?) RETURNING conversation, photo_ids",
                [asker, before_turn, before_s],
            )
            return await remains_of(self._database, rows)

    async def open_turns(self) -> tuple[Turn, ...]:
        """The turns that nobody has closed, oldest first."""
        rows = await self._database.read(
            f"SELECT {COLUMNS} FROM turns WHERE status = 'open' ORDER BY turn_id"
        )
        return tuple(_turn(row) for row in rows)


def _the_turn(rows: list[Row], turn_id: int) -> Turn:
    if not rows:
        raise TurnNotFound(turn_id)
    return _turn(rows[0])


def _turn(row: Row) -> Turn:
    return Turn(
        turn_id=cast("int", row[0]),
        conversation=str(row[1]),
        asker=str(row[2]),
        task=str(row[3]),
        question=str(row[4]),
        photo_ids=tuple(json.loads(str(row[5]))),
        parent_id=cast("int | None", row[6]),
        answer=str(row[7]),
        answer_ids=tuple(json.loads(str(row[8]))),
        model_id=str(row[9]),
        status=TurnStatus(str(row[10])),
        seed=cast("int", row[11]),
        created_at=cast("float", row[12]),
        error=str(row[13]),
    )
