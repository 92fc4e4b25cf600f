"""Choices outlive the process, move with a group, and end what is too old."""

from dataclasses import asdict
from pathlib import Path

from bot.choices import VALUES, Choices, Setting, open_choices
from bot.texts import ENGLISH, WORDINGS
from storage import open_database
from tests.bot.conftest import HERE, Hall, asked


async def test_choices_outlive_the_process(tmp_path: Path) -> None:
    async with open_database(tmp_path / "a.db") as database:
        choices = await open_choices(database)
        await choices.choose(7, Setting.LENGTH, "short")
        await choices.choose(7, Setting.LENGTH, "long")
        later = await open_choices(database)
        assert later.value("7", Setting.LENGTH) == "long"
        await later.forget(7)
        assert (await open_choices(database)).value(7, Setting.LENGTH) == "normal"


async def test_choices_move_with_a_group(tmp_path: Path) -> None:
    async with open_database(tmp_path / "a.db") as database:
        choices = await open_choices(database)
        await choices.choose(-4, Setting.WHO, "admins")
        await choices.move(-4, -100)
        for one in (choices, await open_choices(database)):
            assert one.value(-100, Setting.WHO) == "admins"
            assert one.value(-4, Setting.WHO) == "everybody"


async def test_value_of_another_version_is_none() -> None:
    choices = Choices()
    await choices.choose(7, Setting.PHOTO, "sing")
    assert choices.value(7, Setting.PHOTO) == "describe"


async def test_old_questions_end_when_wanted(hall: Hall) -> None:
    await hall.assistant.choices.choose(7, Setting.DAYS, "7")
    old = await hall.answer(asked("what is it?", b"cat"))
    await hall.database.write("UPDATE turns SET created_at = created_at - 8 * 86400")
    new = await hall.answer(asked("and this?", b"dog"))
    await hall.assistant.forgetting.expire()
    kept = await hall.database.read("SELECT turn_id FROM turns")
    assert kept == [(new.turn_id,)]
    assert await hall.database.read("SELECT 1 FROM photos WHERE photo_id = ?", old.photo_ids) == []


async def test_photo_is_looked_at_in_the_chosen_manner(hall: Hall) -> None:
    await hall.assistant.choices.choose(7, Setting.LENGTH, "short")
    await hall.assistant.expect(HERE, b"cat")
    looked_at, _ = await hall.engine.prepared.get()
    await hall.answer(asked("what is it?", b"cat"))
    assert looked_at[0] == hall.engine.requests[-1].messages[0]
    assert looked_at[0].role == "system"


def test_every_value_has_a_name() -> None:
    for setting, values in VALUES.items():
        assert ENGLISH.setting(setting)
        assert [one for one in values if not (is_plain(one) or has_name(one))] == []


def is_plain(value: str) -> bool:
    return value in WORDINGS or value.isdigit()


def has_name(value: str) -> bool:
    return f"value_{value}" in asdict(ENGLISH)
