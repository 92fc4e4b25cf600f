"""Every language says everything, with the same numbers in it, and each person reads their own."""

import re
import string
from dataclasses import asdict
from pathlib import Path

import pytest

from bot.languages import Languages
from bot.texts import ENGLISH, WORDINGS, Wording, words_in
from storage import Preferences, open_database

OTHERS = [words for words in WORDINGS.values() if words is not ENGLISH]
# What is the same word in two languages.
SAME = {("es", "heading"), ("de", "button_retry"), ("de", "users_admins"), ("pt", "heading")}


def places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


def commands(sentence: str) -> set[str]:
    return set(re.findall(r"/([a-z]+)", sentence))


def test_six_languages_are_spoken() -> None:
    assert set(WORDINGS) == {"en", "zh", "ru", "es", "de", "pt"}


@pytest.mark.parametrize("words", OTHERS, ids=lambda words: words.tag)
def test_no_language_lacks_a_sentence(words: Wording) -> None:
    english, other = asdict(ENGLISH), asdict(words)
    assert [name for name, sentence in other.items() if not sentence.strip()] == []
    same = {(words.tag, name) for name in english if english[name] == other[name]}
    assert same <= SAME


@pytest.mark.parametrize("words", OTHERS, ids=lambda words: words.tag)
def test_every_language_names_the_same_numbers(words: Wording) -> None:
    other = asdict(words)
    for name, sentence in asdict(ENGLISH).items():
        assert places(other[name]) == places(sentence), name
        assert commands(other[name]) == commands(sentence), name


@pytest.mark.parametrize("words", WORDINGS.values(), ids=lambda words: words.tag)
def test_labels_fit_under_a_message(words: Wording) -> None:
    labels = [text for name, text in asdict(words).items() if name.startswith("button_")]
    labels.remove(words.button_too_old)
    pop_ups = (words.not_yours, words.button_too_old, words.at_work, words.turn_gone)
    assert max(len(label) for label in labels) <= 40
    assert max(len(sentence) for sentence in pop_ups) <= 200


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ("pt-br", "Português"),
        ("zh-hans", "中文"),
        ("DE", "Deutsch"),
        ("eo", "English"),
        ("", "English"),
    ],
)
def test_tags_find_their_language(tag: str, name: str) -> None:
    assert words_in(tag).name == name


async def test_choice_is_stronger_than_the_platform(tmp_path: Path) -> None:
    async with open_database(tmp_path / "a.db") as database:
        languages = Languages(Preferences(database))
        languages.meet(7, "de")
        assert languages.words("7").tag == "de"
        await languages.choose(7, "ru")
        later = Languages(Preferences(database))
        await later.load()
        later.meet(7, "de")
        assert (later.words(7).tag, later.words(8).tag) == ("ru", "en")
        await later.choose(7, "")
        assert later.words(7).tag == "de"
