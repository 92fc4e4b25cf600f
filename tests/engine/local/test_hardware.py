"""Threads of a fresh process: as many as were set, one for whole operations, none for tokens."""

import os
import subprocess
import sys
from pathlib import Path

from engine.cores import THREAD_VARIABLES

ROOT = Path(__file__).parents[3]
CODE = """
import os, sys
from engine.backends import create_engine
from engine.config import EngineConfig
assert "torch" not in sys.modules
create_engine(EngineConfig(cpu_threads=1))
import torch
from engine.local.hardware import use_threads
told = torch.get_num_threads()
use_threads(2)
use_threads(2)
print(told, torch.get_num_threads(), torch.get_num_interop_threads())
print(os.environ["TOKENIZERS_PARALLELISM"])
"""


def test_threads_are_set_before_torch_is_loaded() -> None:
    unset = (*THREAD_VARIABLES, "TOKENIZERS_PARALLELISM")
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    ran = subprocess.run(
        [sys.executable, "-c", CODE],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.split() == ["1", "2", "1", "false"]
