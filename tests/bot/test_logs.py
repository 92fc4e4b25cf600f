"""No token and no word of people is ever in the log, whoever writes there."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.logs import MASK, OURS, set_up_logs
from storage import open_database

TOKEN = "123456789:" + "A" * 35


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    root = logging.getLogger()
    handlers = root.handlers[:]
    levels = {name: logging.getLogger(name).level for name in ("", *OURS)}
    yield
    root.handlers[:] = handlers
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


def log() -> logging.Logger:
    set_up_logs("INFO", [TOKEN, ""])
    return logging.getLogger("somebody")


def test_token_is_masked_in_messages(capsys: pytest.CaptureFixture[str]) -> None:
    log().info("POST https://api.telegram.org/bot%s/getMe", TOKEN)
    written = capsys.readouterr().err
    assert f"INFO somebody: POST https://api.telegram.org/bot{MASK}/getMe" in written
    assert TOKEN not in written


def test_token_is_masked_in_traces(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        raise ValueError(TOKEN)
    except ValueError:
        log().exception("it failed")
    written = capsys.readouterr().err
    assert f"ValueError: {MASK}" in written
    assert TOKEN not in written


def test_broken_record_is_not_shown_raw(capsys: pytest.CaptureFixture[str]) -> None:
    log().info("%d messages", TOKEN)
    written = capsys.readouterr().err
    assert "A log record of somebody" in written
    assert TOKEN not in written


def test_http_client_is_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    somebody = log()
    logging.getLogger("httpx").info("HTTP Request")
    logging.getLogger("httpcore.connection").debug("connect")
    somebody.debug("below the level")
    assert capsys.readouterr().err == ""


async def test_what_is_written_down_is_not_logged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up_logs("DEBUG")
    async with open_database(tmp_path / "darkroom.db") as database:
        assert await database.read("SELECT ?", ["my secret question"]) == [("my secret question",)]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("name", OURS)
def test_own_details_are_logged_on_demand(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logs("DEBUG")
    logging.getLogger(f"{name}.room").debug("a detail")
    assert f"DEBUG {name}.room: a detail" in capsys.readouterr().err


def test_warnings_only(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logs("WARNING")
    for name in ("bot", "somebody"):
        logging.getLogger(name).info("as usual")
    assert capsys.readouterr().err == ""
