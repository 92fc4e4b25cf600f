"""The `bench` command: starts a measuring process for each engine in turn, prints the report."""

import platform
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from engine.bench.report import Report, as_json, as_table
from engine.bench.work import Job, Measured
from engine.cores import granted_cores
from engine.errors import EngineFailed

OURS = "engine.bench.ours"
TRANSFORMERS = "engine.local.reference"
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
    ours = _measured(OURS, asked.job)
    theirs = _measured(TRANSFORMERS, asked.job) if asked.against else None
    report = Report(hardware(), asked.job.model, asked.job.num_runs, ours, theirs)
    sys.stdout.write((as_json if asked.as_json else as_table)(report) + "\n")


def hardware(cpuinfo: Path = Path("/proc/cpuinfo")) -> dict[str, str | int]:
    """What it was measured on."""
    return {"CPU": _cpu(cpuinfo), "cores": granted_cores(), "torch": version("torch")}


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
