"""A Telegram that only writes down what it is told."""

import json
from dataclasses import dataclass, field
from typing import Any

from telegram import Bot
from telegram._utils.types import ODVInput
from telegram.request import BaseRequest, RequestData

from bot.telegram.clock import Clock
from tests.bot.telegram.messages import message_json, person

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
class Lost:
    """The call has its effect, and its answer is lost on the way."""

    error: Exception


Fault = Refusal | Exception | Lost


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
        self.faults: dict[str, list[Fault]] = {}
        self.sent: dict[int, str] = {}
        self.replies: dict[int, int] = {}
        self.members: dict[int, str] = {}
        self._clock = clock
        self.last_id = 1000

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
            if isinstance(fault, Lost):
                getattr(self, f"_{name}")(params)
                raise fault.error
            return fault.status, _body(fault)
        if name == "file":
            return 200, self.files[url.partition(f"{TOKEN}/")[2]]
        answer = getattr(self, f"_{name}", None)
        if answer is None:
            self.unexpected.append(name)
            return 404, _body(Refusal(404, "Not Found"))
        result = answer(params)
        if isinstance(result, Refusal):
            return result.status, _body(result)
        return 200, json.dumps({"ok": True, "result": result}).encode()

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

    def _due_faults(self, name: str) -> list[Fault]:
        waiting = self.faults.get(name, [])
        return [waiting.pop(0)] if waiting else []

    def _getMe(self, params: dict[str, Any]) -> object:
        return ME

    def _sendMessage(self, params: dict[str, Any]) -> object:
        self.last_id += 1
        self.sent[self.last_id] = params["text"]
        return message_json(self.last_id, params["chat_id"], text=params["text"])

    def _editMessageText(self, params: dict[str, Any]) -> object:
        self.sent[params["message_id"]] = params["text"]
        return message_json(params["message_id"], params["chat_id"], text=params["text"])

    def _sendMessageDraft(self, params: dict[str, Any]) -> object:
        return True

    def _deleteWebhook(self, params: dict[str, Any]) -> object:
        return True

    def _setMyCommands(self, params: dict[str, Any]) -> object:
        return True

    def _editMessageReplyMarkup(self, params: dict[str, Any]) -> object:
        number = params["message_id"]
        if number not in self.sent:
            return Refusal(400, "Bad Request: message to edit not found")
        fields: dict[str, Any] = {"text": self.sent[number]}
        if number in self.replies:
            fields["reply_to_message"] = message_json(self.replies[number], params["chat_id"])
        return message_json(number, params["chat_id"], **fields)

    def _deleteMessage(self, params: dict[str, Any]) -> object:
        self.sent.pop(params["message_id"], None)
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


def offline_bot(request: RecordingRequest) -> Bot:
    """A bot that talks to the request only."""
    return Bot(
        TOKEN,
        base_url=f"{API_URL}/bot",
        base_file_url=f"{API_URL}/file/bot",
        request=request,
        get_updates_request=request,
    )
