"""Fit what each sign of a sentence counts when a section is pinpointed: `answer/sentence_signs.py`.

    python -m training.fit_pinpoint LIBRARY [--into src/pykala/retrieve/data/calibration.json]

Questions whose subdivision is known: `questions/pinpointed.jsonl`, written for it, and those of the packs'
own sets on real law that name one. The right section is given; the sentences of its right subdivision are
to stand above the others. Figures are cross-validated by act. Situations take no part.

With the weights in force it also measures how often the best part is the right one, by how far it is ahead
of the rest of its section. These questions are others, `questions/asked-from-life.jsonl`: the parts of those
above were drawn evenly, and people ask for some far more than for others. The scale goes into the
calibration file: the grade of a part is its section's, times this share (`answer/part_chance.py`).
`training.calibrate` writes a file without it, so that this follows it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import numpy as np

from bench.pinpoint import Asked, read_set
from pykala.answer.extract import ReadSection, parts_of
from pykala.answer.sentence_signs import WEIGHTS, signs_of
from pykala.answer.sentences import sentences_of
from pykala.ask import Engine
from pykala.evaluate.matching import section_of
from pykala.law.composition import compose
from pykala.law.identifiers import ProvisionId
from pykala.library import Library
from pykala.models.bundled.lazy import bundled_embedder
from pykala.retrieve.plan import asked_words
from pykala.retrieve.question import understand
from pykala.stores.store import NotInForce, UnknownProvision

WRITTEN = Path(__file__).parent / "questions" / "pinpointed.jsonl"
FROM_LIFE = WRITTEN.with_name("asked-from-life.jsonl")
TODAY = date(2026, 11, 15)
_PACKS = ("canada", "finland", "eu", "nyc")
#: Signs whose weights are set: the questions were drawn evenly from the parts of sections, and of today.
_SET = ("position", "past")
_FOLDS, _STEPS, _RATE, _STEADY = 5, 300, 0.06, 0.01
#: The least chance of a part that answers, for a file that has none: that of a lead without near rivals.
_ANSWERS_FROM = 0.75
_IN_A_GROUP = 26  # questions in a group by lead, about
#: Chances between which the scale is held against questions of acts that it was not measured on.
_BANDS = ((0.0, 0.6), (0.6, 0.8), (0.8, 0.9), (0.9, 1.0))

Scale = list[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Weighed:
    """The sentences of one question's section: their signs, and which are of the right subdivision."""

    act: str
    place: str
    signs: np.ndarray
    right: np.ndarray
    lead: float | None  # how far the best part is ahead of the rest; None where it is the whole section
    part_right: bool  # whether the best part is the right one


def questions() -> Iterator[Asked]:
    """All questions whose subdivision is known."""
    for number, line in enumerate(WRITTEN.read_text(encoding="utf-8").splitlines()):
        row = json.loads(line)
        inner = ProvisionId.parse(row["pinpoint"])
        yield Asked(
            id=f"written-{number}",
            text=row["question"],
            place=row["section"].partition(":")[0],
            language=row["language"],
            as_of=None,
            section=ProvisionId.parse(row["section"]),
            pinpoint=inner,
            words=(),
            numbers=(),
        )
    folder = Path(__file__).parents[1] / "src" / "pykala" / "packs"
    for pack in _PACKS:
        yield from read_set(folder / pack / "questions-corpus.jsonl")


def weighed(asked: Asked, engine: Engine) -> Weighed | None:
    """Signs of the sentences of a question's section; None where nothing is to be told apart."""
    if asked.pinpoint is None:
        return None
    question = understand(
        asked.text, engine.store, engine.packs, as_of=asked.as_of or TODAY, language=asked.language,
        jurisdiction=asked.place, dated=asked.as_of is not None,
    )  # fmt: skip
    try:
        section = engine.store.provision(asked.section, as_of=question.as_of, language=asked.language)
    except (NotInForce, UnknownProvision):
        return None
    composed = compose(section.provision)
    found = sentences_of(composed)
    words, _ = asked_words(question, engine)
    places = [composed.provision_at(one.start, one.end) for one in found]
    right = np.array([asked.pinpoint.contains(one) for one in places])
    if not right.any():  # an item whose sentence is its paragraph's
        right = np.array([one.contains(asked.pinpoint) and one != section_of(one) for one in places])
    if not right.any() or right.all():
        return None
    signs = signs_of(found, words, section.language, wanted=question.wanted, as_of=question.as_of)
    read = ReadSection(section.provision, composed, found, signs @ np.array([*WEIGHTS.values()]))
    part = parts_of(read)[0]
    part_right = asked.pinpoint.contains(part) or part.contains(asked.pinpoint)
    return Weighed(str(asked.section.work), asked.place, signs, right, read.lead(part), part_right)


def fitted(rows: list[Weighed]) -> np.ndarray:
    """Weights under which the right subdivision has the largest share, by gradient steps (Adam)."""
    weights = np.array([0.0 if name not in _SET else 2 * WEIGHTS[name] for name in WEIGHTS])
    moving = np.array([name not in _SET for name in WEIGHTS])
    first, second = np.zeros(len(weights)), np.zeros(len(weights))
    for step in range(1, _STEPS + 1):
        slope = _STEADY * weights
        for one in rows:
            scores = one.signs @ weights
            share = np.exp(scores - scores.max())
            own = share * one.right
            slope += (share / share.sum() - own / own.sum()) @ one.signs / len(rows)
        slope *= moving
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        weights -= _RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    return np.asarray(weights / weights[list(WEIGHTS).index("holds the kind")])


def folds_of(rows: Sequence[Weighed]) -> np.ndarray:
    """The fold of each question, by its act; all of New York is one act, and so divided by question."""
    folds = np.array([int(hashlib.sha256(one.act.encode()).hexdigest(), 16) % _FOLDS for one in rows])
    return np.where([one.place in ("nyc", "eu") for one in rows], np.arange(len(rows)) % _FOLDS, folds)


def first_right(rows: list[Weighed], weights: np.ndarray) -> np.ndarray:
    """Whether the best sentence of each is of the right subdivision."""
    return np.array([bool(one.right[int(np.argmax(one.signs @ weights))]) for one in rows])


def scale_of(rows: Sequence[Weighed]) -> Scale:
    """The share of best parts that are right, by how far they are ahead: pairs that rise.

    Neighbouring groups that do not rise are joined. Half a right and half a wrong answer are added to each
    group, so that none is certain.
    """
    groups: list[tuple[float, int, int]] = []  # the sum of the leads, how many are right, how many there are
    told = [(one.lead, one.part_right) for one in rows if one.lead is not None]
    told.sort(key=lambda one: one[0])  # among equal leads, right and wrong stay mixed
    for some in np.array_split(np.array(told), max(1, round(len(told) / _IN_A_GROUP))):
        groups.append((float(some[:, 0].sum()), int(some[:, 1].sum()), len(some)))
        while len(groups) > 1 and _share(groups[-2]) >= _share(groups[-1]):
            last, before = groups.pop(), groups.pop()
            groups.append((before[0] + last[0], before[1] + last[1], before[2] + last[2]))
    return [(round(lead / count, 2), round(_share((lead, right, count)), 2)) for lead, right, count in groups]


def _share(group: tuple[float, int, int]) -> float:
    return (group[1] + 0.5) / (group[2] + 1)


def held_out(rows: Sequence[Weighed], folds: np.ndarray) -> Iterator[str]:
    """What the scale says of questions of acts that it was not measured on, and how many were right."""
    said, right = np.zeros(len(rows)), np.array([one.part_right for one in rows])
    for fold in range(_FOLDS):
        scale = scale_of([one for one, own in zip(rows, folds, strict=True) if own != fold])
        leads, shares = zip(*scale, strict=True)
        for at in np.flatnonzero(folds == fold).tolist():
            said[at] = np.interp(rows[at].lead or 0.0, leads, shares)
    parts = np.array([one.lead is not None for one in rows])
    for least, most in _BANDS:
        own = parts & (said >= least) & (said < most)
        if own.any():
            yield f"{own.sum()} parts: said {said[own].mean():.2f}, right {right[own].mean():.2f}"


def written(text: str, rows: Sequence[Weighed]) -> str:
    """The text of a calibration file with this scale; nothing else is changed."""
    parts = [one for one in rows if one.lead is not None]
    measured = {"questions": len(parts), "right": sum(one.part_right for one in parts)}
    kept = json.loads(text).get("parts", {"answers_from": _ANSWERS_FROM})
    row = json.dumps({"parts": {**kept, **measured, "scale": scale_of(rows)}})[1:-1]
    without = re.sub(r'^ *"parts": .*,\n', "", text, flags=re.MULTILINE)
    return without.replace("{\n", "{\n " + row + ",\n", 1)


def main() -> None:
    """Fit, cross-validate and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("library", type=Path)
    parser.add_argument("--into", type=Path, help="the calibration file that gets the scale of parts")
    given = parser.parse_args()
    with Library.open(given.library, embedder=None) as opened:
        library = opened.with_parts(options=replace(opened.options, cache=False))
        engine = replace(library.engine(), embedder=bundled_embedder())
        rows = [one for asked in questions() if (one := weighed(asked, engine)) is not None]
        from_life = [one for asked in read_set(FROM_LIFE) if (one := weighed(asked, engine)) is not None]
    now = np.array([*WEIGHTS.values()])
    folds = folds_of(rows)
    validated = np.zeros(len(rows), dtype=bool)
    for fold in range(_FOLDS):
        learned = fitted([one for one, own in zip(rows, folds, strict=True) if own != fold])
        chosen = [one for one, own in zip(rows, folds, strict=True) if own == fold]
        validated[folds == fold] = first_right(chosen, learned)
    before = first_right(rows, now)
    for place in ("fi", "eu", "ca", "nyc"):
        own = np.array([one.place == place for one in rows])
        if own.any():
            print(f"{place}: {own.sum()} questions, now {before[own].mean():.3f}, "
                  f"cross-validated {validated[own].mean():.3f}")  # fmt: skip
    print(f"all: {len(rows)} questions, now {before.mean():.3f}, cross-validated {validated.mean():.3f}")
    print(f"parts: {scale_of(from_life)}", *held_out(from_life, folds_of(from_life)), sep="\n")
    for name, weight in zip(WEIGHTS, fitted(rows), strict=True):
        print(f'    "{name}": {weight:.2f},')
    if given.into is not None:
        given.into.write_text(written(given.into.read_text(encoding="utf-8"), from_life), encoding="utf-8")


if __name__ == "__main__":
    main()
