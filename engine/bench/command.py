"""The `bench` command: starts a measuring process for each engine in turn, prints the report."""

import platform
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from engine.bench.report import Report, as_json, as_table
from engine.bench.work import Job, Measured
from engine.cores import granted_bytes, granted_cores
from engine.errors import EngineFailed

OURS = "engine.bench.ours"
AGAIN = "engine.bench.again"
TRANSFORMERS = "engine.local.reference"
SERVER = "engine.bench.server"
LEAST_RUNS = 3


@dataclass(frozen=True, slots=True)
class Bench:
    """What the command line asked for."""

    job: Job
    against: str | None
    as_json: bool


def bench(asked: Bench) -> None:
    """Measure and print; raises EngineFailed when a measuring process ends badly."""
    if asked.job.num_runs < LEAST_RUNS:
        raise ValueError(f"--runs must be at least {LEAST_RUNS}, not {asked.job.num_runs}")
    against = asked.against
    if against not in (None, "transformers") and not against.startswith("http://"):
        raise ValueError(f"--against must be transformers or http://HOST:PORT, not {against!r}")
    with tempfile.TemporaryDirectory() as folder:
        job = replace(asked.job, folder=folder)
        ours = _measured(OURS, job).joined(_measured(AGAIN, job))
    theirs = _others(asked)
    report = Report(
        hardware(), asked.job.model, asked.job.num_runs, ours, theirs, against=against or ""
    )
    sys.stdout.write((as_json if asked.as_json else as_table)(report) + "\n")


def _others(asked: Bench) -> Measured | None:
    if asked.against is None:
        return None
    if asked.against == "transformers":
        return _measured(TRANSFORMERS, asked.job)
    return _measured(SERVER, replace(asked.job, url=asked.against))


def hardware(cpuinfo: Path = Path("/proc/cpuinfo")) -> dict[str, str | int]:
    """What it was measured on."""
    return {
        "CPU": _cpu(cpuinfo),
        "cores": granted_cores(),
        "memory_gb": round((granted_bytes(0) or 0) / 1e9),
        "torch": version("torch"),
    }


def _cpu(cpuinfo: Path) -> str:
    if cpuinfo.is_file():
        for line in cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def _measured(module: str, job: Job) -> Measured:
    told = replace(job, started_at=time.time()).to_json()
    ran = subprocess.run(
        [sys.executable, "-m", module, told], stdout=subprocess.PIPE, text=True, check=False
    )
    if ran.returncode:
        raise EngineFailed(f"the process that measures {module} ended with {ran.returncode}")
    return Measured.from_json(ran.stdout)
