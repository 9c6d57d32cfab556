"""The signs that a sentence of a section answers a question, and their weights."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pykala.answer.sentences import Sentence
from pykala.law.identifiers import ProvisionId, shared_steps
from pykala.retrieve.holding import holds_any
from pykala.retrieve.kinds import Kind, Wanted
from pykala.retrieve.likeness import AskedWords
from pykala.text.periods import only_past
from pykala.text.quantities import quantities

Floats = NDArray[np.float32]

#: The weight of each sign, in the order of `signs_of`. They are learned from questions whose subdivision is
#: known (`python -m training.fit_pinpoint`), on the packs' own sets and on others, never on situations.
#: Position and past are set by hand, because the training questions are drawn evenly from all positions and
#: ask only about today.
WEIGHTS: Final = {
    "own words": 0.85,  # the question's words in the sentence
    "words with opening": 0.95,  # the same, together with the opening words above it
    "own meaning": 1.0,
    "meaning with opening": 1.0,
    "asked": 1.5,  # its subsection's nearness by known questions, compared with the other subsections
    "position": -0.3,  # towards the end of the section: a rule comes before its exceptions
    "holds the kind": 1.0,  # contains the kind of answer asked for
    "lacks a figure": -0.8,  # lacks the figure asked for, however much of the question it covers
    "past": -0.9,  # applies only to a period that has passed
    "unit stated": 0.45,  # gives a figure in a unit that the question mentions
    "figure in rule": 0.2,  # has any figure, where yes or no is asked: limits decide
}
#: Kinds whose signs are rare enough to separate sentences; "may" and "shall" stand in almost every one.
_TELLING: Final = frozenset(
    {Kind.PERIOD, Kind.DATE, Kind.AMOUNT, Kind.RATE, Kind.AUTHORITY, Kind.DEFINITION, Kind.PLACE, Kind.LIST}
)
_WEIGHTS: Final = np.array([*WEIGHTS.values()], dtype=np.float32)
_BESIDE: Final = 0.9  # what a figure in the table below a sentence counts, or in the opening above it
_FIGURES: Final = frozenset({Kind.PERIOD, Kind.DATE, Kind.AMOUNT, Kind.RATE})


def worth_of(
    found: Sequence[Sentence], asked: AskedWords, language: str, *, wanted: Wanted, as_of: date
) -> Floats:
    """How well each sentence answers, by all its signs."""
    return np.asarray(signs_of(found, asked, language, wanted=wanted, as_of=as_of) @ _WEIGHTS)


def signs_of(
    found: Sequence[Sentence], asked: AskedWords, language: str, *, wanted: Wanted, as_of: date
) -> Floats:
    """The features of each sentence: one row each."""
    texts = [one.text for one in found]
    own_words, own_meaning = asked.measures(texts, language), asked.nearness([""] * len(texts), texts)
    words, meaning = own_words.copy(), own_meaning.copy()
    # Most sentences stand in no list; for them, the meaning with the opening is their own meaning.
    opened = [at for at, one in enumerate(found) if one.above]
    if opened:
        openings, below = [found[at].opening for at in opened], [texts[at] for at in opened]
        together = [f"{opening} {text}".strip() for opening, text in zip(openings, below, strict=True)]
        words[opened] = asked.measures(together, language)
        meaning[opened] = asked.nearness(openings, below)
    position = np.arange(len(texts), dtype=np.float32) / len(texts)
    columns = (own_words, words, own_meaning, meaning, _asked_of_parts(found, asked), position)
    held = np.array([_held_signs(one, wanted, as_of) for one in found], dtype=np.float32)
    return np.column_stack((*columns, held)).astype(np.float32)


def _asked_of_parts(found: Sequence[Sentence], asked: AskedWords) -> Floats:
    """How near each sentence's subsection is by known questions, compared with the other subsections."""
    first, *rest = (one.place.path for one in found)
    depth = len(first)
    for path in rest:
        depth = shared_steps(first[:depth], path)
    parts = [str(ProvisionId(one.place.work, one.place.path[: depth + 1])) for one in found]
    own = list(dict.fromkeys(parts))
    near = dict(zip(own, asked.asked_of(own).tolist(), strict=True)) if len(own) > 1 else {}
    return np.array([near.get(part, 0.0) for part in parts], dtype=np.float32)


def _held_signs(sentence: Sentence, wanted: Wanted, as_of: date) -> tuple[float, ...]:
    """The features that do not depend on the question's subject; the last five."""
    telling = [kind for kind in wanted.kinds if kind in _TELLING]
    holds = holds_any(telling, sentence.text, wanted.units)
    if sentence.below:
        holds = max(holds, _BESIDE * holds_any(telling, sentence.below, wanted.units))
    if sentence.above:  # "the tax is 2 per cent if: …": an item has the figure of its opening
        figures = [kind for kind in telling if kind in _FIGURES]
        holds = max(holds, _BESIDE * holds_any(figures, sentence.above[-1], wanted.units))
    lacks = not holds and any(kind in _FIGURES for kind in telling)
    past = only_past(sentence.text, as_of) or any(only_past(words, as_of) for words in sentence.above)
    units = {quantity.unit for quantity in quantities(sentence.text)} if wanted.kinds else set()
    in_rule = bool(units) and Kind.CONDITION in wanted.kinds
    return holds, float(lacks), float(past), float(bool(units & wanted.stated)), float(in_rule)
