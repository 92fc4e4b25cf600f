"""Directing: the actions of the control interface, from their parameters to the people's hands."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from bot.simulator.courier import is_here
from bot.simulator.crowd import Place
from bot.simulator.feed import Feed
from bot.simulator.files import Clip
from bot.simulator.media import MediaKind, Special, SpecialKind
from bot.simulator.parameters import Parameters, Upload
from bot.simulator.photos import LARGE_SIDE, STANDARD_SIDE
from bot.simulator.refusal import bad_request
from bot.simulator.scene import Scene

_CLIPS: dict[str, MediaKind] = {
    "live_photo": "live_photo",
    "animation": "animation",
    "video": "video",
    "video_note": "video_note",
    "voice": "voice",
    "audio": "audio",
    "sticker": "sticker",
}
_SHARED: dict[str, SpecialKind] = {"location": "location", "contact": "contact", "dice": "dice"}


class Directing:
    """Each action answers with what it made, as JSON."""

    def __init__(self, scene: Scene, feed: Feed) -> None:
        self._scene = scene
        self._feed = feed
        self.actions: dict[str, Callable[[Parameters], Awaitable[object]]] = {
            "messages": self._say,
            "photos": self._show_photo,
            "documents": self._show_document,
            "stickers": self._show_sticker,
            "albums": self._show_album,
            "clips": self._show_clip,
            "shares": self._share,
            "forwards": self._forward,
            "edits": self._edit,
            "deletions": self._delete,
            "presses": self._press,
            "reactions": self._react,
            "profile": self._set_profile,
        }

    async def _say(self, parameters: Parameters) -> object:
        message = self._scene.crowd.say(_place(parameters), parameters.text("text"))
        return self._feed.message(message)

    async def _show_photo(self, parameters: Parameters) -> object:
        side = LARGE_SIDE if parameters.flag("hd") else STANDARD_SIDE
        data, caption = _file(parameters).data, parameters.text("caption")
        shown = await self._scene.crowd.show_photo(
            _place(parameters), data, caption, largest_side=side
        )
        return self._feed.message(shown)

    async def _show_document(self, parameters: Parameters) -> object:
        file, caption = _file(parameters), parameters.text("caption")
        shown = await self._scene.crowd.show_document(
            _place(parameters), file.data, file.name, caption, mime_type=file.mime_type
        )
        return self._feed.message(shown)

    async def _show_sticker(self, parameters: Parameters) -> object:
        data, emoji = _file(parameters).data, parameters.text("emoji")
        return self._feed.message(
            await self._scene.crowd.show_sticker(_place(parameters), data, emoji)
        )

    async def _show_album(self, parameters: Parameters) -> object:
        place, as_files = _place(parameters), parameters.flag("as_files")
        crowd = self._scene.crowd
        if parameters.has("album_id"):
            file = _file(parameters)
            late = await crowd.join_album(
                place,
                parameters.text("album_id"),
                file.data,
                parameters.text("caption"),
                name=file.name if as_files else "",
            )
            return [self._feed.message(late)]
        uploads = [
            (number, upload)
            for number in range(1, 12)
            if (upload := parameters.upload(f"file{number}")) is not None
        ]
        items = [(upload.data, parameters.text(f"caption{number}")) for number, upload in uploads]
        names = [upload.name for _, upload in uploads] if as_files else []
        backwards = parameters.flag("backwards")
        shown = await crowd.show_album(place, items, names, backwards=backwards)
        return [self._feed.message(message) for message in shown]

    async def _show_clip(self, parameters: Parameters) -> object:
        kind = _CLIPS.get(parameters.text("kind"))
        if kind is None:
            raise bad_request(f"kind is one of {', '.join(_CLIPS)}")
        file, still = _file(parameters), parameters.upload("still")
        clip = Clip(kind, file.data, file.name, still.data if still else b"")
        caption = parameters.text("caption")
        return self._feed.message(
            await self._scene.crowd.show_clip(_place(parameters), clip, caption)
        )

    async def _share(self, parameters: Parameters) -> object:
        kind = _SHARED.get(parameters.text("kind"))
        if kind is None:
            raise bad_request(f"kind is one of {', '.join(_SHARED)}")
        special = Special(kind, 4, parameters.text("name") or "Somebody")
        return self._feed.message(self._scene.crowd.declare(_place(parameters), special))

    async def _forward(self, parameters: Parameters) -> object:
        from_chat_id = parameters.integer("from_chat_id")
        number = parameters.integer("message_id")
        message = self._scene.crowd.forward(_place(parameters), from_chat_id, number)
        return self._feed.message(message)

    async def _edit(self, parameters: Parameters) -> object:
        text = parameters.text("text")
        return self._feed.message(self._scene.crowd.edit(*_pointed(parameters), text))

    async def _delete(self, parameters: Parameters) -> object:
        self._scene.crowd.delete(*_pointed(parameters))
        return {"deleted": True}

    async def _press(self, parameters: Parameters) -> object:
        query = self._scene.gestures.press(*_pointed(parameters), parameters.text("data"))
        return {"query_id": query.query_id}

    async def _react(self, parameters: Parameters) -> object:
        emoji = parameters.text("emoji")
        return self._feed.message(self._scene.gestures.react(*_pointed(parameters), emoji))

    async def _set_profile(self, parameters: Parameters) -> object:
        profile = self._scene.world.profile
        if parameters.has("privacy_mode"):
            profile = replace(profile, privacy_mode=parameters.flag("privacy_mode"))
        if parameters.has("webhook_door"):
            profile = replace(profile, webhook_door=_door(parameters))
        self._scene.world.put(profile)
        return {"privacy_mode": profile.privacy_mode, "webhook_door": profile.webhook_door}


def _place(parameters: Parameters) -> Place:
    return Place(
        parameters.integer("person_id"),
        parameters.integer("chat_id"),
        parameters.integer("reply_to"),
        parameters.integer("thread_id"),
        parameters.text("quote"),
        parameters.integer("as_chat_id"),
    )


def _pointed(parameters: Parameters) -> tuple[int, int, int]:
    names = ("person_id", "chat_id", "message_id")
    person_id, chat_id, message_id = (parameters.integer(name) for name in names)
    return person_id, chat_id, message_id


def _file(parameters: Parameters) -> Upload:
    upload = parameters.upload("file")
    if upload is None:
        raise bad_request("There is no file in the request")
    return upload


def _door(parameters: Parameters) -> str:
    door = parameters.text("webhook_door")
    if not is_here(door):
        raise bad_request("webhook_door is an address on this computer")
    return door
