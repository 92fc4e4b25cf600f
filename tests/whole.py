"""The bot as its owner starts it: a process of its own, seen through the control interface."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx

ROOT = Path(__file__).parents[1]
PATIENCE_S = 100.0
YOU = 500_000_001
GROUP = -1_001_000_000_001

Json = dict[str, Any]
Found = TypeVar("Found")


def until(find: Callable[[], Found | None], what: Callable[[], object]) -> Found:
    """What `find` gives as soon as it gives something; the patience only bounds a failure."""
    ends_at = time.monotonic() + PATIENCE_S
    while time.monotonic() < ends_at:
        found = find()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"it did not happen: {what()}")


class Whole:
    """A running `python -m bot --simulator`."""

    def __init__(self, process: subprocess.Popen[str], url: str) -> None:
        self.process = process
        self.url = url
        self._http = httpx.Client(base_url=url, trust_env=False, timeout=PATIENCE_S)

    def close(self) -> None:
        """End the process as Ctrl+C does."""
        self._http.close()
        self.process.terminate()
        self.process.wait(timeout=PATIENCE_S)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def post(self, path: str, place: Json, files: Json | None = None) -> Json:
        """Do something in somebody's name."""
        answer = self._http.post(f"/control/{path}", data=place, files=files)
        assert answer.status_code == 200, answer.text
        posted: Json = answer.json()
        return posted

    def say(self, text: str, *, chat_id: int = YOU, reply_to: int = 0) -> Json:
        """Write something as You."""
        return self.post("messages", {**_place(chat_id, reply_to), "text": text})

    def show(self, photo: bytes, caption: str = "", *, chat_id: int = YOU) -> Json:
        """Send a photo as You."""
        place = {**_place(chat_id, 0), "caption": caption}
        return self.post("photos", place, {"file": ("photo.png", photo)})

    def messages(self, chat_id: int = YOU) -> list[Json]:
        """The transcript of a chat."""
        shown: list[Json] = self._http.get(f"/control/chats/{chat_id}/messages").json()
        return shown

    def press(self, label: str, number: int) -> Json:
        """Press a button under the bot's answer of this number, as You."""
        answer = self._complete(YOU)[number - 1]
        [data] = [b["callback_data"] for b in _buttons(answer) if b["text"] == label]
        place = {**_place(YOU, 0), "message_id": answer["message_id"], "data": data}
        return self.post("presses", place)

    def said(self, chat_id: int = YOU) -> list[str]:
        """The texts of all the bot's messages."""
        messages = self.messages(chat_id)
        return [str(one.get("text")) for one in messages if one.get("from", {}).get("is_bot")]

    def finished(self, chat_id: int = YOU) -> list[str]:
        """The texts of the bot's answers that bear the buttons of their end."""
        return [str(message["text"]) for message in self._complete(chat_id)]

    def _complete(self, chat_id: int) -> list[Json]:
        return [
            message
            for message in self.messages(chat_id)
            if message.get("from", {}).get("is_bot")
            if (labels := [button["text"] for button in _buttons(message)])
            if "Stop" not in labels
        ]

    def answer(self, number: int, *, chat_id: int = YOU) -> str:
        """Wait for the bot's answer of this number, from 1, to be complete."""
        return until(
            lambda: self.finished(chat_id)[number - 1 : number], lambda: self.messages(chat_id)
        )[0]

    def kill(self) -> None:
        """End the process as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def _place(chat_id: int, reply_to: int) -> Json:
    place = {"person_id": YOU, "chat_id": chat_id}
    return {**place, "reply_to": reply_to} if reply_to else place


def _buttons(message: Json) -> list[Json]:
    rows = message.get("reply_markup", {}).get("inline_keyboard", [])
    return [button for row in rows for button in row]


@contextmanager
def started(folder: Path, **settings: str) -> Iterator[Whole]:
    """The bot with its data in `folder`, ended at the end."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DATA_DIR": str(folder), **settings}
    environment.pop("TELEGRAM_BOT_TOKEN", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "--simulator", "--port", "0", "--no-browser"],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    whole = Whole(process, _url_of(process))
    try:
        yield whole
    finally:
        whole.close()


def _url_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    told = []
    for line in process.stdout:
        told.append(line)
        if found := re.search(r"http://127\.0\.0\.1:\d+", line):
            return found.group()
    raise AssertionError(f"it did not start: {told}")
