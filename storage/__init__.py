"""Storage's face: turns and photos that outlive the process."""

from storage.database import Database, open_database
from storage.errors import (
    DatabaseDamaged,
    DatabaseNotUsable,
    DatabaseTooNew,
    PhotoGone,
    PhotoNotSaved,
    StorageError,
    TurnNotFound,
)
from storage.history import History
from storage.photos import PhotoStore
from storage.records import NewTurn, Turn, TurnStatus

__all__ = [
    "Database",
    "DatabaseDamaged",
    "DatabaseNotUsable",
    "DatabaseTooNew",
    "History",
    "NewTurn",
    "PhotoGone",
    "PhotoNotSaved",
    "PhotoStore",
    "StorageError",
    "Turn",
    "TurnNotFound",
    "TurnStatus",
    "open_database",
]
