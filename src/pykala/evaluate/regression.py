"""Fit the two regressions of a calibration: the order of candidates, and the confidence in the first.

The order is a conditional logit (McFadden, 1974), confidence a logistic regression; both are small enough for
NumPy to fit them in seconds.
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
#: What never counts against a candidate, whatever a set that was drawn at random says: people ask for what is
#: cited, stands high and is recent.
_NEVER_AGAINST: Final = frozenset({"cited", "act_cited", "recent", "authority", "asked", "meaning", "words"})
#: What confidence may look at: features that mean the same in a small library and in a large one.
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
    """A question's candidates in one case: what is known of each, and which are right."""

    act: str  # whose section is right: questions of one act fall into one fold
    section: str  # what is right; of a library of few acts, questions of one section fall into one fold
    case: Case
    table: Floats
    right: NDArray[np.bool_]
    known: float
    answerable: bool  # whether the set says that the law answers it
    glances: Floats  # what is known of every section found, before any is read
    glances_right: NDArray[np.bool_]
    size: int = 0  # passages that were searched by meaning


def without_law(judged: Sequence[Judged]) -> Iterator[Judged]:
    """The same questions as if the law that answers them were not in the library.

    Sets hold few questions that the law leaves open, and the engine must know one when it meets it: what
    is left without the right section is exactly what a tempting wrong answer looks like.
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
    """The weights under which right candidates come before the others."""
    return choice_weights([(one.table, one.right) for one in judged], FEATURES, steps)


def choice_weights(
    choices: Sequence[tuple[Floats, NDArray[np.bool_]]], names: Sequence[str], steps: int = 400
) -> Floats:
    """The weights of a choice: rows that are right come before the others of their table."""
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
    """The weights that tell a right first candidate from a wrong one."""
    judged = [*judged, *without_law(judged)]
    orders = [one.table @ order for one in judged]
    rows = np.array([_first(one, order) for one, order in zip(judged, orders, strict=True)])
    right = np.array([_first_is_right(one, order) for one, order in zip(judged, orders, strict=True)])

    def slope(weights: Floats) -> Floats:
        missed = right - sigmoid(rows @ weights)
        free = np.append(weights[:-1], 0.0)  # the last is the bias, which nothing holds back
        return np.asarray(rows.T @ missed / len(rows) - _CONFIDENCE_PENALTY * free)

    # That more of a question is matched never makes an answer less likely, whatever a small set says.
    least = np.zeros(rows.shape[1])
    least[-1] = -np.inf
    return _climb(np.zeros(rows.shape[1]), slope, steps, least)


def _first(one: Judged, order: Floats) -> Floats:
    return np.asarray(confidence_rows(one, order)[int(np.argmax(order))])


def confidence_rows(one: Judged, order: Floats) -> Floats:
    """What confidence sees of each candidate: its features, its lead, its share, what is known, and one."""
    own = one.table[:, [FEATURES.index(name) for name in CONFIDENCE_FEATURES]]
    known = np.full(len(order), one.known)
    return np.column_stack([own, leads(order), shares(order), known, np.ones(len(order))])


def _climb(
    weights: Floats, slope: Callable[[Floats], Floats], steps: int, least: Floats | float = -np.inf
) -> Floats:
    """Ascend with steps that adapt to each weight and shrink to nothing (RMSProp); none below `least`."""
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
