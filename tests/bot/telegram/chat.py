"""The bot with a real assistant and no network: updates go in, calls are recorded."""

import itertools
from collections.abc import Iterator
from typing import Any

from telegram import Update

from bot.access import AccessPolicy
from bot.telegram import TelegramConfig, TelegramPlatform
from bot.telegram.clock import Clock
from tests.bot.conftest import Hall
from tests.bot.telegram.messages import message_json, person
from tests.bot.telegram.offline import API_URL, TOKEN, RecordingRequest

GROUP = -100


class Chat:
    """Puts one update after another in; each is handled to its end."""

    def __init__(self, hall: Hall, access: AccessPolicy, text_wait_s: float = 0.0) -> None:
        self.hall = hall
        self.calls = RecordingRequest(Clock())
        config = TelegramConfig(TOKEN, API_URL, text_wait_s=text_wait_s)
        self.platform = TelegramPlatform(config, calling=self.calls)
        self.platform.connect(hall.assistant, access)
        self._numbers: Iterator[int] = itertools.count(1)

    async def receive(self, chat_id: int = 7, /, **fields: Any) -> int:
        """A new message; gives its number."""
        number = next(self._numbers)
        await self._process({"message": message_json(number, chat_id, **fields)})
        return number

    async def receive_edit(self, **fields: Any) -> None:
        """An old message was changed."""
        await self._process({"edited_message": message_json(1, edit_date=1_700_000_100, **fields)})

    async def press(self, data: str, *, chat_id: int = 7, person_id: int = 7) -> None:
        """A button was pressed under a message of ours."""
        below = message_json(900, chat_id, reply_to_message=message_json(1, chat_id, text="?"))
        query = {"id": "1", "from": person(person_id), "chat_instance": "1", "data": data}
        await self._process({"callback_query": query | {"message": below}})

    async def press_out_of_reach(self, data: str) -> None:
        """A button was pressed under a message of which Telegram tells only the number."""
        below = {"chat": {"id": 7, "type": "private"}, "message_id": 900, "date": 0}
        query = {"id": "1", "from": person(7), "chat_instance": "1", "data": data}
        await self._process({"callback_query": query | {"message": below}})

    @property
    def pop_ups(self) -> list[str]:
        """What was said to those who pressed."""
        return [call.params.get("text", "") for call in self.calls.named("answerCallbackQuery")]

    async def _process(self, content: dict[str, Any]) -> None:
        application = self.platform.application
        update = {"update_id": next(self._numbers), **content}
        await application.process_update(Update.de_json(update, application.bot))
