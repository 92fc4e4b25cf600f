"""What is left when turns are gone: where they talked, and photos that no other turn is about.

Knows no person; deletes nothing itself.
"""

import json
from collections.abc import Sequence

from storage.database import Database, Row
from storage.records import Remains


async def remains_of(database: Database, rows: Sequence[Row]) -> Remains:
    """Of turns just deleted, each given as its conversation and its photos."""
    photo_ids = {one for row in rows for one in json.loads(str(row[1]))}
    kept = await database.read("SELECT DISTINCT value FROM turns, json_each(turns.photo_ids)")
    photo_ids -= {str(row[0]) for row in kept}
    conversations = {str(row[0]) for row in rows}
    return Remains(tuple(sorted(conversations)), tuple(sorted(photo_ids)))
