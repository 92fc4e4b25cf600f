"""The two phases of training: first only looking, then reading and answering. Knows no report."""

import logging
import time
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import torch
import torch.nn.functional as F

from engine.reader.batches import Mix, draw_batch, draw_pages
from engine.reader.crew import Crew
from engine.reader.slots import part_seen, slot_loss
from engine.reader.student import Student

logger = logging.getLogger(__name__)
LOG_STEPS, SAVE_STEPS = 50, 200


class Phase(StrEnum):
    """What is trained."""

    LOOK = "look"
    READ = "read"


@dataclass(frozen=True, slots=True)
class Plan:
    """Every figure that decides the result."""

    seed: int = 1
    look_rate: float = 1.5e-3
    read_rate: float = 1.2e-3
    warmup_steps: int = 100
    falling: float = 0.6
    num_page_cells: int = 768
    num_side_cells: int = 384
    gate: float = 1.5
    stride: float = 0.001
    helper: float = 0.3
    longest: float = 1.0
    mix: Mix = field(default_factory=Mix)


class Figures(NamedTuple):
    """What a step says about itself, averaged over the crew."""

    loss: float
    exact: float
    seen: float
    seconds: float


class Trainer:
    """Takes a student through a phase in a given time."""

    def __init__(self, plan: Plan, phase: Phase, limit_s: float, crew: Crew) -> None:
        self.plan, self.phase, self.limit_s, self.crew = plan, phase, limit_s, crew
        self.student = Student(plan.seed, len(Figures._fields), crew)
        self.started = time.monotonic()

    @property
    def left(self) -> float:
        """The part of the time that is left."""
        return max(0.0, 1.0 - self.student.progress.spent_s / self.limit_s)

    def rate(self) -> float:
        """Warm up, stay, go down to nothing."""
        plan = self.plan
        peak = plan.look_rate if self.phase is Phase.LOOK else plan.read_rate
        risen = min(1.0, (self.student.progress.step + 1) / plan.warmup_steps)
        return peak * risen * min(1.0, self.left / plan.falling)

    def look(self, seed: str) -> tuple[float, float, float]:
        """Gradients of one batch of pages, easy ones first; loss and part of characters seen."""
        ease = max(0.0, 0.6 - 2.0 * (1.0 - self.left))
        return self._look(ease, self.plan.num_page_cells, seed)

    def _look(self, ease: float, num_cells: int, seed: str) -> tuple[float, float, float]:
        pixels, slots = draw_pages(ease, num_cells, seed, self.crew)
        scores = self.student.slots(self.student.reader.see(pixels).main)
        loss = slot_loss(scores, slots)
        torch.autograd.backward(loss)
        return loss.item(), 0.0, part_seen(scores, slots)

    def read(self, seed: str) -> tuple[float, float, float]:
        """Gradients of one batch of lessons, and of a few pages: the eyes go on learning."""
        plan, student = self.plan, self.student
        batch = draw_batch(student.progress.difficulty, plan.mix, seed, self.crew)
        wanted = batch.answered[:, 1:]
        thought, cells = student.hidden_of(batch, wanted)
        scores, truth = student.reader.score(thought), batch.ids[:, 1:][wanted]
        loss = F.cross_entropy(scores, truth)
        helper = slot_loss(student.slots(cells), batch.slots)
        torch.autograd.backward(loss + plan.helper * helper)
        slips = (scores.argmax(-1) != truth).float()
        wrong = torch.zeros(len(wanted)).index_add_(0, wanted.nonzero()[:, 0], slips)
        _, _, seen = self._look(0.0, plan.num_side_cells, f"beside {seed}")
        return loss.item(), (wrong == 0).float().mean().item(), seen

    def step(self) -> None:
        """One batch forward, back, and a step of the optimiser."""
        student, before = self.student, self.started
        self.started = time.monotonic()
        student.gradients.all.zero_()
        teach = self.look if self.phase is Phase.LOOK else self.read
        told = teach(f"{self.phase} {self.plan.seed} {student.progress.step}")
        student.gradients.figures.copy_(torch.tensor([*told, self.started - before]))
        student.update(self.rate(), self.plan.longest)
        self._advance(Figures(*student.gradients.figures.tolist()))

    def _advance(self, figures: Figures) -> None:
        progress = self.student.progress
        progress.step += 1
        progress.loss += (figures.loss - progress.loss) * 0.05
        progress.exact += (figures.exact - progress.exact) * 0.05
        progress.seen += (figures.seen - progress.seen) * 0.05
        progress.spent_s += figures.seconds
        if progress.loss < self.plan.gate:
            progress.difficulty = min(1.0, progress.difficulty + self.plan.stride)

    def run(self, path: Path) -> None:
        """Train until the time is spent, with checkpoints at the path."""
        since, progress = time.monotonic(), self.student.progress
        while self.left:
            self.step()
            if progress.step % LOG_STEPS == 0 and not self.crew.rank:
                self._log(LOG_STEPS / (time.monotonic() - since))
                since = time.monotonic()
            if progress.step % SAVE_STEPS == 0:
                self.student.save(path)
        self.student.save(path)

    def _log(self, pace: float) -> None:
        now = self.student.progress
        figures = f"loss {now.loss:.3f}  exact {now.exact:.3f}  seen {now.seen:.3f}"
        place = f"difficulty {now.difficulty:.3f}  rate {self.rate():.2e}  left {self.left:.3f}"
        logger.info("%s %d  %.2f/s  %s  %s", self.phase, now.step, pace, figures, place)
