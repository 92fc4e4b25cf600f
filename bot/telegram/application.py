"""The library's application: how it reaches Telegram, and which update goes to which handler.

What handlers do stands in their own modules; nothing is sent or fetched here.
"""

import logging
import os
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

from telegram import Update
from telegram.ext import (
    Application,
    ApplicationBuilder,
    CallbackQueryHandler,
    MessageHandler,
    TypeHandler,
    filters,
)
from telegram.request import BaseRequest

from bot.telegram.buttons import Buttons
from bot.telegram.edits import Edits
from bot.telegram.guard import Guard
from bot.telegram.handlers import Handlers

SILENT = logging.CRITICAL + 1
TELEGRAM_URL = "https://api.telegram.org"

App = Application[Any, Any, Any, Any, Any, Any]
OnPress = Callable[[Update, Any], Coroutine[None, None, None]]


@dataclass(frozen=True, slots=True)
class TelegramConfig:
    """Where Telegram is, who we are there, what waits for how long, and how answers grow.

    `text_wait_s` is for a photo and its question, `grace_s` for answers when the bot is to end.
    `photo_days` is what people are told about their photos.
    With a `webhook_url` Telegram brings the updates there, and a proxy on to `webhook_port`.
    """

    token: str = field(repr=False)
    api_url: str = TELEGRAM_URL
    text_wait_s: float = 2.5
    grace_s: float = 8.0
    with_drafts: bool = False
    webhook_url: str = ""
    webhook_port: int = 0
    photo_days: float = 7.0


def build_application(config: TelegramConfig, calling: BaseRequest, polling: BaseRequest) -> App:
    """Not connected yet; updates are fetched by somebody else."""
    # The library quotes replies and updates that it cannot read, and people's words are in them;
    # what there is to say of a failure, we say ourselves.
    logging.getLogger("telegram").setLevel(SILENT)
    # The library's next way to tell durations, without a warning at each flood error.
    os.environ.setdefault("PTB_TIMEDELTA", "true")
    api_url = config.api_url.rstrip("/")
    return (
        ApplicationBuilder()
        .token(config.token)
        .base_url(f"{api_url}/bot")
        .base_file_url(f"{api_url}/file/bot")
        .request(calling)
        .get_updates_request(polling)
        .job_queue(None)
        .updater(None)
        .build()
    )


def wire(
    application: App,
    guard: Guard,
    handlers: Handlers,
    buttons: Buttons,
    *,
    edits: Edits,
    presses: Mapping[str, OnPress],
    on_migration: OnPress,
) -> None:
    """Connect updates with what handles them; `presses` by patterns of what a button bears."""
    is_new = filters.UpdateType.MESSAGE & ~filters.StatusUpdate.ALL
    application.add_handler(TypeHandler(Update, guard.check), group=-1)
    application.add_handler(MessageHandler(is_new, handlers.on_message))
    application.add_handler(MessageHandler(filters.UpdateType.EDITED_MESSAGE, edits.on_edit))
    for pattern, on_press in presses.items():
        application.add_handler(CallbackQueryHandler(on_press, pattern=pattern))
    application.add_handler(MessageHandler(filters.StatusUpdate.MIGRATE, on_migration))
    application.add_handler(CallbackQueryHandler(buttons.on_press))
    application.add_error_handler(handlers.on_error)
