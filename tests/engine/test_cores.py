"""The granted cores and bytes follow affinity, cores and the limits of a container."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from engine.cgroups import Machine
from engine.config import GIB
from engine.cores import THREAD_VARIABLES, granted_bytes, granted_cores, limit_threads

CPUS = range(8)
GROUPS = "sys/fs/cgroup"
QUOTA_US, PERIOD_US = "cpu.cfs_quota_us", "cpu.cfs_period_us"


def machine(root: Path, files: Mapping[str, str]) -> Machine:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content + "\n")
    return Machine(root)


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        ("max 100000", 8),
        ("100000 100000", 1),
        ("765000 100000", 7),
        ("50000 100000", 1),
        ("6400000 100000", 8),
        ("nonsense", 8),
        ("100000 0", 8),
        ("-5 100000", 8),
        ("", 8),
    ],
)
def test_quota_bounds_the_cores(tmp_path: Path, content: str, wanted: int) -> None:
    found = machine(tmp_path, {f"{GROUPS}/cpu.max": content})
    assert granted_cores(found, CPUS) == wanted


@pytest.mark.parametrize(("quota", "wanted"), [("-1", 8), ("300000", 3), ("", 8)])
def test_older_groups_are_understood(tmp_path: Path, quota: str, wanted: int) -> None:
    found = machine(
        tmp_path,
        {f"{GROUPS}/cpu/{QUOTA_US}": quota, f"{GROUPS}/cpu/{PERIOD_US}": "100000"},
    )
    assert granted_cores(found, CPUS) == wanted


def test_group_inside_groups_has_the_least_of_them(tmp_path: Path) -> None:
    files = {
        "proc/self/cgroup": "0::/outer/inner",
        f"{GROUPS}/outer/inner/cpu.max": "max 100000",
        f"{GROUPS}/outer/cpu.max": "300000 100000",
        f"{GROUPS}/elsewhere/cpu.max": "100000 100000",
        f"{GROUPS}/outer/inner/memory.max": str(3 * GIB),
        f"{GROUPS}/outer/memory.max": "max",
    }
    found = machine(tmp_path, files)
    assert granted_cores(found, CPUS) == 3
    assert found.memory_bytes() == 3 * GIB


def test_older_group_is_found_by_its_controller(tmp_path: Path) -> None:
    files = {
        "proc/self/cgroup": "4:memory:/ours\n3:cpu,cpuacct:/ours\n0::/",
        f"{GROUPS}/cpu/ours/{QUOTA_US}": "200000",
        f"{GROUPS}/cpu/ours/{PERIOD_US}": "100000",
        f"{GROUPS}/memory/ours/memory.limit_in_bytes": str(2 * GIB),
        f"{GROUPS}/memory/memory.limit_in_bytes": "9223372036854771712",
    }
    found = machine(tmp_path, files)
    assert granted_cores(found, CPUS) == 2
    assert found.memory_bytes() == 2 * GIB


def test_path_of_the_outside_means_the_top(tmp_path: Path) -> None:
    files = {"proc/self/cgroup": "0::/docker/abc", f"{GROUPS}/cpu.max": "200000 100000"}
    assert granted_cores(machine(tmp_path, files), CPUS) == 2


def test_threads_of_a_core_count_once(tmp_path: Path) -> None:
    files = {
        f"sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list": f"{cpu % 4},{cpu % 4 + 4}"
        for cpu in CPUS
    }
    found = machine(tmp_path, files)
    assert granted_cores(found, CPUS) == 4
    assert granted_cores(found, [0, 4]) == 1
    assert granted_cores(found, [0, 1, 2]) == 3


def test_nothing_is_told_leaves_the_affinity(tmp_path: Path) -> None:
    assert granted_cores(Machine(tmp_path), CPUS) == 8
    assert Machine(tmp_path).memory_bytes() is None
    assert granted_bytes(0, Machine(tmp_path)) is None


def test_memory_is_the_least_of_what_is_told(tmp_path: Path) -> None:
    files = {"proc/meminfo": f"MemTotal:  {16 * 1024**2} kB\nMemFree: 12 kB"}
    found = machine(tmp_path, files)
    assert granted_bytes(0, found) == 16 * GIB
    assert granted_bytes(4, found) == 4 * GIB
    assert granted_bytes(64, found) == 16 * GIB
    limited = machine(tmp_path, {f"{GROUPS}/memory.max": str(2 * GIB)})
    assert granted_bytes(4, limited) == 2 * GIB


def test_libraries_are_told_before_they_are_loaded() -> None:
    environment = {"MKL_NUM_THREADS": "1"}
    limit_threads(3, environment)
    assert environment == {
        **dict.fromkeys(THREAD_VARIABLES, "3"),
        "MKL_NUM_THREADS": "1",
        "TOKENIZERS_PARALLELISM": "false",
    }


def test_zero_takes_what_is_granted() -> None:
    environment: dict[str, str] = {}
    limit_threads(0, environment)
    assert environment["OMP_NUM_THREADS"] == str(granted_cores())
