"""What a model says of a few pictures that are drawn here, to compare two ways of running it.

Knows no family and no number format.
"""

import io

import torch
from PIL import Image as Picture
from PIL import ImageDraw

from engine.chat import Image, Message
from engine.local.kv_cache import KVCache
from engine.local.models.base import Chunk, PlacedImage, VisionLanguageModel

IMAGE_TOKENS = 48
NUM_SCORED = 16
QUESTION = "Describe this photo in two or three sentences."


@torch.inference_mode()
def scores(model: VisionLanguageModel) -> torch.Tensor:
    """Logarithms of chances at the ends of questions about a few pictures, (rows, vocabulary)."""
    chunks = []
    for picture in _pictures():
        asked = Message("user", QUESTION, (Image(picture),))
        prompt = model.build_prompt([asked], IMAGE_TOKENS)
        cache = KVCache(model.kv_shape)
        cache.reserve(len(prompt))
        placed = tuple(
            PlacedImage(span.start, model.encode_image(seen))
            for span, seen in zip(prompt.spans, prompt.pictures, strict=True)
        )
        chunks.append(Chunk(prompt.ids, prompt.positions, placed, cache, NUM_SCORED))
    return model.forward(chunks).float().log_softmax(-1)


def _pictures() -> list[bytes]:
    """Shapes on a slope of colour, and lines of print."""
    shapes = Picture.linear_gradient("L").resize((256, 192)).convert("RGB")
    draw = ImageDraw.Draw(shapes)
    draw.ellipse((20, 30, 120, 130), fill=(200, 40, 30))
    draw.rectangle((130, 60, 230, 170), fill=(30, 90, 200), outline=(255, 255, 0), width=5)
    page = Picture.new("RGB", (256, 192), (250, 250, 245))
    draw = ImageDraw.Draw(page)
    for row in range(6):
        draw.text((12, 12 + row * 28), f"Line {row + 1}: 3 apples, 12.50 paid", fill=(20, 20, 30))
    files = [io.BytesIO() for _ in range(2)]
    for picture, file in zip((shapes, page), files, strict=True):
        picture.save(file, "PNG")
    return [file.getvalue() for file in files]
