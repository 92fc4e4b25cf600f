"""No token is ever in the log, whoever writes there."""

import logging
from collections.abc import Iterator

import pytest

from bot.logs import MASK, set_up_logs

TOKEN = "123456789:" + "A" * 35


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


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
