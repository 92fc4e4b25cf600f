"""Storage's face: turns and photos that outlive the process."""

from storage.errors import (
    DatabaseDamaged,
    DatabaseNotUsable,
    DatabaseTooNew,
    PhotoGone,
    PhotoNotSaved,
    StorageError,
    TurnNotFound,
)
from storage.records import NewTurn, Turn, TurnStatus

__all__ = [
    "DatabaseDamaged",
    "DatabaseNotUsable",
    "DatabaseTooNew",
    "NewTurn",
    "PhotoGone",
    "PhotoNotSaved",
    "StorageError",
    "Turn",
    "TurnNotFound",
    "TurnStatus",
]
