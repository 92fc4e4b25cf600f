"""Messages as Telegram describes them."""

from typing import Any

from telegram import Message


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
