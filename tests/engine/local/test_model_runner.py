"""What one step does at most, so that nobody's answer stands still for long."""

from dataclasses import dataclass, field

import pytest
import torch

from engine.chat import Message, SamplingParams
from engine.local import encoder
from engine.local.encoder_cache import EncoderCache
from engine.local.model_runner import CHEAP_ROWS, SHORT_PIECE_TOKENS, ModelRunner
from engine.local.models.base import Chunk, VisionLanguageModel
from engine.local.sequence import Sequence
from engine.local.session import SessionPool
from tests.engine.local.tiny import noise, question

LONG = SamplingParams(max_tokens=200, greedy=True, presence_penalty=1000.0)
TALK = "word " * 200


@dataclass
class Watched:
    """A runner, and what each of its steps was given."""

    runner: ModelRunner
    steps: list[list[Chunk]] = field(default_factory=list)


@pytest.fixture
def watched(model: VisionLanguageModel, monkeypatch: pytest.MonkeyPatch) -> Watched:
    sessions = SessionPool(0, model.kv_shape)
    found = Watched(ModelRunner(model, sessions, EncoderCache(0), max_draft_tokens=10))
    forward = model.forward

    def watching(chunks: list[Chunk]) -> torch.Tensor:
        found.steps.append(chunks)
        return forward(chunks)

    monkeypatch.setattr(model, "forward", watching)
    monkeypatch.setattr(encoder, "LAYERS_PER_STEP", 1)
    return found


def admitted(watched: Watched, *messages: Message) -> Sequence:
    model = watched.runner.model
    sequence = Sequence(
        model.build_prompt(messages, 24),
        LONG,
        "chat/one",
        model=model,
        deliver=lambda item: None,
        started_at=0.0,
    )
    watched.runner.admit(sequence)
    return sequence


def test_writing_goes_on_while_a_picture_and_a_long_prompt_come(watched: Watched) -> None:
    writing = admitted(watched, question("Tell"))
    watched.runner.run([writing])
    reading = admitted(watched, question(TALK, noise(160, 96, 1)))
    assert len(reading.prompt) > 4 * SHORT_PIECE_TOKENS
    num_steps = 0
    while reading.prefilling:
        num_written = len(writing.output_ids)
        watched.runner.run([writing, reading])
        num_steps += 1
        assert len(writing.output_ids) > num_written
        num_rows = sum(len(chunk.ids) for chunk in watched.steps[-1])
        assert num_rows <= SHORT_PIECE_TOKENS + CHEAP_ROWS
    # Three layers of the tower are steps of their own, beside the pieces of the prompt.
    assert num_steps == 3 + -(-len(reading.prompt) // SHORT_PIECE_TOKENS)


def test_pictures_are_encoded_when_they_are_reached(watched: Watched) -> None:
    talk = Message("assistant", TALK)
    asked = (question("one", noise(64, 64, 1)), talk, question("two", noise(64, 64, 2)))
    reading = admitted(watched, *asked)
    second = reading.prompt.spans[1]
    while not watched.steps:
        watched.runner.run([reading])
    assert reading.num_computed == len(watched.steps[0][0].ids) < second.start
    while reading.prefilling:
        watched.runner.run([reading])
    assert [len(chunk.images) for [chunk] in watched.steps] == [1, 0, 1]


def test_step_of_many_stays_cheap(watched: Watched) -> None:
    writing = [admitted(watched, question(f"ab ab ab {index}")) for index in range(5)]
    for sequence in writing:
        watched.runner.run([sequence])
    watched.steps.clear()
    for _ in range(10):
        watched.runner.run(writing)
    assert max(sum(len(chunk.ids) for chunk in step) for step in watched.steps) <= CHEAP_ROWS
