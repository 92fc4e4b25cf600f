"""How many processor cores this process is granted, in a container too."""

import os
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")


def granted_cores(cgroups: Path = CGROUPS) -> int:
    """Cores that may be kept busy: the affinity, or less where a quota of time is set."""
    if hasattr(os, "sched_getaffinity"):
        num_cores = len(os.sched_getaffinity(0))
    else:
        num_cores = os.cpu_count() or 1
    quota = _quota(cgroups)
    return num_cores if quota is None else max(1, min(num_cores, int(quota)))


def _quota(cgroups: Path) -> float | None:
    """Cores' worth of time per period, in either version of control groups."""
    try:
        granted, period = (cgroups / "cpu.max").read_text().split()
    except (OSError, ValueError):
        try:
            granted = (cgroups / "cpu" / "cpu.cfs_quota_us").read_text()
            period = (cgroups / "cpu" / "cpu.cfs_period_us").read_text()
        except OSError:
            return None
    try:
        quota = float(granted) / float(period)
    except (ValueError, ZeroDivisionError):
        return None
    return quota if quota > 0 else None
