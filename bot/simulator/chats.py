"""Methods that ask about chats and the people in them."""

from bot.simulator.doors import open_chat
from bot.simulator.parameters import Parameters
from bot.simulator.records import Chat
from bot.simulator.refusal import bad_request
from bot.simulator.scene import Scene

_ADMIN_RIGHTS = (
    "can_manage_chat",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_promote_members",
    "can_change_info",
    "can_invite_users",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
)
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
        return self._member(chat, person_id)

    async def get_chat_administrators(self, parameters: Parameters) -> object:
        chat = open_chat(self._world, parameters)
        if chat.kind == "private":
            raise bad_request("There are no administrators in the private chat")
        ids = list(chat.admin_ids)
        # The asking bot itself is listed; other bots only where that is asked for.
        if chat.bot_standing == "administrator":
            ids.append(self._world.bot.person_id)
        return [self._member(chat, person_id) for person_id in ids]

    async def get_chat_member_count(self, parameters: Parameters) -> object:
        chat = open_chat(self._world, parameters)
        return len(self._world.members(chat))

    def _member(self, chat: Chat, person_id: int) -> dict[str, object]:
        view: dict[str, object] = {"user": self._view.person(self._world.people[person_id])}
        status = self._status(chat, person_id)
        view["status"] = status
        if status == "creator":
            view["is_anonymous"] = False
        elif status == "administrator":
            view |= {"can_be_edited": False, "is_anonymous": False}
            view |= dict.fromkeys(_ADMIN_RIGHTS, True)
        elif status == "kicked":
            view["until_date"] = 0
        return view

    def _status(self, chat: Chat, person_id: int) -> str:
        if person_id == self._world.bot.person_id:
            return "member" if chat.kind == "private" else chat.bot_standing
        if person_id not in self._world.members(chat):
            return "left"
        if person_id not in chat.admin_ids:
            return "member"
        return "creator" if chat.admin_ids[0] == person_id else "administrator"
