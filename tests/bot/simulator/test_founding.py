"""People, chats and topics that change: migration, topics, names that people write in, standing."""

from typing import Any

import pytest
from telegram import Bot
from telegram.constants import ChatID
from telegram.error import BadRequest, ChatMigrated, Forbidden

from bot.simulator import ADA, BEN, YOU
from tests.bot.simulator import spec
from tests.bot.simulator.conftest import GROUP_ID, PRIVATE_ID, Api, Control

ADMIN = {"person_id": YOU.person_id, "chat_id": GROUP_ID}
MEMBER = {"person_id": ADA.person_id, "chat_id": GROUP_ID}


async def messages(api: Api) -> list[dict[str, Any]]:
    updates = await api.updates()
    assert spec.objections(updates, ("Array of Update",), "updates") == []
    found = [update.get("message") for update in updates]
    return [message for message in found if isinstance(message, dict)]


async def test_group_becomes_a_supergroup(control: Control, api: Api, bot: Bot) -> None:
    ids = [YOU.person_id, ADA.person_id]
    group = await control.post("chats", kind="group", title="Small", member_ids=ids)
    await bot.send_message(int(str(group["id"])), "before")
    heir = await control.post("migrations", chat_id=group["id"])
    assert heir["type"] == "supergroup"
    with pytest.raises(ChatMigrated) as caught:
        await bot.send_message(int(str(group["id"])), "x")
    assert caught.value.new_chat_id == heir["id"]
    assert (await bot.send_message(caught.value.new_chat_id, "x")).message_id == 2
    leaving, coming = await messages(api)
    assert (leaving["chat"]["id"], leaving["migrate_to_chat_id"]) == (group["id"], heir["id"])
    assert (coming["chat"]["id"], coming["migrate_from_chat_id"]) == (heir["id"], group["id"])
    words = "only a basic group becomes a supergroup, and once"
    for chat_id in (group["id"], heir["id"]):
        assert await control.post("migrations", chat_id=chat_id) == {"error": words}
    late = await control.post("messages", person_id=ids[0], chat_id=group["id"], text="x")
    assert late == {"error": "group chat was upgraded to a supergroup chat"}


async def test_topic_opens_with_a_message(control: Control, api: Api, bot: Bot) -> None:
    await control.post("profile", privacy_mode=False)
    await control.post("messages", **MEMBER, text="before")
    topic = await control.post("topics", **MEMBER, name="News")
    assert topic["thread_id"] == 2
    await control.post("messages", **MEMBER, text="inside", thread_id=2)
    await control.post("messages", **MEMBER, text="general")
    _, opened, inside, general = await messages(api)
    assert opened["forum_topic_created"]["name"] == "News"
    assert (inside["message_thread_id"], inside["is_topic_message"]) == (2, True)
    assert inside["reply_to_message"]["forum_topic_created"]["name"] == "News"
    assert "message_thread_id" not in general
    assert (await bot.send_message(GROUP_ID, "x", message_thread_id=2)).is_topic_message
    # The general topic has no number that the server takes.
    with pytest.raises(BadRequest, match="thread not found"):
        await bot.send_message(GROUP_ID, "x", message_thread_id=1)


@pytest.mark.parametrize(
    ("change", "words"), [("closed", "Topic_closed"), ("deleted", "Topic_deleted")]
)
async def test_topic_ends(change: str, words: str, control: Control, bot: Bot) -> None:
    topic = await control.post("topics", **ADMIN, name="News")
    await control.post("messages", **ADMIN, text="kept", thread_id=topic["thread_id"])
    await control.post(f"topics/{topic['thread_id']}", chat_id=GROUP_ID, **{change: True})
    for send in (
        bot.send_message(GROUP_ID, "x", message_thread_id=1),
        bot.send_chat_action(GROUP_ID, "typing", message_thread_id=1),
    ):
        with pytest.raises(BadRequest, match=words):
            await send
    assert len(await control.transcript(GROUP_ID)) == (0 if change == "deleted" else 2)


async def test_topics_are_for_supergroups(control: Control) -> None:
    mine = {"person_id": PRIVATE_ID, "chat_id": PRIVATE_ID}
    answer = await control.post("topics", **mine, name="x")
    assert answer == {"error": "only a supergroup has topics"}
    missing = await control.post("topics/7", chat_id=GROUP_ID, closed=True)
    assert missing == {"error": "message thread not found"}


async def test_replies_of_a_supergroup_name_their_first(control: Control, api: Api) -> None:
    await control.post("profile", privacy_mode=False)
    await control.post("messages", **MEMBER, text="one")
    await control.post("messages", **MEMBER, text="two", reply_to=1)
    await control.post("messages", **MEMBER, text="three", reply_to=2)
    one, two, three = await messages(api)
    assert [m.get("message_thread_id") for m in (one, two, three)] == [None, 1, 1]
    assert "is_topic_message" not in three
    thread = await api.refusal("sendMessage", chat_id=GROUP_ID, text="x", message_thread_id=1)
    assert thread == "Bad Request: message thread not found"


async def test_admin_writes_as_the_group(control: Control, bot: Bot) -> None:
    await control.post("messages", **ADMIN, text="/ocr@darkroom_bot", as_chat_id=GROUP_ID)
    (update,) = await bot.get_updates(timeout=0)
    assert update.message is not None
    assert update.message.from_user is not None
    assert update.message.sender_chat is not None
    assert update.message.from_user.id == ChatID.ANONYMOUS_ADMIN
    assert update.message.sender_chat.id == GROUP_ID
    refused = await control.post("messages", **MEMBER, text="x", as_chat_id=GROUP_ID)
    assert refused == {"error": "SEND_AS_PEER_INVALID"}


async def test_channel_writes_in_a_group_and_at_home(control: Control, bot: Bot) -> None:
    made = await control.post(
        "chats", kind="channel", title="Daily", member_ids=[YOU.person_id, BEN.person_id]
    )
    channel = int(str(made["id"]))
    await control.post("messages", **ADMIN, text="/ocr@darkroom_bot", as_chat_id=channel)
    await control.post("messages", person_id=YOU.person_id, chat_id=channel, text="at home")
    await control.post(f"chats/{channel}", bot_standing="administrator")
    news = {"person_id": YOU.person_id, "chat_id": channel, "text": "news"}
    answered = await control.post("messages", **news, reply_to=1)
    assert answered["reply_to_message"]["from"]["first_name"] == "Channel"  # type: ignore[index]
    updates = await bot.get_updates(timeout=0)
    names = [
        (message.from_user.id, message.sender_chat.id)
        for update in updates
        if (message := update.message) and message.from_user and message.sender_chat
    ]
    assert names == [(ChatID.FAKE_CHANNEL, channel)]
    post = updates[-1].channel_post
    assert post is not None
    assert (post.text, post.from_user, post.chat.type) == ("news", None, "channel")
    assert [m["from"]["first_name"] for m in await control.transcript(channel)] == ["Channel"] * 2  # type: ignore[index]


@pytest.mark.parametrize(
    ("chat_id", "change", "before", "after"),
    [
        (PRIVATE_ID, {"blocked": True}, "member", "kicked"),
        (GROUP_ID, {"bot_standing": "kicked"}, "member", "kicked"),
        (GROUP_ID, {"bot_standing": "gone"}, "member", "left"),
        (GROUP_ID, {"bot_standing": "administrator"}, "member", "administrator"),
    ],
)
async def test_bot_learns_of_its_standing(
    chat_id: int, change: dict[str, object], before: str, after: str, control: Control, bot: Bot
) -> None:
    await control.post(f"chats/{chat_id}", **change)
    await control.post(f"chats/{chat_id}", **change)
    (update,) = await bot.get_updates(timeout=0)
    assert update.my_chat_member is not None
    assert update.my_chat_member.chat.id == chat_id
    statuses = (update.my_chat_member.old_chat_member, update.my_chat_member.new_chat_member)
    assert [member.status for member in statuses] == [before, after]


async def test_updates_of_all_kinds_are_as_specified(control: Control, api: Api) -> None:
    made = await control.post("chats", kind="channel", title="Daily", member_ids=[YOU.person_id])
    here = {"person_id": YOU.person_id, "chat_id": made["id"], "text": "news"}
    await control.post("messages", **here)
    await control.post("messages", **ADMIN, text="/ocr@darkroom_bot", as_chat_id=made["id"])
    await control.post(f"chats/{GROUP_ID}", bot_standing="administrator")
    await control.post(f"chats/{PRIVATE_ID}", blocked=True)
    await control.post("edits", **{**here, "text": "newer"}, message_id=1)
    updates = await api.updates()
    assert spec.objections(updates, ("Array of Update",), "updates") == []
    kinds = [*{kind for update in updates for kind in update} - {"update_id"}]
    assert sorted(kinds) == ["channel_post", "edited_channel_post", "message", "my_chat_member"]


async def test_unblocking_is_writing_again(control: Control, bot: Bot) -> None:
    await control.post(f"chats/{PRIVATE_ID}", blocked=True)
    with pytest.raises(Forbidden, match="blocked by the user"):
        await bot.send_message(PRIVATE_ID, "x")
    await control.post("messages", person_id=PRIVATE_ID, chat_id=PRIVATE_ID, text="/start")
    kinds = [update.to_dict().keys() - {"update_id"} for update in await bot.get_updates(timeout=0)]
    assert kinds == [{"my_chat_member"}, {"my_chat_member"}, {"message"}]
    assert (await bot.send_message(PRIVATE_ID, "x")).text == "x"


async def test_silent_bot_may_not_write(control: Control, bot: Bot) -> None:
    await control.post(f"chats/{GROUP_ID}", silent=True)
    with pytest.raises(BadRequest, match="Not enough rights to send text messages to the chat"):
        await bot.send_message(GROUP_ID, "x")
    with pytest.raises(BadRequest, match="Not enough rights to send photos to the chat"):
        await bot.send_photo(GROUP_ID, b"x", filename="a.png")


async def test_account_is_deleted(control: Control, bot: Bot) -> None:
    await control.post(f"people/{PRIVATE_ID}", deactivated=True, language_code="de")
    with pytest.raises(Forbidden, match="user is deactivated"):
        await bot.send_message(PRIVATE_ID, "x")
    assert await control.post("people/1") == {"error": "user not found"}
