"""What the kernel says that this process may use: control groups, cores and memory.

Only reads files. All paths hang on one root, so that a planted tree can stand for a machine.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

# Version 1 writes "no limit" as the largest multiple of a page.
NO_LIMIT_BYTES = 1 << 60


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine below a root folder."""

    root: Path = Path("/")

    def quota(self) -> float | None:
        """Cores' worth of processor time; None if there is no bound."""
        pairs = [
            *(_read(group / "cpu.max").split() for group in self._groups("")),
            *(
                [_read(group / "cpu.cfs_quota_us"), _read(group / "cpu.cfs_period_us")]
                for group in self._groups("cpu")
            ),
        ]
        shares = [share for pair in pairs if (share := _share(pair)) is not None]
        return min(shares, default=None)

    def memory_bytes(self) -> int | None:
        """The memory of the machine, or less where the groups have a limit; None if unknown."""
        limits = [
            *(_number(_read(group / "memory.max")) for group in self._groups("")),
            *(_number(_read(group / "memory.limit_in_bytes")) for group in self._groups("memory")),
            self._total_bytes(),
        ]
        return min((n for n in limits if n is not None and 0 < n < NO_LIMIT_BYTES), default=None)

    def core_of(self, cpu: int) -> str:
        """The name that threads of one core share; each its own where that is not told."""
        topology = self.root / "sys/devices/system/cpu" / f"cpu{cpu}" / "topology"
        siblings = _read(topology / "core_cpus_list") or _read(topology / "thread_siblings_list")
        return siblings or str(cpu)

    def _groups(self, controller: str) -> Iterator[Path]:
        """The folders of our group and of all above it: each of them may have a limit."""
        home = self.root / "sys/fs/cgroup" / controller
        ours = PurePosixPath(self._membership(controller))
        # Inside a container the path may be that of the outside, and the group is at the top.
        for group in (ours, *ours.parents):
            yield home / group.relative_to("/")

    def _membership(self, controller: str) -> str:
        for line in _read(self.root / "proc/self/cgroup").splitlines():
            _, controllers, path = [*line.split(":", 2), "", ""][:3]
            if controller in controllers.split(",") and path.startswith("/"):
                return path
        return "/"

    def _total_bytes(self) -> int | None:
        for line in _read(self.root / "proc/meminfo").splitlines():
            name, _, value = line.partition(":")
            if name == "MemTotal":
                kib = _number(value.removesuffix("kB"))
                return None if kib is None else kib * 1024
        return None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except (OSError, ValueError):
        return ""


def _number(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


def _share(pair: list[str]) -> float | None:
    try:
        granted, period = (float(text) for text in pair)
        share = granted / period
    except (ValueError, ZeroDivisionError):
        return None
    return share if share > 0 else None
