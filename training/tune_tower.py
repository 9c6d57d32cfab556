"""Tune the question tower alone, the table staying as it is: `python -m training.tune_tower questions.xz …`.

    python -m training.tune_tower questions.xz --tower tower.npz --steps 1500 --out FOLDER [--everything]
        [--seeds 3 4 5]

A question learns to lie near the passages of its section, among all passages of the language, and near what
else is asked of its section, among what is asked of all sections. Since the table does not move, a library's
vectors stay. Of several seeds the mean of the weights is kept. Without `--everything` the questions on
held-out acts are not learned, and the figures printed (of these, and of the questions told on held-out acts)
choose the recipe. Needs PyTorch and NumPy alone.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from training.tower_files import quantised, unpack, write_checkpoint
from training.tower_steps import Losses, Pace, drawn, half_precision, machine, take_steps
from training.towers import OUT, WIDTH, Texts, Tower, Words, words_of

LEARNED, CHOSEN_BY, TOLD = range(3)
_FAR = -1e4


@dataclass(frozen=True)
class Recipe:
    """What a run is made with."""

    steps: int
    batch: int = 768
    rate: float = 5e-5
    rate_of_pieces: float = 1e-4
    decay: float = 0.01
    words_lost: float = 0.15
    word_drop: float = 0.1
    scale: float = 30.0
    document_weight: float = 1.0
    asked_weight: float = 1.0
    kept_weight: float = 0.5  # of staying where the tower that it began with was
    told_times: int = 3  # how often a question that tells a situation is drawn, for once of the others
    told_counts: float = 1.0  # for how many it counts in what is asked of its section
    bank_every: int = 100  # steps
    average: float = 0.998  # of the weights so far, in the weights that are kept
    seed: int = 3


def tower_of(path: Path) -> Tower:
    """The tower of the package, from its int8 weights."""
    with np.load(path) as stored:
        arrays = {name: stored[name] for name in stored.files}
    tower = Tower(len(arrays["gates"]))
    layers = sum(name.endswith(".attention_in.weight") for name in arrays)
    tower.layers = torch.nn.ModuleList(list(tower.layers)[:layers])
    state = {}
    for name in tower.state_dict():
        array = arrays[name].astype(np.float32)
        if f"{name}.scales" in arrays:
            array = array * arrays[f"{name}.scales"].astype(np.float32)[:, None]
        state[name] = torch.from_numpy(array)
    tower.load_state_dict(state)
    assert state["out.weight"].shape == (OUT, WIDTH)
    return tower


class Data:
    """Questions, documents and sections on the machine that trains."""

    def __init__(self, arrays: dict[str, np.ndarray], everything: bool, recipe: Recipe, device: str) -> None:
        self.device = device
        self.words: Words = words_of(arrays, device)
        table = arrays["table"].astype(np.float32) * arrays["table/scales"].astype(np.float32)[:, None]
        self.words.vectors = self._of_words(torch.from_numpy(table).to(device))
        self.texts = Texts(arrays["texts/flat"], arrays["texts/counts"], device, most=40)

        def numbers(name: str) -> torch.Tensor:
            return torch.from_numpy(arrays[name].astype(np.int64)).to(device)

        vectors = arrays["vectors"].astype(np.float32) * arrays["vectors/scales"].astype(np.float32)[:, None]
        self.vectors = functional.normalize(torch.from_numpy(vectors).to(device), dim=-1)
        self.section, self.language = numbers("documents").unbind(1)
        self.work, self.place = numbers("sections").unbind(1)
        found = numbers("questions")
        self.written = found[found[:, 3] != TOLD]
        known = torch.isin(found[:, 1], self.section)
        print(f"{len(found):,} questions, {int((~known).sum()):,} of sections without a document", flush=True)
        self.told = found[(found[:, 3] == TOLD) & known]
        self.asked = self.written
        self.held = torch.nonzero((self.asked[:, 3] == CHOSEN_BY) & known[found[:, 3] != TOLD]).flatten()
        held_works = torch.unique(self.work[self.asked[self.held, 1]])
        #: Questions told on acts of which nothing is learned.
        self.told_held = self.told[torch.isin(self.work[self.told[:, 1]], held_works)]
        learned = torch.ones(len(self.asked), dtype=torch.bool, device=device)
        if not everything:
            learned = self.asked[:, 3] == LEARNED
        tells = self.asked[:, 4] == 1
        #: For how many questions each counts in what is asked of its section.
        self.counts = torch.where(tells, recipe.told_counts, 1.0)[:, None]
        often = torch.where(tells, recipe.told_times, 1)
        self.learned = torch.nonzero(learned).flatten().repeat_interleave(often[learned])
        self.held_telling = self.held[tells[self.held]]
        #: Which languages a section is held in.
        self.held_in = torch.zeros(len(self.work), 4, dtype=torch.bool, device=device)
        self.held_in[self.section, self.language] = True

    def _of_words(self, table: torch.Tensor) -> torch.Tensor:
        parts = []
        for rows in self.words.rows.split(65_536):
            weighed = table[rows.clamp(min=0)] * (rows >= 0)[..., None]
            parts.append(functional.normalize(weighed.sum(1), dim=-1))
        return torch.cat(parts).to(torch.bfloat16)


class Bank:
    """Vectors of all questions, with their sum by section, as they lay when they were last read."""

    @torch.no_grad()
    def __init__(self, tower: Tower, data: Data) -> None:
        self.vectors = read(tower, data, data.asked[:, 0])
        sections, weighed = data.asked[:, 1], self.vectors * data.counts
        self.sums = torch.zeros(len(data.work), OUT, device=data.device).index_add_(0, sections, weighed)
        self.known = torch.unique(sections)
        self.means = functional.normalize(self.sums[self.known], dim=-1)


@torch.no_grad()
def read(tower: Tower, data: Data, texts: torch.Tensor) -> torch.Tensor:
    """Unit vectors of texts, as a reader has them."""
    tower.eval()
    with half_precision(data.device):
        found = [tower.questions(data.texts.of(part), data.words).float() for part in texts.split(2048)]
    tower.train()
    return torch.cat(found)


def tune(tower: Tower, data: Data, recipe: Recipe) -> Tower:
    """Take the steps; the mean of the weights on the way is what is kept."""
    torch.manual_seed(recipe.seed)
    first, kept = copy.deepcopy(tower).eval(), copy.deepcopy(tower)
    others = [one for name, one in tower.named_parameters() if name != "pieces.weight"]
    optimiser = torch.optim.AdamW(
        [
            {"params": [tower.pieces.weight], "lr": recipe.rate_of_pieces},
            {"params": others, "lr": recipe.rate},
        ],
        betas=(0.9, 0.98),
        weight_decay=recipe.decay,
    )
    bank = Bank(tower, data)

    def losses(step: int) -> Losses:
        nonlocal bank
        with torch.no_grad():
            for mean, now in zip(kept.parameters(), tower.parameters(), strict=True):
                mean.lerp_(now, 1 - min(recipe.average, (step + 1) / (step + 10)))
        if step and step % recipe.bank_every == 0:
            bank = Bank(tower, data)
        chosen = drawn(data.learned, recipe.batch)
        text, section, language = data.asked[chosen, :3].unbind(1)
        words = data.texts.of(text)
        lost = torch.rand(words.shape, device=words.device) < recipe.words_lost
        with half_precision(data.device):
            asked = tower.questions(torch.where(lost, -1, words), data.words, drop=recipe.word_drop).float()
            with torch.no_grad():
                before = first.questions(words, data.words).float()
        return {
            "document": (recipe.document_weight, _document_loss(asked, section, language, data, recipe)),
            "asked": (recipe.asked_weight, _asked_loss(asked, chosen, section, data, bank, recipe)),
            "kept": (recipe.kept_weight, (1 - (asked * before).sum(1)).mean()),
        }

    take_steps("tuning", Pace(1.0, recipe.steps), optimiser, list(tower.parameters()), losses)
    return kept


def _document_loss(
    asked: torch.Tensor, section: torch.Tensor, language: torch.Tensor, data: Data, recipe: Recipe
) -> torch.Tensor:
    """Among all passages of one language that the section is held in, and for half of them of its place."""
    there = data.held_in[section].any(1)  # of some sections only what is asked is known
    asked, section, language = asked[there], section[there], language[there]
    chances = data.held_in[section].float()
    chances[torch.arange(len(section)), language] *= 6.0
    wanted = torch.multinomial(chances, 1)
    logits = recipe.scale * asked @ data.vectors.T
    apart = data.language[None, :] != wanted
    near = torch.rand(len(section), 1, device=asked.device) < 0.5
    apart |= near & (data.place[data.section][None, :] != data.place[section][:, None])
    logits = logits.masked_fill(apart, _FAR)
    own = logits.masked_fill(data.section[None, :] != section[:, None], _FAR)
    return (logits.logsumexp(1) - own.logsumexp(1)).mean()


def _asked_loss(
    asked: torch.Tensor, chosen: torch.Tensor, section: torch.Tensor, data: Data, bank: Bank, recipe: Recipe
) -> torch.Tensor:
    """Among what is asked of all sections of the place, its own section without this question."""
    own = bank.vectors[chosen] * data.counts[chosen]
    rest = functional.normalize(bank.sums[section] - own, dim=-1)
    right = recipe.scale * (asked * rest).sum(1, keepdim=True)
    logits = recipe.scale * asked @ bank.means.T
    apart = data.place[bank.known][None, :] != data.place[section][:, None]
    apart |= bank.known[None, :] == section[:, None]
    logits = torch.cat([right, logits.masked_fill(apart, _FAR)], dim=1)
    return (logits.logsumexp(1) - right[:, 0]).mean()


@torch.no_grad()
def figures(tower: Tower, data: Data) -> dict[str, dict[str, tuple[float, ...]]]:
    """First and within 5, 10 and 40, by passages, by what is asked (means, each, two parts) and by both."""
    bank, found = Bank(tower, data), {}
    some, telling = (one[:: max(1, len(one) // 2500)] for one in (data.held, data.held_telling))
    sets = {
        "situations, acts held out, each without itself": (data.asked[telling], telling),
        "held out, each without itself": (data.asked[some], some),
        "told, acts held out": (data.told_held, None),
        "told": (data.told, None),
    }
    for name, (questions, numbers) in sets.items():
        vectors = read(tower, data, questions[:, 0])
        ranks: dict[str, list[torch.Tensor]] = {}
        for at in range(0, len(questions), 128):
            part = slice(at, at + 128)
            own = None if numbers is None else numbers[part]
            for way, scores in _scores(vectors[part], questions[part], own, data, bank).items():
                right = scores.gather(1, questions[part, 1][:, None])
                ranks.setdefault(way, []).append((scores > right).sum(1))
        found[name] = {
            way: tuple(round(float((torch.cat(rank) < most).float().mean()), 3) for most in (1, 5, 10, 40))
            for way, rank in ranks.items()
        }
    return found


def _scores(
    vectors: torch.Tensor, questions: torch.Tensor, own: torch.Tensor | None, data: Data, bank: Bank
) -> dict[str, torch.Tensor]:
    """How near each section is, of the question's place; by several ways."""
    count, sections = len(vectors), len(data.work)
    elsewhere = data.place[None, :] != data.place[questions[:, 1]][:, None]

    def by_section(likeness: torch.Tensor, which: torch.Tensor) -> torch.Tensor:
        empty = torch.full((count, sections), -1.0, device=vectors.device)
        return empty.scatter_reduce_(1, which[None, :].expand(count, -1), likeness, "amax")

    document = by_section(vectors @ data.vectors.T, data.section)
    each = vectors @ bank.vectors.T
    mean = torch.zeros(count, sections, device=vectors.device)
    mean[:, bank.known] = vectors @ bank.means.T
    if own is not None:
        each[torch.arange(count), own] = -1.0
        rest = functional.normalize(bank.sums[questions[:, 1]] - bank.vectors[own] * data.counts[own], dim=-1)
        mean[torch.arange(count), questions[:, 1]] = (vectors * rest).sum(1)
    nearest = by_section(each, data.asked[:, 1]).clamp(min=0)
    ways = {
        "passages": document,
        "asked, mean": mean,
        "asked, nearest": nearest,
        "asked, both": mean + nearest,
        "passages and half mean": document + 0.5 * mean,
        "passages and mean": document + mean,
        "passages and nearest": document + nearest,
        "passages, mean and nearest": document + 0.5 * mean + 0.5 * nearest,
    }
    return {name: scores.masked_fill(elsewhere, _FAR) for name, scores in ways.items()}


def mean_of(towers: list[Tower]) -> Tower:
    """A tower whose weights are the mean of several that began alike."""
    mean = copy.deepcopy(towers[0])
    states = [one.state_dict() for one in towers]
    mean.load_state_dict({name: torch.stack([one[name] for one in states]).mean(0) for name in states[0]})
    return mean


def write_sums(tower: Tower, data: Data, folder: Path) -> None:
    """The sum of the vectors of each section's questions, held or not, for `training.write_asked`."""
    texts, sections = data.written[:, 0], data.written[:, 1]
    vectors = read(tower, data, texts) * data.counts
    sums = torch.zeros(int(sections.max()) + 1, OUT, device=data.device).index_add_(0, sections, vectors)
    numbers = torch.unique(sections)
    codes, scales = quantised(sums[numbers].cpu().numpy())
    np.savez(folder / "sums.npz", sums=codes, scales=scales, numbers=numbers.cpu().numpy())


def show(title: str, found: dict[str, dict[str, tuple[float, ...]]]) -> None:
    """Print figures."""
    print(f"## {title}", flush=True)
    for name, ways in found.items():
        for way, shares in ways.items():
            print(f"{name:48} {way:28} {shares}", flush=True)


def main() -> None:
    """Tune, measure, and write the tower with what is asked of each section."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("questions", type=Path)
    parser.add_argument("--tower", type=Path, required=True)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--seeds", type=int, nargs="+", default=[3])
    parser.add_argument("--everything", action="store_true", help="learn the questions on held-out acts too")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="change the recipe")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    changed = {name: json.loads(value) for name, value in (one.split("=", 1) for one in given.set)}
    recipe, device = Recipe(given.steps, **changed), machine()
    data = Data(unpack(given.questions), given.everything, recipe, device)
    tower = tower_of(given.tower).to(device)
    show("before", figures(tower, data))
    if recipe.steps:
        begun = tower
        tuned = [tune(copy.deepcopy(begun), data, replace(recipe, seed=seed)) for seed in given.seeds]
        tower = mean_of(tuned)
        show(f"after {asdict(recipe)}, seeds {given.seeds}", figures(tower, data))
    if given.out:
        learned = {f"tower.{name}": one.float().cpu().numpy() for name, one in tower.state_dict().items()}
        write_checkpoint(learned, given.out)
        write_sums(tower, data, given.out)
        (given.out / "recipe.json").write_text(json.dumps(asdict(recipe)))
    assert math.isfinite(sum(float(one.sum()) for one in tower.state_dict().values()))


if __name__ == "__main__":
    main()
