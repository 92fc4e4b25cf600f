"""Keeps the token out of the log, whoever writes there.

The library and its HTTP client put it into addresses, errors and representations.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

MASK = "[token]"
_CHATTY = ("httpx", "httpcore")


class Redaction(logging.Filter):
    """Rewrites a record that bears the token; every record passes."""

    def __init__(self, token: str) -> None:
        super().__init__()
        self._token = token

    def filter(self, record: logging.LogRecord) -> bool:
        """Mask the token in the message and in the trace."""
        message = record.getMessage()
        if self._token in message:
            record.msg, record.args = message.replace(self._token, MASK), None
        if record.exc_info:
            record.exc_text = record.exc_text or logging.Formatter().formatException(
                record.exc_info
            )
        if record.exc_text:
            record.exc_text = record.exc_text.replace(self._token, MASK)
        return True


@contextmanager
def redacted(token: str) -> Iterator[None]:
    """Mask the token in everything that the root's handlers write meanwhile."""
    for name in _CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)
    redaction = Redaction(token)
    handlers = [*logging.getLogger().handlers, *filter(None, [logging.lastResort])]
    for handler in handlers:
        handler.addFilter(redaction)
    try:
        yield
    finally:
        for handler in handlers:
            handler.removeFilter(redaction)
