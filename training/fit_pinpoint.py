"""Fit what each sign of a sentence counts when a section is pinpointed: `answer/sentence_signs.py`.

    python -m training.fit_pinpoint LIBRARY

Questions whose subdivision is known: `questions/pinpointed.jsonl`, written for it, and those of the packs'
own sets on real law that name one. The right section is given; the sentences of its right subdivision are
to stand above the others. Figures are cross-validated by act. Situations take no part.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise
from pathlib import Path

import numpy as np

from bench.pinpoint import Asked, read_set
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
TODAY = date(2026, 11, 15)
_PACKS = ("canada", "finland", "eu", "nyc")
#: Signs whose weights are set: the questions were drawn evenly from the parts of sections, and of today.
_SET = ("position", "past")
_FOLDS, _STEPS, _RATE, _STEADY = 5, 300, 0.06, 0.01


@dataclass(frozen=True, slots=True)
class Weighed:
    """The sentences of one question's section: their signs, and which are of the right subdivision."""

    act: str
    place: str
    signs: np.ndarray
    right: np.ndarray


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
    return Weighed(str(asked.section.work), asked.place, signs, right)


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


def first_right(rows: list[Weighed], weights: np.ndarray) -> np.ndarray:
    """Whether the best sentence of each is of the right subdivision."""
    return np.array([bool(one.right[int(np.argmax(one.signs @ weights))]) for one in rows])


def leads(rows: list[Weighed], weights: np.ndarray) -> None:
    """Print how often the best sentence is of the right subdivision, by how far it is ahead."""
    ahead, first, second = [], [], []
    for one in rows:
        scores = one.signs @ weights
        order = np.argsort(-scores)
        ahead.append(scores[order[0]] - scores[order[1]])
        first.append(one.right[order[0]])
        second.append(one.right[order[:2]].any())
    for least, most in pairwise((0.0, 0.1, 0.2, 0.3, 0.5, np.inf)):
        own = (np.array(ahead) >= least) & (np.array(ahead) < most)
        print(f"ahead by {least} to {most}: {own.sum()} questions, right {np.array(first)[own].mean():.2f}, "
              f"one of the first two {np.array(second)[own].mean():.2f}")  # fmt: skip


def main() -> None:
    """Fit, cross-validate and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("library", type=Path)
    given = parser.parse_args()
    with Library.open(given.library, embedder=None) as opened:
        library = opened.with_parts(options=replace(opened.options, cache=False))
        engine = replace(library.engine(), embedder=bundled_embedder())
        rows = [one for asked in questions() if (one := weighed(asked, engine)) is not None]
    now = np.array([*WEIGHTS.values()])
    folds = np.array([int(hashlib.sha256(one.act.encode()).hexdigest(), 16) % _FOLDS for one in rows])
    # All of New York and the VAT Directive are one act each: their questions fall into folds one by one.
    folds = np.where([one.place in ("nyc", "eu") for one in rows], np.arange(len(rows)) % _FOLDS, folds)
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
    leads(rows, now)
    for name, weight in zip(WEIGHTS, fitted(rows), strict=True):
        print(f'    "{name}": {weight:.2f},')


if __name__ == "__main__":
    main()
