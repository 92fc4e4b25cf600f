"""Answers to questions that were already asked: same pictures, same history, greedy sampling."""

from collections import OrderedDict
from dataclasses import dataclass

from engine.chat import Delta, FinishReason, SamplingParams, Usage
from engine.local.prompt import ImageSpan, Prompt

Key = tuple[str, tuple[int, ...], tuple[ImageSpan, ...], int, float]


@dataclass(frozen=True, slots=True)
class KnownAnswer:
    """An answer as it was given."""

    text: str
    output_ids: tuple[int, ...]
    finish_reason: FinishReason

    def told_again(self, prompt: Prompt, seconds: float) -> Delta:
        """All of it in one piece."""
        usage = Usage(
            prompt_ids=prompt.ids,
            output_ids=self.output_ids,
            cached_tokens=len(prompt),
            image_cached=bool(prompt.spans),
            answer_cached=True,
            ttft_s=seconds,
        )
        return Delta(
            text=self.text, answer=self.text, finish_reason=self.finish_reason, usage=usage
        )


class AnswerCache:
    """The latest greedy answers, by chat and by everything that they depend on."""

    def __init__(self, max_answers: int) -> None:
        self._max_answers = max_answers
        self._answers: OrderedDict[Key, KnownAnswer] = OrderedDict()

    def get(self, scope: str, prompt: Prompt, params: SamplingParams) -> KnownAnswer | None:
        """The answer, if this chat has asked exactly this before."""
        key = _key(scope, prompt, params)
        if key in self._answers:
            self._answers.move_to_end(key)
        return self._answers.get(key)

    def put(self, scope: str, prompt: Prompt, params: SamplingParams, answer: KnownAnswer) -> None:
        """Keep an answer; the least recently used one makes room."""
        self._answers[_key(scope, prompt, params)] = answer
        while len(self._answers) > self._max_answers:
            self._answers.popitem(last=False)

    def note(self, scope: str, prompt: Prompt, params: SamplingParams, delta: Delta) -> None:
        """Keep what the last delta of a greedy answer says."""
        if params.greedy and delta.usage and delta.finish_reason and delta.answer is not None:
            answer = KnownAnswer(delta.answer, delta.usage.output_ids, delta.finish_reason)
            self.put(scope, prompt, params, answer)

    def forget(self, scope: str) -> None:
        """Drop the answers of a chat."""
        for key in [key for key in self._answers if key[0] == scope]:
            del self._answers[key]


def _key(scope: str, prompt: Prompt, params: SamplingParams) -> Key:
    return scope, prompt.ids, prompt.spans, params.max_tokens, params.presence_penalty
