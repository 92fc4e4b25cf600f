"""Health follows the polls; the figures are those of what has ended."""

from collections.abc import Mapping

import pytest

from bot.loopback import Asked
from bot.metrics import SILENT_S, Metrics
from storage import Turn, TurnStatus

ASKED = Asked("GET", "/", {})


def turn(status: TurnStatus = TurnStatus.ANSWERED, *, created_at: float = 90.0) -> Turn:
    return Turn(
        turn_id=1,
        conversation="telegram:7/0/7",
        asker="7",
        task="ask",
        question="a secret",
        photo_ids=(),
        parent_id=None,
        answer="another secret",
        answer_ids=(),
        model_id="m",
        status=status,
        seed=0,
        created_at=created_at,
    )


def metrics(
    silent_s: float | None = 0.0, num_open: int = 0, updates: Mapping[str, int] | None = None
) -> Metrics:
    return Metrics(
        silent_s=lambda: silent_s,
        num_open=lambda: num_open,
        updates=lambda: updates or {},
        clock=lambda: 100.0,
    )


async def text_of(one: Metrics) -> list[str]:
    said = await one.routes["GET", "/metrics"](ASKED)
    assert said.kind.startswith("text/plain")
    return said.body.decode().splitlines()


@pytest.mark.parametrize(
    ("silent_s", "expected"),
    [(None, 503), (0.0, 200), (SILENT_S, 200), (SILENT_S + 1, 503)],
    ids=["never", "now", "limit", "long"],
)
async def test_health_is_that_updates_are_fetched(silent_s: float | None, expected: int) -> None:
    said = await metrics(silent_s).routes["GET", "/healthz"](ASKED)
    assert said.status == expected


async def test_answers_are_counted_by_task_and_status() -> None:
    counted = metrics()
    for status in (TurnStatus.ANSWERED, TurnStatus.ANSWERED, TurnStatus.FAILED):
        counted.note(turn(status))
    lines = await text_of(counted)
    assert 'darkroom_answers_total{status="answered",task="ask"} 2.0' in lines
    assert 'darkroom_answers_total{status="failed",task="ask"} 1.0' in lines
    assert 'darkroom_answer_seconds_sum{task="ask"} 30.0' in lines
    assert 'darkroom_answer_seconds_bucket{le="5.0",task="ask"} 0.0' in lines
    assert 'darkroom_answer_seconds_bucket{le="10.0",task="ask"} 3.0' in lines


async def test_what_is_now_is_asked_for() -> None:
    lines = await text_of(metrics(3.5, 2, {"handled": 5, "set aside": 1}))
    assert "darkroom_answers_open 2.0" in lines
    assert "darkroom_silent_seconds 3.5" in lines
    assert 'darkroom_updates_total{fate="handled"} 5.0' in lines
    assert 'darkroom_updates_total{fate="set aside"} 1.0' in lines


async def test_before_the_first_poll_nothing_is_made_up() -> None:
    assert "darkroom_silent_seconds -1.0" in await text_of(metrics(None))


async def test_nothing_that_people_write_is_told() -> None:
    counted = metrics()
    counted.note(turn())
    text = "\n".join(await text_of(counted))
    assert "secret" not in text
    assert "telegram" not in text


async def test_clock_that_was_put_back_breaks_nothing() -> None:
    counted = metrics()
    counted.note(turn(created_at=1000.0))
    assert 'darkroom_answer_seconds_sum{task="ask"} 0.0' in await text_of(counted)
