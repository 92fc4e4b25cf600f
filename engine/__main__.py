"""The engine in a terminal: `python -m engine ask PHOTO QUESTION ...`, `read PHOTO`, `bench`."""

import argparse
import asyncio
import sys
from dataclasses import replace
from pathlib import Path
from typing import get_args

from engine.asking import Asking, ask
from engine.backends import create_engine, create_line_reader
from engine.bench.command import LEAST_RUNS, Bench, bench
from engine.bench.work import Job, long_words
from engine.chat import SamplingParams
from engine.config import CACHE_FOLDER, EngineConfig, Precision
from engine.errors import EngineError
from engine.reading import read

BAD_INPUT = 2


def parse(arguments: list[str]) -> argparse.Namespace:
    """The command line as values."""
    parser = argparse.ArgumentParser(prog="python -m engine", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    asking = commands.add_parser("ask", help="ask a model about a photo, in one conversation")
    asking.add_argument("photo", type=Path)
    asking.add_argument("question", nargs="+")
    asking.add_argument("--model", default="reader", help="reader, a folder or a hub id")
    asking.add_argument("--image-tokens", type=int, default=EngineConfig().question_image_tokens)
    asking.add_argument("--precision", choices=get_args(Precision), default="auto")
    asking.add_argument("--greedy", action="store_true", help="always the likeliest token")
    asking.add_argument("--max-tokens", type=int, default=SamplingParams().max_tokens)
    asking.add_argument("--no-cache", action="store_true", help="remember nothing between turns")
    asking.add_argument("--json", action="store_true", help="one object for each answer")
    reading = commands.add_parser("read", help="read the printed lines of a photo")
    reading.add_argument("photo", type=Path)
    reading.add_argument("--json", action="store_true", help="one object for each line")
    _add_bench(commands.add_parser("bench", help="measure speed and memory on this machine"))
    return parser.parse_args(arguments)


def _add_bench(measuring: argparse.ArgumentParser) -> None:
    measuring.add_argument("--model", default="reader", help="reader, a folder or a hub id")
    measuring.add_argument(
        "--against", help="transformers, or http://HOST:PORT of a server of chat completions"
    )
    measuring.add_argument("--precision", choices=get_args(Precision), default="auto")
    measuring.add_argument("--runs", type=int, default=LEAST_RUNS)
    measuring.add_argument("--json", action="store_true", help="one object with all samples")


async def run(options: argparse.Namespace) -> None:
    """Carry out a parsed command line; a file that is not there is noticed before any loading."""
    if options.command == "bench":
        words = long_words(options.model)
        job = Job(options.model, options.precision, options.runs, 0, num_long_words=words)
        await asyncio.to_thread(bench, Bench(job, options.against, options.json))
        return
    photo = options.photo.read_bytes()
    if options.command == "read":
        async with create_line_reader(EngineConfig()) as line_reader:
            await read(line_reader, photo, as_json=options.json)
        return
    config = EngineConfig(
        model=options.model,
        precision=options.precision,
        cache_folder=CACHE_FOLDER,
        question_image_tokens=options.image_tokens,
    )
    if options.no_cache:
        config = replace(config, kv_cache_gib=0, feature_cache_gib=0, num_answers_kept=0)
    params = SamplingParams(max_tokens=options.max_tokens, greedy=options.greedy)
    asking = Asking(photo, tuple(options.question), params, options.json)
    async with create_engine(config) as engine:
        await ask(engine, asking)


def main() -> int:
    """Exit status 0, or 2 after one sentence about what was wrong."""
    try:
        asyncio.run(run(parse(sys.argv[1:])))
    except (EngineError, ValueError) as error:
        return _refuse(str(error))
    except OSError as error:
        return _refuse(f"{error.filename}: {error.strerror}")
    except KeyboardInterrupt:
        return 130
    return 0


def _refuse(sentence: str) -> int:
    print(f"engine: {sentence}", file=sys.stderr)
    return BAD_INPUT


if __name__ == "__main__":
    sys.exit(main())
