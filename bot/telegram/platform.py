"""Telegram as one thing: made first, because it gives photos, and served last.

Puts the rooms of this wing together and knows nothing else.
"""

from telegram.request import BaseRequest

from bot.access import AccessPolicy
from bot.assistant import Assistant, FetchPhoto
from bot.telegram.application import TelegramConfig, build_application, wire
from bot.telegram.buttons import Buttons
from bot.telegram.clock import Clock
from bot.telegram.connection import Connection
from bot.telegram.delivery import Delivery
from bot.telegram.downloads import Downloads
from bot.telegram.flight import InFlight
from bot.telegram.gathering import Gathering
from bot.telegram.guard import Guard
from bot.telegram.handlers import Handlers
from bot.telegram.requests import PollingRequest, calling_request
from bot.telegram.subjects import Subjects


class TelegramPlatform:
    """The bot on Telegram."""

    def __init__(
        self,
        config: TelegramConfig,
        *,
        clock: Clock | None = None,
        calling: BaseRequest | None = None,
    ) -> None:
        self._config = config
        self._clock = clock or Clock()
        self._calling = calling or calling_request(config.api_url)
        self._polling = PollingRequest(config.api_url)
        self._in_flight = InFlight()
        self.application = build_application(config, self._calling, self._polling)
        self._downloads = Downloads(self.application.bot, self._clock)
        self._connection = Connection(self.application, self._calling, self._polling, self._clock)

    @property
    def fetch_photo(self) -> FetchPhoto:
        """Fetches a photo again by its source; raises PhotoNotFetched."""
        return self._downloads.fetch_again

    def connect(self, assistant: Assistant, access: AccessPolicy) -> Delivery:
        """Let updates reach the assistant; gives what says the answers."""
        clock = self._clock
        delivery = Delivery(self.application.bot, assistant, clock)
        gathering = Gathering(clock, self._config.text_wait_s)
        subjects = Subjects(self._downloads, delivery)
        wire(
            self.application,
            Guard(access, delivery, clock),
            Handlers(assistant, delivery, gathering, subjects),
            Buttons(assistant, delivery),
            in_flight=self._in_flight,
        )
        return delivery

    async def meet(self) -> None:
        """Ask Telegram who we are; raises TokenRejected, TelegramUnreachable."""
        await self._connection.open(self._config.api_url)

    async def serve(self, assistant: Assistant, access: AccessPolicy) -> None:
        """Answer until SIGTERM, SIGINT or cancelled; raises TokenRejected, TelegramUnreachable."""
        delivery = self.connect(assistant, access)
        try:
            await self.meet()
            await assistant.close_open()
            await self._connection.listen()
        finally:
            await self._connection.close(delivery, self._in_flight)
