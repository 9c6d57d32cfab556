"""Try a reader of question and passage together: `python -m training.try_reader questions.xz passages.xz …`.

    python -m training.try_reader questions.xz passages.xz --tower tower.npz --layers 4 2 --seconds 160

A transformer that begins with the question tower's layers reads a question and a passage in one go, and its
score is added to what the towers say of the section (its passage and what is asked of it). The wrong passages
are those that the towers find. It is measured on acts whose questions it has not learned, and on questions
told as people tell them. What it reached stands in docs/models.md: too little to ship. Needs PyTorch and
NumPy alone.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

from training.tower_files import unpack
from training.tower_steps import half_precision, machine
from training.towers import MOST_PIECES, OUT, START, WIDTH, Texts, Tower, Words
from training.tune_tower import Bank, Data, Recipe, read, tower_of

QUESTION, PASSAGE = 40, 96  # tokens
NEAR = 40  # sections that are read for a question
WEIGHTS = (0.0, 0.02, 0.04, 0.07, 0.1, 0.2)  # of the reader's score beside the towers'
_BATCH, _WRONG, _RATE, _TOWERS = 192, 15, 5e-5, 15.0
_OWN_LANGUAGE, _FAR = 0.15, -1e4


class Reader(nn.Module):
    """The tower's first layers over a question and a passage, and a score from the first token."""

    def __init__(self, tower: Tower, layers: int) -> None:
        super().__init__()
        self.pieces, self.gates, self.from_table = tower.pieces, tower.gates, tower.from_table
        self.norm = tower.norm
        self.layers = nn.ModuleList(list(tower.layers)[:layers])
        known = tower.positions.weight.data
        further = known[torch.arange(PASSAGE) % 40 + 4]
        self.positions = nn.Parameter(torch.cat([known[:QUESTION], further]))
        self.segments = nn.Parameter(0.02 * torch.randn(2, WIDTH))
        self.head = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.Tanh(), nn.Linear(WIDTH, 1))
        self.drop = nn.Dropout(0.1)

    def tokens(
        self, texts: torch.Tensor, words: Words, most: int, segment: int
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The tokens of texts, and which of them are there."""
        count, width = texts.shape
        pieces = torch.where((texts >= 0)[..., None], words.pieces[texts.clamp(min=0)], -1).flatten(1)
        places = torch.arange(width, device=texts.device).repeat_interleave(MOST_PIECES).expand(count, -1)
        order = torch.argsort(pieces < 0, dim=1, stable=True)[:, :most]
        pieces, places = pieces.gather(1, order), places.gather(1, order)
        longest = max(1, int((pieces >= 0).sum(1).max()))
        pieces, places = pieces[:, :longest].long(), places[:, :longest]
        there = pieces >= 0
        assert words.vectors is not None, "look the words up first"
        meant = words.vectors[texts.clamp(min=0)].float() * (texts >= 0)[..., None]
        own = meant.gather(1, places[..., None].expand(-1, -1, OUT)) * there[..., None]
        gates = self.gates[pieces.clamp(min=0)][..., None]
        first = QUESTION if segment else 1
        at = self.positions[first : first + longest] + self.segments[segment]
        return self.pieces(pieces.clamp(min=0)) + gates * self.from_table(own) + at, there

    def forward(self, questions: torch.Tensor, passages: torch.Tensor, words: Words) -> torch.Tensor:
        """Scores of passages, a row of them for each question."""
        count, each, _ = passages.shape
        left, left_there = self.tokens(questions, words, QUESTION - 1, 0)
        right, right_there = self.tokens(passages.flatten(0, 1), words, PASSAGE, 1)
        left, left_there = left.repeat_interleave(each, 0), left_there.repeat_interleave(each, 0)
        begin = torch.full((count * each, 1), START, device=left.device)
        start = (self.pieces(begin) + self.positions[:1]).to(left.dtype)
        x = self.drop(self.norm(torch.cat([start, left, right], 1)))
        there = torch.cat([begin > 0, left_there, right_there], 1)
        for layer in self.layers:
            x = layer(x, there[:, None, None, :])
        return self.head(self.drop(x[:, 0]).float()).view(count, each)


@dataclass(frozen=True)
class Lists:
    """Questions with the sections that lie nearest by the towers: scores, a passage each, which is right."""

    texts: torch.Tensor
    passages: torch.Tensor
    scores: torch.Tensor
    right: torch.Tensor


@torch.no_grad()
def lists_of(tower: Tower, data: Data, questions: torch.Tensor, own: torch.Tensor | None) -> Lists:
    """What the towers find; `own` numbers written questions, which are asked without themselves."""
    bank, vectors = Bank(tower, data), read(tower, data, questions[:, 0])
    passages, scores, right = [], [], []
    for at in range(0, len(questions), 256):
        part = slice(at, at + 256)
        asked, gold, language = vectors[part], questions[part, 1], questions[part, 2]
        near = asked @ data.vectors.T + _OWN_LANGUAGE * (data.language[None, :] == language[:, None])
        document = torch.full((len(asked), len(data.work)), -1.0, device=data.device)
        document.scatter_reduce_(1, data.section[None, :].expand(len(asked), -1), near, "amax")
        mean = torch.zeros_like(document)
        mean[:, bank.known] = asked @ bank.means.T
        if own is not None:
            rest = functional.normalize(bank.sums[gold] - bank.vectors[own[part]], dim=-1)
            mean[torch.arange(len(asked)), gold] = (asked * rest).sum(1)
        elsewhere = data.place[None, :] != data.place[gold][:, None]
        best = (document + mean).masked_fill((document <= -1.0) | elsewhere, _FAR).topk(NEAR, dim=1)
        passages.append(_nearest_passages(near, best.indices, data))
        scores.append(best.values)
        right.append(best.indices == gold[:, None])
    return Lists(questions[:, 0], *map(torch.cat, (passages, scores, right)))


def _nearest_passages(near: torch.Tensor, sections: torch.Tensor, data: Data) -> torch.Tensor:
    """The passage of each section that lies nearest."""
    found = []
    for some in sections.split(8, dim=1):
        same = data.section[None, None, :] == some[..., None]
        found.append(near[:, None, :].masked_fill(~same, _FAR).argmax(-1))
    return torch.cat(found, 1)


class Trial:
    """A reader with what it learns from and is measured on."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.device = machine()
        arrays, passages = unpack(given.questions), unpack(given.passages)
        data = self.data = Data(arrays, False, Recipe(steps=0), self.device)
        texts = Texts(passages["texts/flat"], passages["texts/counts"], self.device, most=80)
        self.passages = texts.words[torch.from_numpy(passages["numbers"].astype("int64")).to(self.device)]
        tower = tower_of(given.tower).to(self.device)
        learned = data.learned[data.held_in.any(1)[data.asked[data.learned, 1]]]
        held = data.held[:: max(1, len(data.held) // 1500)]
        self.lists = lists_of(tower, data, data.asked[learned], learned)
        self.sets = {
            "written, acts held out": lists_of(tower, data, data.asked[held], held),
            "told, acts held out": lists_of(tower, data, data.told_held, None),
            "told": lists_of(tower, data, data.told, None),
        }

    def train(self, reader: Reader, seconds: float) -> int:
        """Steps for so many seconds, at a rate that falls to nothing."""
        optimiser = torch.optim.AdamW(reader.parameters(), lr=_RATE, weight_decay=0.01, betas=(0.9, 0.98))
        found = torch.nonzero(self.lists.right.any(1)).flatten()
        began, steps = time.perf_counter(), 0
        while (gone := time.perf_counter() - began) < seconds:
            for group in optimiser.param_groups:
                group["lr"] = _RATE * min(1.0, (steps + 1) / 100) * max(0.02, 1 - gone / seconds)
            loss = self._loss(reader, found[torch.randint(len(found), (_BATCH,), device=self.device)])
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
            optimiser.step()
            steps += 1
        return steps

    def _loss(self, reader: Reader, chosen: torch.Tensor) -> torch.Tensor:
        """The right section before wrong ones, for half of the questions with what the towers say added."""
        lists, rows = self.lists, torch.arange(len(chosen), device=self.device)
        right = lists.right[chosen].float().argmax(1)
        others = torch.rand(len(chosen), NEAR, device=self.device) - 0.02 * torch.arange(
            NEAR, device=self.device
        )
        others[rows, right] = _FAR
        columns = torch.cat([right[:, None], others.topk(_WRONG, dim=1).indices], 1)
        words = self.data.texts.of(lists.texts[chosen])
        words = torch.where(torch.rand(words.shape, device=self.device) < 0.1, -1, words)
        with half_precision(self.device):
            scores = reader(words, self.passages[lists.passages[chosen].gather(1, columns)], self.data.words)
        base = _TOWERS * lists.scores[chosen].gather(1, columns)
        beside = torch.rand(len(chosen), 1, device=self.device) < 0.5
        return functional.cross_entropy(scores.float() + base * beside, torch.zeros_like(right))

    @torch.no_grad()
    def measure(self, reader: Reader, lists: Lists, most: int) -> Mapping[float, Sequence[float]]:
        """First, within 3, 5 and 10, by the weight of the reader, which reads the first so many."""
        reader.eval()
        scores = torch.full_like(lists.scores, _FAR)
        with half_precision(self.device):
            for at in range(0, len(lists.texts), 64):
                part = slice(at, at + 64)
                passages = self.passages[lists.passages[part, :most]]
                words = self.data.texts.of(lists.texts[part])
                scores[part, :most] = reader(words, passages, self.data.words).float()
        reader.train()
        found = {}
        for weight in WEIGHTS:
            total = lists.scores + weight * scores if weight else lists.scores
            own = total.masked_fill(~lists.right, _FAR - 1).max(1, keepdim=True).values
            rank = torch.where(lists.right.any(1), (total > own).sum(1), 10**6)
            found[weight] = [round(float((rank < place).float().mean()), 3) for place in (1, 3, 5, 10)]
        return found


def main() -> None:
    """Train readers of some depths, and print what they reach."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("questions", type=Path)
    parser.add_argument("passages", type=Path)
    parser.add_argument("--tower", type=Path, required=True)
    parser.add_argument("--layers", type=int, nargs="+", default=[4])
    parser.add_argument("--seconds", type=float, default=160)
    given = parser.parse_args()
    trial = Trial(given)
    for layers in given.layers:
        torch.manual_seed(3)
        reader = Reader(tower_of(given.tower), layers).to(trial.device)
        steps = trial.train(reader, given.seconds)
        for name, lists in trial.sets.items():
            for most in (8, NEAR):
                reached = trial.measure(reader, lists, most)
                print(
                    json.dumps({"layers": layers, "steps": steps, "set": name, "read": most} | dict(reached))
                )


if __name__ == "__main__":
    main()
