"""Shapes: files and other content of messages as the JSON of the Bot API. Knows no chats."""

from bot.simulator.files import FileStore
from bot.simulator.media import Media, Special, StoredFile

Json = dict[str, object]

_TOPIC_COLOUR = 0x6FB9F0
_CLIP_S = 3
_STICKER: Json = {"type": "regular", "is_animated": False}


class Shapes:
    """Needs the store for the ids of files."""

    def __init__(self, files: FileStore) -> None:
        self._files = files

    def file(self, file: StoredFile, *, with_size: bool = True) -> Json:
        view: Json = {
            "file_id": self._files.file_id(file),
            "file_unique_id": f"AQAD{file.digest[:12]}",
        }
        if with_size:
            view["file_size"] = file.num_bytes
        return view

    def media(self, media: Media) -> Json:
        match media.kind:
            case "photo":
                return {"photo": self._sizes(media)}
            case "live_photo":
                return {"photo": self._sizes(media), "live_photo": self._live_photo(media)}
            case "sticker":
                still = self._size(media.best) | _STICKER | {"is_video": media.moves}
                return {"sticker": still | self._preview(media) | filled(emoji=media.emoji)}
            case "document":
                return {"document": self._named(media) | self._preview(media)}
            case "animation" | "video":
                clip = self._named(media) | self._preview(media)
                clip |= {"width": media.best.width, "height": media.best.height}
                animation: Json = {media.kind: clip | {"duration": _CLIP_S}}
                # An animation is sent as a document too, for those who do not know animations.
                if media.kind == "animation":
                    animation["document"] = self._named(media) | self._preview(media)
                return animation
            case "video_note":
                round_clip = self.file(media.best) | {"length": 240, "duration": _CLIP_S}
                return {"video_note": round_clip | self._preview(media)}
            case "voice":
                kind = {"mime_type": media.best.mime_type, "duration": _CLIP_S}
                return {"voice": self.file(media.best) | kind}
            case "audio":
                return {"audio": self._named(media) | {"duration": _CLIP_S}}

    def _sizes(self, media: Media) -> list[Json]:
        return [self._size(size) for size in media.files]

    def _size(self, file: StoredFile) -> Json:
        return self.file(file) | {"width": file.width, "height": file.height}

    def _named(self, media: Media) -> Json:
        named = {"file_name": media.file_name, "mime_type": media.best.mime_type}
        return self.file(media.best) | named

    def _preview(self, media: Media) -> Json:
        return {} if media.thumbnail is None else {"thumbnail": self._size(media.thumbnail)}

    def _live_photo(self, media: Media) -> Json:
        if media.clip is None:
            return {}
        still = media.best
        clip = self.file(media.clip) | {"width": still.width, "height": still.height}
        clip |= {"duration": _CLIP_S, "mime_type": media.clip.mime_type}
        return clip | {"photo": self._sizes(media)}


def special_view(special: Special) -> Json:
    match special.kind:
        case "location":
            return {"location": {"latitude": 52.516, "longitude": 13.378}}
        case "contact":
            return {"contact": {"phone_number": "+10000000000", "first_name": special.text}}
        case "dice":
            return {"dice": {"emoji": "🎲", "value": special.number}}
        case "topic_created":
            topic = {"name": special.text, "icon_color": _TOPIC_COLOUR}
            return {"forum_topic_created": topic}
        case "migrated_to":
            return {"migrate_to_chat_id": special.number}
        case "migrated_from":
            return {"migrate_from_chat_id": special.number}


def filled(**fields: object) -> Json:
    """Only what has a value; False stays where the API always says it."""
    always = {"is_bot"}
    return {name: value for name, value in fields.items() if value or name in always}
