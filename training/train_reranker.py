"""Train the reranker on made questions with the candidates that search gave them (`training.candidates`).

    python -m training.train_reranker fi.npz sv.npz en.npz fr.npz --rarity rarity.npy --out reranker.npz

Listwise: the right candidates' share of the softmax over all candidates of a question (Cao
et al., ICML 2007). Needs NumPy and PyTorch and nothing of this package. About a minute on a GPU.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

NAMES = ("meetings", "traits", "vectors", "standings", "right", "asked", "held", "kinds")


@dataclass(frozen=True)
class Recipe:
    """What a run is made with; written beside the weights."""

    scorers: int = 4  # trained from other starts, their scores averaged
    epochs: int = 8
    batch: int = 512
    rate: float = 0.002
    decay: float = 0.01
    inner: int = 12  # numbers a word of the question and a candidate are brought to
    outer: int = 12  # numbers a candidate is brought to
    dropout: float = 0.2
    directed: float = 0.1  # how much of a word's meaning its weight may depend on
    left_out: float = 0.3  # share of the question's words left out in training
    kinds: tuple[float, ...] = (2.0, 2.0, 1.0, 4.0)  # what a question of each kind counts
    held: float = 0.05  # share of the questions to judge by
    seed: int = 1


class Scorer(torch.nn.Module):
    """Words of the question weighed, their meetings with a candidate read and added, and all of it scored."""

    def __init__(self, meetings: int, traits: int, dimension: int, standings: int, recipe: Recipe) -> None:
        super().__init__()
        self.direction = torch.nn.Linear(dimension, 4)
        self.directed = recipe.directed
        self.weigh_in = torch.nn.Linear(traits + 4, 16)
        self.weigh_out = torch.nn.Linear(16, 1)
        self.meet_in = torch.nn.Linear(meetings + traits + 4, recipe.inner)
        self.meet_out = torch.nn.Linear(recipe.inner, recipe.inner)
        self.judge_in = torch.nn.Linear(2 * recipe.inner + meetings + standings, recipe.outer)
        self.judge_out = torch.nn.Linear(recipe.outer, 1)
        self.dropout = recipe.dropout

    def forward(self, batch: dict[str, torch.Tensor], keep: torch.Tensor) -> torch.Tensor:
        """Scores of questions × candidates; `keep` says which words count."""
        toward = self.direction(batch["vectors"]) * self.directed
        traits = torch.cat((batch["traits"], toward), dim=2)
        weights = functional.softplus(self.weigh_out(torch.relu(self.weigh_in(traits)))).squeeze(2)
        weights = weights * keep
        shares = weights / weights.sum(dim=1, keepdim=True).clamp(min=1e-6)
        meetings = batch["meetings"]
        known = traits[:, None].expand(-1, meetings.shape[1], -1, -1)
        read = torch.relu(self.meet_in(torch.cat((meetings, known), dim=3)))
        read = torch.relu(self.meet_out(read))
        pooled = (read * shares[:, None, :, None]).sum(dim=2)
        most = (read * keep[:, None, :, None]).amax(dim=2)
        plain = (meetings * shares[:, None, :, None]).sum(dim=2)
        found = torch.cat((pooled, most, plain, batch["standings"]), dim=2)
        found = functional.dropout(
            torch.relu(self.judge_in(functional.dropout(found, self.dropout, self.training))),
            self.dropout,
            self.training,
        )
        scores: torch.Tensor = self.judge_out(found).squeeze(2)
        return scores


def loss_of(
    scores: torch.Tensor, right: torch.Tensor, held: torch.Tensor, weights: torch.Tensor
) -> torch.Tensor:
    """Minus the logarithm of the right candidates' share."""
    scores = scores.masked_fill(~held, -1e4)
    all_of_them = scores.logsumexp(dim=1)
    good = scores.masked_fill(~right, -1e4).logsumexp(dim=1)
    return ((all_of_them - good) * weights).sum() / weights.sum()


def figures(scores: torch.Tensor, right: torch.Tensor, held: torch.Tensor) -> tuple[float, float]:
    """MRR and precision at 1."""
    scores = scores.masked_fill(~held, -1e4)
    best = scores.masked_fill(~right, -1e4).amax(dim=1, keepdim=True)
    ranks = (scores > best).sum(dim=1) + 1
    return float((1.0 / ranks).mean()), float((ranks == 1).float().mean())


class Questions:
    """All questions on the device, in half precision."""

    def __init__(self, files: list[Path], device: str) -> None:
        parts: dict[str, list[torch.Tensor]] = {name: [] for name in NAMES}
        self.languages: list[tuple[str, int]] = []
        for path in files:
            with np.load(path) as stored:
                for name in NAMES:
                    parts[name].append(torch.from_numpy(stored[name]))
            self.languages.append((path.stem, len(parts["asked"][-1])))
        self.arrays = {name: torch.cat(found).to(device) for name, found in parts.items()}

    def batch(self, numbers: torch.Tensor) -> tuple[dict[str, torch.Tensor], torch.Tensor, torch.Tensor]:
        """Some questions in full precision, their words and their candidates that are there."""
        found = {name: self.arrays[name][numbers] for name in NAMES}
        for name in ("meetings", "traits", "vectors", "standings"):
            found[name] = found[name].float()
        words = torch.arange(found["traits"].shape[1], device=numbers.device)[None] < found["asked"][:, None]
        held = torch.arange(found["right"].shape[1], device=numbers.device)[None] < found["held"][:, None]
        return found, words.float(), held


def train(questions: Questions, recipe: Recipe, device: str) -> Scorer:
    """Train a scorer; print figures on the questions held back as it goes."""
    torch.manual_seed(recipe.seed)
    arrays = questions.arrays
    sizes = (
        arrays["meetings"].shape[3], arrays["traits"].shape[2], arrays["vectors"].shape[2],
        arrays["standings"].shape[2],
    )  # fmt: skip
    scorer = Scorer(*sizes, recipe).to(device)
    count = len(arrays["asked"])
    order = torch.randperm(count, generator=torch.Generator().manual_seed(recipe.seed)).to(device)
    held_back, own = order[: int(count * recipe.held)], order[int(count * recipe.held) :]
    optimiser = torch.optim.AdamW(scorer.parameters(), lr=recipe.rate, weight_decay=recipe.decay)
    steps = recipe.epochs * math.ceil(len(own) / recipe.batch)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1.0, (step + 1) / 100) * 0.5 * (1 + math.cos(math.pi * step / steps))
    )
    kinds = torch.tensor(recipe.kinds, device=device)
    started = time.perf_counter()
    for epoch in range(recipe.epochs):
        scorer.train()
        shuffled = own[torch.randperm(len(own), device=device)]
        for start in range(0, len(own), recipe.batch):
            batch, keep, held = questions.batch(shuffled[start : start + recipe.batch])
            keep = keep * (torch.rand_like(keep) >= recipe.left_out)
            optimiser.zero_grad(set_to_none=True)
            loss = loss_of(scorer(batch, keep), batch["right"], held, kinds[batch["kinds"].long()])
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            schedule.step()
        seconds = time.perf_counter() - started
        told = "held back {:.3f}/{:.3f}".format(*judged(scorer, questions, held_back, recipe.batch))
        print(f"epoch {epoch + 1} loss {loss.item():.3f} {told} {seconds:.0f} s")
    return scorer


def judged(scorer: Scorer, questions: Questions, numbers: torch.Tensor, batch: int) -> tuple[float, float]:
    """MRR and precision at 1 over some questions."""
    scorer.eval()
    found, total = [0.0, 0.0], 0
    with torch.no_grad():
        for start in range(0, len(numbers), batch):
            some, keep, held = questions.batch(numbers[start : start + batch])
            values = figures(scorer(some, keep), some["right"], held)
            size = len(some["right"])
            found = [one + value * size for one, value in zip(found, values, strict=True)]
            total += size
    return found[0] / total, found[1] / total


def weights_of(scorer: Scorer) -> dict[str, np.ndarray]:
    """The weights as arrays, each matrix turned so that a row meets a column."""
    found = {}
    with torch.no_grad():
        for own in scorer.direction.parameters():
            own.mul_(scorer.directed)
    scorer.directed = 1.0
    for name, value in scorer.state_dict().items():
        array = value.detach().float().cpu().numpy()
        found[name] = np.ascontiguousarray(array.T) if array.ndim == 2 else array
    return found


def main() -> None:
    """Train and write the weights in the package's format, with the recipe beside them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("questions", type=Path, nargs="+")
    parser.add_argument("--rarity", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="change the recipe")
    asked = parser.parse_args()
    recipe = Recipe(**{name: json.loads(value) for name, value in (one.split("=", 1) for one in asked.set)})
    device = "cuda" if torch.cuda.is_available() else "cpu"
    questions = Questions(asked.questions, device)
    written: dict[str, np.ndarray] = {"rarity": np.load(asked.rarity).astype(np.float16)}
    for number in range(recipe.scorers):
        scorer = train(questions, replace(recipe, seed=recipe.seed + number), device)
        written |= {f"{number}/{name}": value for name, value in weights_of(scorer).items()}
    np.savez(asked.out, **written)  # type: ignore[arg-type]
    asked.out.with_suffix(".json").write_text(json.dumps({"recipe": asdict(recipe)}, indent=1))


if __name__ == "__main__":
    main()
