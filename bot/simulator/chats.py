"""Methods that ask about chats and the people in them."""

from bot.simulator.doors import open_chat
from bot.simulator.members import member_view
from bot.simulator.parameters import Parameters
from bot.simulator.refusal import bad_request
from bot.simulator.scene import Scene

_GIFTS = (
    "unlimited_gifts",
    "limited_gifts",
    "unique_gifts",
    "premium_subscription",
    "gifts_from_channels",
)
_PERMISSIONS = (
    "can_send_messages",
    "can_send_audios",
    "can_send_documents",
    "can_send_photos",
    "can_send_videos",
    "can_send_video_notes",
    "can_send_voice_notes",
    "can_send_polls",
    "can_send_other_messages",
    "can_add_web_page_previews",
    "can_change_info",
    "can_invite_users",
    "can_pin_messages",
    "can_manage_topics",
)


class Chats:
    """getChat and its relatives."""

    def __init__(self, scene: Scene) -> None:
        self._view = scene.view
        self._world = scene.world

    async def get_chat(self, parameters: Parameters) -> object:
        chat = open_chat(self._world, parameters)
        view = self._view.chat(chat)
        view |= {"accent_color_id": abs(chat.chat_id) % 7, "max_reaction_count": 11}
        view["accepted_gift_types"] = dict.fromkeys(_GIFTS, False)
        if chat.kind != "private":
            view["permissions"] = dict.fromkeys(_PERMISSIONS, True)
        return view

    async def get_chat_member(self, parameters: Parameters) -> object:
        chat = open_chat(self._world, parameters)
        person_id = parameters.integer("user_id")
        if person_id <= 0:
            raise bad_request("Invalid user_id specified")
        if person_id not in self._world.people:
            raise bad_request("User not found")
        return member_view(self._world, self._view, chat, person_id)

    async def get_chat_administrators(self, parameters: Parameters) -> object:
        chat = open_chat(self._world, parameters)
        if chat.kind == "private":
            raise bad_request("There are no administrators in the private chat")
        ids = list(chat.admin_ids)
        # The asking bot itself is listed; other bots only where that is asked for.
        if chat.bot_standing == "administrator":
            ids.append(self._world.bot.person_id)
        return [member_view(self._world, self._view, chat, person_id) for person_id in ids]

    async def get_chat_member_count(self, parameters: Parameters) -> object:
        chat = open_chat(self._world, parameters)
        return len(self._world.members(chat))
