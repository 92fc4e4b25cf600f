"""Photos are kept whole or not at all, for a while and up to a size."""

import hashlib
import stat
from pathlib import Path

import pytest

from storage import Database, PhotoGone, PhotoNotSaved, PhotoStore
from tests.storage.conftest import StandingClock


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def gone(photos: PhotoStore, photo_id: str) -> str:
    with pytest.raises(PhotoGone) as caught:
        await photos.load(photo_id)
    assert caught.value.photo_id == photo_id
    return caught.value.source


async def test_saved_photo_is_loaded(photos: PhotoStore) -> None:
    photo_id = await photos.save(b"pixels", source="file-1")
    assert photo_id == hashlib.sha256(b"pixels").hexdigest()
    assert await photos.load(photo_id) == b"pixels"
    assert await photos.source_of(photo_id) == "file-1"


async def test_newest_source_wins(photos: PhotoStore) -> None:
    photo_id = await photos.save(b"pixels", source="file-1")
    await photos.save(b"pixels", source="file-2")
    await photos.save(b"pixels", source="")
    assert await photos.source_of(photo_id) == "file-2"


async def test_expected_photo_names_its_source(photos: PhotoStore) -> None:
    assert await gone(photos, await photos.expect("file-1")) == "file-1"
    assert await photos.expect("file-1") == await photos.expect("file-1")


async def test_unknown_photo_is_gone(photos: PhotoStore, tmp_path: Path) -> None:
    assert await gone(photos, "../darkroom.db") == ""


async def test_old_bytes_are_removed(
    photos: PhotoStore, clock: StandingClock, tmp_path: Path
) -> None:
    old = await photos.save(b"old", source="file-1")
    clock.now_s += 60.0
    young = await photos.save(b"young", source="file-2")
    clock.now_s += 60.0
    await photos.expire()
    assert await gone(photos, old) == "file-1"
    assert await photos.load(young) == b"young"
    assert names(tmp_path / "photos") == [young]


async def test_oldest_bytes_make_room(photos: PhotoStore, clock: StandingClock) -> None:
    saved = []
    for number in range(3):
        saved.append(await photos.save(bytes([number]) * 400, source=f"file-{number}"))
        clock.now_s += 1.0
    assert await gone(photos, saved[0]) == "file-0"
    assert [await photos.load(one) for one in saved[1:]] == [b"\1" * 400, b"\2" * 400]


async def test_fetched_photo_is_young_again(photos: PhotoStore, clock: StandingClock) -> None:
    photo_id = await photos.save(b"pixels", source="file-1")
    clock.now_s += 90.0
    await photos.save(b"pixels", source="file-1")
    clock.now_s += 90.0
    await photos.expire()
    assert await photos.load(photo_id) == b"pixels"


async def test_damaged_bytes_are_gone(photos: PhotoStore, tmp_path: Path) -> None:
    photo_id = await photos.save(b"pixels", source="file-1")
    (tmp_path / "photos" / photo_id).write_bytes(b"pix")
    assert await gone(photos, photo_id) == "file-1"


async def test_only_owner_may_look(photos: PhotoStore, tmp_path: Path) -> None:
    photo_id = await photos.save(b"pixels", source="file-1")
    folder = tmp_path / "photos"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / photo_id).stat().st_mode) == 0o600


async def test_failed_write_leaves_nothing(
    photos: PhotoStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("storage.photos.os.fsync", full)
    with pytest.raises(PhotoNotSaved, match="No space left"):
        await photos.save(b"pixels", source="file-1")
    assert names(tmp_path / "photos") == []
    assert await gone(photos, hashlib.sha256(b"pixels").hexdigest()) == ""


async def test_folder_that_is_a_file(database: Database, tmp_path: Path) -> None:
    (tmp_path / "photos").write_bytes(b"")
    with pytest.raises(PhotoNotSaved) as caught:
        await PhotoStore(database, tmp_path / "photos").save(b"pixels", source="file-1")
    assert caught.value.folder == tmp_path / "photos"


async def test_tidy_removes_leftovers(photos: PhotoStore, tmp_path: Path) -> None:
    await photos.tidy()
    photo_id = await photos.save(b"pixels", source="file-1")
    (tmp_path / "photos" / "tmpabc.unfinished").write_bytes(b"pix")
    (tmp_path / "photos" / hashlib.sha256(b"other").hexdigest()).write_bytes(b"other")
    await photos.tidy()
    assert names(tmp_path / "photos") == [photo_id]
