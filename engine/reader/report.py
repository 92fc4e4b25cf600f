"""How well the shipped model reads, through the whole engine: python -m engine.reader.report.

Pictures nobody trained on, from fixed seeds; writes RESULTS.md beside this file.
"""

import argparse
import asyncio
import io
import random
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image, ImageFilter

from engine.backends import create_engine
from engine.base import Engine
from engine.chat import Image as SentImage
from engine.chat import Message, SamplingParams
from engine.config import EngineConfig
from engine.reader import ABOUT
from engine.reader.batches import cells_for
from engine.reader.contents import Content, as_jpeg, draw, drawn_size, tilted
from engine.reader.design import CELL
from engine.reader.questions import answer, ask
from engine.reader.scoring import Reading, part_of_characters, part_of_lines
from engine.reader.wordings import Kind

RESULTS = Path(__file__).with_name("RESULTS.md")
SEED = "report 1"
# Everything that training varies, but for the damage of the rough copies.
LEVEL = 0.9
GREEDY = SamplingParams(max_tokens=160, greedy=True)
AIM = "The aim is 90% of the lines, 97% of the characters, 95% for count and colour."
Change = Callable[[Image.Image], Image.Image]
COPIES: dict[str, Change] = {
    "JPEG, quality 60": lambda image: as_jpeg(image, 60),
    "blur of 0.7 pixels": lambda image: image.filter(ImageFilter.GaussianBlur(0.7)),
    "tilt of 1.5 degrees": lambda image: tilted(image, 1.5),
    "twice the size": lambda image: image.resize((image.width * 2, image.height * 2)),
    "three quarters of the size": lambda image: image.resize(
        (image.width * 3 // 4, image.height * 3 // 4)
    ),
}


@dataclass(slots=True)
class Tally:
    """What was asked of pictures and how it was answered."""

    readings: list[Reading] = field(default_factory=list)
    right: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    asked: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def count(self, name: str, *, right: bool) -> None:
        self.asked[name] += 1
        self.right[name] += right


def example(place: int) -> tuple[Content, random.Random]:
    """The picture with this number, and the generator that goes on to choose its questions."""
    rng = random.Random(f"{SEED} {place}")
    columns, rows = cells_for(LEVEL, rng)
    return draw(LEVEL, drawn_size((columns * CELL, rows * CELL), rng), rng), rng


def file_of(image: Image.Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


async def converse(engine: Engine, data: bytes, questions: list[str], place: int) -> list[str]:
    """Ask the questions one after the other about a picture."""
    messages: list[Message] = []
    for question in questions:
        images = () if messages else (SentImage(data),)
        messages.append(Message("user", question, images))
        pieces: list[str] = []
        ids: tuple[int, ...] = ()
        async for delta in engine.generate(messages, GREEDY, f"report/{place}"):
            pieces.append(delta.text)
            ids = delta.usage.output_ids if delta.usage else ids
        messages.append(Message("assistant", "".join(pieces), token_ids=ids))
    await engine.forget(f"report/{place}")
    return [message.text for message in messages if message.role == "assistant"]


def questions_for(content: Content, rng: random.Random) -> list[Kind]:
    """Reading first, then the follow-ups in any order."""
    kinds = [Kind.COUNT, Kind.FIRST, Kind.LAST, Kind.OTHER]
    rng.shuffle(kinds)
    return [Kind.READ, *([Kind.COLOUR] if content.background else []), *kinds[:2]]


async def examine(engine: Engine, place: int, tally: Tally) -> None:
    """One picture, read and asked about."""
    content, rng = example(place)
    kinds = questions_for(content, rng)
    chinese = rng.random() < 0.25
    questions = [ask(kind, rng, chinese=chinese) for kind in kinds]
    said = await converse(engine, file_of(content.image), questions, place)
    for kind, reply in zip(kinds, said, strict=True):
        right = reply == answer(kind, content.lines, content.background, chinese=chinese)
        if kind is Kind.READ and content.lines:
            tally.readings.append(Reading(content.lines, reply))
        tally.count("no text" if kind is Kind.READ and not content.lines else kind, right=right)


async def read_copies(engine: Engine, change: Change, num_pictures: int) -> list[Reading]:
    """Readings of changed pictures."""
    readings: list[Reading] = []
    for place in range(num_pictures):
        content, rng = example(place)
        if content.lines:
            data = file_of(change(content.image))
            said = await converse(engine, data, [ask(Kind.READ, rng, chinese=False)], place)
            readings.append(Reading(content.lines, said[0]))
    return readings


def _row(name: str, readings: list[Reading]) -> str:
    lines, characters = part_of_lines(readings), part_of_characters(readings)
    return f"| {name} | {len(readings)} | {lines:.1%} | {characters:.1%} |"


def rendered(tally: Tally, copies: dict[str, list[Reading]]) -> str:
    """The report as Markdown."""
    reading = ["| pictures | number | exact lines | characters |", "|---|---|---|---|"]
    reading.append(_row("as drawn", tally.readings))
    reading += [_row(name, readings) for name, readings in copies.items()]
    asking = ["| question | asked | answered exactly |", "|---|---|---|"]
    asking += [
        f"| {name} | {num} | {tally.right[name] / num:.1%} |"
        for name, num in sorted(tally.asked.items())
    ]
    head = f"# What the reading model reads\n\n{ABOUT}\n{AIM}\n\n"
    how = f'Measured by `python -m engine.reader.report`, seed "{SEED}", greedy, float32.\n\n'
    return head + how + "\n".join(reading) + "\n\n" + "\n".join(asking) + "\n"


async def report(num_pictures: int, num_copies: int, model: str) -> str:
    """Examine the model through an engine of its own."""
    tally = Tally()
    config = EngineConfig(model=model, precision="float32", max_running=1)
    async with create_engine(config) as engine:
        for place in range(num_pictures):
            await examine(engine, place, tally)
        copies = {
            name: await read_copies(engine, change, num_copies) for name, change in COPIES.items()
        }
    return rendered(tally, copies)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m engine.reader.report")
    parser.add_argument("--pictures", type=int, default=500)
    parser.add_argument("--copies", type=int, default=100)
    parser.add_argument("--model", default="reader", help="reader, or a folder")
    parser.add_argument("--out", type=Path, default=RESULTS)
    asked = parser.parse_args()
    text = asyncio.run(report(asked.pictures, asked.copies, asked.model))
    asked.out.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
