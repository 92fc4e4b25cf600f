"""Train the reading model: python -m engine.reader.train look, then ... read.

Each phase takes the time that it is given, and goes on where it was stopped. Training is not part
of the tests.
"""

import argparse
import logging
import tempfile
from pathlib import Path

import torch
from torch.multiprocessing.spawn import spawn

from engine.reader.crew import Crew
from engine.reader.training import Phase, Plan, Trainer


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m engine.reader.train", description=__doc__)
    parser.add_argument("phase", type=Phase, choices=[*Phase])
    parser.add_argument("--state", type=Path, required=True, help="folder for checkpoints")
    parser.add_argument("--minutes", type=float, required=True, help="time for the phase in all")
    parser.add_argument("--difficulty", type=float, help="instead of the checkpoint's")
    parser.add_argument("--workers", type=int, default=1, help="processes, one for each core")
    return parser.parse_args()


def work(rank: int, asked: argparse.Namespace) -> None:
    """Train as one of the workers."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    torch.set_flush_denormal(True)
    crew = Crew.join(rank, asked.workers, asked.meeting) if asked.workers > 1 else Crew()
    trainer = Trainer(Plan(), asked.phase, asked.minutes * 60, crew)
    own, earlier = asked.state / f"{asked.phase}.pt", asked.state / f"{Phase.LOOK}.pt"
    if own.exists():
        trainer.student.resume(own)
    elif earlier.exists():
        trainer.student.inherit(earlier)
    if asked.difficulty is not None:
        trainer.student.progress.difficulty = asked.difficulty
    trainer.run(own)


def main() -> None:
    asked = arguments()
    asked.state.mkdir(parents=True, exist_ok=True)
    if asked.workers == 1:
        work(0, asked)
        return
    with tempfile.TemporaryDirectory() as folder:
        asked.meeting = Path(folder) / "meeting"
        spawn(work, (asked,), asked.workers)  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main()
