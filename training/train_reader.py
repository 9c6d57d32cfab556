"""The reader, trained on what the towers find: `python -m training.train_reader sections.xz --towers FOLDER`.

    python -m training.train_reader sections.xz --towers third --seconds 150 --out reader

For every question the towers' nearest sections of the same place and language are the wrong ones that it is
to be told from. More than half of these are right for other questions, or the reader would learn which
sections have questions. Questions on acts that are held out choose the weights.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch.nn import functional

from training.reader import BODY_WORDS, HEADING_WORDS, TITLE_WORDS, Reader
from training.tower_batches import Data
from training.tower_files import read_checkpoint, unpack, write_checkpoint
from training.tower_steps import Losses, Pace, half_precision, machine, take_steps
from training.tower_training import Recipe, Training
from training.train_towers import towers_of


@dataclass(frozen=True)
class ReaderRecipe:
    """What a run is made with."""

    seconds: float
    steps: int | None = None
    batch: int = 192  # questions
    wrong: int = 15  # sections a question
    wrong_asked: int = 9  # of them right for other questions
    among: int = 64  # of the nearest
    rate: float = 5e-4
    decay: float = 0.02
    drop: float = 0.1
    words_lost: float = 0.15  # share of a section's words that are hidden
    own_language: float = 0.75  # of questions that have their section in their own language
    told_every: float = 20.0
    seed: int = 5


class Lists:
    """Questions with the section that is right and the nearest that are wrong."""

    def __init__(self, training: Training, recipe: ReaderRecipe) -> None:
        self._training, self._recipe = training, recipe
        data = training.data
        self._vectors = training.all_documents().to(torch.bfloat16)
        asked = torch.zeros(data.documents.count, dtype=torch.bool, device=data.device)
        trained = data.questions.documents[data.questions.trained[:, 1]].flatten()
        asked[trained[trained >= 0]] = True
        self._asked = asked
        self.train = self._of(data.questions.trained, both=True)
        self.held = self._of(data.questions.held, both=False)

    def _answers(self, questions: torch.Tensor) -> torch.Tensor:
        """A document of each question's section, mostly in its own language."""
        own = self._training.data.questions.documents[questions[:, 1]]
        language = torch.nn.functional.one_hot(questions[:, 2], own.shape[1])
        share = self._recipe.own_language
        chances = (own >= 0).float() * (0.01 + language.float() * share / (1 - share))
        return own.gather(1, torch.multinomial(chances, 1)).flatten()

    @torch.no_grad()
    def _of(self, questions: torch.Tensor, *, both: bool) -> tuple[torch.Tensor, ...]:
        """Texts, answers, nearest wrong documents, their scores, and nearest that others asked about."""
        data, training = self._training.data, self._training
        documents, answers = data.documents, self._answers(questions)
        pool_of = documents.language * 8 + documents.place
        texts, found = questions[:, 0], []
        training.tower.eval()
        for pool in torch.unique(pool_of[answers]).tolist():
            members = torch.nonzero(pool_of == pool).flatten()
            vectors, sections = self._vectors[members], documents.section[members]
            others = ~self._asked[members]
            chosen = torch.nonzero(pool_of[answers] == pool).flatten()
            for part in chosen.split(2048):
                asked = training.questions(data.texts.of(texts[part]), drop=0.0).to(torch.bfloat16)
                scores = (asked @ vectors.T).float()
                right = sections[None, :] == questions[part, 1][:, None]
                own = scores.masked_fill(~right, -9.0).max(dim=1).values
                scores.masked_fill_(right, -9.0)
                among = min(self._recipe.among, len(members) - 1)
                near = scores.topk(among, dim=1)
                taken = (
                    scores.masked_fill_(others[None, :], -9.0).topk(among, dim=1).indices
                    if both
                    else near.indices
                )
                pad = self._recipe.among - among
                parts = [members[near.indices], members[taken], near.values]
                parts = [
                    functional.pad(one, (0, pad), mode="replicate") if pad else one
                    for one in map(torch.Tensor.float, parts)
                ]
                found.append((part, parts[0].int(), parts[1].int(), parts[2], own))
        order = torch.argsort(torch.cat([one[0] for one in found]))
        near, taken, scores, own = (
            torch.cat([one[column] for one in found])[order] for column in range(1, 5)
        )
        training.tower.train()
        return texts, answers, near, taken, scores, own


class Reading:
    """The reader with what it reads."""

    def __init__(self, training: Training, recipe: ReaderRecipe) -> None:
        self.training, self.recipe = training, recipe
        self.reader = Reader(recipe.drop).to(training.data.device)
        started = time.perf_counter()
        self.lists = Lists(training, recipe)
        print(
            f"lists of {len(self.lists.train[0]):,} questions in {time.perf_counter() - started:.0f} s",
            flush=True,
        )

    def scores(self, texts: torch.Tensor, sections: torch.Tensor, lost: float) -> torch.Tensor:
        """What the reader makes of the sections (questions × sections) of each text."""
        data = self.training.data
        documents = data.documents
        with half_precision(data.device):
            with torch.no_grad():
                states, tokens = self.training.tower.states(data.texts.of(texts), data.words)
            flat = sections.flatten().long()
            words = torch.cat(
                [
                    documents.heading[flat, :HEADING_WORDS],
                    documents.title[flat, :TITLE_WORDS],
                    documents.body[flat, :BODY_WORDS],
                ],
                dim=1,
            ).view(*sections.shape, -1)
            there = words >= 0
            if lost:
                there = there & (torch.rand(words.shape, device=words.device) >= lost)
            assert data.words.vectors is not None
            vectors = data.words.vectors[words.clamp(min=0).long()].float()
            return self.reader(states, tokens, vectors, there).float()

    def losses(self, step: int) -> Losses:
        """Which of sixteen sections is right."""
        recipe = self.recipe
        texts, answers, near, taken, _, _ = self.lists.train
        which = torch.randint(len(texts), (recipe.batch,), device=texts.device)
        wrong = torch.cat(
            [
                self._some(taken[which], recipe.wrong_asked),
                self._some(near[which], recipe.wrong - recipe.wrong_asked),
            ],
            dim=1,
        )
        sections = torch.cat([answers[which][:, None].int(), wrong], dim=1)
        scores = self.scores(texts[which], sections, recipe.words_lost)
        target = torch.zeros(recipe.batch, dtype=torch.long, device=scores.device)
        return {"listed": (1.0, functional.cross_entropy(scores, target))}

    def _some(self, found: torch.Tensor, count: int) -> torch.Tensor:
        return found.gather(1, torch.randint(found.shape[1], (len(found), count), device=found.device))

    @torch.no_grad()
    def evaluate(self, depth: int = 40, most: int = 4000) -> dict[str, float]:
        """Of held-out questions whose section is within reach: first and within 5, by whom."""
        texts, answers, near, _, scores, own = self.lists.held
        self.reader.eval()
        chosen = torch.arange(0, len(texts), max(1, len(texts) // most), device=texts.device)
        chosen = chosen[(scores[chosen] > own[chosen][:, None]).sum(1) < depth]
        read, towers = [], []
        for part in chosen.split(128):
            sections = torch.cat([answers[part][:, None].int(), near[part, : depth - 1]], dim=1)
            read.append(self.scores(texts[part], sections, 0.0))
            towers.append(torch.cat([own[part][:, None], scores[part, : depth - 1]], dim=1))
        by_reader, by_towers = torch.cat(read), torch.cat(towers)
        self.reader.train()
        told = {"questions": float(len(chosen))}
        for name, ordered in (
            ("towers", by_towers),
            ("reader", by_reader),
            *((f"both {share}", by_towers * share + by_reader) for share in (10, 20, 40)),
        ):
            rank = (ordered > ordered[:, :1]).sum(1)
            told[f"{name} first"] = round(float((rank < 1).float().mean()), 3)
            told[f"{name} within 5"] = round(float((rank < 5).float().mean()), 3)
        return told


def main() -> None:
    """Train and write a checkpoint."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sections", type=Path)
    parser.add_argument("--towers", type=Path, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="change the recipe")
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    changed = {name: json.loads(value) for name, value in (one.split("=", 1) for one in asked.set)}
    recipe = ReaderRecipe(asked.seconds, **changed)
    torch.manual_seed(recipe.seed)
    device = machine()
    tower, table = (
        one.to(device) for one in towers_of(read_checkpoint(asked.towers), Recipe((0, 0, 0)), None)
    )
    data = Data(unpack(asked.sections), 66, 110, True, device)
    data.words.look_up(table)
    reading = Reading(Training(tower, table, data, Recipe((0, 0, 0))), recipe)
    kept: dict[str, torch.Tensor] = {}
    best = {"share": -1.0}

    def look() -> None:
        told = reading.evaluate()
        print(told, flush=True)
        share = told["both 20 first"] + told["both 20 within 5"]
        if share > best["share"]:
            best.update(told, share=share)
            kept.update({name: one.clone() for name, one in reading.reader.state_dict().items()})

    optimiser = torch.optim.AdamW(reading.reader.parameters(), lr=recipe.rate, weight_decay=recipe.decay)
    pace = Pace(recipe.seconds, recipe.steps)
    take_steps(
        "reader", pace, optimiser, reading.reader.parameters(), reading.losses, look, recipe.told_every
    )
    look()
    write_checkpoint({f"reader.{name}": one.float().cpu().numpy() for name, one in kept.items()}, asked.out)
    (asked.out / "recipe.json").write_text(json.dumps({"recipe": asdict(recipe), "held out": best}, indent=1))


if __name__ == "__main__":
    main()
