"""The menus of commands: one for private chats, a shorter one for groups, in every language.

Knows what is listed where, not what a command does.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from telegram import (
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
)

from bot.texts import ENGLISH, WORDINGS, Wording


@dataclass(frozen=True, slots=True)
class Menu:
    """What is shown in some chats to people of one language; without a code to all others."""

    commands: tuple[BotCommand, ...]
    scope: BotCommandScope
    language_code: str | None


def menus() -> Iterator[Menu]:
    """All of them."""
    for words in WORDINGS.values():
        code = None if words is ENGLISH else words.tag
        common = _common(words)
        own = (
            BotCommand("settings", words.command_settings),
            BotCommand("language", words.command_language),
            BotCommand("privacy", words.command_privacy),
            BotCommand("forget", words.command_forget),
        )
        yield Menu(common + own, BotCommandScopeAllPrivateChats(), code)
        yield Menu(common, BotCommandScopeAllGroupChats(), code)


def _common(words: Wording) -> tuple[BotCommand, ...]:
    return (
        BotCommand("ocr", words.command_ocr),
        BotCommand("ask", words.command_ask),
        BotCommand("new", words.command_new),
        BotCommand("stop", words.command_stop),
        BotCommand("help", words.command_help),
    )
