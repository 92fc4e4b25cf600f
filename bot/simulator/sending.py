"""Methods that put something new into a chat."""

from dataclasses import replace

from bot.simulator.content import read_caption, read_document, read_photo, read_target, read_text
from bot.simulator.doors import open_thread, with_known_people, writable_chat
from bot.simulator.markup import read_keyboard
from bot.simulator.media import Media
from bot.simulator.parameters import Parameters
from bot.simulator.records import Action, Chat, Draft, Formatted, Message
from bot.simulator.refusal import bad_request
from bot.simulator.scene import Scene

ACTIONS = frozenset(
    {
        "typing",
        "upload_photo",
        "record_video",
        "upload_video",
        "record_voice",
        "upload_voice",
        "upload_document",
        "choose_sticker",
        "find_location",
        "record_video_note",
        "upload_video_note",
    }
)


class Sending:
    """sendMessage and its relatives; each answers with the message that it made."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._world = scene.world

    async def send_message(self, parameters: Parameters) -> object:
        formatted = read_text(parameters)
        return self._post(parameters, formatted)

    async def send_photo(self, parameters: Parameters) -> object:
        formatted = read_caption(parameters)
        writable_chat(self._world, parameters, "photos")
        media = await read_photo(parameters, self._scene.files)
        return self._post(parameters, formatted, media)

    async def send_document(self, parameters: Parameters) -> object:
        formatted = read_caption(parameters)
        writable_chat(self._world, parameters, "documents")
        media = await read_document(parameters, self._scene.files)
        return self._post(parameters, formatted, media)

    async def send_message_draft(self, parameters: Parameters) -> object:
        formatted = read_text(parameters) if parameters.has("text") else Formatted()
        chat = writable_chat(self._world, parameters)
        if chat.kind != "private":
            raise bad_request("TEXTDRAFT_PEER_INVALID")
        draft_id = parameters.integer("draft_id")
        if not draft_id:
            raise bad_request("Draft_id must be non-zero")
        thread_id = open_thread(parameters, chat)
        draft = Draft(chat.chat_id, draft_id, formatted.text, formatted.entities, thread_id)
        self._world.tell(draft)
        return True

    async def send_chat_action(self, parameters: Parameters) -> object:
        action = parameters.text("action").strip().lower()
        if action not in ACTIONS:
            raise bad_request("Wrong parameter action in request")
        chat = writable_chat(self._world, parameters)
        thread_id = open_thread(parameters, chat)
        self._world.tell(Action(chat.chat_id, action, thread_id))
        return True

    def _post(
        self, parameters: Parameters, formatted: Formatted, media: Media | None = None
    ) -> object:
        chat = writable_chat(self._world, parameters)
        draft = self._draft(parameters, chat)
        formatted = with_known_people(self._world, formatted)
        message = replace(draft, text=formatted.text, entities=formatted.entities, media=media)
        return self._scene.view.message(self._world.post(message))

    def _draft(self, parameters: Parameters, chat: Chat) -> Message:
        target = read_target(parameters, self._world, chat)
        thread_id = open_thread(parameters, chat)
        original = self._world.message(chat.chat_id, target.message_id)
        if original is not None and not thread_id:
            thread_id = original.thread_id
        return Message(
            chat.chat_id,
            0,
            self._world.bot.person_id,
            0,
            reply_to=target.message_id,
            quote=target.quote,
            thread_id=thread_id,
            keyboard=read_keyboard(parameters),
        )
