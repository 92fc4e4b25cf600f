"""Telegram: updates become questions, answers become messages. The only importer of `telegram`.

    telegram = TelegramPlatform(TelegramConfig(token=..., api_url=...))
    assistant = Assistant(..., fetch_photo=telegram.fetch_photo)
    await telegram.serve(assistant, access, updates)  # until SIGTERM, SIGINT or cancelled

`serve` raises TokenRejected, TelegramUnreachable or PolledElsewhere, which say what is wrong
without the token. The library logs addresses that bear it: `bot.logs.set_up_logs` masks it.
"""

from bot.telegram.application import TelegramConfig
from bot.telegram.errors import (
    PolledElsewhere,
    TelegramFailure,
    TelegramUnreachable,
    TokenRejected,
)
from bot.telegram.platform import TelegramPlatform

__all__ = [
    "PolledElsewhere",
    "TelegramConfig",
    "TelegramFailure",
    "TelegramPlatform",
    "TelegramUnreachable",
    "TokenRejected",
]
