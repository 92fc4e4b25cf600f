"""The one place that names the backends; importing it loads none of them."""

from engine.base import Engine, LineReader
from engine.config import EngineConfig
from engine.cores import limit_threads


def create_engine(config: EngineConfig) -> Engine:
    """The engine that the configuration asks for, not yet started."""
    limit_threads(config.cpu_threads)
    from engine.local.local_engine import LocalEngine

    return LocalEngine(config)


def create_line_reader(config: EngineConfig) -> LineReader:
    """The line reader, not yet started."""
    from engine.ocr.line_reader import RapidLineReader

    return RapidLineReader(num_threads=config.ocr_threads)
