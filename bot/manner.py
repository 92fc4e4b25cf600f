"""How somebody wants to be answered: a sentence for the model, and how long an answer may become.

Knows their choices, but neither what they ask nor who answers.
"""

from bot.choices import Choices, Setting
from bot.texts import manner_prompt
from engine import Message

_SHARES = {"short": 0.25, "normal": 1.0, "long": 2.0}


def manner_of(choices: Choices, asker: str) -> list[Message]:
    """What stands before all other messages; nothing for those who chose nothing."""
    length = choices.value(asker, Setting.LENGTH)
    prompt = manner_prompt(length, choices.value(asker, Setting.ANSWERS))
    return [Message("system", prompt)] if prompt else []


def answer_tokens(choices: Choices, asker: str, normal: int) -> int:
    """The most tokens of an answer."""
    return max(1, int(normal * _SHARES[choices.value(asker, Setting.LENGTH)]))
