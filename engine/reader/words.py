"""What stands in the training pictures: numbers, codes, words, prices, times."""

import random
from collections.abc import Callable
from pathlib import Path

DIGITS = "0123456789"
CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SMALL = "abcdefghijklmnopqrstuvwxyz"
MARKS = ".,:;-!?/%&+#$€'\"()@=*<>_"
CHARACTERS = DIGITS + CAPITALS + SMALL + MARKS
# A capital that looks like its small letter, or like a digit, is told apart only by its neighbours.
SURE_CAPITALS = "ABDEFGHJKLMNPQRTUY"
TALL_SMALL = "abdefghijklmnpqrty"

WORDS = tuple(Path(__file__).with_name("words.txt").read_text(encoding="utf-8").split())
# Pillow's own font has no euro sign.
CURRENCIES = ("", "", "", "$")


def digits(rng: random.Random, least: int, most: int) -> str:
    return "".join(rng.choice(DIGITS) for _ in range(rng.randint(least, most)))


def capitals(rng: random.Random, least: int, most: int) -> str:
    """Capitals in a row; at least one cannot be mistaken for a small letter."""
    letters = [rng.choice(CAPITALS) for _ in range(rng.randint(least, most))]
    letters[rng.randrange(len(letters))] = rng.choice(SURE_CAPITALS)
    return "".join(letters)


def small_letters(rng: random.Random, least: int, most: int) -> str:
    """Small letters in a row; at least one is plainly small."""
    letters = [rng.choice(SMALL) for _ in range(rng.randint(least, most))]
    letters[rng.randrange(len(letters))] = rng.choice(TALL_SMALL)
    return "".join(letters)


def code(rng: random.Random) -> str:
    """Letters and digits as on tickets and plates, without the pairs that look alike."""
    letters = "".join(rng.choice("ABCDEFGHJKLMNPQRTUVWXYZ") for _ in range(rng.randint(1, 3)))
    return rng.choice(("{}{}", "{}-{}", "{} {}", "#{1}", "{1}{0}")).format(
        letters, digits(rng, 1, 4)
    )


def price(rng: random.Random) -> str:
    whole, point = rng.randint(0, rng.choice((9, 99, 999))), rng.choice("...,")
    return f"{rng.choice(CURRENCIES)}{whole}{point}{rng.randint(0, 99):02d}"


def clock(rng: random.Random) -> str:
    first, second = rng.randint(0, 23), rng.randint(0, 23)
    return rng.choice(
        (
            f"{first}:{rng.randint(0, 59):02d}",
            f"{first:02d}:{rng.randint(0, 59):02d}",
            f"{first}-{second}",
            f"{first}:00-{second}:00",
        )
    )


def date(rng: random.Random) -> str:
    day, month, year = rng.randint(1, 28), rng.randint(1, 12), rng.randint(1990, 2035)
    return rng.choice(
        (
            f"{year}-{month:02d}-{day:02d}",
            f"{day}.{month}.{year}",
            f"{month}/{day}/{year}",
            f"{day}/{month}",
            f"{year}",
        )
    )


def number(rng: random.Random) -> str:
    plain = digits(rng, 1, 5)
    return rng.choice(
        (
            plain,
            plain,
            plain,
            f"{plain}%",
            f"+{plain}",
            f"-{plain}",
            f"No. {plain}",
            f"({plain})",
            f"{rng.randint(1, 9)} x {rng.randint(1, 99)}",
            f"{digits(rng, 3, 3)} {digits(rng, 3, 4)}",
        )
    )


def word(rng: random.Random) -> str:
    """A word or a made-up one, small, capitalised or in capitals."""
    chosen = rng.choice(WORDS) if rng.random() < 0.85 else small_letters(rng, 3, 7)
    form = rng.random()
    if form < 0.35:
        return chosen
    if form < 0.7:
        return chosen[0].upper() + chosen[1:] if chosen[0] != "i" or chosen in WORDS else chosen
    return chosen.upper() if any(letter.upper() in SURE_CAPITALS for letter in chosen) else chosen


def sign(rng: random.Random) -> str:
    """A word with the marks that stand near words."""
    left, right = word(rng), word(rng)
    forms = (
        f"{left}!",
        f"{left}?",
        f"{left}, {right}",
        f"{left} & {right}",
        f"{left}: {right}",
        f"{left}-{right}",
        f"{left}/{right}",
        f"({left})",
        f"{left}.",
        f"{left} + {right}",
        f"{left}'s {right}",
        f"{left}.com",
    )
    return rng.choice(forms)


def entry(rng: random.Random) -> str:
    """A line of a receipt or of opening hours."""
    return (
        f"{word(rng)}{rng.choice((' ', ' ', ': '))}{rng.choice((price, clock, number, date))(rng)}"
    )


def phrase(rng: random.Random) -> str:
    return " ".join(word(rng) for _ in range(rng.choice((2, 2, 3, 4))))


KINDS: tuple[Callable[[random.Random], str], ...] = (
    word,
    word,
    word,
    phrase,
    phrase,
    entry,
    entry,
    entry,
    number,
    price,
    clock,
    date,
    sign,
    sign,
    code,
)


BRIEF_KINDS: tuple[Callable[[random.Random], str], ...] = (word, number, price, clock, code)


def brief(rng: random.Random) -> str:
    """A single word, number or code."""
    return rng.choice(BRIEF_KINDS)(rng)


def line(rng: random.Random) -> str:
    """A line as on a receipt, a sign or a ticket."""
    return rng.choice(KINDS)(rng)
