"""Methods that change or remove what is already in a chat."""

from dataclasses import replace

from bot.simulator.content import read_caption, read_text
from bot.simulator.doors import open_chat, own_message, with_known_people, writable_chat
from bot.simulator.gestures import with_reaction
from bot.simulator.markup import read_keyboard
from bot.simulator.parameters import Parameters
from bot.simulator.reactions import EMOJI
from bot.simulator.records import Chat, Deletion, Formatted, Message
from bot.simulator.refusal import bad_request
from bot.simulator.scene import Scene

MAX_AGE_S = 48 * 3600.0
_NOT_MODIFIED = (
    "Message is not modified: specified new message content and reply markup are exactly the same "
    "as a current content and reply markup of the message"
)


class Editing:
    """Edits answer with the message as it is now, the others with True."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._world = scene.world

    async def edit_message_text(self, parameters: Parameters) -> object:
        formatted = read_text(parameters)
        message = self._editable(parameters)
        if message.media is not None:
            raise bad_request("There is no text in the message to edit")
        return self._rewritten(parameters, message, formatted)

    async def edit_message_caption(self, parameters: Parameters) -> object:
        formatted = read_caption(parameters)
        message = self._editable(parameters)
        if message.media is None:
            raise bad_request("There is no caption in the message to edit")
        return self._rewritten(parameters, message, formatted)

    async def edit_message_reply_markup(self, parameters: Parameters) -> object:
        message = self._editable(parameters)
        formatted = Formatted(message.text, message.entities)
        return self._rewritten(parameters, message, formatted)

    async def delete_message(self, parameters: Parameters) -> object:
        if not parameters.has("chat_id"):
            raise bad_request("Chat identifier is not specified")
        if not parameters.integer("message_id"):
            raise bad_request("Message identifier is not specified")
        chat = open_chat(self._world, parameters)
        message = own_message(self._world, parameters, chat, "delete")
        if self._world.clock() - message.date > MAX_AGE_S:
            raise bad_request("Message can't be deleted for everyone")
        if not self._may_delete(chat, message):
            raise bad_request("Message can't be deleted")
        self._world.put(Deletion(chat.chat_id, message.message_id))
        return True

    async def set_message_reaction(self, parameters: Parameters) -> object:
        complaint = "Can't parse reaction types JSON object"
        reactions = parameters.structure("reaction", complaint)
        reactions = [] if reactions is None else reactions
        if not isinstance(reactions, list):
            raise bad_request("Expected an Array of ReactionType")
        chat = writable_chat(self._world, parameters)
        message = own_message(self._world, parameters, chat, "react")
        if len(reactions) > 1:
            raise bad_request("REACTIONS_TOO_MANY")
        emoji = _emoji(reactions[0]) if reactions else ""
        self._world.put(with_reaction(message, self._world.bot.person_id, emoji))
        return True

    def _editable(self, parameters: Parameters) -> Message:
        if not parameters.has("chat_id") and not parameters.integer("message_id"):
            # Inline messages are the other way to name a message; this bot has none.
            raise bad_request("Message identifier is not specified")
        chat = open_chat(self._world, parameters)
        message = own_message(self._world, parameters, chat, "edit")
        if message.sender_id != self._world.bot.person_id:
            raise bad_request("Message can't be edited")
        return message

    def _rewritten(self, parameters: Parameters, message: Message, formatted: Formatted) -> object:
        formatted = with_known_people(self._world, formatted)
        edited = replace(
            message,
            text=formatted.text,
            entities=formatted.entities,
            keyboard=read_keyboard(parameters),
        )
        if edited == message:
            raise bad_request(_NOT_MODIFIED)
        edited = replace(edited, edit_date=int(self._world.clock()))
        self._world.put(edited)
        return self._scene.view.message(edited)

    def _may_delete(self, chat: Chat, message: Message) -> bool:
        is_own = message.sender_id == self._world.bot.person_id
        return is_own or chat.kind == "private" or chat.bot_standing == "administrator"


def _emoji(reaction: object) -> str:
    if not isinstance(reaction, dict) or not reaction.get("type"):
        raise bad_request("Can't parse ReactionType: expected an Object")
    emoji = str(reaction.get("emoji") or "").replace("\ufe0f", "")
    if reaction["type"] != "emoji" or emoji not in EMOJI:
        raise bad_request("REACTION_INVALID")
    return emoji
