"""How the towers are trained after stage one, and how both read while they are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from training.tower_batches import Data
from training.tower_steps import Pace, half_precision
from training.towers import Table, Tower


@dataclass(frozen=True)
class Recipe:
    """What a run is made with; written beside the weights."""

    seconds: tuple[float, float, float]  # of the stages A, B and C
    steps: int | None = None  # of each stage, in the place of seconds
    batch: int = 1024
    kept_layers: tuple[int, ...] = (0, 1, 3, 5)  # of the six of stage one
    scale: float = 20.0  # of likenesses at the start; it is learned
    largest_scale: float = 60.0
    word_drop: float = 0.1  # share of a question's words whose row of the table is hidden
    words_lost: float = 0.15  # share of a question's words that are not seen at all
    decay: float = 0.01
    rate_of_scale: float = 1e-3
    # documents
    body_words: int = 90
    body_rows: int = 128
    windows: int = 4  # that the tower reads of a document
    all_documents: bool = False
    # A
    tuning_rate: float = 1.2e-4
    tuning_rate_of_pieces: float = 4e-4
    # B
    turned: bool = True  # the space is chosen anew and the table turned into it
    target_share: float = 1.0  # of what the tower says of a document, beside what the table says of it now
    table_rate: float = 6e-3
    table_rate_of_weights: float = 5e-3
    # C
    rate: float = 1e-4
    rate_of_pieces: float = 3e-4
    rate_between: float = 4e-4  # of what leads from the table into the tower and out of it
    joint_table_rate: float = 2e-3
    joint_table_rate_of_weights: float = 3e-3
    looked_up_every: int = 30  # steps
    heading_share: float = 0.5  # of a batch
    heading_weight: float = 0.5
    only_with_heading: bool = False
    mined: int = 4  # wrong documents a question that the towers themselves take for the answer
    mined_among: int = 100  # of the nearest
    mined_every: int = 150  # steps between two looks at where all documents lie
    told_every: float = 45.0  # seconds between two looks at the questions that are held out
    seed: int = 11


#: What a run that continues another has otherwise.
CONTINUED: dict[str, Any] = {
    "body_words": 66, "body_rows": 110, "windows": 3, "all_documents": True, "turned": False,
    "target_share": 0.5, "table_rate": 1.5e-3, "table_rate_of_weights": 2e-3, "heading_share": 1.0,
    "heading_weight": 1.0, "only_with_heading": True,
}  # fmt: skip


class Training:
    """Both towers, what they learn from, and how likenesses are scaled."""

    def __init__(self, tower: Tower, table: Table, data: Data, recipe: Recipe) -> None:
        self.tower, self.table, self.data, self.recipe = tower, table, data, recipe
        start = torch.tensor(math.log(recipe.scale), device=data.device)
        self.scale = nn.Parameter(start)
        self._places = torch.empty(0)  # of all documents, as they lay when they were last looked at

    @torch.no_grad()
    def look_at_documents(self) -> None:
        """Keep where every document lies, to find those that are near a question and wrong."""
        self._places = self.all_documents().to(torch.bfloat16)

    @torch.no_grad()
    def mistaken(self, asked: torch.Tensor, sections: torch.Tensor, answers: torch.Tensor) -> torch.Tensor:
        """For each question some of the nearest documents that do not answer it, in its answer's language."""
        documents, recipe = self.data.documents, self.recipe
        scores = asked.to(torch.bfloat16) @ self._places[documents.open].T
        right = documents.section[documents.open][None, :] == sections[:, None]
        foreign = documents.language[documents.open][None, :] != documents.language[answers][:, None]
        near = scores.masked_fill_(right | foreign, -9.0).topk(recipe.mined_among, dim=1).indices
        which = torch.randint(recipe.mined_among, (len(near), recipe.mined), device=near.device)
        return documents.open[near.gather(1, which)].flatten()

    def deep(self, words: torch.Tensor, drop: float | None = None) -> torch.Tensor:
        """Unit vectors of questions or windows of documents in the tower's own space."""
        with half_precision(self.data.device):
            words, drop = self._seen(words, drop)
            found = self.tower(words, self.data.words, drop=drop)
        return functional.normalize(found.float(), dim=-1)

    def questions(self, words: torch.Tensor, drop: float | None = None) -> torch.Tensor:
        """Unit vectors of questions in the table's space."""
        with half_precision(self.data.device):
            words, drop = self._seen(words, drop)
            return self.tower.questions(words, self.data.words, drop=drop)

    def _seen(self, words: torch.Tensor, drop: float | None) -> tuple[torch.Tensor, float]:
        """Words as they are, or while learning without some of them."""
        if drop is not None:
            return words, drop
        lost = torch.rand(words.shape, device=words.device) < self.recipe.words_lost
        return torch.where(lost, -1, words), self.recipe.word_drop

    def documents(
        self, numbers: torch.Tensor, drop: float = 0.0, without_heading: float = 0.0
    ) -> torch.Tensor:
        """The table's unit vectors of documents; of a share of them it does not see the heading."""
        found = self.data.documents
        heading = found.heading_rows[numbers]
        if without_heading:
            hidden = torch.rand(len(numbers), device=heading.device) < without_heading
            heading = torch.where(hidden[:, None], -1, heading)
        header = torch.cat([found.title_rows[numbers], heading], dim=1)
        return self.table.documents(header, found.body_rows[numbers], drop)

    def short(self, texts: torch.Tensor, drop: float = 0.0) -> torch.Tensor:
        """The table's unit vectors of short texts, all words alike."""
        return functional.normalize(self.table.sums(self.data.text_rows[texts], None, drop), dim=-1)

    def apart(
        self, left: torch.Tensor, right: torch.Tensor, same: torch.Tensor | None = None
    ) -> torch.Tensor:
        """InfoNCE, the way back at half weight; the right side may have more than the left."""
        logits = left @ right.T * self.scale.exp().clamp(max=self.recipe.largest_scale)
        if same is not None:
            logits = logits.masked_fill(same, float("-inf"))
        target = torch.arange(len(left), device=left.device)
        back = functional.cross_entropy(logits[:, : len(left)].T, target)
        return functional.cross_entropy(logits, target) + 0.5 * back

    def alike(self, sections: torch.Tensor, documents: torch.Tensor) -> torch.Tensor:
        """Which documents are of a question's section, besides the one in its own place."""
        same = sections[:, None] == self.data.documents.section[documents][None, :]
        own = torch.arange(len(sections), device=same.device)
        same[own, own] = False
        return same

    def pace(self, stage: int) -> Pace:
        """How long a stage takes."""
        return Pace(self.recipe.seconds[stage], self.recipe.steps)

    def all_documents(self) -> torch.Tensor:
        """The table's vector of every document."""
        with torch.no_grad():
            return torch.cat([self.documents(part) for part in self.data.documents.numbers.split(4096)])

    @torch.no_grad()
    def all_deep(self) -> torch.Tensor:
        """The tower's vector of every document: the mean of its windows, the first counting more."""
        self.tower.eval()
        found = []
        for part in self.data.documents.numbers.split(2048):
            total = torch.zeros((), device=self.data.device)
            for which in range(self.recipe.windows):
                words = self.data.documents.window(part, which)
                there = (words >= 0).any(dim=1, keepdim=True).float()
                total = total + (1.5 if which == 0 else 1.0) * there * self.deep(words, drop=0.0)
            found.append(functional.normalize(total, dim=-1))
        self.tower.train()
        return torch.cat(found)
