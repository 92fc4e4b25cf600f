"""The `read` command: the printed lines of a photo to standard output."""

import json
import sys
from dataclasses import asdict

from engine.base import LineReader
from engine.chat import Line
from engine.lines import text_of

NO_TEXT = "No readable text in this image."


async def read(line_reader: LineReader, photo: bytes, *, as_json: bool) -> None:
    """Print a row of text for each row of the photo, or an object for each of its lines."""
    lines = await line_reader.read(photo)
    if as_json:
        for line in lines:
            print(json_of(line))
    elif lines:
        print(text_of(lines))
    else:
        print(NO_TEXT, file=sys.stderr)


def json_of(line: Line) -> str:
    """One line as an object on a line of its own; corners as pairs of x and y."""
    corners = [[round(corner.x, 1), round(corner.y, 1)] for corner in line.corners]
    fields = asdict(line) | {"corners": corners, "confidence": round(line.confidence, 4)}
    return json.dumps(fields, ensure_ascii=False)
