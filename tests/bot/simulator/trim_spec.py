"""Cuts what these tests need from the whole specification: `python trim_spec.py bot-api-spec.json`.

Only names, types, whether required and since when; no prose. The result lies beside as spec.json.
"""

import json
import sys
from pathlib import Path
from typing import Any

_METHODS = """
getMe getUpdates getWebhookInfo setWebhook deleteWebhook sendMessage sendMessageDraft sendPhoto
sendDocument sendChatAction editMessageText editMessageCaption editMessageReplyMarkup
deleteMessage setMessageReaction getFile answerCallbackQuery getChat getChatMember
getChatAdministrators getChatMemberCount setMyCommands deleteMyCommands getMyCommands
setMyDescription getMyDescription setMyShortDescription getMyShortDescription getMyName
"""
_TYPES = """
AcceptedGiftTypes Animation Audio BotCommand BotDescription BotName BotShortDescription
CallbackQuery Chat ChatFullInfo ChatMemberAdministrator ChatMemberBanned ChatMemberLeft
ChatMemberMember ChatMemberOwner ChatMemberUpdated ChatPermissions Contact CopyTextButton Dice
Document File ForumTopicCreated InlineKeyboardButton InlineKeyboardMarkup LivePhoto Location
Message MessageEntity MessageOriginUser MessageReactionUpdated PhotoSize ReactionTypeEmoji Sticker
TextQuote Update User Video VideoNote Voice WebhookInfo
"""


def trimmed(spec: dict[str, Any]) -> dict[str, object]:
    return {
        "version": spec["version"],
        "methods": {
            name: {
                "returns": spec["methods"][name]["returns"],
                "fields": _fields(spec["methods"][name]),
            }
            for name in _METHODS.split()
        },
        "types": {name: _fields(spec["types"][name]) for name in _TYPES.split()},
    }


def _fields(source: dict[str, Any]) -> dict[str, object]:
    return {
        field["name"]: [field["types"], field["required"], field["since"]]
        for field in source.get("fields", [])
    }


if __name__ == "__main__":
    whole = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    text = json.dumps(trimmed(whole), separators=(",", ":"))
    here = Path(__file__).with_name("spec.json")
    here.write_text(text.replace('},"', '},\n"') + "\n", encoding="utf-8")
