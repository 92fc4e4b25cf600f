"""Telegram: updates become questions, answers become messages. The only importer of `telegram`.

    telegram = TelegramPlatform(TelegramConfig(token=..., api_url=...))
    assistant = Assistant(..., fetch_photo=telegram.fetch_photo)
    await telegram.serve(assistant, access, updates)  # until SIGTERM, SIGINT or cancelled

`serve` raises TokenRejected, TelegramUnreachable, WebhookRefused or PolledElsewhere, which say what
is wrong without the token. The library logs addresses with it: `bot.logs.set_up_logs` masks it.
"""

from bot.telegram.application import TelegramConfig
from bot.telegram.errors import (
    PolledElsewhere,
    TelegramFailure,
    TelegramUnreachable,
    TokenRejected,
    WebhookRefused,
)
from bot.telegram.platform import TelegramPlatform

__all__ = [
    "PolledElsewhere",
    "TelegramConfig",
    "TelegramFailure",
    "TelegramPlatform",
    "TelegramUnreachable",
    "TokenRejected",
    "WebhookRefused",
]
