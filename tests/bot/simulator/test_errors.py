"""The table of errors: what the server says, and what the library makes of it."""

import io
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

import pytest
from PIL import Image
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, InputFile, ReactionTypeEmoji
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    EndPointNotFound,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
)

from bot.simulator import ADA, GROUP, YOU, Fault, FaultKind, Place, Simulator
from bot.simulator.records import Topic
from bot.simulator.updates import CONFLICT, WEBHOOK_CONFLICT
from tests.bot.simulator.conftest import GROUP_ID, ME, NOTE, PRIVATE_ID, Clock
from tests.bot.simulator.test_refusals import LATE
from tests.bot.simulator.test_standing import SAME

Arrange = Callable[[Simulator], object]
Call = Callable[[Bot], Awaitable[object]]
SOON, HEIR = 30, -1_001_000_000_099
KEY = InlineKeyboardMarkup([[InlineKeyboardButton("A", callback_data="a")]])


@dataclass(frozen=True, slots=True)
class Row:
    """What was done before, what the bot does, what comes back, what the library raises."""

    call: Call
    status: int
    words: str
    error: type[TelegramError]
    before: Arrange = lambda _: None
    parameters: dict[str, int] = field(default_factory=dict)


def text(bot: Bot) -> Awaitable[object]:
    return bot.send_message(PRIVATE_ID, "x")


def in_group(bot: Bot) -> Awaitable[object]:
    return bot.send_message(GROUP_ID, "x")


def in_topic(bot: Bot) -> Awaitable[object]:
    return bot.send_message(GROUP_ID, "x", message_thread_id=11)


def drawing(width: int, height: int) -> bytes:
    out = io.BytesIO()
    Image.new("1", (width, height)).save(out, "PNG")
    return out.getvalue()


def photo(data: bytes, name: str = "a.png") -> Call:
    return lambda bot: bot.send_photo(PRIVATE_ID, InputFile(data, name))


def group_is(**changes: object) -> Arrange:
    return lambda simulator: simulator.scene.world.put(replace(GROUP, **changes))  # type: ignore[arg-type]


def topic_is(**changes: bool) -> Arrange:
    return group_is(is_forum=True, topics=(Topic(11, "News", **changes),))


def said(simulator: Simulator) -> None:
    simulator.scene.crowd.say(ME, "mine")
    simulator.scene.crowd.say(Place(ADA.person_id, GROUP_ID), "hers")


def blocked(simulator: Simulator) -> None:
    world = simulator.scene.world
    world.put(replace(world.chats[PRIVATE_ID], blocked=True))


def deleted_account(simulator: Simulator) -> None:
    simulator.scene.world.put(replace(YOU, deactivated=True))


def meets(kind: FaultKind, status: int = 500) -> Arrange:
    fault = Fault(kind, retry_after_s=SOON, status=status)
    return lambda simulator: simulator.scene.faults.plant(fault)


async def same_edit(bot: Bot) -> object:
    sent = await bot.send_message(PRIVATE_ID, "x")
    return await bot.edit_message_text("x", PRIVATE_ID, sent.message_id)


MISSING: dict[str, Row] = {
    "chat": Row(lambda bot: bot.send_message(1, "x"), 400, "chat not found", BadRequest),
    "edit": Row(
        lambda bot: bot.edit_message_text("x", PRIVATE_ID, 9),
        400,
        "message to edit not found",
        BadRequest,
    ),
    "delete": Row(
        lambda bot: bot.delete_message(PRIVATE_ID, 9),
        400,
        "message to delete not found",
        BadRequest,
    ),
    "reply": Row(
        lambda bot: bot.send_message(PRIVATE_ID, "x", reply_to_message_id=9),
        400,
        "message to be replied not found",
        BadRequest,
    ),
    "react": Row(
        lambda bot: bot.set_message_reaction(PRIVATE_ID, 9, ReactionTypeEmoji("👀")),
        400,
        "message to react not found",
        BadRequest,
    ),
    "thread": Row(in_topic, 400, "message thread not found", BadRequest),
    "query": Row(lambda bot: bot.answer_callback_query("1"), 400, LATE, BadRequest),
    "method": Row(
        lambda bot: bot.do_api_request("sendMoney"), 404, "method not found", EndPointNotFound
    ),
}
FORBIDDEN: dict[str, Row] = {
    "blocked": Row(text, 403, "bot was blocked by the user", Forbidden, blocked),
    "deactivated": Row(text, 403, "user is deactivated", Forbidden, deleted_account),
    "stranger": Row(
        lambda bot: bot.send_message(ADA.person_id, "x"),
        403,
        "bot can't initiate conversation with a user",
        Forbidden,
    ),
    "kicked": Row(
        in_group,
        403,
        "bot was kicked from the supergroup chat",
        Forbidden,
        group_is(bot_standing="kicked"),
    ),
    "kicked from a group": Row(
        in_group,
        403,
        "bot was kicked from the group chat",
        Forbidden,
        group_is(kind="group", bot_standing="kicked"),
    ),
    "gone": Row(
        in_group, 403, "the group chat was deleted", Forbidden, group_is(bot_standing="gone")
    ),
    "left": Row(
        in_group,
        403,
        "bot is not a member of the supergroup chat",
        Forbidden,
        group_is(bot_standing="left"),
    ),
}
STATE: dict[str, Row] = {
    "same edit": Row(same_edit, 400, SAME, BadRequest),
    "foreign edit": Row(
        lambda bot: bot.edit_message_text("x", PRIVATE_ID, 1),
        400,
        "message can't be edited",
        BadRequest,
        said,
    ),
    "foreign deletion": Row(
        lambda bot: bot.delete_message(GROUP_ID, 1),
        400,
        "message can't be deleted",
        BadRequest,
        said,
    ),
    "migrated": Row(
        in_group,
        400,
        "group chat was upgraded to a supergroup chat",
        ChatMigrated,
        group_is(kind="group", migrated_to=HEIR),
        {"migrate_to_chat_id": HEIR},
    ),
    "closed": Row(in_topic, 400, "TOPIC_CLOSED", BadRequest, topic_is(closed=True)),
    "deleted": Row(in_topic, 400, "TOPIC_DELETED", BadRequest, topic_is(deleted=True)),
    "silent": Row(
        in_group,
        400,
        "not enough rights to send text messages to the chat",
        BadRequest,
        group_is(silent=True),
    ),
}
CONTENT: dict[str, Row] = {
    "empty": Row(
        lambda bot: bot.send_message(PRIVATE_ID, ""), 400, "message text is empty", BadRequest
    ),
    "long": Row(
        lambda bot: bot.send_message(PRIVATE_ID, "é" * 4097), 400, "message is too long", BadRequest
    ),
    "markup": Row(
        lambda bot: bot.send_message(PRIVATE_ID, "<b>x", parse_mode="HTML"),
        400,
        "can't parse entities: Can't find end tag corresponding to start tag \"b\"",
        BadRequest,
    ),
    "action": Row(
        lambda bot: bot.send_chat_action(PRIVATE_ID, "sing"),
        400,
        "wrong parameter action in request",
        BadRequest,
    ),
    "narrow": Row(photo(drawing(1, 21)), 400, "PHOTO_INVALID_DIMENSIONS", BadRequest),
    "huge": Row(photo(drawing(9999, 2)), 400, "PHOTO_INVALID_DIMENSIONS", BadRequest),
    "no picture": Row(photo(b"words"), 400, "IMAGE_PROCESS_FAILED", BadRequest),
    "extension": Row(
        photo(NOTE, "application.octet-stream"),
        400,
        "photo has unsupported extension. Use one of .jpg, .jpeg, .gif, .png, .tif or .bmp",
        BadRequest,
    ),
    "upload": Row(photo(bytes(52 * 2**20)), 413, "", NetworkError),
    "file": Row(lambda bot: bot.get_file("nonsense"), 400, "invalid file_id", BadRequest),
}
SERVER: dict[str, Row] = {
    "flood": Row(
        text,
        429,
        f"retry after {SOON}",
        RetryAfter,
        meets(FaultKind.FLOOD),
        {"retry_after": SOON},
    ),
    "restart": Row(text, 500, "restart", NetworkError, meets(FaultKind.ERROR)),
    "gateway": Row(text, 502, "", NetworkError, meets(FaultKind.ERROR, 502)),
    "revoked": Row(text, 401, "", InvalidToken, meets(FaultKind.REVOKED_TOKEN)),
    "second poller": Row(
        lambda bot: bot.get_updates(), 409, CONFLICT, Conflict, meets(FaultKind.SECOND_POLLER)
    ),
    "webhook": Row(
        lambda bot: bot.get_updates(), 409, WEBHOOK_CONFLICT, Conflict, meets(FaultKind.WEBHOOK_SET)
    ),
}
PREFIX = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    409: "Conflict",
    413: "Request Entity Too Large",
    429: "Too Many Requests",
    500: "Internal Server Error",
    502: "Bad Gateway",
}
ROWS = [
    pytest.param(row, id=f"{table}-{name}")
    for table, rows in (
        ("missing", MISSING),
        ("forbidden", FORBIDDEN),
        ("state", STATE),
        ("content", CONTENT),
        ("server", SERVER),
    )
    for name, row in rows.items()
]


@pytest.mark.parametrize("row", ROWS)
async def test_error_is_what_the_table_says(
    row: Row,
    bot: Bot,
    simulator: Simulator,
    refusals: list[object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PTB_TIMEDELTA", "1")
    row.before(simulator)
    with pytest.raises(row.error) as caught:
        await row.call(bot)
    description = f"{PREFIX[row.status]}: {row.words}" if row.words else PREFIX[row.status]
    body = {"ok": False, "error_code": row.status, "description": description}
    assert refusals == [body | ({"parameters": row.parameters} if row.parameters else {})]
    # A subclass has its own meaning: which one it is decides what the bot does next.
    assert type(caught.value) is row.error
    if isinstance(caught.value, ChatMigrated):
        assert caught.value.new_chat_id == HEIR
    elif isinstance(caught.value, RetryAfter):
        assert caught.value.retry_after.total_seconds() == SOON  # type: ignore[union-attr]
    elif row.error in (BadRequest, Forbidden):
        # The library's way with texts: its first letter large, where it knows the prefix.
        assert row.words.lower() in str(caught.value).lower()


async def test_what_is_too_late(bot: Bot, simulator: Simulator, clock: Clock) -> None:
    sent = await bot.send_message(PRIVATE_ID, "x", reply_markup=KEY)
    query = simulator.scene.gestures.press(YOU.person_id, PRIVATE_ID, sent.message_id, "a")
    message = await bot.send_document(PRIVATE_ID, InputFile(NOTE, "note.png"))
    assert message.document is not None
    file = await message.document.get_file()
    clock.pass_by(151)
    with pytest.raises(BadRequest, match="Query is too old"):
        await bot.answer_callback_query(query.query_id)
    clock.pass_by(3600)
    # An expired link comes as if the token were wrong.
    with pytest.raises(InvalidToken):
        await file.download_as_bytearray()
    clock.pass_by(48 * 3600)
    with pytest.raises(BadRequest, match="Message can't be deleted for everyone"):
        await bot.delete_message(PRIVATE_ID, sent.message_id)


async def test_large_file_is_not_given_out(bot: Bot, simulator: Simulator) -> None:
    data = bytes(20 * 2**20 + 1)
    shown = await simulator.scene.crowd.show_document(ME, data, "big.bin")
    assert shown.media is not None
    with pytest.raises(BadRequest, match="File is too big"):
        await bot.get_file(simulator.scene.files.file_id(shown.media.best))


async def test_closed_server_is_a_network_error(bot: Bot, simulator: Simulator) -> None:
    await simulator.__aexit__(None, None, None)
    with pytest.raises(NetworkError, match=r"httpx\.ConnectError") as caught:
        await bot.send_message(PRIVATE_ID, "x")
    assert type(caught.value) is NetworkError
