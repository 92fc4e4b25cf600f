"""The granted cores follow the affinity and the quota of a container."""

import os
from pathlib import Path

import pytest

from engine.cores import granted_cores

GRANTED = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        ("max 100000", GRANTED),
        ("100000 100000", 1),
        ("150000 100000", 1),
        ("50000 100000", 1),
        ("6400000 100000", GRANTED),
        ("nonsense", GRANTED),
        ("100000 0", GRANTED),
    ],
)
def test_quota_bounds_the_cores(tmp_path: Path, content: str, wanted: int) -> None:
    (tmp_path / "cpu.max").write_text(content)
    assert granted_cores(tmp_path) == wanted


@pytest.mark.parametrize(("quota", "wanted"), [("-1", GRANTED), ("100000", 1)])
def test_older_groups_are_understood(tmp_path: Path, quota: str, wanted: int) -> None:
    (tmp_path / "cpu").mkdir()
    (tmp_path / "cpu" / "cpu.cfs_quota_us").write_text(quota)
    (tmp_path / "cpu" / "cpu.cfs_period_us").write_text("100000")
    assert granted_cores(tmp_path) == wanted


def test_no_groups_leave_the_affinity(tmp_path: Path) -> None:
    assert granted_cores(tmp_path / "absent") == GRANTED
