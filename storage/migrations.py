"""The schema as numbered steps: each is applied once, and the database remembers which were.

A step that was released is never changed; a new one is added below it.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """One change of the schema, applied as a whole or not at all."""

    number: int
    statements: tuple[str, ...]


STEPS = (
    Step(
        1,
        (
            """
            CREATE TABLE turns (
                turn_id INTEGER PRIMARY KEY AUTOINCREMENT,
                conversation TEXT NOT NULL,
                asker TEXT NOT NULL,
                task TEXT NOT NULL,
                question TEXT NOT NULL,
                photo_ids TEXT NOT NULL,
                parent_id INTEGER REFERENCES turns (turn_id) ON DELETE SET NULL,
                answer TEXT NOT NULL DEFAULT '',
                answer_ids TEXT NOT NULL DEFAULT '[]',
                model_id TEXT NOT NULL DEFAULT '',
                status TEXT NOT NULL DEFAULT 'open'
                    CHECK (status IN ('open', 'answered', 'stopped', 'failed')),
                seed INTEGER NOT NULL,
                created_at REAL NOT NULL,
                error TEXT NOT NULL DEFAULT ''
            )
            """,
            "CREATE INDEX turns_of_conversation ON turns (conversation, turn_id)",
            "CREATE INDEX turns_by_parent ON turns (parent_id)",
            "CREATE INDEX turns_open ON turns (turn_id) WHERE status = 'open'",
            """
            CREATE TABLE message_links (
                message_ref TEXT PRIMARY KEY,
                turn_id INTEGER NOT NULL REFERENCES turns (turn_id) ON DELETE CASCADE
            ) WITHOUT ROWID
            """,
            "CREATE INDEX links_of_turn ON message_links (turn_id)",
            """
            CREATE TABLE resets (
                conversation TEXT PRIMARY KEY,
                last_turn_id INTEGER NOT NULL
            ) WITHOUT ROWID
            """,
            """
            CREATE TABLE photos (
                photo_id TEXT PRIMARY KEY,
                source TEXT NOT NULL,
                num_bytes INTEGER NOT NULL,
                kept_at REAL
            ) WITHOUT ROWID
            """,
        ),
    ),
    Step(
        2,
        (
            # Content is there as long as an update has to be handled, and not longer.
            """
            CREATE TABLE updates (
                source TEXT NOT NULL,
                number INTEGER NOT NULL,
                content TEXT,
                num_tries INTEGER NOT NULL DEFAULT 1,
                problem TEXT NOT NULL DEFAULT '',
                taken_at REAL NOT NULL,
                PRIMARY KEY (source, number)
            ) WITHOUT ROWID
            """,
            "CREATE INDEX updates_by_age ON updates (taken_at)",
            "ALTER TABLE message_links ADD COLUMN is_answer INTEGER NOT NULL DEFAULT 0",
        ),
    ),
    Step(
        3,
        (
            """
            CREATE TABLE preferences (
                asker TEXT PRIMARY KEY,
                language TEXT NOT NULL DEFAULT ''
            ) WITHOUT ROWID
            """,
        ),
    ),
    # What a question was changed to after it had been taken.
    Step(4, ("ALTER TABLE turns ADD COLUMN edited TEXT NOT NULL DEFAULT ''",)),
    Step(
        5,
        (
            """
            CREATE TABLE guests (
                asker TEXT PRIMARY KEY,
                name TEXT NOT NULL DEFAULT '',
                is_allowed INTEGER NOT NULL
            ) WITHOUT ROWID
            """,
        ),
    ),
    Step(
        6,
        (
            """
            CREATE TABLE choices (
                owner TEXT NOT NULL,
                setting TEXT NOT NULL,
                value TEXT NOT NULL,
                PRIMARY KEY (owner, setting)
            ) WITHOUT ROWID
            """,
        ),
    ),
)

KNOWN = STEPS[-1].number
