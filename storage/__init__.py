"""Storage's face: turns, photos and updates that outlive the process."""

from storage.choices import ChoiceStore
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
from storage.guests import Guest, Guests
from storage.history import History
from storage.photos import PhotoStore
from storage.preferences import Preferences
from storage.records import LeftUpdate, NewTurn, Remains, Turn, TurnStatus, Update
from storage.updates import UpdateStore

__all__ = [
    "ChoiceStore",
    "Database",
    "DatabaseDamaged",
    "DatabaseNotUsable",
    "DatabaseTooNew",
    "Guest",
    "Guests",
    "History",
    "LeftUpdate",
    "NewTurn",
    "PhotoGone",
    "PhotoNotSaved",
    "PhotoStore",
    "Preferences",
    "Remains",
    "StorageError",
    "Turn",
    "TurnNotFound",
    "TurnStatus",
    "Update",
    "UpdateStore",
    "open_database",
]
