"""Logits to token ids, each row with its own parameters and its own source of chance."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from engine.chat import SamplingParams


@dataclass(frozen=True, slots=True)
class SamplingDefaults:
    """What the checkpoint recommends; top_k of 0 means no limit."""

    greedy: bool = False
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0


class Sampler:
    """Chooses the next token of one request."""

    def __init__(self, params: SamplingParams, defaults: SamplingDefaults) -> None:
        self.greedy = params.greedy or (defaults.greedy and params.temperature is None)
        self._temperature = params.temperature or defaults.temperature
        self._top_p = defaults.top_p if params.top_p is None else params.top_p
        self._top_k = defaults.top_k if params.top_k is None else params.top_k
        self._presence_penalty = params.presence_penalty
        self._generator = torch.Generator()
        if params.seed is None:
            self._generator.seed()
        else:
            self._generator.manual_seed(params.seed)

    def sample(self, logits: torch.Tensor, output_ids: Sequence[int]) -> int:
        """The next id; logits: (vocabulary,). The penalty counts this answer's own ids only."""
        logits = logits.float().cpu()
        if self._presence_penalty and output_ids:
            logits = logits.clone()
            logits[torch.tensor(sorted(set(output_ids)))] -= self._presence_penalty
        if self.greedy:
            return int(logits.argmax())
        # Finding the best few is far cheaper than sorting a vocabulary.
        num_kept = min(self._top_k or len(logits), len(logits))
        scores, ids = torch.topk(logits / self._temperature, num_kept)
        probabilities = _nucleus(scores.softmax(0), self._top_p)
        choice = torch.multinomial(probabilities, 1, generator=self._generator)
        return int(ids[choice])


def _nucleus(probabilities: torch.Tensor, top_p: float) -> torch.Tensor:
    """Zero what lies beyond the smallest set that reaches `top_p`; sorted, descending."""
    before = probabilities.cumsum(0) - probabilities
    return probabilities.masked_fill(before >= top_p, 0.0)
