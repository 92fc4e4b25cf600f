"""Telegram as one thing: made first, because it gives photos, and served last.

Puts the rooms of this wing together and knows nothing else.
"""

from collections import Counter
from collections.abc import Sequence

from telegram.request import BaseRequest

from bot.access import AccessPolicy
from bot.albums import FetchPhoto
from bot.assistant import Assistant
from bot.telegram.admission import ADMISSION, Admission
from bot.telegram.application import TelegramConfig, build_application, wire
from bot.telegram.buttons import Buttons
from bot.telegram.clock import Clock
from bot.telegram.connection import Connection
from bot.telegram.controls import CONTROLS, Controls
from bot.telegram.customs import Customs
from bot.telegram.delivery import Delivery
from bot.telegram.downloads import Downloads
from bot.telegram.edits import Edits
from bot.telegram.errors import TokenRejected
from bot.telegram.flight import InFlight
from bot.telegram.gathering import Gathering
from bot.telegram.guard import Guard
from bot.telegram.handlers import Handlers
from bot.telegram.inbox import Inbox
from bot.telegram.outbox import Outbox
from bot.telegram.polling import Polling
from bot.telegram.recovery import Recovery
from bot.telegram.requests import calling_request, polling_request
from bot.telegram.settings import SETTINGS, SettingsMenu
from bot.telegram.subjects import Subjects
from bot.telegram.webhook import Webhook
from storage import UpdateStore

MARKING_S = 4.0


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
        calling = calling or calling_request(config.api_url)
        polling = polling_request(config.api_url)
        self._in_flight = InFlight()
        self.fates: Counter[str] = Counter()
        self.application = build_application(config, calling, polling)
        self._outbox = Outbox(self._clock)
        self._downloads = Downloads(self.application.bot, self._outbox, self._clock)
        bot, url = self.application.bot, config.webhook_url
        self._connection = Connection(
            self.application,
            Webhook(bot, url, config.webhook_port, self._clock)
            if url
            else Polling(bot, polling, self._clock),
            (calling, polling),
            outbox=self._outbox,
            clock=self._clock,
        )

    @property
    def silent_s(self) -> float | None:
        """For how long no updates could be fetched; None before the first time."""
        return self._connection.silent_s

    @property
    def fetch_photo(self) -> FetchPhoto:
        """Fetches a photo again by its source; raises PhotoNotFetched."""
        return self._downloads.fetch_again

    def connect(self, assistant: Assistant, access: AccessPolicy) -> Delivery:
        """Let updates reach the assistant; gives what says the answers."""
        clock = self._clock
        delivery = Delivery(
            self.application.bot,
            assistant,
            self._outbox,
            clock,
            with_drafts=self._config.with_drafts,
        )
        gathering = Gathering(clock, self._config.text_wait_s)
        subjects = Subjects(self._downloads, delivery)
        customs = Customs(assistant.choices, self._outbox)
        handlers = Handlers(assistant, delivery, gathering, subjects, customs=customs)
        settings = SettingsMenu(assistant.choices, delivery, self._outbox)
        days = self._config.photo_days
        controls = Controls(assistant, delivery, self._outbox, photo_days=days)
        handlers.add({**controls.commands, "settings": settings.open})
        admission = Admission(access, assistant, delivery, outbox=self._outbox, clock=clock)
        handlers.add(admission.commands)
        guard = Guard(access, delivery, clock, admission)
        buttons = Buttons(assistant, delivery, self._outbox)
        edits = Edits(assistant, delivery)
        presses = {
            CONTROLS: controls.on_press,
            ADMISSION: admission.on_press,
            SETTINGS: settings.on_press,
        }
        wire(
            self.application,
            guard,
            handlers,
            buttons,
            edits=edits,
            presses=presses,
            on_migration=settings.on_migration,
        )
        return delivery

    async def meet(self) -> None:
        """Ask Telegram who we are; raises TokenRejected, TelegramUnreachable."""
        await self._connection.open(self._config.api_url)

    async def serve(self, assistant: Assistant, access: AccessPolicy, updates: UpdateStore) -> None:
        """Answer until SIGTERM, SIGINT or cancelled.

        Raises TokenRejected, TelegramUnreachable, PolledElsewhere, and StorageError at the start.
        """
        delivery = self.connect(assistant, access)
        handle = self.application.process_update
        customs = Customs(assistant.choices, self._outbox)
        recovery = Recovery(
            assistant, delivery, access, customs=customs, clock=self._clock, handle=handle
        )
        inbox = Inbox(updates, self.application.bot, self._in_flight, self.fates)

        def reject() -> None:
            # What fails from now on fails for want of a token: the next start handles it.
            inbox.close()
            self._connection.reject()

        self._outbox.on_rejected = reject

        async def take_in(fetched: Sequence[object], may_be_old: bool) -> None:
            await inbox.take_in(fetched, recovery.welcome if may_be_old else handle)

        try:
            await self.meet()
            await recovery.take_over(inbox)
            await self._connection.listen(take_in)
        except TokenRejected:
            inbox.close()
            raise
        finally:
            await self._end(assistant, delivery)
            await self.close()

    async def close(self) -> None:
        """Let go of the connection, if it was ever made."""
        await self._connection.close()

    async def _end(self, assistant: Assistant, delivery: Delivery) -> None:
        """Let answers that have begun end; mark those that need too long, keep those that wait."""
        assistant.retire()
        marking_s = min(MARKING_S, self._config.grace_s / 2)
        await self._in_flight.rest(self._config.grace_s - marking_s)
        delivery.close()
        await self._in_flight.land(marking_s)
        await self._outbox.close()
