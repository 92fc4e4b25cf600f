"""The library's application as we build it: nothing that people write gets into its log."""

import logging

import pytest
from telegram.error import TelegramError
from telegram.request import BaseRequest

from bot.telegram import TelegramConfig, TelegramPlatform
from tests.bot.telegram.offline import API_URL, TOKEN


@pytest.fixture(autouse=True)
def _built() -> None:
    TelegramPlatform(TelegramConfig(TOKEN, API_URL))


def test_reply_that_breaks_off_is_not_quoted(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(TelegramError):
        BaseRequest.parse_json_payload(b'{"ok": true, "result": [{"text": "my secret')
    assert caplog.text == ""


@pytest.mark.parametrize("name", ["Bot", "ext.Application", "request.BaseRequest"])
def test_library_is_silent(name: str, caplog: pytest.LogCaptureFixture) -> None:
    logging.getLogger(f"telegram.{name}").critical("Received data was %r", "my secret")
    assert caplog.text == ""
