"""What is said: every sentence that a person reads, by language, and every prompt to the model.

A language is one file with one Wording; the others need not know it.
"""

from bot.texts.chinese import CHINESE
from bot.texts.english import ENGLISH
from bot.texts.failures import sentence_for
from bot.texts.german import GERMAN
from bot.texts.portuguese import PORTUGUESE
from bot.texts.prompts import (
    DESCRIBE,
    DESCRIBE_ZH,
    NO_TEXT,
    READ,
    READ_ZH,
    describe_prompt,
    earlier_photos,
    is_chinese,
    manner_prompt,
    read_prompt,
)
from bot.texts.russian import RUSSIAN
from bot.texts.spanish import SPANISH
from bot.texts.wording import Wording

__all__ = [
    "DESCRIBE",
    "DESCRIBE_ZH",
    "ENGLISH",
    "NO_TEXT",
    "READ",
    "READ_ZH",
    "WORDINGS",
    "Wording",
    "describe_prompt",
    "earlier_photos",
    "is_chinese",
    "manner_prompt",
    "read_prompt",
    "sentence_for",
    "words_in",
]

WORDINGS = {words.tag: words for words in (ENGLISH, CHINESE, RUSSIAN, SPANISH, GERMAN, PORTUGUESE)}


def words_in(tag: str) -> Wording:
    """The sentences for an IETF tag like pt-BR; English for a language that we do not have."""
    return WORDINGS.get(tag.lower().replace("_", "-").partition("-")[0], ENGLISH)
