"""The `ask` command: a photo and questions in, one answer for each, in one conversation."""

import json
import sys
from dataclasses import dataclass

from engine.base import Engine
from engine.chat import FinishReason, Image, Message, SamplingParams, Usage
from engine.errors import EngineError

SESSION = "terminal/conversation"


@dataclass(frozen=True, slots=True)
class Asking:
    """What the command line asked for."""

    photo: bytes
    questions: tuple[str, ...]
    params: SamplingParams
    as_json: bool


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer as it ended."""

    text: str
    finish_reason: FinishReason
    usage: Usage


async def ask(engine: Engine, asking: Asking) -> None:
    """Ask one question after the other; each answer goes to standard output."""
    messages: list[Message] = []
    images: tuple[Image, ...] = (Image(asking.photo),)
    for question in asking.questions:
        messages.append(Message("user", question, images))
        images = ()
        reply = await _answer(engine, messages, asking)
        if asking.as_json:
            print(json.dumps(_as_object(reply), ensure_ascii=False))
        messages.append(Message("assistant", reply.text, token_ids=reply.usage.output_ids))


async def _answer(engine: Engine, messages: list[Message], asking: Asking) -> Reply:
    async for delta in engine.generate(messages, asking.params, SESSION):
        if not asking.as_json:
            sys.stdout.write(delta.text)
            sys.stdout.flush()
        if delta.answer is not None and delta.usage and delta.finish_reason:
            if not asking.as_json:
                print()
            return Reply(delta.answer, delta.finish_reason, delta.usage)
    raise EngineError("the answer has no end")


def _as_object(reply: Reply) -> dict[str, object]:
    usage = reply.usage
    return {
        "text": reply.text,
        "finish_reason": reply.finish_reason,
        "prompt_ids": usage.prompt_ids,
        "prompt_tokens": usage.prompt_tokens,
        "cached_tokens": usage.cached_tokens,
        "image_cached": usage.image_cached,
        "answer_cached": usage.answer_cached,
        "output_ids": usage.output_ids,
        "ttft_s": round(usage.ttft_s, 4),
        "decode_tokens_per_s": round(usage.decode_tokens_per_s, 2),
    }
