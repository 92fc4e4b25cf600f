"""How requests come in: methods, bodies, tokens, paths; and who may not come in at all."""

import json
import logging

import httpx
import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from bot.simulator import SIMULATOR_TOKEN, Simulator, is_simulator_token
from bot.simulator.guard import guard
from tests.bot.simulator.conftest import ME, NOTE, PRIVATE_ID, RECEIPT, Api

REAL = "1234567890:AAabcdefghijklmnopqrstuvwxyz0123456"
TEXT = {"chat_id": str(PRIVATE_ID), "text": "hello", "disable_notification": "true"}


@pytest.mark.parametrize("way", ["query", "form", "json", "multipart", "get", "capitals", "test"])
async def test_every_encoding_is_read(way: str, api: Api, simulator: Simulator) -> None:
    url, client = f"{api.base}/sendMessage", api.client
    answers = {
        "query": lambda: client.post(url, params=TEXT),
        "form": lambda: client.post(url, data=TEXT),
        "json": lambda: client.post(url, json={**TEXT, "chat_id": PRIVATE_ID}),
        "multipart": lambda: client.post(url, files={k: (None, v) for k, v in TEXT.items()}),
        "get": lambda: client.get(url, params=TEXT),
        "capitals": lambda: client.post(f"{api.base}/SENDmessage", data=TEXT),
        "test": lambda: client.post(f"{api.base}/test/sendMessage", data=TEXT),
    }
    answer = (await answers[way]()).json()
    assert answer["result"]["text"] == "hello"
    assert simulator.calls.all()[-1].problems == ()


async def test_attached_file_is_found(api: Api) -> None:
    fields = {"chat_id": str(PRIVATE_ID), "document": "attach://a1"}
    files = {"a1": ("../note.png", NOTE, "image/png")}
    answer = (await api.client.post(f"{api.base}/sendDocument", data=fields, files=files)).json()
    assert answer["result"]["document"]["file_name"] == "note.png"
    assert answer["result"]["document"]["file_size"] == len(NOTE)


async def test_empty_file_is_refused(api: Api) -> None:
    files = {"document": ("a.txt", b"", "text/plain")}
    fields = {"chat_id": str(PRIVATE_ID)}
    answer = (await api.client.post(f"{api.base}/sendDocument", data=fields, files=files)).json()
    assert answer["description"] == "Bad Request: file must be non-empty"


async def test_upload_has_a_limit(api: Api) -> None:
    files = {"document": ("big", bytes(52 * 2**20), "x/y")}
    fields = {"chat_id": str(PRIVATE_ID)}
    response = await api.client.post(f"{api.base}/sendDocument", data=fields, files=files)
    assert response.status_code == 413
    assert response.json()["description"] == "Request Entity Too Large"


async def test_download_link(api: Api, simulator: Simulator) -> None:
    message = await simulator.scene.crowd.show_document(ME, RECEIPT, "r.jpg")
    assert message.media is not None
    file_id = simulator.scene.files.file_id(message.media.best)
    file = await api.result("getFile", file_id=file_id)
    assert isinstance(file, dict)
    url = f"{simulator.api_url}/file/bot{simulator.token}/{file['file_path']}"
    assert (await api.client.get(url)).content == RECEIPT
    never_asked = await api.client.get(url.replace(f"file_{message.media.best.key}", "file_1"))
    assert (never_asked.status_code, never_asked.json()["description"]) == (404, "Not Found")


@pytest.mark.parametrize(
    ("token", "words"),
    [(REAL, "Unauthorized"), ("abc", "Unauthorized: invalid token specified")],
    ids=["real", "malformed"],
)
async def test_other_tokens_are_refused(
    token: str, words: str, api: Api, simulator: Simulator, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for path in (f"/bot{token}/getMe", f"/file/bot{token}/photos/file_1.jpg"):
        response = await api.client.get(simulator.url + path)
        assert (response.status_code, response.json()["description"]) == (401, words)
    assert simulator.calls.all() == []
    ours = [record for record in caplog.records if record.name.startswith(("bot.", "aiohttp"))]
    assert not any(token in record.getMessage() for record in ours)


async def test_own_token_is_never_a_real_one(simulator: Simulator) -> None:
    assert simulator.token == SIMULATOR_TOKEN
    assert is_simulator_token(SIMULATOR_TOKEN)
    assert not is_simulator_token(REAL)


async def test_logs_hold_neither_text_nor_token(api: Api, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    await api.result("sendMessage", chat_id=PRIVATE_ID, text="a secret word")
    ours = [record for record in caplog.records if not record.name.startswith(("http", "asyncio"))]
    shown = " ".join(record.getMessage() for record in ours)
    assert "secret" not in shown
    assert SIMULATOR_TOKEN not in shown


async def test_calls_hold_no_text(api: Api, simulator: Simulator) -> None:
    await api.result("sendMessage", chat_id=PRIVATE_ID, text="a secret word")
    response = await api.client.get(f"{simulator.url}/control/calls")
    assert "secret" not in response.text
    assert json.loads(response.text)[-1]["parameters"] == ["chat_id", "text"]


async def test_stray_path_is_not_found(client: httpx.AsyncClient, simulator: Simulator) -> None:
    response = await client.get(f"{simulator.url}/somewhere")
    assert response.json() == {"ok": False, "error_code": 404, "description": "Not Found"}


STRANGERS = [
    {"Host": "evil.example:80"},
    {"Host": "127.0.0.1.evil.example:80"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"},
]


@pytest.mark.parametrize("headers", STRANGERS, ids=lambda headers: " ".join(headers.values()))
async def test_foreign_pages_stay_out(
    headers: dict[str, str], api: Api, simulator: Simulator
) -> None:
    text = {"person_id": PRIVATE_ID, "chat_id": PRIVATE_ID, "text": "x"}
    control = f"{simulator.url}/control/messages"
    for url in (control, f"{api.base}/sendMessage"):
        response = await api.client.post(url, json=text, headers=headers)
        assert response.status_code == 403
    assert list(simulator.scene.world.history(PRIVATE_ID)) == []


async def test_own_page_may_act(api: Api, simulator: Simulator) -> None:
    text = {"person_id": PRIVATE_ID, "chat_id": PRIVATE_ID, "text": "x"}
    headers = {"Origin": simulator.url, "Sec-Fetch-Site": "same-origin"}
    url = f"{simulator.url}/control/messages"
    assert (await api.client.post(url, json=text, headers=headers)).status_code == 200


async def test_listens_on_loopback_only(simulator: Simulator) -> None:
    assert simulator.url == f"http://127.0.0.1:{simulator.port}"
    assert [address[0] for address in simulator.addresses] == ["127.0.0.1"]


async def test_documents_are_no_part_of_the_page(api: Api, simulator: Simulator) -> None:
    page = b"<script>alert(1)</script>"
    message = await simulator.scene.crowd.show_document(ME, page, "é.html", mime_type="text/html")
    assert message.media is not None
    file_id = simulator.scene.files.file_id(message.media.best)
    response = await api.client.get(f"{simulator.url}/control/files/{file_id}")
    assert response.headers["Content-Type"] == "application/octet-stream"
    assert response.headers["Content-Disposition"].startswith("attachment")


async def test_caller_that_goes_away_is_no_fault() -> None:
    async def half_read(request: web.Request) -> web.Response:
        raise ConnectionResetError

    request = make_mocked_request("POST", "/bot1/sendMessage", {"Host": "127.0.0.1:1"})
    assert (await guard(request, half_read)).status == 400
