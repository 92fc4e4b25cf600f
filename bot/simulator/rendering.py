"""View: records as the JSON of the Bot API."""

from bot.simulator.files import FileStore
from bot.simulator.records import (
    Button,
    Chat,
    Entity,
    Keyboard,
    Message,
    Person,
    Query,
    Reaction,
)
from bot.simulator.shapes import Json, Shapes, filled, special_view
from bot.simulator.world import World

GROUP_ANONYMOUS = Person(1_087_968_824, "Group", username="GroupAnonymousBot", is_bot=True)
CHANNEL_BOT = Person(136_817_688, "Channel", username="Channel_Bot", is_bot=True)


class View:
    """Needs the world to look up who is named, and the store for the ids of files."""

    def __init__(self, world: World, files: FileStore) -> None:
        self._world = world
        self._shapes = Shapes(files)
        self.file = self._shapes.file

    def person(self, person: Person) -> Json:
        return filled(
            id=person.person_id,
            is_bot=person.is_bot,
            first_name=person.first_name,
            last_name=person.last_name,
            username=person.username,
            language_code="" if person.is_bot else person.language_code,
        )

    def chat(self, chat: Chat) -> Json:
        if chat.kind != "private":
            return filled(id=chat.chat_id, type=chat.kind, title=chat.title, is_forum=chat.is_forum)
        person = self._world.people[chat.chat_id]
        return filled(
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
            "chat": self.chat(chat),
            "date": message.date,
        }
        view |= self._sender(message, chat)
        view |= filled(
            message_thread_id=message.thread_id or self._reply_thread(message, chat),
            is_topic_message=bool(message.thread_id),
            edit_date=message.edit_date,
            media_group_id=message.album_id,
        )
        view |= self._content(message)
        view |= self._forward(message)
        if with_reply:
            original = self._answered(message)
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

    def entities(self, entities: tuple[Entity, ...]) -> list[Json]:
        return [self._entity(entity) for entity in entities]

    def _entity(self, entity: Entity) -> Json:
        view: Json = {"type": entity.type, "offset": entity.offset, "length": entity.length}
        view |= filled(
            url=entity.url, language=entity.language, custom_emoji_id=entity.custom_emoji_id
        )
        if entity.person_id:
            view["user"] = self.person(self._world.people[entity.person_id])
        return view

    def _content(self, message: Message) -> Json:
        if message.special is not None:
            return special_view(message.special)
        if message.media is None:
            return {"text": message.text} | filled(entities=self.entities(message.entities))
        caption = filled(caption=message.text, caption_entities=self.entities(message.entities))
        return self._shapes.media(message.media) | caption

    def _sender(self, message: Message, chat: Chat) -> Json:
        if chat.kind == "channel":
            return {"sender_chat": self.chat(chat)}
        if not message.sender_chat_id:
            return {"from": self.person(self._world.people[message.sender_id])}
        # Older libraries get a made-up account; who it really was is not told.
        stand_in = GROUP_ANONYMOUS if message.sender_chat_id == chat.chat_id else CHANNEL_BOT
        sender_chat = self._world.chats[message.sender_chat_id]
        return {"from": self.person(stand_in), "sender_chat": self.chat(sender_chat)}

    def _answered(self, message: Message) -> Message | None:
        """In a topic, what answers nothing else answers the message that opened the topic."""
        if message.reply_to:
            return self._world.message(message.chat_id, message.reply_to)
        opening = self._world.message(message.chat_id, message.thread_id)
        return opening if opening != message and opening and opening.special else None

    def _reply_thread(self, message: Message, chat: Chat) -> int:
        """In a supergroup without topics every reply names the first message of its chain."""
        if chat.kind != "supergroup" or chat.is_forum:
            return 0
        root = 0
        while message.reply_to:
            original = self._world.message(message.chat_id, message.reply_to)
            if original is None:
                break
            root, message = original.message_id, original
        return root

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
    view = filled(
        text=button.text, callback_data=button.callback_data, url=button.url, style=button.style
    )
    if button.copy_text:
        view["copy_text"] = {"text": button.copy_text}
    return view
