"""How many threads and how much memory this process takes, of what it is granted.

Knows no torch: what is set here has to be set before torch is loaded.
"""

import os
from collections.abc import Iterable, MutableMapping

from engine.cgroups import Machine
from engine.config import GIB

# Read by the libraries behind torch as they are loaded.
THREAD_VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


def granted_cores(machine: Machine | None = None, cpus: Iterable[int] | None = None) -> int:
    """Cores that may be kept busy: whole ones of the affinity, less where time has a quota.

    Two threads of a core share what multiplies: with both of them a step takes longer. A part of
    a core that a quota grants would be spent in waiting.
    """
    machine = machine or Machine()
    num_cores = len({machine.core_of(cpu) for cpu in (_affinity() if cpus is None else cpus)})
    quota = machine.quota()
    return max(1, num_cores if quota is None else min(num_cores, int(quota)))


def granted_bytes(memory_gib: float, machine: Machine | None = None) -> int | None:
    """Memory that may be used: what the owner set, and never more than there is."""
    found = (machine or Machine()).memory_bytes()
    if not memory_gib:
        return found
    wanted = int(memory_gib * GIB)
    return wanted if found is None else min(wanted, found)


def limit_threads(num_threads: int, environment: MutableMapping[str, str] | None = None) -> None:
    """Tell the libraries that are about to be loaded; what the owner has set himself stays."""
    environment = os.environ if environment is None else environment
    for name in THREAD_VARIABLES:
        environment.setdefault(name, str(num_threads or granted_cores()))
    # They would compete with the model for the same cores, and warn after each fork.
    environment.setdefault("TOKENIZERS_PARALLELISM", "false")


def _affinity() -> Iterable[int]:
    if hasattr(os, "sched_getaffinity"):
        return os.sched_getaffinity(0)
    return range(os.cpu_count() or 1)
