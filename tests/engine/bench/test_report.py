"""Arithmetic and shape of a report; no time is judged here."""

import json
from pathlib import Path

import pytest

from engine.bench.command import Bench, bench, hardware
from engine.bench.report import Report, as_json, as_table, medians, ratios, within
from engine.bench.work import Job, Measured, long_words, peak_memory_gb, photo, told
from engine.errors import EngineError, ModelNotUsable

OURS = Measured(
    "int8",
    {
        "new_photo_s": [9.0, 2.0, 3.0],
        "same_photo_s": [1.5],
        "decode_tokens_per_s": [10.0, 20.0],
        "together_tokens_per_s": [45.0],
        "five_photos_s": [],
    },
)
THEIRS = Measured("bfloat16", {"new_photo_s": [6.0], "decode_tokens_per_s": [0.0]})
HARDWARE: dict[str, str | int] = {"CPU": "A fast one", "cores": 2, "torch": "2"}
JOB = Job("absent", "auto", 3, 0.0)


def test_median_withstands_one_slow_run() -> None:
    found = medians(OURS)
    assert found["new_photo_s"] == 3.0
    assert found["decode_tokens_per_s"] == 15.0
    assert "five_photos_s" not in found


def test_ratio_is_ours_by_theirs() -> None:
    assert ratios(medians(OURS), medians(THEIRS)) == {"new_photo_s": 0.5}


def test_own_lines_are_compared() -> None:
    found = within(medians(OURS))
    assert found == {"same_photo_to_new_photo": 0.5, "together_to_alone": 3.0}


def test_json_bears_samples_and_hardware() -> None:
    found = json.loads(as_json(Report(HARDWARE, "m", 3, OURS, THEIRS)))
    assert found["hardware"] == HARDWARE
    assert found["samples"] == OURS.samples
    assert found["ours"]["precision"] == "int8"
    assert found["transformers"]["precision"] == "bfloat16"
    assert found["ratios"] == {"new_photo_s": 0.5}
    assert "random weights" in found["note"]


def test_table_leaves_out_nothing() -> None:
    rows = as_table(Report(HARDWARE, "m", 3, OURS, THEIRS)).splitlines()
    assert "A fast one" in rows[0]
    [photo_row] = [row for row in rows if row.startswith("new photo")]
    assert photo_row.split()[-3:] == ["3.00", "6.00", "0.50"]
    [follow_up] = [row for row in rows if row.startswith("follow-up")]
    assert follow_up.split()[-3:] == ["-", "-", "-"]


def test_alone_has_no_ratios() -> None:
    found = json.loads(as_json(Report(HARDWARE, "m", 3, OURS, None)))
    assert "ratios" not in found


def test_refusal_crosses_as_its_sentence() -> None:
    def refuse() -> Measured:
        raise ModelNotUsable("here", "it is missing")

    with pytest.raises(EngineError, match="here: it is missing"):
        Measured.from_json(told(refuse))


def test_figures_cross_unchanged() -> None:
    assert Measured.from_json(told(lambda: OURS)) == OURS
    assert Job.from_json(JOB.to_json()) == JOB


def test_fewer_than_three_runs_are_refused() -> None:
    with pytest.raises(ValueError, match="--runs must be at least 3, not 2"):
        bench(Bench(Job("absent", "auto", 2, 0.0), None, as_json=False))


@pytest.mark.parametrize(
    ("config", "num_words"),
    [
        ('{"text_config": {"vocab_size": 288}}', 100),
        ('{"text_config": {"vocab_size": 151936}}', 1000),
        ('{"text_config": {"vocab_size": "many"}}', 1000),
        ("[]", 1000),
        ("{", 1000),
    ],
)
def test_model_that_counts_bytes_reads_fewer_words(
    config: str, num_words: int, tmp_path: Path
) -> None:
    (tmp_path / "config.json").write_text(config)
    assert long_words(str(tmp_path)) == num_words


def test_long_question_follows_the_name(tmp_path: Path) -> None:
    assert long_words("reader") == 100
    assert long_words("owner/name") == long_words(str(tmp_path)) == 1000


@pytest.mark.parametrize("against", ["llama", "https://there", ""])
def test_other_engine_is_named_or_refused(against: str) -> None:
    with pytest.raises(ValueError, match="--against must be transformers or http://HOST:PORT"):
        bench(Bench(JOB, against, as_json=False))


def test_server_is_reported_as_one() -> None:
    report = Report(HARDWARE, "m", 3, OURS, THEIRS, against="http://127.0.0.1:1")
    found = json.loads(as_json(report))
    assert found["server"]["medians"]["new_photo_s"] == 6.0
    assert "transformers" not in found


def test_processes_of_one_engine_are_joined() -> None:
    found = OURS.joined(Measured("int8", {"rebuilt_s": [6.0], "restored_s": [0.5]}))
    assert within(medians(found))["rebuilt_to_restored"] == 12.0
    assert found.samples["new_photo_s"] == OURS.samples["new_photo_s"]


def test_picture_follows_its_seed_alone() -> None:
    assert photo(JOB, 1) != photo(JOB, 2)
    assert photo(JOB, 1) == photo(JOB, 1)


def test_peak_is_read_from_the_kernel(tmp_path: Path) -> None:
    status = tmp_path / "status"
    status.write_text("VmPeak:\t 9 kB\nVmHWM:\t 2000000 kB\n")
    assert peak_memory_gb(status) == pytest.approx(2.048)
    assert peak_memory_gb(tmp_path / "absent") > 0


def test_processor_is_named(tmp_path: Path) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("processor\t: 0\nmodel name\t: A fast one\n")
    assert hardware(cpuinfo)["CPU"] == "A fast one"
