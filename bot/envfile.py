"""The lines of an .env file that say nothing, because they are not NAME=value.

Knows no name; whoever reads the file passes over such lines without a word.
"""

from pathlib import Path

from dotenv.parser import parse_stream

ENV_FILE = ".env"


def lost_lines(path: Path) -> tuple[int, ...]:
    """The numbers of those lines; none where there is no file. Raises OSError, UnicodeError."""
    if not path.is_file():
        return ()
    with path.open(encoding="utf-8") as file:
        found = list(parse_stream(file))
    return tuple(one.original.line for one in found if one.error or _is_bare(one.key, one.value))


def _is_bare(name: str | None, value: str | None) -> bool:
    return name is not None and value is None
