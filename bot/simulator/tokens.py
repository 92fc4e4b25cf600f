"""The simulator's own token, in a form that no real token has.

A real one is digits, a colon and 35 characters: such a text is refused here before it is compared,
kept or shown. Whoever talks to Telegram asks `is_simulator_token` first and refuses those.
"""

import re

TOKEN_PREFIX = "simulator:"
SIMULATOR_TOKEN = TOKEN_PREFIX + "loopback-only"

_REAL = re.compile(r"\d{3,20}:[A-Za-z0-9_-]{30,64}")


def is_simulator_token(token: str) -> bool:
    return token.startswith(TOKEN_PREFIX)


def looks_real(token: str) -> bool:
    return _REAL.fullmatch(token.strip()) is not None
