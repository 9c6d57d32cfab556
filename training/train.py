"""Train the embedder's table from encoded pairs: symmetric InfoNCE over several tasks a step.

    python -m training.train PAIRS.npz --out embedder.npz [--set steps=2500]

On a GPU it takes about a minute; on a CPU use it to see that it runs (`--set steps=5 --set batch=64`). Needs
NumPy and PyTorch and nothing of this package, so that it runs on a machine that has only those.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

DIMENSIONS = (256, 128)  # every prefix of a vector is a vector of its own
PADDING_TO = 64


#: How often a group of tasks is drawn, on top of the square root of its size.
WEIGHTS = {
    "heading": 2.0, "titled": 1.0, "section": 2.0, "cross": 3.0, "heads": 1.5, "dict": 1.5, "gloss": 3.0,
    "concept": 0.4, "sent": 4.0, "defined": 1.5, "treaty": 2.0, "treatycross": 2.0, "ruling": 2.0,
    "asked": 10.0, "lay": 2.0,
}  # fmt: skip


@dataclass(frozen=True)
class Recipe:
    """What a run is made with; written beside the weights."""

    steps: int = 2500
    batch: int = 4096
    tasks: int = 6  # tasks a step
    dropout: float = 0.5
    rate: float = 0.008
    scale: float = 20.0
    glossed: float = 0.5  # share of the batches whose one side is put into another language word by word
    seed: int = 20261115
    weights: dict[str, float] = field(default_factory=lambda: dict(WEIGHTS))


class Texts:
    """All texts as a padded matrix of rows, and a hash of each that tells repeated texts."""

    def __init__(self, arrays: dict[str, np.ndarray], rows: int, device: str) -> None:
        lengths = arrays["texts/lengths"].astype(np.int64)
        steps = arrays["texts/low"].astype(np.int64) + (arrays["texts/high"].astype(np.int64) << 8)
        # Within a text each number is the step from the row before: sums from the text's start undo that.
        sums = np.cumsum(steps)
        starts = np.cumsum(lengths) - lengths
        before = np.where(starts > 0, sums[np.maximum(starts - 1, 0)], 0)
        flat = sums - np.repeat(before, lengths)
        matrix = np.full((len(lengths), PADDING_TO), rows, dtype=np.int32)
        matrix[np.arange(PADDING_TO)[None, :] < lengths[:, None]] = flat
        self.rows = torch.from_numpy(matrix).to(device)
        self.lengths = torch.from_numpy(lengths).to(device)
        multipliers = np.random.default_rng(7).integers(1, 2**62, size=rows + 1, dtype=np.int64)
        multipliers[rows] = 0
        hashes = np.zeros(len(lengths), dtype=np.int64)
        with np.errstate(over="ignore"):
            for column in range(PADDING_TO):
                hashes += multipliers[matrix[:, column]]
        self.hashes = torch.from_numpy(hashes).to(device)

    def of(self, numbers: torch.Tensor) -> torch.Tensor:
        """The rows of some texts, no wider than the longest of them."""
        width = max(1, int(self.lengths[numbers].max()))
        return self.rows[numbers, :width]


class Glosses:
    """Rows of words in one language → rows of what they mean in another, several alternatives each."""

    def __init__(self, table: np.ndarray, rows: int, device: str, alternatives: int = 4) -> None:
        found = np.full((rows + 1, alternatives, 3), -1, dtype=np.int32)
        counts = np.zeros(rows + 1, dtype=np.int64)
        for at, *other in table.tolist():
            if counts[at] < alternatives:
                found[at, counts[at]] = other
                counts[at] += 1
        self.table, self.counts, self.padding = (
            torch.from_numpy(found).to(device),
            torch.from_numpy(counts).to(device),
            rows,
        )

    def put(self, rows: torch.Tensor, share: float) -> torch.Tensor:
        """The same texts with a share of their words in the other language."""
        counts = self.counts[rows]
        chosen = (torch.rand_like(counts, dtype=torch.float32) * counts.clamp(min=1)).long()
        meant = self.table[rows, chosen]  # texts × words × 3
        change = (counts > 0) & (torch.rand_like(counts, dtype=torch.float32) < share)
        same = torch.full_like(meant, -1)
        same[..., 0] = rows.int()
        out = torch.where(change[..., None], meant, same)
        out = torch.where(out < 0, torch.full_like(out, self.padding), out)
        return out.flatten(1)


class Table(torch.nn.Module):
    """The rows; the one past the last is padding and stays zero."""

    def __init__(self, rows: int, generator: torch.Generator) -> None:
        super().__init__()
        start = torch.randn(rows + 1, DIMENSIONS[0], generator=generator) * 0.05
        start[rows] = 0
        self.rows = torch.nn.Parameter(start)
        self.scale = torch.nn.Parameter(torch.tensor(math.log(20.0)))
        self.padding = rows

    def forward(self, rows: torch.Tensor, dropout: float) -> torch.Tensor:
        """Sums of the rows of texts, some of them dropped."""
        keep = rows != self.padding
        if dropout:
            keep = keep & (torch.rand(rows.shape, device=rows.device) >= dropout)
        return functional.embedding_bag(
            rows.long(), self.rows, per_sample_weights=keep.to(self.rows.dtype), mode="sum"
        )


def loss_of(table: Table, first: torch.Tensor, second: torch.Tensor, same: torch.Tensor) -> torch.Tensor:
    """InfoNCE both ways at every dimension; texts that occur twice in a batch are no negatives."""
    target = torch.arange(len(first), device=first.device)
    total = first.new_zeros(())
    for dimension in DIMENSIONS:
        left = functional.normalize(first[:, :dimension], dim=1)
        right = functional.normalize(second[:, :dimension], dim=1)
        logits = left @ right.T * table.scale.exp().clamp(max=100)
        logits = logits.masked_fill(same, float("-inf"))
        total = total + functional.cross_entropy(logits, target) + functional.cross_entropy(logits.T, target)
    return total / (2 * len(DIMENSIONS))


def evaluate(table: Table, texts: Texts, tasks: dict[str, torch.Tensor]) -> dict[str, tuple[float, float]]:
    """MRR@10 and recall@100 of each development task: the second texts of the task are the pool."""
    found = {}
    # In full precision: a text whose score is rounded otherwise than its twin in the pool would beat itself.
    torch.set_float32_matmul_precision("highest")
    with torch.no_grad():
        for task, pairs in tasks.items():
            if len(pairs) < 40:
                continue
            queries = functional.normalize(table(texts.of(pairs[:, 0]), 0.0), dim=1)
            pool = torch.unique(pairs[:, 1])
            documents = functional.normalize(table(texts.of(pool), 0.0), dim=1)
            own = (queries * functional.normalize(table(texts.of(pairs[:, 1]), 0.0), dim=1)).sum(dim=1)
            ranks = ((queries @ documents.T) > own[:, None] + 1e-5).sum(dim=1) + 1
            mrr = torch.where(ranks <= 10, 1.0 / ranks, torch.zeros_like(own)).mean().item()
            found[task] = (mrr, (ranks <= 100).float().mean().item())
    return found


def quantised(table: torch.Tensor) -> tuple[np.ndarray, np.ndarray]:
    """int8 rows and a scale each."""
    values = table.detach().float().cpu().numpy()
    scales = np.abs(values).max(axis=1) / 127.0
    scales[scales == 0] = 1.0
    return np.rint(values / scales[:, None]).astype(np.int8), scales.astype(np.float16)


def train(
    arrays: dict[str, np.ndarray], recipe: Recipe, device: str
) -> tuple[Table, dict[str, tuple[float, float]]]:
    """Train a table; print the loss and the development figures as it goes."""
    torch.manual_seed(recipe.seed)
    torch.set_float32_matmul_precision("high")
    drawn = random.Random(recipe.seed)
    terms = bytes(arrays["vocabulary"]).decode().count("\n") + 1
    rows = terms + int(arrays["buckets"])
    table = Table(rows, torch.Generator().manual_seed(recipe.seed)).to(device)
    table.scale.data.fill_(math.log(recipe.scale))
    texts = Texts(arrays, rows, device)
    pairs = {
        key: torch.from_numpy(arrays[key].astype(np.int64)).to(device)
        for key in sorted(arrays)
        if key.startswith(("train/", "development/"))
    }
    tasks = {
        key.removeprefix("train/"): found
        for key, found in pairs.items()
        if key.startswith("train/") and len(found) >= 32
    }
    held = {
        key.removeprefix("development/"): found
        for key, found in pairs.items()
        if key.startswith("development/")
    }
    glosses = {
        key.split("/")[1]: Glosses(arrays[key], rows, device) for key in arrays if key.startswith("gloss/")
    }
    chances = [
        recipe.weights.get(name.partition("-")[0], 1.0) * math.sqrt(len(tasks[name])) for name in tasks
    ]
    optimiser = torch.optim.Adam(table.parameters(), lr=recipe.rate, betas=(0.9, 0.99))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser,
        lambda step: min(1.0, (step + 1) / 50) * 0.5 * (1 + math.cos(math.pi * step / recipe.steps)),
    )
    started = time.perf_counter()
    for step in range(recipe.steps):
        optimiser.zero_grad(set_to_none=True)
        total = 0.0
        for name in drawn.choices(list(tasks), chances, k=recipe.tasks):
            chosen = torch.randint(len(tasks[name]), (min(recipe.batch, len(tasks[name])),), device=device)
            first, second = tasks[name][chosen].unbind(dim=1)
            left, right = glossed(name, texts.of(first), texts.of(second), glosses, recipe, drawn)
            hashes = texts.hashes[first], texts.hashes[second]
            same = (hashes[0][:, None] == hashes[0][None, :]) | (hashes[1][:, None] == hashes[1][None, :])
            same.fill_diagonal_(False)
            short = name.startswith(("dict", "concept", "heads", "lay"))
            dropout = recipe.dropout * (0.4 if short else 1.0)
            loss = (
                loss_of(
                    table,
                    table(left, dropout if left.shape[1] > 8 and not short else dropout * 0.5),
                    table(right, dropout),
                    same,
                )
                / recipe.tasks
            )
            loss.backward()  # type: ignore[no-untyped-call]
            total += loss.item() if step % 100 == 0 else 0.0
        if table.rows.grad is not None:
            table.rows.grad[table.padding] = 0
        optimiser.step()
        schedule.step()
        if step % 100 == 0:
            seconds = time.perf_counter() - started
            print(f"step {step:>5} loss {total:.3f} scale {table.scale.exp().item():.1f} {seconds:.0f} s")
    figures = evaluate(table, texts, held)
    for name, (mrr, recall) in figures.items():
        print(f"{name:<32}{len(held[name]):>7,}  MRR@10 {mrr:.3f}  R@100 {recall:.3f}")
    return table, figures


def glossed(
    name: str,
    left: torch.Tensor,
    right: torch.Tensor,
    glosses: dict[str, Glosses],
    recipe: Recipe,
    drawn: random.Random,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Now and then, one side of a pair within one language word by word in another: code-switched text."""
    language = name.rpartition("-")[2]
    if not name.startswith(("heading", "titled")) or drawn.random() >= recipe.glossed:
        return left, right
    options = [key for key in glosses if key.startswith(f"{language}-")]
    if not options:
        return left, right
    chosen, share = glosses[drawn.choice(options)], drawn.choice((0.5, 0.8, 1.0))
    if drawn.random() < 0.7:
        return chosen.put(left, share), right
    return left, chosen.put(right, share)


def main() -> None:
    """Train and write the weights in the package's format, with the recipe beside them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="change the recipe")
    asked = parser.parse_args()
    changed = {name: json.loads(value) for name, value in (one.split("=", 1) for one in asked.set)}
    if "weights" in changed:
        changed["weights"] = {**WEIGHTS, **changed["weights"]}
    recipe = Recipe(**changed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    with np.load(asked.pairs) as stored:
        arrays = {name: stored[name] for name in stored.files}
    table, figures = train(arrays, recipe, device)
    rows, scales = quantised(table.rows[: table.padding])
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    np.savez(asked.out, rows=rows, scales=scales, vocabulary=arrays["vocabulary"], buckets=arrays["buckets"])
    asked.out.with_suffix(".json").write_text(
        json.dumps({"recipe": asdict(recipe), "development": figures}, indent=1)
    )


if __name__ == "__main__":
    main()
