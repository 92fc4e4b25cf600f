"""Train the reading model: python -m engine.reader.train --state FOLDER [--minutes N].

Training takes hours and is not part of the tests.
"""

import argparse
import logging
from pathlib import Path

import torch

from engine.reader.training import Plan, Trainer


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m engine.reader.train")
    parser.add_argument(
        "--state", type=Path, required=True, help="folder for checkpoints, outside the repository"
    )
    parser.add_argument("--steps", type=int, default=100_000, help="stop at this step")
    parser.add_argument(
        "--minutes",
        type=float,
        default=0.0,
        help="end after so much training time, counted over restarts, with the rate going down",
    )
    parser.add_argument(
        "--difficulty", type=float, help="go on at this difficulty instead of the checkpoint's"
    )
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


def main() -> None:
    asked = arguments()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    torch.set_num_threads(asked.threads)
    torch.set_flush_denormal(True)
    asked.state.mkdir(parents=True, exist_ok=True)
    trainer = Trainer(Plan(), asked.state)
    latest = asked.state / "latest.pt"
    if latest.exists():
        trainer.load(latest)
    if asked.difficulty is not None:
        trainer.progress.difficulty = asked.difficulty
    trainer.run(asked.steps, asked.minutes * 60)


if __name__ == "__main__":
    main()
