"""What can go wrong between us and Telegram, as data; `bot/texts` words it for people.

TelegramFailure
  TokenRejected         Telegram does not know our token
  TelegramUnreachable   nobody answers at the address
  WebhookRefused        Telegram does not take our address
  PolledElsewhere       another program fetches the updates of this bot
  FileTooBig            a file is larger than a bot may download
  FileNotFetched        a file did not arrive, or its server no longer has it
  NotAPhoto             a file says itself that it is something else
"""

import logging
import secrets
import traceback

import httpx
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
)

from bot.texts import ENGLISH, Wording, sentence_for
from storage import DatabaseNotUsable, PhotoNotSaved

_REFUSED = (RetryAfter, ChatMigrated, Forbidden, BadRequest, InvalidToken)
_NEVER_LEFT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)

logger = logging.getLogger(__name__)


class TelegramFailure(Exception):
    """The root of what this wing raises; never carries the token."""


class TokenRejected(TelegramFailure):
    """The token is wrong or was revoked."""

    def __init__(self) -> None:
        super().__init__("Telegram rejected the token")


class TelegramUnreachable(TelegramFailure):
    """No connection to the server, after several tries."""

    def __init__(self, api_url: str) -> None:
        super().__init__(f"no answer from {api_url}")
        self.api_url = api_url


class PolledElsewhere(TelegramFailure):
    """Two programs cannot both fetch the updates of one bot."""

    def __init__(self) -> None:
        super().__init__("another program fetches the updates")


class WebhookRefused(TelegramFailure):
    """Telegram does not bring updates to the address; `why` is what it says."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class FileTooBig(TelegramFailure):
    """Larger than what bots may download; `limit_bytes` is that bound."""

    def __init__(self, limit_bytes: int) -> None:
        super().__init__(f"larger than {limit_bytes} bytes")
        self.limit_bytes = limit_bytes


class FileNotFetched(TelegramFailure):
    """A photo could not be had; `gone` says that trying again is of no use."""

    def __init__(self, *, gone: bool) -> None:
        super().__init__("gone" if gone else "not fetched")
        self.gone = gone


class NotAPhoto(TelegramFailure):
    """Something among photos that is none."""


def sentence_of(error: BaseException, words: Wording = ENGLISH) -> str:
    """What a person is told about an error; one that nobody foresaw is logged with a code."""
    match error:
        case FileTooBig():
            return words.file_too_big
        case FileNotFetched():
            return words.photo_gone if error.gone else words.file_not_fetched
        case NotAPhoto():
            return words.not_an_image
        case DatabaseNotUsable() | PhotoNotSaved():
            # A place and what the system says of it: only the owner can help, and must see it.
            logger.error("%s: %s", type(error).__name__, error)
            return sentence_for(error, words)
        case _:
            sentence = sentence_for(error, words)
            return _log(error, words) if sentence == words.unknown_failure else sentence


def _log(error: BaseException, words: Wording) -> str:
    code = secrets.token_hex(3)
    # The text of an error may quote a message or an address with the token; its places do not.
    places = "".join(traceback.format_tb(error.__traceback__))
    logger.error("Failure %s: %s\n%s", code, type(error).__name__, places)
    return words.failure(code)


def wait_s(error: RetryAfter) -> float:
    """For how long Telegram wants to be left alone."""
    told = error.retry_after
    return float(told) if isinstance(told, int) else told.total_seconds()


def is_surely_undone(error: TelegramError) -> bool:
    """Whether a call that failed has certainly changed nothing; a timeout says no such thing."""
    if isinstance(error, _REFUSED) or isinstance(error.__cause__, _NEVER_LEFT):
        return True
    # What a server says that goes down before it looks at the call.
    return isinstance(error, NetworkError) and "restart" in error.message.lower()
