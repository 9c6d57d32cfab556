"""Fit the two regressions of a calibration: the order of candidates, and the confidence in the first.

The order is a conditional logit (McFadden, 1974), confidence a logistic regression; NumPy fits both in
seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pykala.retrieve.calibration import Case, leads, shares
from pykala.retrieve.features import FEATURES, outstanding

Floats = NDArray[np.float64]

_ORDER_PENALTY, _CONFIDENCE_PENALTY = 0.002, 0.001
#: Features whose weight is never negative, whatever a random question set suggests: people ask for law that
#: is cited, of high rank and recent.
_NEVER_AGAINST: Final = frozenset({"cited", "act_cited", "recent", "authority", "asked", "meaning", "words"})
#: The features of the confidence model: those that mean the same in small and large libraries.
CONFIDENCE_FEATURES: Final = (
    *("meaning", "coverage", "likeness", "section_coverage", "section_likeness", "section_matched"),
    *(
        "sentence_coverage",
        "sentence_likeness",
        "heading_match",
        "heading_likeness",
        "heading_precision",
        "named",
        "reranker",
        "asked",
        "asked_lead",
        "asked_high",
        "meaning_lead",
        "figure",
    ),
)


@dataclass(frozen=True, slots=True)
class Judged:
    """A question's candidates in one case: their features, and which are right."""

    act: str  # of the right section; questions of one act are in one fold
    section: str  # the right one; if a library has few acts, questions of one section are in one fold
    case: Case
    table: Floats
    right: NDArray[np.bool_]
    known: float
    answerable: bool  # whether the set says that the law answers it
    glances: Floats  # the shortlist features of every section found
    glances_right: NDArray[np.bool_]
    size: int = 0  # passages that were searched by meaning


def without_law(judged: Sequence[Judged]) -> Iterator[Judged]:
    """The same questions as if the law that answers them were not in the library.

    Sets have few questions that the law leaves open, but the engine must recognise such questions. The
    candidates that remain without the right section are exactly what a tempting wrong answer looks like.
    """
    relative = [FEATURES.index(name) for name in ("words", "act_by_words", "act_by_meaning")]
    for one in judged:
        rest = one.table[~one.right].copy()
        if one.answerable and one.right.any() and len(rest):
            rest[:, relative] /= np.maximum(rest[:, relative].max(axis=0), 1e-9)
            made = outstanding(rest)
            rest[:, -made.shape[1] :] = made
            yield replace(one, table=rest, right=np.zeros(len(rest), dtype=np.bool_), answerable=False)


def _first_is_right(one: Judged, order: Floats) -> bool:
    return one.answerable and bool(one.right[int(np.argmax(order))])


def order_weights(judged: Sequence[Judged], steps: int = 400) -> Floats:
    """The weights that rank right candidates before the others."""
    return choice_weights([(one.table, one.right) for one in judged], FEATURES, steps)


def choice_weights(
    choices: Sequence[tuple[Floats, NDArray[np.bool_]]], names: Sequence[str], steps: int = 400
) -> Floats:
    """The weights of a choice: right rows rank before the others of their table."""
    learned = [(table, right) for table, right in choices if right.any() and not right.all()]

    def slope(weights: Floats) -> Floats:
        total = np.zeros_like(weights)
        for table, right in learned:
            chosen = _softmax(table @ weights)
            meant = np.where(right, chosen, 0.0)
            total += table.T @ (meant / max(meant.sum(), 1e-300) - chosen)
        return total / max(1, len(learned)) - _ORDER_PENALTY * weights

    least = np.array([0.0 if name in _NEVER_AGAINST else -np.inf for name in names])
    return _climb(np.zeros(len(names)), slope, steps, least)


def confidence_weights(judged: Sequence[Judged], order: Floats, steps: int = 1500) -> Floats:
    """The weights that separate right from wrong first candidates."""
    judged = [*judged, *without_law(judged)]
    orders = [one.table @ order for one in judged]
    rows = np.array([_first(one, order) for one, order in zip(judged, orders, strict=True)])
    right = np.array([_first_is_right(one, order) for one, order in zip(judged, orders, strict=True)])

    def slope(weights: Floats) -> Floats:
        missed = right - sigmoid(rows @ weights)
        free = np.append(weights[:-1], 0.0)  # the last is the bias, which has no penalty
        return np.asarray(rows.T @ missed / len(rows) - _CONFIDENCE_PENALTY * free)

    # Matching more of a question must never make an answer less likely, whatever a small set suggests.
    least = np.zeros(rows.shape[1])
    least[-1] = -np.inf
    return _climb(np.zeros(rows.shape[1]), slope, steps, least)


def _first(one: Judged, order: Floats) -> Floats:
    return np.asarray(confidence_rows(one, order)[int(np.argmax(order))])


def confidence_rows(one: Judged, order: Floats) -> Floats:
    """The confidence features of each candidate: its own, its lead, its share, the known words, and 1."""
    own = one.table[:, [FEATURES.index(name) for name in CONFIDENCE_FEATURES]]
    known = np.full(len(order), one.known)
    return np.column_stack([own, leads(order), shares(order), known, np.ones(len(order))])


def _climb(
    weights: Floats, slope: Callable[[Floats], Floats], steps: int, least: Floats | float = -np.inf
) -> Floats:
    """Gradient ascent with adaptive, shrinking steps (RMSProp); no weight below `least`."""
    squares = np.zeros_like(weights)
    for step in range(steps):
        found = slope(weights)
        squares = 0.9 * squares + 0.1 * found**2
        weights = weights + 0.2 * (1 - step / steps) * found / (np.sqrt(squares) + 1e-6)
        weights = np.maximum(weights, least)
    return weights


def _softmax(scores: Floats) -> Floats:
    shares = np.exp(scores - scores.max())
    return np.asarray(shares / shares.sum())


def sigmoid(values: Floats) -> Floats:
    """The logistic function."""
    return np.asarray(1.0 / (1.0 + np.exp(-values)))
