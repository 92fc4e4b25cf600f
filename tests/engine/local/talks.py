"""Random conversations, and what transformers' own `generate` makes of them."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from transformers import BaseImageProcessor, Qwen3VLForConditionalGeneration

from engine.chat import Delta, Message, SamplingParams
from engine.local.local_engine import LocalEngine
from engine.local.models.base import VisionLanguageModel
from engine.window import bounded
from tests.engine.local.tiny import GREEDY, answer, ids_of, noise, question, replied

WORDS = ["What", "is", "this?", "colour", "第一行", "read\nit", "<|im_end|>", "🙂", "again"]


@dataclass(frozen=True)
class Chat:
    """Questions of one chat, pictures included."""

    session_id: str
    questions: list[Message]

    def branches(self, answers: Sequence[Delta]) -> Iterator[list[Message]]:
        """The conversation before each of its answers."""
        messages: list[Message] = []
        for asked, last in zip(self.questions, answers, strict=True):
            messages.append(asked)
            yield messages
            messages = replied(messages, last)


def random_chat(seed: int, name: str) -> Chat:
    """Two to eight turns, one or two pictures, height unlike width."""
    chance = random.Random(f"{seed} {name}")
    picture_turns = [0] if chance.random() < 0.5 else [0, chance.randint(0, 3)]
    questions: list[Message] = []
    for turn in range(chance.randint(2, 8)):
        text = " ".join(chance.choices(WORDS, k=chance.randint(1, 5)))
        pictures = [
            noise(chance.randint(40, 200), chance.randint(40, 200), chance.randint(0, 99))
            for place in picture_turns
            if place == turn
        ]
        questions.append(question(text, *pictures))
    return Chat(f"{name}/1", questions)


async def talk(
    engine: LocalEngine, chats: list[Chat], params: SamplingParams = GREEDY
) -> dict[str, list[Delta]]:
    """Ask all questions, the chats in turn, each with its own history."""
    histories: dict[str, list[Message]] = {chat.session_id: [] for chat in chats}
    answers: dict[str, list[Delta]] = {chat.session_id: [] for chat in chats}
    for turn in range(max(len(chat.questions) for chat in chats)):
        for chat in chats:
            if turn < len(chat.questions):
                messages = [*histories[chat.session_id], chat.questions[turn]]
                last = await answer(engine, messages, chat.session_id, params)
                histories[chat.session_id] = replied(messages, last)
                answers[chat.session_id].append(last)
    return answers


def output_ids(answers: dict[str, list[Delta]]) -> dict[str, list[tuple[int, ...]]]:
    return {name: [ids_of(last) for last in told] for name, told in answers.items()}


def generated(
    reference: Qwen3VLForConditionalGeneration,
    processor: BaseImageProcessor,
    model: VisionLanguageModel,
    messages: list[Message],
    params: SamplingParams = GREEDY,
) -> tuple[int, ...]:
    """What transformers makes of the whole conversation."""
    prompt = model.build_prompt(bounded(messages), 24)
    ids = torch.tensor([prompt.ids])
    seen = processor(images=list(prompt.pictures), do_resize=False, return_tensors="pt")
    output = reference.generate(
        input_ids=ids,
        attention_mask=torch.ones_like(ids),
        pixel_values=seen["pixel_values"],
        image_grid_thw=seen["image_grid_thw"],
        mm_token_type_ids=(ids == reference.config.image_token_id).int(),
        max_new_tokens=params.max_tokens,
        do_sample=False,
    )
    return tuple(output[0, len(prompt) :].tolist())
