"""How tokens, addresses and lists of numbers are written in settings.

Knows the forms only, not which setting has which.
"""

import re
from urllib.parse import urlsplit

TOKEN = r"\d{3,20}:[A-Za-z0-9_-]{30,64}"
IDS = r"[\s,;]*(-?\d+[\s,;]+)*(-?\d+)?"


def is_token(text: str) -> bool:
    """Whether it is a bot's token and nothing more."""
    return re.fullmatch(TOKEN, text) is not None


def holds_token(text: str) -> bool:
    """Whether a bot's token stands somewhere in it."""
    return re.search(TOKEN, text) is not None


def is_address(text: str) -> bool:
    """Whether it is the address of a server on the web, without a query."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return False
    has_place = bool(parts.hostname) and port != 0
    return parts.scheme in ("http", "https") and has_place and not parts.query


def ids_of(text: str) -> tuple[str, ...] | None:
    """The numbers of a list with commas, semicolons or spaces; None for anything else."""
    return tuple(re.findall(r"-?\d+", text)) if re.fullmatch(IDS, text) else None
