"""View: records as the JSON of the Bot API."""

from bot.simulator.files import FileStore
from bot.simulator.records import (
    Button,
    Chat,
    Entity,
    Keyboard,
    Media,
    Message,
    Person,
    Query,
    Reaction,
    StoredFile,
)
from bot.simulator.world import World

Json = dict[str, object]


class View:
    """Needs the world to look up who is named, and the store for the ids of files."""

    def __init__(self, world: World, files: FileStore) -> None:
        self._world = world
        self._files = files

    def person(self, person: Person) -> Json:
        return _filled(
            id=person.person_id,
            is_bot=person.is_bot,
            first_name=person.first_name,
            last_name=person.last_name,
            username=person.username,
            language_code="" if person.is_bot else person.language_code,
        )

    def chat(self, chat: Chat) -> Json:
        if chat.kind != "private":
            return _filled(
                id=chat.chat_id, type=chat.kind, title=chat.title, is_forum=chat.is_forum
            )
        person = self._world.people[chat.chat_id]
        return _filled(
            id=chat.chat_id,
            type="private",
            first_name=person.first_name,
            last_name=person.last_name,
            username=person.username,
        )

    def message(self, message: Message, *, with_reply: bool = True) -> Json:
        chat = self._world.chats[message.chat_id]
        view: Json = {
            "message_id": message.message_id,
            "from": self.person(self._world.people[message.sender_id]),
            "chat": self.chat(chat),
            "date": message.date,
        }
        view |= _filled(
            message_thread_id=message.thread_id,
            is_topic_message=bool(message.thread_id),
            edit_date=message.edit_date,
            media_group_id=message.album_id,
        )
        view |= self._content(message)
        view |= self._forward(message)
        if with_reply and message.reply_to:
            original = self._world.message(message.chat_id, message.reply_to)
            if original is not None:
                view["reply_to_message"] = self.message(original, with_reply=False)
            if message.quote:
                view["quote"] = {"text": message.quote, "position": 0, "is_manual": True}
        if message.keyboard:
            view["reply_markup"] = keyboard_view(message.keyboard)
        return view

    def query(self, query: Query, message: Message) -> Json:
        return {
            "id": query.query_id,
            "from": self.person(self._world.people[query.person_id]),
            "message": self.message(message),
            "chat_instance": str(7_000_000 + abs(query.chat_id)),
            "data": query.data,
        }

    def file(self, file: StoredFile, *, with_size: bool = True) -> Json:
        view: Json = {
            "file_id": self._files.file_id(file),
            "file_unique_id": f"AQAD{file.digest[:12]}",
        }
        if with_size:
            view["file_size"] = file.num_bytes
        return view

    def entities(self, entities: tuple[Entity, ...]) -> list[Json]:
        return [self._entity(entity) for entity in entities]

    def _entity(self, entity: Entity) -> Json:
        view: Json = {"type": entity.type, "offset": entity.offset, "length": entity.length}
        view |= _filled(
            url=entity.url, language=entity.language, custom_emoji_id=entity.custom_emoji_id
        )
        if entity.person_id:
            view["user"] = self.person(self._world.people[entity.person_id])
        return view

    def _content(self, message: Message) -> Json:
        if message.media is None:
            return {"text": message.text} | _filled(entities=self.entities(message.entities))
        caption = _filled(caption=message.text, caption_entities=self.entities(message.entities))
        return self._media(message.media) | caption

    def _media(self, media: Media) -> Json:
        match media.kind:
            case "photo":
                return {"photo": [self._size(size) for size in media.files]}
            case "sticker":
                fixed = {"type": "regular", "is_animated": False, "is_video": False}
                return {"sticker": self._size(media.best) | fixed | _filled(emoji=media.emoji)}
            case "document":
                view = self.file(media.best)
                view |= {"file_name": media.file_name, "mime_type": media.best.mime_type}
                if media.thumbnail is not None:
                    view["thumbnail"] = self._size(media.thumbnail)
                return {"document": view}

    def _size(self, file: StoredFile) -> Json:
        return self.file(file) | {"width": file.width, "height": file.height}

    def _forward(self, message: Message) -> Json:
        if not message.forwarded_from:
            return {}
        sender = self.person(self._world.people[message.forwarded_from])
        origin = {"type": "user", "date": message.forwarded_date, "sender_user": sender}
        return {"forward_origin": origin}


def keyboard_view(keyboard: Keyboard) -> Json:
    return {"inline_keyboard": [[_button(button) for button in row] for row in keyboard]}


def reactions_view(reactions: tuple[Reaction, ...]) -> list[Json]:
    return [{"type": "emoji", "emoji": reaction.emoji} for reaction in reactions]


def _button(button: Button) -> Json:
    view = _filled(
        text=button.text, callback_data=button.callback_data, url=button.url, style=button.style
    )
    if button.copy_text:
        view["copy_text"] = {"text": button.copy_text}
    return view


def _filled(**fields: object) -> Json:
    """Only what has a value; False stays where the API always says it."""
    always = {"is_bot"}
    return {name: value for name, value in fields.items() if value or name in always}
