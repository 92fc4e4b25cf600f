"""What outlives the process: for its owner alone, bounded, believed only when it is whole."""

import logging
import os
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from engine.chat import Message, Usage
from engine.config import GIB, EngineConfig
from engine.local import recall
from engine.local.archive import Archive, Tensors
from engine.local.kv_cache import BLOCK_TOKENS
from engine.local.local_engine import LocalEngine
from engine.local.models import registry
from engine.local.models.base import VisionLanguageModel
from engine.local.precision import Plan
from engine.local.shelf import Entry, Shelf
from tests.engine.local.tiny import answer, ids_of, noise, question, replied

CHAT = "chat/one"
PHOTO = noise(120, 64, 1)
ENTRY = Entry("chat", CHAT, "a")
NOTES = {"ids": "[1]"}


def rows(num_bytes: int = 4000) -> Tensors:
    return {"keys": torch.arange(num_bytes // 4, dtype=torch.float32)}


def shelf(folder: Path, owner: str = "us") -> Shelf:
    return Shelf(folder / "sessions", owner, max_bytes=10_000, max_age_s=100.0)


def files(folder: Path) -> list[Path]:
    return sorted((folder / "sessions").iterdir())


def filled(folder: Path, *entries: Entry) -> None:
    archive = Archive(shelf(folder))
    for entry in entries or (ENTRY,):
        archive.put(entry, rows(), NOTES)
    archive.close()


def found(folder: Path, owner: str = "us", clock: Callable[[], float] | None = None) -> list[str]:
    """The chats of which something is there for the next process."""
    archive = Archive(shelf(folder, owner), **({} if clock is None else {"clock": clock}))
    names = [name for name, _ in archive.notes_of("chat", CHAT)]
    tensors = [archive.take(name) for name in names]
    archive.close()
    return [
        "whole" for one in tensors if one is not None and torch.equal(one["keys"], rows()["keys"])
    ]


def test_next_process_finds_what_was_put(tmp_path: Path) -> None:
    filled(tmp_path)
    assert found(tmp_path) == ["whole"]
    assert found(tmp_path) == []


def test_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        filled(tmp_path)
    finally:
        os.umask(before)
    [path] = files(tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert "chat" not in path.name


@pytest.mark.parametrize("cut", [0, 10, -1])
def test_cut_file_is_removed(tmp_path: Path, cut: int) -> None:
    filled(tmp_path)
    [path] = files(tmp_path)
    path.write_bytes(path.read_bytes()[:cut])
    assert found(tmp_path) == []
    assert files(tmp_path) == []


def test_changed_byte_is_noticed(tmp_path: Path) -> None:
    filled(tmp_path)
    [path] = files(tmp_path)
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(bytes(content))
    assert found(tmp_path) == []
    assert files(tmp_path) == []


def test_foreign_and_unfinished_files_go(tmp_path: Path) -> None:
    filled(tmp_path)
    (tmp_path / "sessions" / "x.part").write_bytes(b"1")
    assert found(tmp_path, "others") == []
    assert files(tmp_path) == []


def test_old_files_go(tmp_path: Path) -> None:
    filled(tmp_path)
    written_at = files(tmp_path)[0].stat().st_mtime
    assert found(tmp_path, clock=lambda: written_at + 101) == []
    assert files(tmp_path) == []


def test_oldest_make_room(tmp_path: Path) -> None:
    filled(tmp_path, *(Entry("chat", CHAT, part) for part in "abc"))
    assert len(files(tmp_path)) == 2
    archive = Archive(shelf(tmp_path))
    assert archive.take_part(Entry("chat", CHAT, "a")) is None
    assert archive.take_part(Entry("chat", CHAT, "c")) is not None
    archive.close()


def test_forgotten_things_go_even_if_they_wait_to_be_written(tmp_path: Path) -> None:
    archive = Archive(shelf(tmp_path))
    archive.put(ENTRY, rows(), NOTES)
    archive.put(Entry("chat", "chat/two", "a"), rows(), NOTES)
    archive.forget("chat", CHAT)
    archive.close()
    assert len(files(tmp_path)) == 1
    archive = Archive(shelf(tmp_path))
    archive.forget("chat")
    archive.close()
    assert files(tmp_path) == []


def test_place_that_is_no_folder_costs_one_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "sessions").write_text("in the way")
    with caplog.at_level(logging.WARNING):
        filled(tmp_path, ENTRY, ENTRY)
    assert len(caplog.records) == 1
    assert (tmp_path / "sessions").read_text() == "in the way"


def test_full_disk_costs_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("engine.local.archive.save_file", full)
    with caplog.at_level(logging.WARNING):
        filled(tmp_path, ENTRY, Entry("chat", CHAT, "b"))
    assert [record.getMessage() for record in caplog.records] == [
        "Sessions are no longer kept on disk: No space left on device"
    ]
    assert files(tmp_path) == []


async def talked(config: EngineConfig) -> list[Message]:
    async with LocalEngine(config) as engine:
        messages = [question("turn 0", PHOTO)]
        for turn in range(1, 3):
            messages = replied(messages, await answer(engine, messages, CHAT))
            messages.append(question(f"turn {turn}"))
    return messages


async def asked(config: EngineConfig, messages: list[Message]) -> tuple[tuple[int, ...], Usage]:
    async with LocalEngine(config) as engine:
        last = await answer(engine, messages, CHAT)
    assert last.usage is not None
    return ids_of(last), last.usage


async def test_restart_changes_no_answer(config: EngineConfig, tmp_path: Path) -> None:
    kept = replace(config, session_folder=tmp_path / "sessions")
    nothing = replace(config, kv_cache_gib=0, feature_cache_gib=0, num_answers_kept=0)
    messages = await talked(kept)
    ids, usage = await asked(kept, messages)
    exact, cold = await asked(nothing, messages)
    assert ids == exact
    # All but the last id of the answer, the question's own words and what stands around them.
    assert usage.prompt_tokens - usage.cached_tokens == 28
    assert cold.cached_tokens == 0


async def test_features_outlive_a_restart(config: EngineConfig, tmp_path: Path) -> None:
    kept = replace(config, session_folder=tmp_path / "sessions")
    await talked(kept)
    other = [question("something else", PHOTO)]
    async with LocalEngine(kept) as engine:
        last = await answer(engine, other, "chat/two")
    assert last.usage is not None
    assert (last.usage.image_cached, last.usage.cached_tokens) == (True, 0)
    exact, _ = await asked(replace(config, kv_cache_gib=0, feature_cache_gib=0), other)
    assert ids_of(last) == exact


async def test_evicted_session_comes_back(
    config: EngineConfig, model: VisionLanguageModel, tmp_path: Path
) -> None:
    # Room for one conversation of one block: each pushes the other one out.
    block = BLOCK_TOKENS * model.kv_shape.bytes_per_token
    narrow = replace(config, session_folder=tmp_path / "sessions", kv_cache_gib=1.5 * block / GIB)
    asked_first, other = [question("a" * 60)], [question("b" * 60)]
    async with LocalEngine(narrow) as engine:
        messages = [*replied(asked_first, await answer(engine, asked_first)), question("and?")]
        await answer(engine, other, "chat/two")
        last = await answer(engine, messages)
    assert last.usage is not None
    assert last.usage.cached_tokens > 60
    exact, _ = await asked(replace(config, kv_cache_gib=0), messages)
    assert ids_of(last) == exact


async def test_closing_writes_the_newest_alone(
    config: EngineConfig,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    model: VisionLanguageModel,
) -> None:
    kept = replace(config, session_folder=tmp_path / "sessions", feature_cache_gib=0)
    talks = {name: [question(name, PHOTO)] for name in ("old/one", "new/one")}
    # Room for one of two sessions, each of one block.
    monkeypatch.setattr(
        recall, "CLOSING_BYTES", int(1.5 * BLOCK_TOKENS * model.kv_shape.bytes_per_token)
    )
    async with LocalEngine(kept) as engine:
        for name, messages in talks.items():
            talks[name] = [*replied(messages, await answer(engine, messages, name)), question("?")]
    cached = {}
    async with LocalEngine(kept) as engine:
        for name, messages in talks.items():
            usage = (await answer(engine, messages, name)).usage
            cached[name] = usage is not None and usage.cached_tokens > 0
    assert cached == {"old/one": False, "new/one": True}


async def test_forgotten_session_leaves_no_file(config: EngineConfig, tmp_path: Path) -> None:
    kept = replace(config, session_folder=tmp_path / "sessions")
    messages = await talked(kept)
    assert files(tmp_path) != []
    async with LocalEngine(kept) as engine:
        await engine.forget(CHAT)
    assert files(tmp_path) == []
    _, usage = await asked(kept, messages)
    assert usage.cached_tokens == 0


async def test_other_precision_reads_nothing(config: EngineConfig, tmp_path: Path) -> None:
    kept = replace(config, session_folder=tmp_path / "sessions")
    messages = await talked(kept)
    _, usage = await asked(replace(kept, precision="bfloat16"), messages)
    assert usage.cached_tokens == 0


async def test_precision_chosen_anew_reads_nothing(
    config: EngineConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = replace(config, session_folder=tmp_path / "sessions", precision="auto")
    bfloat16, int8 = Plan("bfloat16"), Plan("int8", "onednn", "onednn", "onednn", 63)
    monkeypatch.setattr(registry, "plan_of", lambda *_: bfloat16)
    messages = await talked(kept)
    monkeypatch.setattr(registry, "plan_of", lambda *_: int8)
    _, usage = await asked(kept, messages)
    assert usage.cached_tokens == 0


async def test_same_choice_reads_what_was_kept(
    config: EngineConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = replace(config, session_folder=tmp_path / "sessions", precision="auto")
    monkeypatch.setattr(registry, "plan_of", lambda *_: Plan("bfloat16"))
    messages = await talked(kept)
    _, usage = await asked(kept, messages)
    assert usage.cached_tokens > 0
