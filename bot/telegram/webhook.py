"""Updates that Telegram brings to us: taken at a port of this machine, behind a proxy with TLS.

Knows no update. A secret that is new at each start tells Telegram from anybody else.
"""

import hmac
import json
import logging
import secrets
from http import HTTPStatus
from urllib.parse import urlsplit

from telegram import Bot
from telegram.error import BadRequest, InvalidToken, RetryAfter, TelegramError

from bot.loopback import Asked, Loopback, Said
from bot.telegram.clock import Clock
from bot.telegram.errors import PolledElsewhere, TokenRejected, WebhookRefused, wait_s
from bot.telegram.polling import UPDATES, TakeIn
from storage import StorageError

SECRET_HEADER = "x-telegram-bot-api-secret-token"
CHECK_S = 60.0
RETRY_S = 5.0
LOSSES_TO_END = 6

logger = logging.getLogger(__name__)


class Webhook:
    """An address of ours that Telegram knows."""

    def __init__(self, bot: Bot, url: str, port: int, clock: Clock) -> None:
        self._bot = bot
        self._url = url
        self._port = port
        self._clock = clock
        self._secret = secrets.token_urlsafe(32)
        self._is_set = False
        self._num_losses = 0
        self._num_failures = 0
        self._checked_at: float | None = None

    @property
    def silent_s(self) -> float | None:
        """Since Telegram last said that it brings updates here; None before the first time."""
        return None if self._checked_at is None else self._clock.time() - self._checked_at

    async def run(self, take_in: TakeIn) -> None:
        """Take in until cancelled.

        Raises TokenRejected, WebhookRefused, PolledElsewhere, PortTaken. What cannot be
        written down is not acknowledged, and Telegram brings it again.
        """

        async def receive(asked: Asked) -> Said:
            return await self._receive(asked, take_in)

        path = urlsplit(self._url).path or "/"
        async with Loopback(self._port, {("POST", path): receive}):
            while True:
                await self._clock.sleep(await self._check())

    async def _receive(self, asked: Asked, take_in: TakeIn) -> Said:
        told = asked.headers.get(SECRET_HEADER, "")
        if not hmac.compare_digest(told.encode(), self._secret.encode()):
            return Said(HTTPStatus.FORBIDDEN)
        try:
            update = json.loads(asked.body)
        except ValueError:
            return Said(HTTPStatus.BAD_REQUEST)
        try:
            await take_in([update], True)
        except StorageError as error:
            self._fail(f"{type(error).__name__}: {error}")
            return Said(HTTPStatus.SERVICE_UNAVAILABLE)
        return Said()

    async def _check(self) -> float:
        """Bring about that Telegram knows our address; gives the pause until the next look."""
        is_rejected, refusal = False, ""
        try:
            await self._look()
        except InvalidToken:
            is_rejected = True
        except BadRequest as error:
            refusal = error.message
        except RetryAfter as error:
            return wait_s(error)
        except TelegramError as error:
            self._fail(type(error).__name__)
            return RETRY_S
        if is_rejected:  # raised out here, so that no cause in the chain bears the token
            raise TokenRejected
        if refusal:
            raise WebhookRefused(refusal)
        self._num_failures = 0
        self._checked_at = self._clock.time()
        return CHECK_S

    async def _look(self) -> None:
        if self._is_set:
            info = await self._bot.get_webhook_info()
            if info.url == self._url:
                self._num_losses = 0
                return
            self._lose()
        await self._bot.set_webhook(
            self._url,
            secret_token=self._secret,
            allowed_updates=UPDATES,
            drop_pending_updates=False,
        )
        self._is_set = True

    def _lose(self) -> None:
        self._num_losses += 1
        if self._num_losses == 1:
            logger.error("Another program fetches the messages of this bot; stop one of the two")
        if self._num_losses >= LOSSES_TO_END:
            raise PolledElsewhere

    def _fail(self, why: str) -> None:
        self._num_failures += 1
        if self._num_failures == 1:
            logger.warning("Updates cannot be taken in, trying again: %s", why)
