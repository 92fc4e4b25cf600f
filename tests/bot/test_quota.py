"""So many photos a day for each person, whatever process counts them."""

from datetime import datetime

import pytest

from bot.quota import Quota, QuotaExceeded
from tests.bot.conftest import Hall, asked

NOON_S = datetime(2026, 12, 1, 12).timestamp()
HOUR_S = 3600.0


async def shown_today(hall: Hall) -> Quota:
    """Three different photos of asker 7, and a follow-up; now by the clock of the turns."""
    await hall.answer(asked("what is it?", b"cat"))
    await hall.answer(asked("and its colour?"))
    await hall.answer(asked("which is bigger?", b"dog", b"cow"))
    return Quota(hall.photos, 4, {"1"})


async def test_photos_are_counted_once(hall: Hall) -> None:
    quota = await shown_today(hall)
    await quota.check("7", 1)
    with pytest.raises(QuotaExceeded) as caught:
        await quota.check("7", 2)
    assert caught.value.limit == 4
    assert (caught.value.until.hour, caught.value.until.minute) == (0, 0)


async def test_others_and_follow_ups_are_free(hall: Hall) -> None:
    quota = await shown_today(hall)
    await quota.check("7", 0)
    await quota.check("8", 4)
    await quota.check("1", 99)
    await Quota(hall.photos, 0).check("7", 99)


async def test_new_day_has_new_photos(hall: Hall) -> None:
    history = hall.database
    await shown_today(hall)
    await history.write("UPDATE turns SET created_at = ?", [NOON_S])
    same_day = Quota(hall.photos, 3, clock=lambda: NOON_S + 11 * HOUR_S)
    with pytest.raises(QuotaExceeded) as caught:
        await same_day.check("7", 1)
    assert caught.value.until == datetime(2026, 12, 2)
    await Quota(hall.photos, 3, clock=lambda: NOON_S + 13 * HOUR_S).check("7", 1)
