"""The towers after stage one: A tunes the question tower, B teaches the table, C trains both together.

    python -m training.train_towers sections.xz --tower one --table embedder.npz --seconds A B C --out first
    python -m training.train_towers sections.xz --continued first --seconds 0 B C --out second

A. The tower reads questions and documents alike, and learns which document answers which question.
B. What it says of documents is brought to the table's 256 numbers, and the table learns to say the same.
C. The tower reads questions, the table documents, and both learn.

A run that continues another begins at B with gentler rates and reads the documents of all acts but those
never seen; it learns no more questions. Needs PyTorch, NumPy and `training/tower*.py`; on a CPU use it to see
that it runs (`--set steps=2 --set batch=16`).
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from training.tower_batches import LANGUAGES, Data
from training.tower_files import Arrays, read_checkpoint, rows_of_table, unpack, write_checkpoint
from training.tower_steps import (
    Losses,
    drawn,
    machine,
    others_alike,
    solved,
    take_steps,
)
from training.tower_training import CONTINUED, Recipe, Training
from training.towers import OUT, Table, Tower

_BETAS = (0.9, 0.98)
_ACROSS = {("en", "fi"), ("fi", "sv"), ("en", "fr")}  # languages of questions and documents also told of


def tune_tower(training: Training) -> None:
    """Stage A: the tower for questions and documents alike."""
    tower, recipe = training.tower, training.recipe
    others = [one for name, one in tower.named_parameters() if name not in ("pieces.weight", "out.weight")]
    optimiser = torch.optim.AdamW(
        [
            {"params": [tower.pieces.weight], "lr": recipe.tuning_rate_of_pieces},
            {"params": others, "lr": recipe.tuning_rate},
            {"params": [training.scale], "lr": recipe.rate_of_scale, "weight_decay": 0.0},
        ],
        betas=_BETAS,
        weight_decay=recipe.decay,
    )

    def losses(step: int) -> Losses:
        return {
            "asked": (2.0, _deep_asked(training, step)),
            "heading": (0.5, _deep_headings(training)),
            **_deep_pairs(training),
        }

    take_steps("A", training.pace(0), optimiser, tower.parameters(), losses)


def _deep_asked(training: Training, step: int) -> torch.Tensor:
    """Questions with their documents, among others of the same acts; each third step a later window."""
    documents, count = training.data.documents, training.recipe.batch * 3 // 4
    texts, sections, answers = training.data.questions.batch(count)
    beside = documents.of_same_act(answers[: count // 2])
    words = documents.window(answers, 0)
    if step % 3 == 0:
        later = documents.window(answers, 1 + step % 2)
        words = torch.cat([words[:, :14], later[:, :18]], dim=1)
    read = torch.cat([training.deep(words), training.deep(documents.window(beside, 0))])
    asked = training.deep(training.data.texts.of(texts))
    return training.apart(asked, read, training.alike(sections, torch.cat([answers, beside])))


def _deep_headings(training: Training) -> torch.Tensor:
    documents = training.data.documents
    chosen = drawn(documents.open, training.recipe.batch // 2)
    headings, bodies = training.deep(documents.heading[chosen]), training.deep(documents.body[chosen, :28])
    return training.apart(headings, bodies, others_alike(documents.section[chosen]))


def _deep_pairs(training: Training) -> Losses:
    """Translations, Finnish questions with passages, everyday words, and questions on one section."""
    data, half = training.data, training.recipe.batch // 2

    def read(texts: torch.Tensor) -> torch.Tensor:
        return training.deep(data.texts.of(texts))

    sentence, translation = drawn(data.translations, half).unbind(1)
    question, passage = drawn(data.answers, half // 2).unbind(1)
    said, term = drawn(data.terms, half // 2).unbind(1)
    one, other, section = data.questions.twins(half)
    return {
        "translation": (0.5, training.apart(read(sentence), read(translation))),
        "answer": (0.3, training.apart(read(question), read(passage))),
        "term": (0.2, training.apart(read(said), read(term), others_alike(said, term))),
        "twin": (0.4, training.apart(read(one), read(other), others_alike(section))),
    }


def teach_table(training: Training) -> torch.Tensor:
    """Stage B: the table learns the tower's vectors of documents; returns what each is to lie at."""
    data, table, recipe = training.data, training.table, training.recipe
    target, before = _space(training), data.words.vectors
    of_texts = _targets_of_texts(training)
    if recipe.turned:
        _turn_table(training, target)
    if recipe.target_share < 1:
        mixed = recipe.target_share * target + (1 - recipe.target_share) * training.all_documents()
        target = functional.normalize(mixed, dim=-1)
    start, short = table.rows.detach().clone(), data.short_texts
    optimiser = torch.optim.Adam(
        [
            {"params": [table.rows], "lr": recipe.table_rate},
            {"params": [table.body, table.header], "lr": recipe.table_rate_of_weights},
            {"params": [training.scale], "lr": recipe.rate_of_scale},
        ],
        betas=_BETAS,
    )

    def losses(step: int) -> Losses:
        chosen, texts = drawn(data.documents.open, 3 * recipe.batch), drawn(short, 3 * recipe.batch // 2)
        read, wanted = training.documents(chosen, 0.25, without_heading=0.1), target[chosen]
        said, meant = training.short(texts, 0.1), of_texts[texts].float()
        same = others_alike(data.documents.section[chosen])
        return {
            "far": (4.0, (1 - (read * wanted).sum(1)).mean()),
            "apart": (1.0, training.apart(read, wanted, same)),
            "short far": (2.0, (1 - (said * meant).sum(1)).mean()),
            "short apart": (0.4, training.apart(said, meant)),
            "moved": (0.005, ((table.rows - start) ** 2).sum(1).mean()),
        }

    take_steps("B", training.pace(1), optimiser, training.tower.parameters(), losses)
    _turn_words(training, before)
    return target


@torch.no_grad()
def _space(training: Training) -> torch.Tensor:
    """The tower's vectors of documents in the table's space, by the directions that tell most."""
    deep = training.all_deep()
    if training.recipe.turned:
        shares, directions = torch.linalg.eigh((deep.T @ deep).double())
        training.tower.out.weight.data = directions[:, -OUT:].flip(1).float().T.contiguous()
        print(f"{float(shares[-OUT:].sum() / shares.sum()):.3f} of the documents' spread is kept", flush=True)
    return functional.normalize(deep @ training.tower.out.weight.T, dim=-1)


@torch.no_grad()
def _targets_of_texts(training: Training) -> torch.Tensor:
    training.tower.eval()
    parts = training.data.texts.words.split(4096)
    found = torch.cat([training.questions(part, drop=0.0).to(torch.bfloat16) for part in parts])
    training.tower.train()
    return found


@torch.no_grad()
def _turn_table(training: Training, target: torch.Tensor) -> None:
    """Turn the rows towards the new space, at the length that they had."""
    open_documents = training.data.documents.open
    shuffled = torch.randperm(len(open_documents), device=open_documents.device)
    chosen = open_documents[shuffled[:40_000]]
    now = torch.cat([training.documents(part) for part in chosen.split(4096)])
    rows = training.table.rows
    length = rows.norm(dim=1).mean()
    rows.data = rows @ solved(now, target[chosen], 0.5)
    rows.data *= length / rows.norm(dim=1).mean()


@torch.no_grad()
def _turn_words(training: Training, before: torch.Tensor | None) -> None:
    """Let the tower see words as it did before the table moved, as nearly as a matrix can."""
    words, way_in = training.data.words, training.tower.from_table.weight
    words.look_up(training.table)
    assert before is not None
    assert words.vectors is not None
    known = torch.nonzero(words.rows[:, 0] >= 0).flatten()[:400_000]
    seen = before[known].float() @ way_in.T
    training.tower.from_table.weight.data = solved(words.vectors[known].float(), seen, 1.0).T.contiguous()


def train_together(training: Training, target: torch.Tensor) -> None:
    """Stage C: questions by the tower, documents by the table."""
    tower, table, recipe = training.tower, training.table, training.recipe
    between = ("out.weight", "from_table.weight")
    others = [one for name, one in tower.named_parameters() if name not in (*between, "pieces.weight")]
    start = table.rows.detach().clone()
    optimiser = torch.optim.AdamW(
        [
            {"params": [tower.pieces.weight], "lr": recipe.rate_of_pieces},
            {"params": others, "lr": recipe.rate},
            {"params": [tower.out.weight, tower.from_table.weight], "lr": recipe.rate_between},
            {"params": [table.rows], "lr": recipe.joint_table_rate, "weight_decay": 0.0},
            {
                "params": [table.body, table.header],
                "lr": recipe.joint_table_rate_of_weights,
                "weight_decay": 0.0,
            },
            {"params": [training.scale], "lr": recipe.rate_of_scale, "weight_decay": 0.0},
        ],
        betas=_BETAS,
        weight_decay=recipe.decay,
    )

    def losses(step: int) -> Losses:
        if step % recipe.looked_up_every == 0:
            training.data.words.look_up(table)
        if recipe.mined and step % recipe.mined_every == 0:
            training.look_at_documents()
        chosen = drawn(training.data.documents.open, recipe.batch)
        return {
            "asked": (2.5, _asked(training)),
            "heading": (recipe.heading_weight, _headings(training)),
            **_pairs(training),
            "deep": (1.5, (1 - (training.documents(chosen, 0.2) * target[chosen]).sum(1)).mean()),
            "moved": (0.02, ((table.rows - start) ** 2).sum(1).mean()),
        }

    best = Best(training)
    take_steps("C", training.pace(2), optimiser, tower.parameters(), losses, best.look, recipe.told_every)
    best.look()
    best.take()
    training.data.words.look_up(table)


class Best:
    """The weights with which most of the questions that are held out were found."""

    def __init__(self, training: Training) -> None:
        self._training, self._share, self._kept = training, -1.0, []  # type: ignore[var-annotated]

    def look(self) -> None:
        """Evaluate, and keep the weights if they are the best so far."""
        found = evaluate(self._training)
        own = [shares[1] for pair, shares in found.items() if len(set(pair.split("-"))) == 1]
        share = sum(own) / max(1, len(own))
        print(f"held out {share:.3f}", found, flush=True)
        if share > self._share:
            modules = self._training.tower, self._training.table
            self._kept = [{name: one.clone() for name, one in each.state_dict().items()} for each in modules]
            self._share = share

    def take(self) -> None:
        """Go back to the best."""
        for module, kept in zip((self._training.tower, self._training.table), self._kept, strict=True):
            module.load_state_dict(kept)


def _asked(training: Training) -> torch.Tensor:
    """Questions with their documents, among more of the same acts and some of any."""
    data, batch = training.data, training.recipe.batch
    texts, sections, answers = data.questions.batch(batch)
    asked = training.questions(data.texts.of(texts))
    beside = [
        data.documents.of_same_act(answers),
        data.documents.of_same_act(answers[: batch // 2]),
        drawn(data.documents.open, batch // 2),
    ]
    if training.recipe.mined:
        beside.append(training.mistaken(asked, sections, answers))
    read = torch.cat([answers, *beside])
    documents = training.documents(read, 0.3, without_heading=0.15)
    return training.apart(asked, documents, training.alike(sections, read))


def _headings(training: Training) -> torch.Tensor:
    documents, recipe = training.data.documents, training.recipe
    pool = documents.with_heading if recipe.only_with_heading else documents.open
    chosen = drawn(pool, int(recipe.heading_share * recipe.batch))
    asked = training.questions(documents.heading[chosen])
    read = training.documents(chosen, 0.3, without_heading=0.8)
    return training.apart(asked, read, others_alike(documents.section[chosen]))


def _pairs(training: Training) -> Losses:
    """The pairs of stage A, each side as the tower, the table or both read it."""
    data, half = training.data, training.recipe.batch // 2

    def read(texts: torch.Tensor) -> torch.Tensor:
        return training.questions(data.texts.of(texts))

    question, passage = drawn(data.answers, half // 2).unbind(1)
    passages = training.table.sums(data.text_rows[passage], training.table.body, 0.3)
    sentence, translation = drawn(data.translations, half).unbind(1)
    asked, held = read(sentence), training.short(translation, 0.2)
    across = training.apart(asked, read(translation)) + 0.5 * training.apart(asked, held)
    across = across + 0.5 * training.apart(training.short(sentence, 0.2), held)
    said, term = drawn(data.terms, half // 2).unbind(1)
    same, terms = others_alike(said, term), training.short(term)
    meant = training.apart(read(said), terms, same) + 0.5 * training.apart(training.short(said), terms, same)
    one, other, section = data.questions.twins(half)
    return {
        "answer": (0.3, training.apart(read(question), functional.normalize(passages, dim=-1))),
        "translation": (0.3, across),
        "term": (0.25, meant),
        "twin": (0.4, training.apart(read(one), read(other), others_alike(section))),
    }


@torch.no_grad()
def evaluate(training: Training) -> dict[str, tuple[float, ...]]:
    """Recall at 1, 10 and 100 of held-out questions among all documents of a language."""
    data, found = training.data, {}
    training.tower.eval()
    data.words.look_up(training.table)
    vectors, held = training.all_documents(), data.questions.held
    shuffled = torch.randperm(len(held), generator=torch.Generator().manual_seed(5))[:5000]
    held = held[shuffled.to(held.device)]
    for code, language in enumerate(LANGUAGES):
        for other, answered in enumerate(LANGUAGES):
            chosen = held[(held[:, 2] == code) & (data.questions.documents[held[:, 1], other] >= 0)]
            told = code == other or (language, answered) in _ACROSS
            if len(chosen) < 40 or not told:
                continue
            pool = torch.nonzero(data.documents.language == other).flatten()
            asked = [training.questions(data.texts.of(part), drop=0.0) for part in chosen[:, 0].split(1024)]
            scores = torch.cat(asked) @ vectors[pool].T
            wrong = data.documents.section[pool][None, :] != chosen[:, 1][:, None]
            own = scores.masked_fill(wrong, -9.0).max(dim=1, keepdim=True).values
            ranks = (scores > own).sum(dim=1)
            shares = tuple(round(float((ranks < most).float().mean()), 3) for most in (1, 10, 100))
            found[f"{language}-{answered}"] = shares
    training.tower.train()
    return found


def towers_of(weights: Arrays, recipe: Recipe, rows: np.ndarray | None) -> tuple[Tower, Table]:
    """The towers to begin with: of stage one beside a table, or of a run that is continued."""
    parts: dict[str, dict[str, torch.Tensor]] = {"tower": {}, "table": {}}
    for name, array in weights.items():
        part, _, plain = name.partition(".")
        parts[part][plain] = torch.from_numpy(np.asarray(array))
    tower = Tower(len(parts["tower"]["gates"]))
    kept = nn.ModuleList(tower.layers[number] for number in recipe.kept_layers)
    if rows is not None:
        tower.load_state_dict(parts["tower"])
        tower.layers = kept
        return tower, Table(rows)
    tower.layers = kept
    tower.load_state_dict(parts["tower"])
    table = Table(parts["table"]["rows"][:-1].numpy())
    table.load_state_dict(parts["table"])
    return tower, table


def train(arrays: Arrays, towers: tuple[Tower, Table], recipe: Recipe, device: str) -> Training:
    """The stages that have time, one after another; C needs what B finds."""
    torch.manual_seed(recipe.seed)
    tower, table = (one.to(device) for one in towers)
    data = Data(arrays, recipe.body_words, recipe.body_rows, recipe.all_documents, device)
    training = Training(tower, table, data, recipe)
    data.words.look_up(table)
    if recipe.seconds[0] > 0:
        tune_tower(training)
    target = teach_table(training)
    print("after B", evaluate(training), flush=True)
    train_together(training, target)
    return training


def main() -> None:
    """Train and write a checkpoint of both towers, with the recipe and the figures beside it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sections", type=Path)
    begun = parser.add_mutually_exclusive_group(required=True)
    begun.add_argument("--tower", type=Path, help="checkpoint of stage one; needs --table")
    begun.add_argument("--continued", type=Path, help="checkpoint of an earlier run of this")
    parser.add_argument("--table", type=Path, help="the table to begin with")
    parser.add_argument("--seconds", type=float, nargs=3, required=True, metavar=("A", "B", "C"))
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="change the recipe")
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    if (asked.tower is None) != (asked.table is None):
        parser.error("--tower and --table go together")
    changed = {name: json.loads(value) for name, value in (one.split("=", 1) for one in asked.set)}
    recipe = Recipe(tuple(asked.seconds), **{**(CONTINUED if asked.continued else {}), **changed})
    rows = rows_of_table(asked.table) if asked.table else None
    towers = towers_of(read_checkpoint(asked.tower or asked.continued), recipe, rows)
    training = train(unpack(asked.sections), towers, recipe, machine())
    figures = evaluate(training)
    print("after C", figures)
    learned = {
        f"{name}.{part}": one.float().cpu().numpy()
        for name, module in (("tower", training.tower), ("table", training.table))
        for part, one in module.state_dict().items()
    }
    write_checkpoint(learned, asked.out)
    (asked.out / "recipe.json").write_text(
        json.dumps({"recipe": asdict(recipe), "held out": figures}, indent=1)
    )


if __name__ == "__main__":
    main()
