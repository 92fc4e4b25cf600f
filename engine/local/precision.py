"""Which number format runs a model on this machine, and with which kernels: measured, then known.

Knows the shapes of a model's layers and how fast they are here; reads no weight.
"""

import json
import logging
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

import torch

from engine.local.linear import INT8_KERNELS, Int8Weight, Linear, levels_of, plain

# A question with a photo, and an answer: what a format is judged by.
PROMPT_ROWS = 320
ANSWER_ROWS = 64
MANY_ROWS = 128
NUM_TRIES = 3
logger = logging.getLogger(__name__)

PLAIN = {"float32": torch.float32, "bfloat16": torch.bfloat16}

Shapes = Sequence[tuple[int, int]]
Timer = Callable[[Callable[[], object]], float]


@dataclass(frozen=True, slots=True)
class Speed:
    """Seconds that the layers take for many rows and for one; `levels` of int8 activations."""

    many_s: float
    one_s: float
    levels: int = 0

    @property
    def is_sound(self) -> bool:
        """Whether these are numbers that a measurement can have."""
        seconds = (self.many_s, self.one_s)
        return isinstance(self.levels, int) and all(
            isinstance(each, int | float) and each >= 0 for each in seconds
        )

    @property
    def question_s(self) -> float:
        """Reading a prompt and writing an answer."""
        return self.many_s * PROMPT_ROWS / MANY_ROWS + self.one_s * ANSWER_ROWS


@dataclass(frozen=True, slots=True)
class Plan:
    """What was chosen. In int8 a kernel for layers that see many rows only, few only, or both.

    All int8 kernels give the same bits, so that which one runs changes no answer.
    """

    precision: str
    many: str = ""
    few: str = ""
    both: str = ""
    levels: int = 0
    tower: str = "float32"

    def kernel_of(self, layer: str) -> str:
        """The kernel of a layer: the tower only ever sees many rows, the output few."""
        if layer.startswith("vision."):
            return self.many
        return self.few if layer == "output" else self.both


@dataclass(frozen=True, slots=True)
class Machine:
    """What speeds hold for; another processor, library or number of threads is another machine."""

    processor: str
    torch_version: str
    num_threads: int
    shapes: tuple[tuple[int, int], ...]

    @classmethod
    def this(cls, shapes: Shapes) -> Self:
        """The one that runs this, for layers of these shapes."""
        threads = torch.get_num_threads()
        return cls(_processor(), torch.__version__, threads, tuple(shapes))


def known_speeds(folder: Path | None, machine: Machine, timer: Timer) -> dict[str, Speed]:
    """Speeds by kernel, from the folder if they were measured before, else measured and kept."""
    if folder is None:
        return measure(machine.shapes, timer)
    told = json.dumps(asdict(machine), sort_keys=True)
    path = folder / f"speeds-{sha256(told.encode()).hexdigest()[:16]}.json"
    try:
        content: Any = json.loads(path.read_text(encoding="utf-8"))
        found = {str(name): Speed(**speed) for name, speed in content["speeds"].items()}
        if found.keys() >= PLAIN.keys() and all(speed.is_sound for speed in found.values()):
            return found
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        pass
    speeds = measure(machine.shapes, timer)
    _keep(path, {"machine": asdict(machine), "speeds": {n: asdict(s) for n, s in speeds.items()}})
    return speeds


def _keep(path: Path, content: Mapping[str, object]) -> None:
    beside = path.with_suffix(".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(json.dumps(content, indent=1), encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        logger.warning("speeds are measured at each start: %s", error.strerror)


def measure(shapes: Shapes, timer: Timer) -> dict[str, Speed]:
    """Time one layer of every shape in every format that runs here."""
    generator = torch.Generator().manual_seed(0)
    sides = [torch.randint(-127, 128, shape, generator=generator) for shape in shapes]
    weights = [Int8Weight(side.to(torch.int8), torch.full((len(side),), 1e-3)) for side in sides]
    speeds: dict[str, Speed] = {}
    for name, dtype in PLAIN.items():
        layers = [plain(weight.values.to(dtype)) for weight in weights]
        speeds[name] = _speed(layers, shapes, dtype, timer)
    for name, kernel in INT8_KERNELS.items():
        levels = levels_of(kernel)
        if levels is not None:
            layers = [kernel(weight, levels, None) for weight in weights]
            found = _speed(layers, shapes, torch.float32, timer)
            speeds[name] = Speed(found.many_s, found.one_s, levels)
    return speeds


def _speed(layers: list[Linear], shapes: Shapes, dtype: torch.dtype, timer: Timer) -> Speed:
    seconds = []
    for num_rows in (MANY_ROWS, 1):
        rows = [torch.ones(num_rows, inputs, dtype=dtype) for _, inputs in shapes]

        def step(rows: list[torch.Tensor] = rows) -> None:
            for layer, x in zip(layers, rows, strict=True):
                layer(x)

        step()
        seconds.append(min(timer(step) for _ in range(NUM_TRIES)))
    return Speed(seconds[0], seconds[1])


def taken(work: Callable[[], object]) -> float:
    """Seconds that some work takes."""
    started_at = time.perf_counter()
    work()
    return time.perf_counter() - started_at


def choose(wanted: str, speeds: Mapping[str, Speed], *, room_for_float32: bool) -> Plan:
    """The plan of a wanted precision; of "auto", the one that answers a question soonest."""
    tower = min(PLAIN, key=lambda name: speeds[name].many_s)
    int8 = _int8_plan(speeds, "bfloat16" if not room_for_float32 else tower)
    if wanted == "int8":
        if int8 is None:
            raise ValueError("PRECISION=int8 does not run on this processor")
        return int8
    if wanted in PLAIN:
        return Plan(wanted, tower=wanted)
    costs = {name: speeds[name].question_s for name in PLAIN}
    if not room_for_float32:
        del costs["float32"]
    best = min(costs, key=lambda name: costs[name])
    if int8 is not None and speeds[int8.both].question_s < costs[best]:
        return int8
    return Plan(best, tower=best)


def _int8_plan(speeds: Mapping[str, Speed], tower: str) -> Plan | None:
    found = {name: speed for name, speed in speeds.items() if speed.levels}
    if not found:
        return None
    # Kernels with fewer levels are less exact: they are for where no other is.
    levels = max(speed.levels for speed in found.values())
    found = {name: speed for name, speed in found.items() if speed.levels == levels}
    return Plan(
        "int8",
        many=min(found, key=lambda name: found[name].many_s),
        few=min(found, key=lambda name: found[name].one_s),
        both=min(found, key=lambda name: found[name].question_s),
        levels=levels,
        tower=tower,
    )


def _processor() -> str:
    path = Path("/proc/cpuinfo")
    if path.is_file():
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
