"""Content: what a request says that a message shall hold: text, files, target, reply."""

from dataclasses import dataclass

from bot.simulator.entities import FOUND, MARKED
from bot.simulator.files import FileStore
from bot.simulator.formatting import caption_text, message_text
from bot.simulator.media import Media
from bot.simulator.parameters import Parameters, Upload
from bot.simulator.photos import check_upload
from bot.simulator.records import Chat, Entity, Formatted
from bot.simulator.refusal import Refusal, bad_request
from bot.simulator.world import World

_PHOTO_SUFFIXES = (".jpg", ".jpeg", ".gif", ".png", ".tif", ".tiff", ".bmp", ".webp")


@dataclass(frozen=True, slots=True)
class Target:
    """The message that a new one answers."""

    message_id: int = 0
    quote: str = ""


def read_text(parameters: Parameters) -> Formatted:
    entities = _entities(parameters, "entities")
    return message_text(parameters.text("text"), parameters.text("parse_mode"), entities)


def read_caption(parameters: Parameters) -> Formatted:
    entities = _entities(parameters, "caption_entities")
    return caption_text(parameters.text("caption"), parameters.text("parse_mode"), entities)


def read_target(parameters: Parameters, world: World, chat: Chat) -> Target:
    complaint = "Can't parse reply parameters JSON object"
    reply = parameters.structure("reply_parameters", complaint)
    if reply is None:
        # The way before Bot API 7.0, which the server still takes.
        number, lenient = parameters.integer("reply_to_message_id"), "allow_sending_without_reply"
        reply = {"message_id": number, lenient: parameters.flag(lenient)}
    if not isinstance(reply, dict):
        raise bad_request("Object expected as reply parameters")
    number = _integer(reply.get("message_id"))
    original = world.message(chat.chat_id, number)
    if original is None:
        if number and not reply.get("allow_sending_without_reply"):
            raise bad_request("Message to be replied not found")
        return Target()
    quote = str(reply.get("quote") or "")
    if quote and quote not in original.text:
        raise bad_request("QUOTE_TEXT_INVALID")
    return Target(number, quote)


async def read_photo(parameters: Parameters, files: FileStore) -> Media:
    upload = _upload(parameters, "photo")
    if upload is None:
        return _sent_before(parameters.text("photo"), files, "photo")
    suffix = "." + upload.name.rpartition(".")[2].lower()
    if suffix not in _PHOTO_SUFFIXES:
        raise bad_request(
            "Photo has unsupported extension. Use one of .jpg, .jpeg, .gif, .png, .tif or .bmp"
        )
    check_upload(upload.data)
    return await files.photo(upload.data)


async def read_document(parameters: Parameters, files: FileStore) -> Media:
    upload = _upload(parameters, "document")
    if upload is None:
        return _sent_before(parameters.text("document"), files, "document")
    return await files.document(upload.data, upload.name, upload.mime_type)


def _upload(parameters: Parameters, name: str) -> Upload | None:
    upload = parameters.upload(name)
    if upload is None and not parameters.has(name):
        raise bad_request(f"There is no {name} in the request")
    if upload is None and parameters.text(name).startswith("attach://"):
        raise bad_request(f"There is no {name} in the request")
    return upload


def _sent_before(value: str, files: FileStore, kind: str) -> Media:
    if value.startswith(("http://", "https://")):
        # Nothing is fetched from outside: the simulator is alone on its machine.
        raise bad_request("Failed to get HTTP URL content")
    try:
        file = files.by_file_id(value)
    except Refusal as error:
        raise bad_request("Wrong file identifier/HTTP URL specified") from error
    media = files.media_of(file)
    if media.kind != kind:
        raise bad_request(f"Can't use file of type {media.kind.title()} as {kind.title()}")
    return media


def _entities(parameters: Parameters, name: str) -> list[Entity]:
    value = parameters.structure(name, f"Can't parse {name} JSON object")
    if value is None:
        return []
    if not isinstance(value, list):
        raise bad_request("Expected an Array of MessageEntity")
    return [made for item in value if (made := _entity(item)) is not None]


def _entity(item: object) -> Entity | None:
    if not isinstance(item, dict):
        raise bad_request("Can't parse MessageEntity: expected an Object")
    kind = str(item.get("type") or "")
    if not kind:
        raise bad_request("Can't parse MessageEntity: can't find field \"type\"")
    if kind in FOUND:
        return None
    if kind not in MARKED:
        raise bad_request("Can't parse MessageEntity: unsupported type specified")
    user = item.get("user")
    return Entity(
        kind,
        _integer(item.get("offset")),
        _integer(item.get("length")),
        url=str(item.get("url") or ""),
        language=str(item.get("language") or ""),
        person_id=_integer(user.get("id")) if isinstance(user, dict) else 0,
        custom_emoji_id=str(item.get("custom_emoji_id") or ""),
    )


def _integer(value: object) -> int:
    try:
        return int(value) if isinstance(value, int | str) else 0
    except ValueError:
        return 0
