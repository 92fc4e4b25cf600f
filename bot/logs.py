"""What the log looks like, and that no token is in it, whoever writes there.

Knows no chat platform; a token is a secret like any other.
"""

import logging
from collections.abc import Sequence

MASK = "[secret]"
FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
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


def set_up_logs(level: str, secrets: Sequence[str] = ()) -> None:
    """Send the log to the terminal, with the secrets masked."""
    handler = logging.StreamHandler()
    handler.setFormatter(SecretFormatter(secrets))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for name in CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)
