"""A Telegram that only writes down what it is told, a clock that is set by hand, and messages."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from telegram import Bot, Message
from telegram._utils.types import ODVInput
from telegram.request import BaseRequest, RequestData

from bot.telegram.clock import Clock, Timer

TOKEN = "123456:offline-token"
API_URL = "http://127.0.0.1:9"
ME = {
    "id": 123456,
    "is_bot": True,
    "first_name": "Darkroom",
    "username": "darkroom_bot",
    "can_read_all_group_messages": True,
}

ADMIN_RIGHTS = (
    *("can_be_edited", "can_manage_chat", "can_delete_messages", "can_restrict_members"),
    *("can_manage_video_chats", "can_promote_members", "can_change_info", "can_invite_users"),
    *("can_post_stories", "can_edit_stories", "can_delete_stories"),
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer of Telegram that is no success."""

    status: int
    description: str
    parameters: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Call:
    """One request: the method in lower case, and what went with it."""

    method: str
    params: dict[str, Any]
    at: float


class RecordingRequest(BaseRequest):
    """Answers as Telegram would, in the simplest case; a method it does not know is a failure."""

    def __init__(self, clock: Clock) -> None:
        self.calls: list[Call] = []
        self.unexpected: list[str] = []
        self.files: dict[str, bytes] = {}
        self.faults: dict[str, list[Refusal | Exception]] = {}
        self.members: dict[int, str] = {}
        self._clock = clock
        self._next_id = 1000

    @property
    def read_timeout(self) -> float:
        return 1.0

    async def initialize(self) -> None:
        return

    async def shutdown(self) -> None:
        return

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: ODVInput[float] = BaseRequest.DEFAULT_NONE,
        write_timeout: ODVInput[float] = BaseRequest.DEFAULT_NONE,
        connect_timeout: ODVInput[float] = BaseRequest.DEFAULT_NONE,
        pool_timeout: ODVInput[float] = BaseRequest.DEFAULT_NONE,
    ) -> tuple[int, bytes]:
        name = "file" if "/file/bot" in url else url.rpartition("/")[2]
        params = request_data.parameters if request_data else {}
        self.calls.append(Call(name, params, self._clock.time()))
        for fault in self._due_faults(name):
            if isinstance(fault, Exception):
                raise fault
            return fault.status, _body(fault)
        if name == "file":
            return 200, self.files[url.partition(f"{TOKEN}/")[2]]
        answer = getattr(self, f"_{name}", None)
        if answer is None:
            self.unexpected.append(name)
            return 404, _body(Refusal(404, "Not Found"))
        return 200, json.dumps({"ok": True, "result": answer(params)}).encode()

    def named(self, *names: str) -> list[Call]:
        """The calls of these methods, in order."""
        return [call for call in self.calls if call.method in names]

    def texts(self) -> list[str]:
        """What was written: sent or edited, in order."""
        return [call.params["text"] for call in self.named("sendMessage", "editMessageText")]

    def last_buttons(self) -> list[str]:
        """The labels below what was written last."""
        markup = self.named("sendMessage", "editMessageText")[-1].params.get("reply_markup")
        rows = markup["inline_keyboard"] if markup else []
        return [button["text"] for row in rows for button in row]

    def _due_faults(self, name: str) -> list[Refusal | Exception]:
        waiting = self.faults.get(name, [])
        return [waiting.pop(0)] if waiting else []

    def _getMe(self, params: dict[str, Any]) -> object:
        return ME

    def _sendMessage(self, params: dict[str, Any]) -> object:
        self._next_id += 1
        return message_json(self._next_id, params["chat_id"], text=params["text"])

    def _editMessageText(self, params: dict[str, Any]) -> object:
        return message_json(params["message_id"], params["chat_id"], text=params["text"])

    def _deleteMessage(self, params: dict[str, Any]) -> object:
        return True

    def _sendChatAction(self, params: dict[str, Any]) -> object:
        return True

    def _answerCallbackQuery(self, params: dict[str, Any]) -> object:
        return True

    def _getFile(self, params: dict[str, Any]) -> object:
        name = params["file_id"]
        size = len(self.files.get(name, b""))
        return {"file_id": name, "file_unique_id": name, "file_size": size, "file_path": name}

    def _getChatMember(self, params: dict[str, Any]) -> object:
        user = person(params["user_id"])
        status = self.members.get(params["user_id"], "member")
        rights = {"is_anonymous": False} | dict.fromkeys(ADMIN_RIGHTS, False)
        return {"status": status, "user": user, **rights}


def _body(refusal: Refusal) -> bytes:
    content: dict[str, Any] = {"ok": False, "error_code": refusal.status}
    content["description"] = refusal.description
    if refusal.parameters:
        content["parameters"] = refusal.parameters
    return json.dumps(content).encode()


class _HandTimer:
    def __init__(self, at: float, callback: Callable[[], None]) -> None:
        self.at = at
        self.callback = callback
        self.is_cancelled = False

    def cancel(self) -> None:
        self.is_cancelled = True


class HandClock(Clock):
    """Stands still until it is moved on."""

    def __init__(self) -> None:
        self._now = 0.0
        self._timers: list[_HandTimer] = []

    def time(self) -> float:
        return self._now

    def call_later(self, delay_s: float, callback: Callable[[], None]) -> Timer:
        timer = _HandTimer(self._now + delay_s, callback)
        self._timers.append(timer)
        return timer

    async def advance(self, seconds: float) -> None:
        """Move on, doing what falls due on the way, and let every task come to rest."""
        until = self._now + seconds
        await settle()
        while due := [timer for timer in self._timers if _is_due(timer, until)]:
            timer = min(due, key=lambda timer: timer.at)
            self._timers.remove(timer)
            self._now = max(self._now, timer.at)
            timer.callback()
            await settle()
        self._now = until


def _is_due(timer: _HandTimer, until: float) -> bool:
    return not timer.is_cancelled and timer.at <= until


async def settle() -> None:
    """Let all that can go on without time passing go on."""
    for _ in range(100):
        await asyncio.sleep(0)


def person(user_id: int) -> dict[str, Any]:
    """A member of Telegram."""
    return {"id": user_id, "is_bot": False, "first_name": "Ada", "language_code": "en"}


def message_json(message_id: int, chat_id: int | str = 7, **fields: Any) -> dict[str, Any]:
    """A message as Telegram describes it; a negative chat is a group."""
    kind = "private" if int(chat_id) > 0 else "supergroup"
    chat = {"id": int(chat_id), "type": kind, "first_name": "Ada", "title": "Group"}
    content = {"message_id": message_id, "date": 1_700_000_000, "chat": chat, "from": person(7)}
    return content | fields


def message_of(message_id: int, chat_id: int = 7, **fields: Any) -> Message:
    """The same as the library sees it."""
    return Message.de_json(message_json(message_id, chat_id, **fields), None)


def photo_json(file_id: str, *, num_bytes: int = 5) -> list[dict[str, Any]]:
    """A photo in two sizes; the larger one bears the name."""
    sizes = ((f"{file_id}-small", 90), (file_id, 1280))
    return [
        {
            "file_id": name,
            "file_unique_id": name,
            "width": side,
            "height": side,
            "file_size": num_bytes,
        }
        for name, side in sizes
    ]


def entity(kind: str, offset: int, length: int, **fields: Any) -> dict[str, Any]:
    """A piece of a text that Telegram has marked."""
    return {"type": kind, "offset": offset, "length": length, **fields}


def command_in(text: str) -> list[dict[str, Any]]:
    """The entity of a command at the beginning."""
    return [entity("bot_command", 0, len(text.split()[0]))]


def offline_bot(request: RecordingRequest) -> Bot:
    """A bot that talks to the request only."""
    return Bot(
        TOKEN,
        base_url=f"{API_URL}/bot",
        base_file_url=f"{API_URL}/file/bot",
        request=request,
        get_updates_request=request,
    )
