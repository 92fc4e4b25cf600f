"""Crowd: what the people write and show. They say, reply, send pictures and files, edit, delete."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.simulator.files import Clip, FileStore
from bot.simulator.formatting import caption_text, message_text, typed_text
from bot.simulator.media import Media, Special
from bot.simulator.members import check_name, standing_view
from bot.simulator.photos import STANDARD_SIDE
from bot.simulator.privacy import reaches_bot
from bot.simulator.records import Chat, Deletion, Message
from bot.simulator.refusal import bad_request
from bot.simulator.rendering import View
from bot.simulator.updates import UpdateQueue
from bot.simulator.world import World


@dataclass(frozen=True, slots=True)
class Place:
    """Who does it, where, in answer to what, and in whose name if not their own."""

    person_id: int
    chat_id: int
    reply_to: int = 0
    thread_id: int = 0
    quote: str = ""
    as_chat_id: int = 0


class Crowd:
    """Every action changes the world and tells the bot what it may know of it."""

    def __init__(self, world: World, files: FileStore, updates: UpdateQueue, view: View) -> None:
        self._world = world
        self._files = files
        self._updates = updates
        self._view = view
        self._albums = itertools.count(13_000_000_000 + int(world.clock() * 1000) % 1_000_000_000)

    def say(self, place: Place, text: str) -> Message:
        formatted = typed_text(text)
        message_text(formatted.text, "", ())
        draft = self._draft(place)
        return self._post(replace(draft, text=formatted.text, entities=formatted.entities))

    async def show_photo(
        self, place: Place, data: bytes, caption: str = "", *, largest_side: int = STANDARD_SIDE
    ) -> Message:
        media = await self._files.photo(data, largest_side=largest_side)
        return self._show(place, media, caption)

    async def show_document(
        self, place: Place, data: bytes, name: str, caption: str = "", *, mime_type: str = ""
    ) -> Message:
        media = await self._files.document(data, name, mime_type)
        return self._show(place, media, caption)

    async def show_sticker(self, place: Place, data: bytes, emoji: str = "") -> Message:
        return self._show(place, await self._files.sticker(data, emoji), "")

    async def show_clip(self, place: Place, clip: Clip, caption: str = "") -> Message:
        return self._show(place, await self._files.clip(clip), caption)

    async def show_album(
        self,
        place: Place,
        items: Sequence[tuple[bytes, str]],
        names: Sequence[str] = (),
        *,
        backwards: bool = False,
    ) -> list[Message]:
        """Pictures with their captions, or files by their names; each is an update of its own.

        Backwards, the bot is told of the last item first.
        """
        if not 2 <= len(items) <= 10:
            raise bad_request("An album has two to ten items")
        medias = [
            await self._files.document(data, names[number])
            if names
            else await self._files.photo(data)
            for number, (data, _) in enumerate(items)
        ]
        album_id = str(next(self._albums))
        shown = [
            self._world.post(self._shown(place, media, caption, album_id))
            for media, (_, caption) in zip(medias, items, strict=True)
        ]
        for message in reversed(shown) if backwards else shown:
            self._tell("", message)
        return shown

    async def join_album(
        self, place: Place, album_id: str, data: bytes, caption: str = "", *, name: str = ""
    ) -> Message:
        """One more item of an album, as late as it is sent; with a name it is a file."""
        known = self._world.history(place.chat_id)
        if not album_id or all(message.album_id != album_id for message in known):
            raise bad_request("Album not found")
        file = self._files.document(data, name) if name else self._files.photo(data)
        return self._show(place, await file, caption, album_id)

    def forward(self, place: Place, from_chat_id: int, message_id: int) -> Message:
        original = known_message(self._world, from_chat_id, message_id)
        return self._post(
            replace(
                self._draft(place),
                text=original.text,
                entities=original.entities,
                media=original.media,
                forwarded_from=original.forwarded_from or original.sender_id,
                forwarded_date=original.forwarded_date or original.date,
            )
        )

    def edit(self, person_id: int, chat_id: int, message_id: int, text: str) -> Message:
        known_chat(self._world, person_id, chat_id)
        message = known_message(self._world, chat_id, message_id)
        if message.sender_id != person_id:
            raise bad_request("Message can't be edited")
        formatted = typed_text(text)
        check = message_text if message.media is None else caption_text
        check(formatted.text, "", ())
        now = int(self._world.clock())
        edited = replace(message, text=formatted.text, entities=formatted.entities, edit_date=now)
        self._world.put(edited)
        self._tell("edited_", edited)
        return edited

    def delete(self, person_id: int, chat_id: int, message_id: int) -> None:
        chat = known_chat(self._world, person_id, chat_id)
        message = known_message(self._world, chat_id, message_id)
        if chat.kind != "private" and person_id not in {message.sender_id, *chat.admin_ids}:
            raise bad_request("Message can't be deleted")
        self._world.put(Deletion(chat_id, message_id))

    def declare(self, place: Place, special: Special) -> Message:
        """A place, a contact; or what the server itself says about the chat."""
        draft = replace(self._draft(place), special=special)
        if special.kind != "topic_created":
            return self._post(draft)
        number = self._world.next_number(place.chat_id)
        return self._post(replace(draft, thread_id=number))

    def _show(self, place: Place, media: Media, caption: str, album_id: str = "") -> Message:
        return self._post(self._shown(place, media, caption, album_id))

    def _shown(self, place: Place, media: Media, caption: str, album_id: str) -> Message:
        formatted = typed_text(caption)
        caption_text(formatted.text, "", ())
        shown = replace(self._draft(place), media=media, album_id=album_id)
        return replace(shown, text=formatted.text, entities=formatted.entities)

    def _draft(self, place: Place) -> Message:
        chat = known_chat(self._world, place.person_id, place.chat_id)
        if chat.migrated_to:
            raise bad_request("Group chat was upgraded to a supergroup chat")
        if chat.kind == "private" and chat.blocked:
            self._unblock(chat)
        check_name(self._world, place.person_id, place.as_chat_id, chat)
        thread_id = place.thread_id
        if place.reply_to:
            thread_id = known_message(self._world, chat.chat_id, place.reply_to).thread_id
        alive = {topic.thread_id for topic in chat.topics if not topic.deleted}
        if thread_id and thread_id not in alive:
            raise bad_request("Message thread not found")
        return Message(
            chat.chat_id,
            0,
            place.person_id,
            0,
            reply_to=place.reply_to,
            quote=place.quote,
            thread_id=thread_id,
            sender_chat_id=place.as_chat_id,
        )

    def _unblock(self, chat: Chat) -> None:
        opened = replace(chat, blocked=False)
        self._world.put(opened)
        standing = standing_view(self._world, self._view, chat, opened)
        self._updates.add("my_chat_member", standing)

    def _post(self, draft: Message) -> Message:
        message = self._world.post(draft)
        self._tell("", message)
        return message

    def _tell(self, prefix: str, message: Message) -> None:
        if reaches_bot(self._world, message):
            is_channel = self._world.chats[message.chat_id].kind == "channel"
            kind = "channel_post" if is_channel else "message"
            self._updates.add(prefix + kind, self._view.message(message))


def known_message(world: World, chat_id: int, message_id: int) -> Message:
    message = world.message(chat_id, message_id)
    if message is None:
        raise bad_request("Message not found")
    return message


def known_chat(world: World, person_id: int, chat_id: int) -> Chat:
    """The chat, if that person is in it."""
    if person_id not in world.people:
        raise bad_request("User not found")
    chat = world.chats.get(chat_id)
    if chat is None or person_id not in world.members(chat):
        raise bad_request("Chat not found")
    return chat
