"""The choice of a precision: by speeds, known at the next start, measured again elsewhere."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from engine.local.precision import PLAIN, Machine, Plan, Speed, choose, known_speeds, measure

SHAPES = ((96, 64), (64, 96))
MACHINE = Machine("processor", "2.0", 2, SHAPES)
SPEEDS = {
    "float32": Speed(4.0, 0.4),
    "bfloat16": Speed(2.0, 0.2),
    "fbgemm": Speed(1.2, 0.05, 127),
    "onednn": Speed(1.0, 0.1, 127),
}


class Timer:
    """Says how many times it was asked, after doing the work."""

    def __init__(self) -> None:
        self.num_calls = 0

    def __call__(self, work: Callable[[], object]) -> float:
        work()
        self.num_calls += 1
        return float(self.num_calls)


def test_every_kernel_is_measured() -> None:
    speeds = measure(SHAPES, Timer())
    assert {"float32", "bfloat16"} < set(speeds)
    assert all(speed.many_s > 0 and speed.one_s > 0 for speed in speeds.values())
    assert speeds["float32"] == Speed(1.0, 4.0)


def test_speeds_are_measured_once(tmp_path: Path) -> None:
    first, second = Timer(), Timer()
    speeds = known_speeds(tmp_path, MACHINE, first)
    assert known_speeds(tmp_path, MACHINE, second) == speeds
    assert (first.num_calls > 0, second.num_calls) == (True, 0)


@pytest.mark.parametrize(
    "other",
    [
        replace(MACHINE, processor="another"),
        replace(MACHINE, torch_version="3.0"),
        replace(MACHINE, num_threads=1),
        replace(MACHINE, shapes=((64, 64),)),
    ],
    ids=["processor", "torch", "threads", "shapes"],
)
def test_another_machine_is_measured(tmp_path: Path, other: Machine) -> None:
    known_speeds(tmp_path, MACHINE, Timer())
    timer = Timer()
    known_speeds(tmp_path, other, timer)
    assert timer.num_calls > 0


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        '{"speeds": {"float32": {}}}',
        '{"speeds": 1}',
        '{"speeds": {}}',
        '{"speeds": {"float32": {"many_s": 1, "one_s": 1}}}',
        json.dumps({"speeds": {name: {"many_s": "1", "one_s": 1} for name in PLAIN}}),
        json.dumps({"speeds": {name: {"many_s": 1, "one_s": float("nan")} for name in PLAIN}}),
    ],
)
def test_damaged_speeds_are_measured_again(tmp_path: Path, content: str) -> None:
    speeds = known_speeds(tmp_path, MACHINE, Timer())
    [path] = tmp_path.iterdir()
    path.write_text(content)
    timer = Timer()
    assert known_speeds(tmp_path, MACHINE, timer) == speeds
    assert timer.num_calls > 0
    assert known_speeds(tmp_path, MACHINE, Timer()) == speeds


def test_folder_that_cannot_be_written_is_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert known_speeds(file, MACHINE, Timer()) == known_speeds(None, MACHINE, Timer())


def test_int8_has_a_kernel_for_each_kind_of_layer() -> None:
    plan = choose("auto", SPEEDS, room_for_float32=True)
    assert plan == Plan("int8", "onednn", "fbgemm", "fbgemm", 127, "bfloat16")
    layers = ["vision.blocks.0.qkv", "layers.0.qkv", "output"]
    assert [plan.kernel_of(layer) for layer in layers] == ["onednn", "fbgemm", "fbgemm"]


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"fbgemm": Speed(9, 9, 127), "onednn": Speed(9, 9, 127)}, "bfloat16"),
        (
            {"fbgemm": Speed(9, 9, 127), "onednn": Speed(9, 9, 127), "bfloat16": Speed(9, 9)},
            "float32",
        ),
        ({}, "int8"),
    ],
    ids=["bfloat16", "float32", "int8"],
)
def test_soonest_answer_wins(changed: dict[str, Speed], expected: str) -> None:
    assert choose("auto", SPEEDS | changed, room_for_float32=True).precision == expected


def test_float32_needs_room() -> None:
    speeds = {"float32": Speed(1, 0.1), "bfloat16": Speed(2, 0.2)}
    assert choose("auto", speeds, room_for_float32=True).precision == "float32"
    assert choose("auto", speeds, room_for_float32=False).precision == "bfloat16"


@pytest.mark.parametrize("wanted", ["float32", "bfloat16", "int8"])
def test_owner_has_the_last_word(wanted: str) -> None:
    assert choose(wanted, SPEEDS, room_for_float32=False).precision == wanted


def test_more_levels_win_over_speed() -> None:
    speeds = SPEEDS | {"fbgemm": Speed(0.1, 0.01, 63)}
    plan = choose("int8", speeds, room_for_float32=True)
    assert (plan.both, plan.levels) == ("onednn", 127)


def test_int8_that_does_not_run_is_one_sentence() -> None:
    speeds = {name: SPEEDS[name] for name in ("float32", "bfloat16")}
    with pytest.raises(ValueError, match="PRECISION=int8 does not run on this processor"):
        choose("int8", speeds, room_for_float32=True)
