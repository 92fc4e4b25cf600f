"""RapidOCR's networks: one finds lines of text in a picture, one spells a single line.

Knows pixels; neither pages nor reading order. Nothing is ever downloaded.
"""

import logging
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from omegaconf import flag_override
from onnxruntime import InferenceSession, SessionOptions
from PIL import Image
from rapidocr import RapidOCR
from rapidocr import __file__ as rapidocr_file
from rapidocr.ch_ppocr_det import TextDetOutput
from rapidocr.ch_ppocr_rec import TextRecOutput
from rapidocr.inference_engine.onnxruntime import ONNXRuntimeError

from engine.chat import Corner
from engine.errors import EngineFailed, ModelNotUsable
from engine.ocr.outline import Outline

MODELS = Path(rapidocr_file).parent / "models"
MODEL_FILES = {"Det": "PP-OCRv6_det_small.onnx", "Rec": "PP-OCRv6_rec_small.onnx"}
# Pixels around the picture: letters that touch its edge are found as well.
MARGIN = 16


class Networks:
    """The loaded networks; to be used from one thread at a time."""

    def __init__(self, num_threads: int, folder: Path = MODELS) -> None:
        _silence()
        self._rapid = RapidOCR(
            params={
                "Global.log_level": "error",
                # Sizes are chosen here: its own steps would shrink small print.
                "Global.use_preprocess_img": False,
                "Global.use_vertical_padding": False,
                "Global.text_score": 0.0,
                "Det.limit_type": "max",
                "Det.limit_side_len": 1_000_000,
            }
        )
        with flag_override(self._rapid.cfg, "allow_objects", True):
            for task, name in MODEL_FILES.items():
                self._rapid.cfg[task].session = _session(folder / name, num_threads)

    def warm_up(self) -> None:
        """Do what only the first picture would wait for."""
        blank = Image.new("RGB", (64, 48), "white")
        self.find(blank)
        self.spell(blank)

    def find(self, image: Image.Image) -> list[Outline]:
        """The outlines of lines, clockwise from the top left; at the picture's own scale."""
        try:
            found = self._rapid(
                np.pad(_pixels(image), ((MARGIN, MARGIN), (MARGIN, MARGIN), (0, 0)), mode="edge"),
                use_det=True,
                use_cls=False,
                use_rec=False,
            )
        except ONNXRuntimeError as error:
            raise EngineFailed("finding lines") from error
        # Without a find it answers with another of its types.
        if not isinstance(found, TextDetOutput) or found.boxes is None:
            return []
        return [_outline(box, image.size) for box in found.boxes.tolist()]

    def spell(self, strip: Image.Image) -> tuple[str, float]:
        """The text of one line and how sure it is, from 0 to 1."""
        try:
            found = self._rapid(_pixels(strip), use_det=False, use_cls=False, use_rec=True)
        except ONNXRuntimeError as error:
            raise EngineFailed("spelling a line") from error
        if not isinstance(found, TextRecOutput) or not found.txts or not found.scores:
            return "", 0.0
        return str(found.txts[0]).strip(), float(found.scores[0])


def _session(path: Path, num_threads: int) -> InferenceSession:
    """A loaded file; RapidOCR would fetch one that it misses, and choose the threads itself."""
    if not path.is_file():
        raise ModelNotUsable(str(path), "this file of the rapidocr package is missing")
    options = SessionOptions()
    options.log_severity_level = 4
    options.enable_cpu_mem_arena = False
    options.intra_op_num_threads = num_threads
    options.inter_op_num_threads = 1
    # A thread that spins while it waits takes the core from the model that answers.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _silence() -> None:
    """Its coloured lines go nowhere; real errors go where all of ours go."""
    logger = logging.getLogger("RapidOCR")
    for handler in list(logger.handlers):
        logger.removeHandler(handler)
    logger.propagate = True
    logger.setLevel(logging.ERROR)


def _pixels(image: Image.Image) -> NDArray[np.uint8]:
    """Blue first, as the networks were taught."""
    return np.ascontiguousarray(np.asarray(image.convert("RGB"))[:, :, ::-1])


def _outline(box: list[list[float]], size: tuple[int, int]) -> Outline:
    width, height = size
    first, second, third, fourth = (
        Corner(
            x=float(min(max(x - MARGIN, 0), width)),
            y=float(min(max(y - MARGIN, 0), height)),
        )
        for x, y in box
    )
    return first, second, third, fourth
