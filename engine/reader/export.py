"""A checkpoint of the training as a model folder: python -m engine.reader.export CHECKPOINT."""

import argparse
from pathlib import Path
from typing import Any

import torch
from transformers import Qwen3VLForConditionalGeneration

from engine.reader import WEIGHTS
from engine.reader.design import reader_config, write_weights


def export(checkpoint: Path, folder: Path) -> int:
    """The folder in bfloat16; returns the number of parameters."""
    model: Any = Qwen3VLForConditionalGeneration(reader_config())
    model.load_state_dict(torch.load(checkpoint, weights_only=True)["model"])
    write_weights(model.to(torch.bfloat16), folder)
    for path in folder.iterdir():
        path.chmod(0o644)
    return sum(parameter.numel() for parameter in model.parameters())


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m engine.reader.export", description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    asked = parser.parse_args()
    print(f"{export(asked.checkpoint, asked.out):,} parameters in {asked.out}")


if __name__ == "__main__":
    main()
