"""Samples to medians, medians to ratios, and both to a table. Knows no engine."""

import json
from dataclasses import dataclass
from statistics import median

from engine.bench.work import Measured

LINES = {
    "new_photo_s": "new photo, first token (s)",
    "follow_up_s": "follow-up, first token (s)",
    "same_photo_s": "the same photo in a new conversation, first token (s)",
    "decode_tokens_per_s": "decode, one chat, fresh text (tok/s)",
    "repeating_tokens_per_s": "decode where the text repeats (tok/s)",
    "together_tokens_per_s": "decode, five chats together (tok/s in all)",
    "five_photos_s": "five chats, a picture each, all at once (s)",
    "peak_memory_gb": "peak memory, one chat (GB)",
    "start_s": "start to ready, weights packed if they were not (s)",
    "second_start_s": "second start to ready (s)",
    "restored_s": "after a restart: follow-up from disk, first token (s)",
    "rebuilt_s": "after a restart: the same computed anew (s)",
}
HONEST = (
    "Speed and memory follow from the layout of the weights, not from their values: with random "
    "weights these figures hold, but they say nothing about answers. Fresh text is held to say "
    "nothing twice, repeating text to say one thing only."
)


@dataclass(frozen=True, slots=True)
class Report:
    """Both engines' figures, and what they ran on; `theirs` is None when ours ran alone.

    `against` is what theirs is: transformers, or the address of a server.
    """

    hardware: dict[str, str | int]
    model: str
    num_runs: int
    ours: Measured
    theirs: Measured | None
    against: str = "transformers"


def medians(measured: Measured) -> dict[str, float]:
    """The middle of each line's samples; a line without samples is left out."""
    return {name: median(values) for name, values in measured.samples.items() if values}


def ratios(ours: dict[str, float], theirs: dict[str, float]) -> dict[str, float]:
    """Ours divided by theirs, where both have a figure."""
    return {name: ours[name] / theirs[name] for name in ours if theirs.get(name)}


def within(ours: dict[str, float]) -> dict[str, float]:
    """Our own figures against one another."""
    pairs = {
        "same_photo_to_new_photo": ("same_photo_s", "new_photo_s"),
        "together_to_alone": ("together_tokens_per_s", "decode_tokens_per_s"),
        "repeating_to_fresh": ("repeating_tokens_per_s", "decode_tokens_per_s"),
        "rebuilt_to_restored": ("rebuilt_s", "restored_s"),
    }
    return {name: ours[a] / ours[b] for name, (a, b) in pairs.items() if a in ours and ours.get(b)}


def as_object(report: Report) -> dict[str, object]:
    """All figures, the samples included."""
    ours = medians(report.ours)
    found: dict[str, object] = {
        "hardware": report.hardware,
        "model": report.model,
        "runs": report.num_runs,
        "note": HONEST,
        "ours": {"precision": report.ours.precision, "medians": ours},
        "samples": report.ours.samples,
        "ratios_within": within(ours),
    }
    if report.theirs is not None:
        theirs = medians(report.theirs)
        name = "server" if report.against.startswith("http") else "transformers"
        found[name] = {"precision": report.theirs.precision, "medians": theirs}
        found[f"{name}_samples"] = report.theirs.samples
        found["ratios"] = ratios(ours, theirs)
    return found


def as_json(report: Report) -> str:
    """One object on a line."""
    return json.dumps(as_object(report))


def as_table(report: Report) -> str:
    """For people: a row for each line."""
    ours = medians(report.ours)
    theirs = medians(report.theirs) if report.theirs else {}
    shares = ratios(ours, theirs)
    named = ", ".join(f"{name} {value}" for name, value in report.hardware.items())
    rows = [f"{named}; {report.ours.precision}; medians of {report.num_runs} runs", HONEST, ""]
    rows.append(f"{'':56}{'ours':>10}{'theirs':>10}{'ratio':>8}")
    for name, title in LINES.items():
        cells = [f"{v:.2f}" if v is not None else "-" for v in (ours.get(name), theirs.get(name))]
        share = f"{shares[name]:.2f}" if name in shares else "-"
        rows.append(f"{title:56}{cells[0]:>10}{cells[1]:>10}{share:>8}")
    rows += [f"{name.replace('_', ' ')}: {share:.2f}" for name, share in within(ours).items()]
    return "\n".join(rows)
