"""Every method through the real library, and every answer against the specification."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeVar

import pytest
from telegram import (
    Bot,
    BotCommand,
    BotCommandScopeAllGroupChats,
    ChatMember,
    CopyTextButton,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputFile,
    ReactionTypeEmoji,
    ReplyParameters,
    Update,
)

from bot.simulator import ADA, GROUP, YOU, Simulator
from tests.bot.simulator import spec
from tests.bot.simulator.conftest import GROUP_ID, ME, NOTE, PRIVATE_ID, RECEIPT

KEYS = InlineKeyboardMarkup(
    [
        [
            InlineKeyboardButton("Stop", callback_data="stop"),
            InlineKeyboardButton("Copy", copy_text=CopyTextButton("words")),
            InlineKeyboardButton("More", url="https://example.org/"),
        ]
    ]
)
COMMANDS = [BotCommand("ocr", "Read the text"), BotCommand("ask", "Ask")]


async def _message_id(bot: Bot) -> int:
    return (await bot.send_message(PRIVATE_ID, "hello", reply_markup=KEYS)).message_id


async def _photo_id(bot: Bot) -> int:
    return (await bot.send_photo(PRIVATE_ID, NOTE, filename="note.png")).message_id


async def _query_id(bot: Bot, simulator: Simulator) -> str:
    number = await _message_id(bot)
    return simulator.scene.gestures.press(YOU.person_id, PRIVATE_ID, number, "stop").query_id


async def _file_id(bot: Bot) -> str:
    message = await bot.send_document(PRIVATE_ID, InputFile(NOTE, "note.png"))
    assert message.document is not None
    return message.document.file_id


Call = Callable[[Bot, Simulator], Awaitable[object]]


async def _ask_updates(bot: Bot, simulator: Simulator) -> object:
    simulator.scene.crowd.say(ME, "/start now")
    updates = await bot.get_updates(timeout=0)
    assert [type(update) for update in updates] == [Update]
    return updates


async def _send_all(bot: Bot, _: Simulator) -> object:
    first = await bot.send_message(PRIVATE_ID, "<b>one</b>", parse_mode="HTML")
    return await bot.send_message(
        PRIVATE_ID, "two", reply_parameters=ReplyParameters(first.message_id), reply_markup=KEYS
    )


T = TypeVar("T")


async def _then(first: Awaitable[T], second: Callable[[T], Awaitable[object]]) -> object:
    return await second(await first)


CALLS: dict[str, Call] = {
    "getMe": lambda bot, _: bot.get_me(),
    "getUpdates": _ask_updates,
    "getWebhookInfo": lambda bot, _: bot.get_webhook_info(),
    "setWebhook": lambda bot, _: bot.set_webhook("http://127.0.0.1:9/", secret_token="s"),
    "deleteWebhook": lambda bot, _: bot.delete_webhook(drop_pending_updates=True),
    "sendMessage": _send_all,
    "sendMessageDraft": lambda bot, _: bot.send_message_draft(PRIVATE_ID, 7, "so far"),
    "sendPhoto": lambda bot, _: bot.send_photo(PRIVATE_ID, RECEIPT, filename="a.jpg"),
    "sendDocument": lambda bot, _: bot.send_document(PRIVATE_ID, InputFile(NOTE, "note.png")),
    "sendChatAction": lambda bot, _: bot.send_chat_action(PRIVATE_ID, "typing"),
    "getFile": lambda bot, _: _then(_file_id(bot), bot.get_file),
    "getChat": lambda bot, _: bot.get_chat(GROUP_ID),
    "getChatMember": lambda bot, _: bot.get_chat_member(GROUP_ID, ADA.person_id),
    "getChatAdministrators": lambda bot, _: bot.get_chat_administrators(GROUP_ID),
    "getChatMemberCount": lambda bot, _: bot.get_chat_member_count(GROUP_ID),
    "setMyCommands": lambda bot, _: bot.set_my_commands(COMMANDS),
    "deleteMyCommands": lambda bot, _: bot.delete_my_commands(),
    "getMyCommands": lambda bot, _: bot.get_my_commands(),
    "setMyDescription": lambda bot, _: bot.set_my_description("Reads pictures"),
    "getMyDescription": lambda bot, _: bot.get_my_description(),
    "setMyShortDescription": lambda bot, _: bot.set_my_short_description("Reads"),
    "getMyShortDescription": lambda bot, _: bot.get_my_short_description(),
    "getMyName": lambda bot, _: bot.get_my_name(),
    "editMessageText": lambda bot, _: _then(
        _message_id(bot), lambda number: bot.edit_message_text("new", PRIVATE_ID, number)
    ),
    "editMessageCaption": lambda bot, _: _then(
        _photo_id(bot), lambda n: bot.edit_message_caption(PRIVATE_ID, n, caption="new")
    ),
    "editMessageReplyMarkup": lambda bot, _: _then(
        _message_id(bot), lambda number: bot.edit_message_reply_markup(PRIVATE_ID, number)
    ),
    "deleteMessage": lambda bot, _: _then(
        _message_id(bot), lambda number: bot.delete_message(PRIVATE_ID, number)
    ),
    "setMessageReaction": lambda bot, _: _then(
        _message_id(bot),
        lambda n: bot.set_message_reaction(PRIVATE_ID, n, ReactionTypeEmoji("👀")),
    ),
    "answerCallbackQuery": lambda bot, simulator: _then(
        _query_id(bot, simulator), lambda query: bot.answer_callback_query(query, "Stopped")
    ),
}


@pytest.mark.parametrize("name", spec.METHODS)
async def test_library_reads_every_answer(
    name: str, bot: Bot, simulator: Simulator, answers: list[tuple[str, object]]
) -> None:
    assert await CALLS[name](bot, simulator) is not None
    assert name in {method for method, _ in answers}
    for method, answer in answers:
        assert spec.objections(answer, spec.RETURNS[method], method) == []
    assert [call.problems for call in simulator.calls.all() if call.problems] == []


async def test_member_of_every_standing(bot: Bot, simulator: Simulator) -> None:
    for standing in ("member", "administrator"):
        simulator.scene.world.put(replace(GROUP, bot_standing=standing))
        assert (await bot.get_chat_member(GROUP_ID, bot.id)).status == standing
    assert (await bot.get_chat_member(GROUP_ID, YOU.person_id)).status == ChatMember.OWNER
    simulator.scene.world.put(replace(GROUP, member_ids=(YOU.person_id,)))
    assert (await bot.get_chat_member(GROUP_ID, ADA.person_id)).status == ChatMember.LEFT


async def test_commands_by_scope(bot: Bot) -> None:
    scope = BotCommandScopeAllGroupChats()
    await bot.set_my_commands(COMMANDS)
    await bot.set_my_commands(COMMANDS[:1], scope=scope)
    assert await bot.get_my_commands() == tuple(COMMANDS)
    assert await bot.get_my_commands(scope=scope) == tuple(COMMANDS[:1])
    await bot.delete_my_commands(scope=scope)
    assert await bot.get_my_commands(scope=scope) == ()


async def test_photo_comes_back_in_sizes(bot: Bot) -> None:
    message = await bot.send_photo(PRIVATE_ID, RECEIPT, filename="a.jpg")
    assert [size.height for size in message.photo] == [90, 320, 800, 860]
    largest = await message.photo[-1].get_file()
    data = await largest.download_as_bytearray()
    assert len(data) == message.photo[-1].file_size
    again = await bot.send_photo(PRIVATE_ID, message.photo[0].file_id)
    assert again.photo[-1].file_unique_id == message.photo[-1].file_unique_id


async def test_document_keeps_its_bytes(bot: Bot) -> None:
    message = await bot.send_document(PRIVATE_ID, InputFile(NOTE, "note.png"))
    assert message.document is not None
    file = await message.document.get_file()
    assert bytes(await file.download_as_bytearray()) == NOTE
