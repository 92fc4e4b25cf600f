"""What the log looks like, and that no token and nothing people write is in it.

Knows no chat platform; a token is a secret like any other.
"""

import logging
import sys
from collections.abc import Sequence
from typing import TextIO

MASK = "[secret]"
FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
OURS = ("bot", "engine", "storage")
# Their lines of ordinary work bear addresses, and the addresses bear the token.
CHATTY = ("httpx", "httpcore", "hpack", "aiohttp.access", "telegram.ext.Updater")


class SecretFormatter(logging.Formatter):
    """Writes every record, its trace too, with the secrets masked."""

    def __init__(self, secrets: Sequence[str]) -> None:
        super().__init__(FORMAT)
        self._secrets = tuple(secret for secret in secrets if secret)

    def format(self, record: logging.LogRecord) -> str:
        """One record as text."""
        text = super().format(record)
        for secret in self._secrets:
            text = text.replace(secret, MASK)
        return text


class SecretHandler(logging.StreamHandler[TextIO]):
    """Writes to the terminal; a record that cannot be written is not shown raw instead."""

    def handleError(self, record: logging.LogRecord) -> None:
        """Say where the record came from, and nothing of what is in it."""
        sys.stderr.write(f"A log record of {record.name}:{record.lineno} cannot be written.\n")


def set_up_logs(level: str, secrets: Sequence[str] = ()) -> None:
    """Send the log to the terminal, with the secrets masked."""
    handler = SecretHandler()
    handler.setFormatter(SecretFormatter(secrets))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    # Libraries go into details with what passes through them: queries, updates, pictures.
    root.setLevel(max(logging.getLevelNamesMapping()[level], logging.INFO))
    for name in OURS:
        logging.getLogger(name).setLevel(level)
    for name in CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)
