"""The control interface: people act over HTTP, and what they did can be read."""

import asyncio
import json
from collections.abc import AsyncIterator

import httpx
import pytest

from bot.simulator import ADA, BEN, GROUP, YOU, Simulator
from tests.bot.simulator.conftest import FORM, GROUP_ID, NOTE, PRIVATE_ID, SIGN, Api, Control

ME = {"person_id": PRIVATE_ID, "chat_id": PRIVATE_ID}


async def test_state_says_who_and_what(control: Control, api: Api) -> None:
    commands = [{"command": "ocr", "description": "Read the text"}]
    await api.result("setMyCommands", commands=commands, scope={"type": "all_group_chats"})
    state = await control.get("state")
    assert isinstance(state, dict)
    assert state["about"] == "A test answers."
    assert [person["first_name"] for person in state["people"]] == ["Darkroom", "You", "Ada", "Ben"]
    private, group = state["chats"]
    assert (private["id"], private["type"], private["commands"]) == (PRIVATE_ID, "private", [])
    assert (group["title"], group["commands"]) == (GROUP.title, commands)


async def test_text_and_reply(control: Control) -> None:
    first = await control.post("messages", **ME, text="one")
    await control.post("messages", **ME, text="two", reply_to=first["message_id"])
    shown = await control.transcript(PRIVATE_ID)
    assert [message["text"] for message in shown] == ["one", "two"]
    assert shown[1]["reply_to_message"] == {k: v for k, v in first.items() if k != "reactions"}


async def test_photo_document_and_sticker(control: Control, api: Api) -> None:
    photo = await control.upload("photos", NOTE, caption="read /this")
    document = await control.upload("documents", NOTE, caption="file")
    assert photo["caption_entities"] == [{"type": "bot_command", "offset": 5, "length": 5}]
    assert isinstance(document["document"], dict)
    assert document["document"]["file_name"] == "picture.png"
    assert "sticker" in await control.upload("stickers", NOTE, emoji="🙂")
    kinds = [[*update["message"]] for update in await api.updates()]  # type: ignore[misc]
    assert ["photo" in kinds[0], "document" in kinds[1], "sticker" in kinds[2]] == [True] * 3


async def test_album_is_several_updates(
    client: httpx.AsyncClient, simulator: Simulator, api: Api
) -> None:
    files = {f"file{n}": (f"{n}.png", data, "image/png") for n, data in ((1, NOTE), (2, SIGN))}
    url = f"{simulator.url}/control/albums"
    made = (await client.post(url, data=FORM | {"caption1": "both"}, files=files)).json()
    assert len({message["media_group_id"] for message in made}) == 1
    assert ["caption" in message for message in made] == [True, False]
    assert len(await api.updates()) == 2


async def test_edit_and_delete(control: Control) -> None:
    await control.post("messages", **ME, text="one")
    edited = await control.post("edits", **ME, message_id=1, text="two")
    assert edited["text"] == "two"
    assert await control.post("deletions", **ME, message_id=1) == {"deleted": True}
    assert await control.transcript(PRIVATE_ID) == []
    again = await control.post("messages", **ME, text="three")
    assert again["message_id"] == 2


async def test_forward_names_its_source(control: Control) -> None:
    here = {"person_id": ADA.person_id, "chat_id": GROUP_ID}
    await control.post("messages", **here, text="hers")
    source = {"from_chat_id": GROUP_ID, "message_id": 1}
    forwarded = await control.post("forwards", **ME, **source)
    assert isinstance(forwarded["forward_origin"], dict)
    assert forwarded["forward_origin"]["sender_user"]["id"] == ADA.person_id


async def test_new_people_and_chats(control: Control, api: Api) -> None:
    person = await control.post("people", first_name="Cleo", username="cleo")
    chat = await control.post(
        "chats", kind="group", title="Two", member_ids=[person["id"], YOU.person_id]
    )
    assert chat["type"] == "group"
    assert await api.result("getChatMemberCount", chat_id=chat["id"]) == 3
    await control.post("chats", kind="private", person_id=person["id"])
    await api.result("sendMessage", chat_id=person["id"], text="hi Cleo")
    assert len(await control.transcript(int(str(person["id"])))) == 1


async def test_topic_of_a_forum(control: Control, api: Api) -> None:
    await control.post(f"chats/{GROUP_ID}", topics=["News", "Pictures"])
    await api.result("sendMessage", chat_id=GROUP_ID, text="x", message_thread_id=11)
    here = {"person_id": BEN.person_id, "chat_id": GROUP_ID}
    reply = await control.post("messages", **here, text="y", reply_to=1)
    assert (reply["message_thread_id"], reply["is_topic_message"]) == (11, True)
    update = (await api.updates())[0]["message"]
    assert isinstance(update, dict)
    assert update["chat"]["is_forum"] is True


WRONG = [
    ("messages", {**ME, "text": ""}, "message text is empty"),
    (
        "messages",
        {"person_id": ADA.person_id, "chat_id": PRIVATE_ID, "text": "x"},
        "chat not found",
    ),
    ("messages", {**ME, "text": "x", "reply_to": 9}, "message not found"),
    ("presses", {**ME, "message_id": 9, "data": "a"}, "message not found"),
    ("photos", ME, "there is no file in the request"),
    ("albums", ME, "an album has two to ten items"),
    ("chats", {"kind": "moon"}, "kind is one of private, group, supergroup, channel"),
    ("people", {}, "first_name is empty"),
    ("nonsense", {}, "Not Found"),
]


@pytest.mark.parametrize(("path", "fields", "words"), WRONG)
async def test_impossible_acts_are_refused(
    path: str, fields: dict[str, object], words: str, control: Control
) -> None:
    assert await control.post(path, **fields) == {"error": words}


async def _events(response: httpx.Response) -> AsyncIterator[dict[str, object]]:
    async for line in response.aiter_lines():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


async def test_events_follow_everything(
    client: httpx.AsyncClient, simulator: Simulator, control: Control, api: Api
) -> None:
    markup = {"inline_keyboard": [[{"text": "A", "callback_data": "a"}]]}
    async with client.stream("GET", f"{simulator.url}/control/events") as response:
        events = _events(response)
        await api.result("sendChatAction", chat_id=PRIVATE_ID, action="typing")
        await api.result("sendMessageDraft", chat_id=PRIVATE_ID, draft_id=1, text="so far")
        await api.result("sendMessage", chat_id=PRIVATE_ID, text="x", reply_markup=markup)
        await api.result("editMessageText", chat_id=PRIVATE_ID, message_id=1, text="y")
        await api.result(
            "editMessageReplyMarkup", chat_id=PRIVATE_ID, message_id=1, reply_markup=markup
        )
        query = await control.post("presses", **ME, message_id=1, data="a")
        number = query["query_id"]
        await api.result(
            "answerCallbackQuery", callback_query_id=number, text="no", show_alert=True
        )
        await api.result("deleteMessage", chat_id=PRIVATE_ID, message_id=1)
        seen = [await anext(events) for _ in range(7)]
    kinds = [event["type"] for event in seen]
    assert kinds == ["action", "draft", "message", "message", "message", "answer", "deleted"]
    assert seen[1]["text"] == "so far"
    assert isinstance(seen[3]["message"], dict)
    assert seen[3]["message"]["text"] == "y"
    answer = {"query_id": number, "person_id": PRIVATE_ID, "text": "no", "show_alert": True}
    assert seen[5] == {"type": "answer", "url": "", **answer}


async def test_watcher_ends_with_the_simulator(client: httpx.AsyncClient) -> None:
    async with Simulator(demo=False) as simulator:
        url = f"{simulator.url}/control/events"
        reading = asyncio.create_task(client.get(url))
        await simulator.feed.watched.wait()
    assert (await reading).status_code == 200
