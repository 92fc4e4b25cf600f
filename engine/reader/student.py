"""What is trained: the model, its helper layer, their gradients, the optimiser; and its files."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import Qwen3VLForConditionalGeneration

from engine.reader.batches import START, Batch
from engine.reader.crew import Crew, Gradients
from engine.reader.design import reader_config
from engine.reader.muon import Muon
from engine.reader.network import FastReader, positions_of
from engine.reader.slots import SlotReader


@dataclass(slots=True)
class Progress:
    """Where a phase of the training is."""

    step: int = 0
    difficulty: float = 0.0
    loss: float = 3.0
    exact: float = 0.0
    seen: float = 0.0
    spent_s: float = 0.0


class Student:
    """A model in training, the same in every worker of a crew."""

    def __init__(self, seed: int, num_figures: int, crew: Crew) -> None:
        torch.manual_seed(seed)
        self.crew, self.progress = crew, Progress()
        self.model = Qwen3VLForConditionalGeneration(reader_config())
        self.reader = FastReader(self.model)
        self.slots = SlotReader()
        parameters = [*self.model.parameters(), *self.slots.parameters()]
        self.gradients = Gradients(parameters, num_figures)
        matrices = [weight for weight in self.model.parameters() if self._is_hidden(weight)]
        hidden = {id(weight) for weight in matrices}
        others = [weight for weight in parameters if id(weight) not in hidden]
        groups = [
            {"params": [weight for weight in others if weight.dim() > 1], "weight_decay": 0.02},
            {"params": [weight for weight in others if weight.dim() <= 1], "weight_decay": 0.0},
        ]
        self.muon = Muon(matrices, crew)
        self.optimiser = torch.optim.AdamW(groups, betas=(0.9, 0.98), fused=True)

    def _is_hidden(self, weight: nn.Parameter) -> bool:
        """A matrix between layers; what pictures, places and ids go through first is not."""
        embeddings = (self.reader.visual.pos_embed.weight, self.reader.text.embed_tokens.weight)
        return weight.dim() == 2 and all(weight is not embedding for embedding in embeddings)

    def hidden_of(self, batch: Batch, wanted: Tensor) -> tuple[Tensor, Tensor]:
        """What the model thinks before each wanted id, and the features of the cells."""
        features = self.reader.see(batch.pixels)
        positions = positions_of(START, *batch.cells, batch.ids.shape[1] - 1)
        thought = self.reader.think(batch.ids[:, :-1], positions, features, START, wanted)
        return thought, features.main

    def update(self, rate: float, longest: float) -> None:
        """A step of the optimiser along the crew's gradient, shortened to a greatest length."""
        self.crew.average(self.gradients.all)
        self.gradients.clip(longest)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.step()
        self.muon.step(rate)

    def save(self, path: Path) -> None:
        """Everything that is needed to go on, written beside and then put in place."""
        if self.crew.rank:
            return
        content = {
            "model": self.model.state_dict(),
            "slots": self.slots.state_dict(),
            "momentum": self.muon.momentum,
            "optimiser": self.optimiser.state_dict(),
            "progress": asdict(self.progress),
        }
        torch.save(content, path.with_suffix(".part"))
        path.with_suffix(".part").replace(path)

    def resume(self, path: Path) -> None:
        """Go on where a phase was left."""
        content = self._load_weights(path)
        self.muon.momentum.copy_(content["momentum"])
        self.optimiser.load_state_dict(content["optimiser"])
        self.progress = Progress(**content["progress"])

    def inherit(self, path: Path) -> None:
        """Begin a phase with the weights of another one."""
        self._load_weights(path)

    def _load_weights(self, path: Path) -> dict[str, Any]:
        content: dict[str, Any] = torch.load(path, weights_only=True)
        self.model.load_state_dict(content["model"])
        self.slots.load_state_dict(content["slots"])
        return content
