"""A server of chat completions is measured as it streams, and its faults are one sentence."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest

from engine.bench.server import ServerFailed, measure
from engine.bench.work import Job


class Streaming(BaseHTTPRequestHandler):
    """Says three pieces; what it was asked is kept."""

    asked: ClassVar[list[dict[str, object]]] = []
    status, lines = 200, ("A ", "red ", "house")

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        self.asked.append(json.loads(self.rfile.read(length)))
        self.send_response(self.status)
        self.end_headers()
        for line in self.lines:
            event = {"choices": [{"delta": {"content": line}}]}
            self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(Streaming, "asked", [])
    server = ThreadingHTTPServer(("127.0.0.1", 0), Streaming)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def job(url: str) -> Job:
    return Job("m", "auto", 2, 0.0, 32, 32, url=url)


def test_lines_of_a_server(url: str) -> None:
    found = measure(job(url)).samples
    assert {name: len(values) for name, values in found.items()} == {
        "new_photo_s": 2,
        "decode_tokens_per_s": 2,
        "follow_up_s": 2,
        "five_photos_s": 2,
    }
    first, follow_up = Streaming.asked[:2]
    assert [first["stream"], first["max_tokens"], first["temperature"]] == [True, 32, 0]
    assert "data:image/png;base64," in json.dumps(first)
    roles = [message["role"] for message in follow_up["messages"]]  # type: ignore[attr-defined]
    assert roles == ["user", "assistant", "user"]
    assert "A red house" in json.dumps(follow_up)


def test_no_server_is_a_sentence() -> None:
    with pytest.raises(ServerFailed, match=r"no answer from http://127\.0\.0\.1:9: "):
        measure(job("http://127.0.0.1:9"))


def test_refusal_is_a_sentence(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Streaming, "status", 503)
    with pytest.raises(ServerFailed, match="answers with 503"):
        measure(job(url))


def test_empty_answer_is_a_sentence(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Streaming, "lines", ())
    with pytest.raises(ServerFailed, match="the answer is empty"):
        measure(job(url))
