"""Members: who is what in a chat, and the update by which the bot learns of its own standing."""

from bot.simulator.records import Chat
from bot.simulator.refusal import bad_request
from bot.simulator.rendering import View
from bot.simulator.shapes import Json
from bot.simulator.world import World

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


def member_view(world: World, view: View, chat: Chat, person_id: int) -> Json:
    member: Json = {"user": view.person(world.people[person_id])}
    status = status_of(world, chat, person_id)
    member["status"] = status
    if status == "creator":
        member["is_anonymous"] = False
    elif status == "administrator":
        member |= {"can_be_edited": False, "is_anonymous": False}
        member |= dict.fromkeys(_ADMIN_RIGHTS, True)
    elif status == "kicked":
        member["until_date"] = 0
    return member


def status_of(world: World, chat: Chat, person_id: int) -> str:
    if person_id == world.bot.person_id:
        if chat.kind == "private":
            return "kicked" if chat.blocked else "member"
        return "left" if chat.bot_standing == "gone" else chat.bot_standing
    if person_id not in world.members(chat):
        return "left"
    if person_id not in chat.admin_ids:
        return "member"
    return "creator" if chat.admin_ids[0] == person_id else "administrator"


def standing_view(world: World, view: View, before: Chat, after: Chat) -> Json:
    """The content of `my_chat_member`; empty where the bot's standing is what it was."""
    old, new = (member_view(world, view, chat, world.bot.person_id) for chat in (before, after))
    if old == new:
        return {}
    owner_id = next(iter(after.admin_ids), after.chat_id)
    return {
        "chat": view.chat(after),
        "from": view.person(world.people[owner_id]),
        "date": int(world.clock()),
        "old_chat_member": old,
        "new_chat_member": new,
    }


def check_name(world: World, person_id: int, as_chat_id: int, chat: Chat) -> None:
    """The group's own name is its admins' to write in, a channel's that of its admins."""
    name = world.chats.get(as_chat_id)
    if not as_chat_id or (name == chat and person_id in chat.admin_ids):
        return
    if name is None or name.kind != "channel" or person_id not in name.admin_ids:
        raise bad_request("SEND_AS_PEER_INVALID")
