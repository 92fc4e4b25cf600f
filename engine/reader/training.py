"""The training loop: curriculum, helper task, checkpoints, log. Knows no report."""

import logging
import random
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from transformers import Qwen3VLForConditionalGeneration

from engine.reader.batches import START, Batch, Mix, draw_batch
from engine.reader.design import WIDTH, reader_config
from engine.reader.network import FastReader, positions_of
from engine.reader.words import CHARACTERS

logger = logging.getLogger(__name__)
LOG_STEPS, SAVE_STEPS = 50, 200


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is to do; every figure that decides the result."""

    seed: int = 1
    peak_rate: float = 1.2e-3
    warmup_steps: int = 150
    falling: float = 0.65
    gate: float = 1.4
    stride: float = 0.0003
    helper: float = 0.2
    clip: float = 1.0
    decay: float = 0.02
    mix: Mix = field(default_factory=Mix)


@dataclass(slots=True)
class Progress:
    """Where a run is."""

    step: int = 0
    difficulty: float = 0.0
    loss: float = 3.0
    exact: float = 0.0
    spent_s: float = 0.0


class Trainer:
    """A model, its optimiser and how far they have come."""

    def __init__(self, plan: Plan, state: Path) -> None:
        torch.manual_seed(plan.seed)
        self.plan, self.state, self.progress = plan, state, Progress()
        self.model = Qwen3VLForConditionalGeneration(reader_config())
        self.reader = FastReader(self.model)
        self.helper = nn.Linear(WIDTH, len(CHARACTERS))
        nn.init.constant_(self.helper.bias, -4.0)
        self.parameters = [*self.model.parameters(), *self.helper.parameters()]
        matrices = [p for p in self.parameters if p.dim() > 1]
        others = [p for p in self.parameters if p.dim() <= 1]
        groups = [
            {"params": matrices, "weight_decay": plan.decay},
            {"params": others, "weight_decay": 0.0},
        ]
        self.optimiser = torch.optim.AdamW(groups, lr=plan.peak_rate, betas=(0.9, 0.98), fused=True)

    def save(self, name: str) -> None:
        """Everything that is needed to go on, written beside and then put in place."""
        path = self.state / name
        content = {
            "model": self.model.state_dict(),
            "helper": self.helper.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "progress": asdict(self.progress),
        }
        torch.save(content, path.with_suffix(".part"))
        path.with_suffix(".part").replace(path)

    def load(self, path: Path) -> None:
        content = torch.load(path, weights_only=True)
        self.model.load_state_dict(content["model"])
        self.helper.load_state_dict(content["helper"])
        self.optimiser.load_state_dict(content["optimiser"])
        known = content["progress"]
        self.progress = Progress(**{name: known[name] for name in known if name != "finish_from"})

    def rate(self, limit_s: float) -> float:
        """Warm up and stay; with a limit of time, go down to nothing over its later part."""
        plan = self.plan
        risen = min(1.0, (self.progress.step + 1) / plan.warmup_steps)
        if not limit_s:
            return plan.peak_rate * risen
        left = max(0.0, 1.0 - self.progress.spent_s / limit_s)
        return plan.peak_rate * risen * min(1.0, left / plan.falling)

    def loss_of(self, batch: Batch) -> tuple[Tensor, Tensor, float]:
        """The answers' loss, the helper task's, and how many conversations had no error."""
        features = self.reader.see(batch.pixels)
        positions = positions_of(START, *batch.cells, batch.ids.shape[1] - 1)
        wanted = batch.answered[:, 1:]
        hidden = self.reader.think(batch.ids[:, :-1], positions, features, START, wanted)
        scores, truth = self.reader.score(hidden), batch.ids[:, 1:][wanted]
        answers = F.cross_entropy(scores, truth)
        wrong = torch.zeros(len(wanted)).index_add_(
            0, wanted.nonzero()[:, 0], (scores.argmax(-1) != truth).float()
        )
        seen = F.binary_cross_entropy_with_logits(
            self.helper(features.main), batch.presence, reduction="sum"
        )
        return answers, seen / batch.presence[..., 0].numel(), (wrong == 0).float().mean().item()

    def step(self, limit_s: float = 0.0) -> tuple[float, float]:
        """One batch forward, back, and a step of the optimiser."""
        plan, progress = self.plan, self.progress
        rng = random.Random(f"{plan.seed} {progress.step}")
        batch = draw_batch(progress.difficulty, plan.mix, rng)
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate(limit_s)
        answers, seen, exact = self.loss_of(batch)
        torch.autograd.backward(answers + plan.helper * seen)
        nn.utils.clip_grad_norm_(self.parameters, plan.clip)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        progress.step += 1
        progress.loss += (answers.item() - progress.loss) * 0.05
        progress.exact += (exact - progress.exact) * 0.05
        if progress.loss < plan.gate:
            progress.difficulty = min(1.0, progress.difficulty + plan.stride)
        return answers.item(), seen.item()

    def run(self, until_step: int, limit_s: float = 0.0) -> None:
        """Train until a step, or until the limit of time is spent."""
        before = since = time.monotonic()
        helper = 0.0
        while self.progress.step < until_step and not 0 < limit_s < self.progress.spent_s:
            _, seen = self.step(limit_s)
            helper += (seen - helper) * 0.05
            now = time.monotonic()
            self.progress.spent_s += (now - before) if limit_s else 0.0
            before = now
            if self.progress.step % LOG_STEPS == 0:
                self._log(LOG_STEPS / (now - since), helper, self.rate(limit_s))
                since = now
            if self.progress.step % SAVE_STEPS == 0:
                self.save("latest.pt")
        self.save("latest.pt")

    def _log(self, pace: float, helper: float, rate: float) -> None:
        now = self.progress
        figures = f"loss {now.loss:.3f}  exact {now.exact:.3f}  helper {helper:.3f}"
        place = f"difficulty {now.difficulty:.3f}  rate {rate:.2e}"
        logger.info("step %d  %.2f/s  %s  %s", now.step, pace, figures, place)
