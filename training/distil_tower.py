"""Stage one: the question tower learns four languages from an English sentence encoder, all-MiniLM-L6-v2.

    python -m training.distil_tower sentences.xz --teacher teacher.npz --table embedder.npz --seconds SECONDS
        --out one

The tower begins as the teacher, with more pieces. Of a pair of texts the teacher reads the English one and
the tower the other, and the tower is drawn to what the teacher says (Reimers & Gurevych, "Making monolingual
sentence embeddings multilingual using knowledge distillation", EMNLP 2020). Needs PyTorch, NumPy and
`training/tower*.py`; on a CPU use it to see that it runs (`--set steps=3 --set batch=32`).
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from training.tower_files import Arrays, rows_of_table, unpack, whole, write_checkpoint
from training.tower_steps import (
    Losses,
    Pace,
    drawn,
    half_precision,
    machine,
    others_alike,
    solved,
    take_steps,
)
from training.towers import (
    MOST_PIECES,
    MOST_TOKENS,
    WIDTH,
    Table,
    Texts,
    Tower,
    Words,
    contrast,
    padded,
    words_of,
)

LANGUAGES = ("fi", "sv", "en", "fr")
ENGLISH = LANGUAGES.index("en")


@dataclass(frozen=True)
class Recipe:
    """What a run is made with; written beside the weights."""

    seconds: float
    steps: int | None = None
    warm_up: int = 200
    batch: int = 2048
    rate: float = 5e-4
    rate_of_pieces: float = 2e-3
    decay: float = 0.01
    evenness: float = 0.6  # a language is drawn by its number of pairs to this power
    word_drop: float = 0.1  # share of the words whose row of the table is hidden
    scale: float = 20.0
    nearness: float = 4.0  # weight of lying where the teacher says, beside that of being told apart
    nearness_of_english: float = 0.5  # of the English side, beside the other
    across: float = 0.3  # weight of pairs without English
    words_fitted: int = 60_000
    held: int = 6_000  # pairs that only tell how it goes
    seed: int = 3


class Sentences:
    """Pairs of texts with the words of both vocabularies."""

    def __init__(self, arrays: Arrays, table: Table, recipe: Recipe, device: str) -> None:
        self.words = words_of(arrays, device)
        self.words.look_up(table)
        of_teacher = padded(arrays["teacher/flat"], arrays["teacher/counts"], MOST_PIECES)
        self.teacher_words = Words(
            torch.from_numpy(of_teacher).to(device), self.words.rows, self.words.vectors
        )
        self.texts = Texts(arrays["texts/flat"], arrays["texts/counts"], device)
        pairs = torch.from_numpy(arrays["pairs"].astype(np.int64))
        shuffled = torch.randperm(len(pairs), generator=torch.Generator().manual_seed(recipe.seed))
        pairs = pairs[shuffled].to(device)
        self.held, pairs = pairs[: recipe.held], pairs[recipe.held :]
        english = pairs[:, 3] == ENGLISH
        self.across = pairs[~english]
        of_languages = [pairs[english & (pairs[:, 2] == code)] for code in range(len(LANGUAGES))]
        self.into_english = [found for found in of_languages if len(found)]
        shares = torch.tensor([float(len(found)) ** recipe.evenness for found in self.into_english])
        self.sizes = (shares / shares.sum() * recipe.batch).int().clamp(min=1).tolist()

    def batch(self) -> torch.Tensor:
        """Pairs whose second text is English, of every language."""
        found = zip(self.into_english, self.sizes, strict=True)
        return torch.cat([drawn(pairs, size) for pairs, size in found])


def fill_layers(tower: Tower, weights: Arrays) -> None:
    """Take over all of the teacher but its pieces."""

    def tensor(name: str) -> torch.Tensor:
        return torch.from_numpy(np.ascontiguousarray(weights[name], dtype=np.float32))

    for number, layer in enumerate(tower.layers):
        start = f"encoder.layer.{number}."
        for kind in ("weight", "bias"):
            parts = [tensor(f"{start}attention.self.{part}.{kind}") for part in ("query", "key", "value")]
            getattr(layer.attention_in, kind).data = torch.cat(parts)
            for module, name in (
                (layer.attention_out, "attention.output.dense"),
                (layer.attention_norm, "attention.output.LayerNorm"),
                (layer.inner, "intermediate.dense"),
                (layer.outer, "output.dense"),
                (layer.norm, "output.LayerNorm"),
            ):
                getattr(module, kind).data = tensor(f"{start}{name}.{kind}")
    tower.norm.weight.data = tensor("embeddings.LayerNorm.weight")
    tower.norm.bias.data = tensor("embeddings.LayerNorm.bias")
    # There is one kind of text only: what the teacher adds to each token for it goes with the places.
    kind_of_text = tensor("embeddings.token_type_embeddings.weight")[0]
    tower.positions.weight.data = tensor("embeddings.position_embeddings.weight")[:MOST_TOKENS] + kind_of_text


def teacher_of(weights: Arrays) -> Tower:
    """The teacher itself, in the tower's form; its gates are shut, so it reads pieces alone."""
    pieces = weights["embeddings.word_embeddings.weight"]
    tower = Tower(len(pieces))
    fill_layers(tower, weights)
    tower.pieces.weight.data = torch.from_numpy(pieces)
    return tower.eval().requires_grad_(False)


def student_of(weights: Arrays) -> Tower:
    """The teacher with our pieces: those that it knows by its vectors, the others by their words' rows."""
    theirs = weights["map"]
    tower = Tower(len(theirs))
    fill_layers(tower, weights)
    pieces = 0.005 * np.random.default_rng(0).standard_normal((len(theirs), WIDTH)).astype(np.float32)
    pieces[theirs >= 0] = weights["embeddings.word_embeddings.weight"][theirs[theirs >= 0]]
    tower.pieces.weight.data = torch.from_numpy(pieces)
    tower.gates.data = torch.from_numpy((theirs < 0).astype(np.float32))
    return tower


@torch.no_grad()
def fit_words(student: Tower, teacher: Tower, sentences: Sentences, most: int) -> None:
    """Turn the table's vectors of English words into the mean of the teacher's pieces of them."""
    pieces = sentences.teacher_words.pieces
    known = (pieces >= 0).any(dim=1) & (sentences.words.rows[:, 0] >= 0)
    chosen = torch.nonzero(known).flatten()[:most]
    assert sentences.words.vectors is not None
    there = (pieces[chosen] >= 0).float()[..., None]
    meant = (teacher.pieces(pieces[chosen].clamp(min=0).long()) * there).sum(1) / there.sum(1)
    student.from_table.weight.data = solved(
        sentences.words.vectors[chosen].float(), meant, 1.0
    ).T.contiguous()


class Distillation:
    """A teacher, a student and what they read."""

    def __init__(self, sentences: Sentences, teacher: Tower, student: Tower, recipe: Recipe) -> None:
        self.sentences, self.teacher, self.student, self.recipe = sentences, teacher, student, recipe
        self.device = str(sentences.held.device.type)

    def taught(self, texts: torch.Tensor) -> torch.Tensor:
        """What the teacher says of English texts."""
        with torch.no_grad(), half_precision(self.device):
            found = self.teacher(self.sentences.texts.of(texts), self.sentences.teacher_words)
        return functional.normalize(found.float(), dim=-1)

    def learned(self, texts: torch.Tensor, drop: float = 0.0) -> torch.Tensor:
        """What the student says of texts."""
        with half_precision(self.device):
            found = self.student(self.sentences.texts.of(texts), self.sentences.words, drop=drop)
        return functional.normalize(found.float(), dim=-1)

    def losses(self, step: int) -> Losses:
        """Lie where the teacher says, be told apart from others, and meet across languages."""
        recipe = self.recipe
        pairs = self.sentences.batch()
        taught = self.taught(pairs[:, 1])
        said = self.learned(pairs[:, 0], recipe.word_drop)
        english = self.learned(pairs[: recipe.batch // 4, 1], recipe.word_drop)
        far = (1 - (said * taught).sum(1)).mean()
        far_english = (1 - (english * taught[: len(english)]).sum(1)).mean()
        losses: Losses = {
            "far": (recipe.nearness, far + recipe.nearness_of_english * far_english),
            "apart": (1.0, contrast(said, taught, others_alike(pairs[:, 1]), recipe.scale)),
        }
        if len(self.sentences.across):
            across = drawn(self.sentences.across, recipe.batch // 8)
            both = self.learned(across[:, 0]), self.learned(across[:, 1])
            losses["across"] = recipe.across, contrast(*both, None, recipe.scale)
        return losses

    @torch.no_grad()
    def matching(self) -> dict[str, float]:
        """The share of held-out texts whose translation is the nearest of four hundred."""
        shares = {}
        held = self.sentences.held
        for code, language in enumerate(LANGUAGES):
            pairs = held[(held[:, 2] == code) & (held[:, 3] == ENGLISH)][:400]
            if len(pairs) >= 20:
                nearest = (self.learned(pairs[:, 0]) @ self.taught(pairs[:, 1]).T).argmax(dim=1)
                right = nearest == torch.arange(len(pairs), device=nearest.device)
                shares[language] = round(float(right.float().mean()), 3)
        return shares


def distil(arrays: Arrays, weights: Arrays, rows: np.ndarray, recipe: Recipe, device: str) -> Tower:
    """The tower after stage one; the table is read and not changed."""
    torch.manual_seed(recipe.seed)
    table = Table(rows).to(device).requires_grad_(False)
    sentences = Sentences(arrays, table, recipe, device)
    teacher, student = teacher_of(weights).to(device), student_of(weights).to(device)
    fit_words(student, teacher, sentences, recipe.words_fitted)
    training = Distillation(sentences, teacher, student, recipe)
    print("before", training.matching(), flush=True)
    others = [one for name, one in student.named_parameters() if name != "pieces.weight"]
    optimiser = torch.optim.AdamW(
        [
            {"params": [student.pieces.weight], "lr": recipe.rate_of_pieces},
            {"params": others, "lr": recipe.rate},
        ],
        betas=(0.9, 0.98),
        weight_decay=recipe.decay,
    )
    pace = Pace(recipe.seconds, recipe.steps, recipe.warm_up)
    take_steps("one", pace, optimiser, student.parameters(), training.losses)
    print("after", training.matching(), flush=True)
    return student


def main() -> None:
    """Train the tower and write it as a checkpoint, with the recipe beside it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sentences", type=Path)
    parser.add_argument("--teacher", type=Path, required=True)
    parser.add_argument("--table", type=Path, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="change the recipe")
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    changed = {name: json.loads(value) for name, value in (one.split("=", 1) for one in asked.set)}
    recipe = Recipe(asked.seconds, **changed)
    with np.load(asked.teacher) as stored:
        weights = whole({name: stored[name] for name in stored.files})
    tower = distil(unpack(asked.sentences), weights, rows_of_table(asked.table), recipe, machine())
    learned = {f"tower.{name}": one.float().cpu().numpy() for name, one in tower.state_dict().items()}
    write_checkpoint(learned, asked.out)
    (asked.out / "recipe.json").write_text(json.dumps(asdict(recipe), indent=1))


if __name__ == "__main__":
    main()
