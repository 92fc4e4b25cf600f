"""Asks a question of one of the kinds, and knows what the answer is. Knows no pictures."""

import random

from engine.reader.colours import Colour
from engine.reader.wordings import CHINESE, DESCRIBE, DESCRIBE_ZH, ENGLISH, READ, READ_ZH, Kind

NO_TEXT = "I see no text."
NO_TEXT_ZH = "图中没有文字。"
ONLY_TEXT = "I can only read text: what it says, its lines, or the background colour."
ONLY_TEXT_ZH = "我只能读文字：写了什么、有几行或背景颜色。"


def ask(kind: Kind, rng: random.Random, *, chinese: bool) -> str:
    """One wording of the question, now and then typed carelessly."""
    if kind is Kind.READ and rng.random() < 0.35:
        return rng.choice((DESCRIBE_ZH, READ_ZH) if chinese else (DESCRIBE, READ))
    wording = rng.choice((CHINESE if chinese else ENGLISH)[kind])
    roll = rng.random()
    if roll < 0.2:
        wording = wording.rstrip(".?!？。")
    if 0.1 < roll < 0.3:
        wording = wording.lower()
    return wording


def answer(kind: Kind, lines: tuple[str, ...], background: Colour | None, *, chinese: bool) -> str:
    """What is to be answered about a picture with these lines on this background."""
    if kind is Kind.OTHER:
        return ONLY_TEXT_ZH if chinese else ONLY_TEXT
    if kind is Kind.COLOUR and background:
        return background.chinese if chinese else background.english
    if kind is Kind.COUNT:
        return str(len(lines))
    if not lines:
        return NO_TEXT_ZH if chinese else NO_TEXT
    return {Kind.READ: "\n".join(lines), Kind.FIRST: lines[0]}.get(kind, lines[-1])
