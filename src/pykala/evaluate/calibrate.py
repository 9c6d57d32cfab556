"""Learning from question sets how candidates are ordered, and how sure the engine may be.

The order is a conditional logit: of a question's candidates, the right one should get the most (McFadden,
1974). Confidence is a logistic regression over the first candidate. Both are small enough to be fitted
with NumPy in seconds, and both are judged by cross-validation: every figure told is of questions that the
weights had not seen. The two thresholds come from the same held-out probabilities.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from pykala.ask import looked_at
from pykala.configured import open_configured
from pykala.evaluate.matching import covers, section_of
from pykala.evaluate.sets import GoldQuestion, read_set
from pykala.law.answers import Outcome
from pykala.law.identifiers import ProvisionId
from pykala.library import Library
from pykala.retrieve.calibration import BESIDE, Case, Weights, leads, shares
from pykala.retrieve.features import FEATURES
from pykala.retrieve.shortlist import GLANCES, glance
from pykala.settings import Settings

Floats = NDArray[np.float64]

#: Wrong answers shown as answers, of all questions; right ones, of those shown; and the share of answerable
#: questions that get at least guidance.
MOST_WRONG, LEAST_RIGHT, GUIDED = 0.04, 0.87, 0.975
_BY_WORDS = 0.045, 0.85  # the first two by words alone, where a match is one of the very words
_FOLDS, _SEED = 5, 12
_FEWEST = 20  # questions of a case
_ORDER_PENALTY, _CONFIDENCE_PENALTY = 0.01, 0.001
#: What confidence may look at: features that mean the same in a small library and in a large one.
_CONFIDENCE: Final = (
    *("meaning", "coverage", "likeness", "section_coverage", "section_likeness", "section_matched"),
    *(
        "sentence_coverage",
        "sentence_likeness",
        "heading_match",
        "heading_likeness",
        "heading_precision",
        "named",
        "reranker",
    ),
)


@dataclass(frozen=True, slots=True)
class Judged:
    """A question's candidates in one case: what is known of each, and which are right."""

    act: str  # whose section is right: questions of one act fall into one fold
    case: Case
    table: Floats
    right: NDArray[np.bool_]
    known: float
    answerable: bool  # whether the set says that the law answers it
    glances: Floats  # what is known of every section found, before any is read
    glances_right: NDArray[np.bool_]


def judge(questions: Sequence[GoldQuestion], library: Library, today: date) -> Iterator[Judged]:
    """Each question's candidates, as grading sees them, held against the gold."""
    engine = library.engine()
    for asked in questions:
        cases = looked_at(
            asked.question,
            engine,
            as_of=asked.as_of or today,
            language=asked.language,
            jurisdiction=asked.jurisdiction,
        )
        answerable = bool(asked.gold) and (not asked.outcomes or Outcome.ANSWERED in asked.outcomes)
        for one in cases:
            if one.candidates:
                right = [_is_right(candidate.section, asked) for candidate in one.candidates]
                found = [_is_right(candidate.section, asked) for candidate in one.glanced]
                yield Judged(
                    str(asked.primaries[0].work) if asked.primaries else asked.id,
                    one.case,
                    one.table.astype(np.float64),
                    np.array(right, dtype=np.bool_),
                    one.known,
                    answerable,
                    glance(one.glanced, asked.as_of or today).astype(np.float64),
                    np.array(found, dtype=np.bool_),
                )


def _is_right(section: ProvisionId, asked: GoldQuestion) -> bool:
    return any(covers(section_of(gold), section) for gold in asked.primaries)


@dataclass(frozen=True, slots=True)
class Fitted:
    """The weights of a case, and what they reached on questions that they had not seen."""

    weights: Weights
    questions: int
    first_right: float  # of those that the law answers
    reciprocal_rank: float
    answered: float  # share of all questions that would be shown as answered
    wrong: float  # share of all questions that would be shown as answered and are wrong
    accuracy: float  # of those shown as answered


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
            yield replace(one, table=rest, right=np.zeros(len(rest), dtype=np.bool_), answerable=False)


def fit(judged: Sequence[Judged], beside: Sequence[Judged] = ()) -> Fitted:
    """Fit one case, with every figure from cross-validation over acts.

    Questions `beside` teach what a right answer looks like and nothing else: how candidates are ordered and
    where answers begin is measured on the others.
    """
    folds = np.array([crc32(f"{_SEED}:{one.act}".encode()) % _FOLDS for one in judged])
    orders: list[Floats] = [np.zeros(0)] * len(judged)
    likely = np.zeros(len(judged))
    for fold in range(_FOLDS):
        seen = [one for one, place in zip(judged, folds, strict=True) if place != fold]
        weights = order_weights(seen)
        confidence = confidence_weights([*seen, *beside], weights)
        for place in map(int, np.flatnonzero(folds == fold)):
            one = judged[place]
            orders[place] = one.table @ weights
            likely[place] = _sigmoid(_first(one, orders[place]) @ confidence)
    right = np.array([_first_is_right(one, order) for one, order in zip(judged, orders, strict=True)])
    by_words = bool(judged) and judged[0].case is Case.WORDS_ONLY
    guidance, answered = thresholds(
        likely,
        right,
        np.array([one.answerable for one in judged]),
        *(_BY_WORDS if by_words else (MOST_WRONG, LEAST_RIGHT)),
    )
    return Fitted(
        Weights(*_named(judged, beside), guidance=guidance, answered=answered),
        questions=len(judged),
        **_figures(judged, orders, likely, right, answered),
    )


def calibrate(
    sets: Sequence[tuple[Path, Path]],
    settings: Settings,
    today: date,
    beside: Sequence[tuple[Path, Path]] = (),
) -> dict[Case, Fitted]:
    """Fit every case that sets and their libraries give enough of; with vectors, and without."""
    judged, taught = _judged(sets, settings, today), _judged(beside, settings, today)
    enough = {case: found for case, found in judged.items() if len(found) >= _FEWEST}
    if not enough:
        raise ValueError(f"there are too few questions to learn from; give at least {_FEWEST}")
    return {case: fit(found, taught[case]) for case, found in enough.items()}


def _judged(sets: Sequence[tuple[Path, Path]], settings: Settings, today: date) -> dict[Case, list[Judged]]:
    judged: dict[Case, list[Judged]] = {case: [] for case in Case}
    for path, folder in sets:
        questions = read_set(path)
        with open_configured(folder, settings) as library:
            for options in (library.options, replace(library.options, vectors=False, reranker=False)):
                library.options = replace(options, cache=False)
                for one in judge(questions, library, today):
                    judged[one.case].append(one)
    # Where the question's own language has the answer, what another one holds beside it is neither right
    # nor wrong: only questions that need the other language, and those that nothing answers, are learned.
    judged[Case.OTHER_LANGUAGE] = [
        one for one in judged[Case.OTHER_LANGUAGE] if one.right.any() or not one.answerable
    ]
    return judged


def calibration_json(fitted: Mapping[Case, Fitted]) -> dict[str, object]:
    """The weights and what they reached, as `pykala.retrieve.calibration` reads them."""
    return {
        "cases": {
            case.value: {
                "glance": dict(one.weights.glance),
                "order": dict(one.weights.order),
                "confidence": dict(one.weights.confidence),
                "guidance": one.weights.guidance,
                "answered": one.weights.answered,
                "measured": {
                    "questions": one.questions,
                    "first_right": round(one.first_right, 4),
                    "reciprocal_rank": round(one.reciprocal_rank, 4),
                    "answered": round(one.answered, 4),
                    "accuracy": round(one.accuracy, 4),
                    "wrong": round(one.wrong, 4),
                },
            }
            for case, one in fitted.items()
        }
    }


def _named(
    judged: Sequence[Judged], beside: Sequence[Judged]
) -> tuple[Mapping[str, float], Mapping[str, float], Mapping[str, float]]:
    """The weights of all questions, by name: for choosing what is read, for the order, for confidence."""
    weights = order_weights(judged)
    confidence = confidence_weights([*judged, *beside], weights)
    return (
        _by_name(GLANCES, choice_weights([(one.glances, one.glances_right) for one in judged], len(GLANCES))),
        _by_name(FEATURES, weights),
        _by_name((*_CONFIDENCE, *BESIDE), confidence),
    )


def _by_name(names: Sequence[str], weights: Floats) -> dict[str, float]:
    return {name: round(float(value), 3) for name, value in zip(names, weights, strict=True)}


def _figures(
    judged: Sequence[Judged],
    orders: Sequence[Floats],
    likely: Floats,
    right: NDArray[np.bool_],
    answered: float,
) -> dict[str, float]:
    answerable = [(one, order) for one, order in zip(judged, orders, strict=True) if one.answerable]
    ranks = [_rank(one, order) for one, order in answerable]
    shown = likely >= answered
    return {
        "first_right": float(np.mean([rank == 1 for rank in ranks])) if ranks else 0.0,
        "reciprocal_rank": float(np.mean([1 / rank if rank else 0.0 for rank in ranks])) if ranks else 0.0,
        "answered": float(shown.mean()),
        "wrong": float((shown & ~right).mean()),
        "accuracy": float(right[shown].mean()) if shown.any() else 1.0,
    }


def _rank(one: Judged, order: Floats) -> int:
    found = one.right[np.argsort(-order, kind="stable")]
    return int(np.argmax(found)) + 1 if found.any() else 0


def _first_is_right(one: Judged, order: Floats) -> bool:
    return one.answerable and bool(one.right[int(np.argmax(order))])


def order_weights(judged: Sequence[Judged], steps: int = 400) -> Floats:
    """The weights under which right candidates come before the others."""
    return choice_weights([(one.table, one.right) for one in judged], len(FEATURES), steps)


def choice_weights(
    choices: Sequence[tuple[Floats, NDArray[np.bool_]]], width: int, steps: int = 400
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

    return _climb(np.zeros(width), slope, steps)


def confidence_weights(judged: Sequence[Judged], order: Floats, steps: int = 1500) -> Floats:
    """The weights that tell a right first candidate from a wrong one."""
    judged = [*judged, *without_law(judged)]
    orders = [one.table @ order for one in judged]
    rows = np.array([_first(one, order) for one, order in zip(judged, orders, strict=True)])
    right = np.array([_first_is_right(one, order) for one, order in zip(judged, orders, strict=True)])

    def slope(weights: Floats) -> Floats:
        missed = right - _sigmoid(rows @ weights)
        free = np.append(weights[:-1], 0.0)  # the last is the bias, which nothing holds back
        return np.asarray(rows.T @ missed / len(rows) - _CONFIDENCE_PENALTY * free)

    # That more of a question is matched never makes an answer less likely, whatever a small set says.
    least = np.zeros(rows.shape[1])
    least[-1] = -np.inf
    return _climb(np.zeros(rows.shape[1]), slope, steps, least)


def _first(one: Judged, order: Floats) -> Floats:
    """What confidence sees of the first candidate: its features, its lead, what is known, and one."""
    first = int(np.argmax(order))
    own = [one.table[first, FEATURES.index(name)] for name in _CONFIDENCE]
    return np.array([*own, leads(order)[first], shares(order)[first], one.known, 1.0])


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


def thresholds(
    likely: Floats,
    right: NDArray[np.bool_],
    answerable: NDArray[np.bool_],
    most_wrong: float = MOST_WRONG,
    least_right: float = LEAST_RIGHT,
) -> tuple[float, float]:
    """Where guidance and answers begin: as low as the share of wrong answers allows."""
    answered = 1.0
    for threshold in np.sort(likely)[::-1]:
        shown = likely >= threshold
        if (shown & ~right).mean() > most_wrong:
            break
        if right[shown].mean() >= least_right:
            answered = float(threshold)
    guided = float(np.quantile(likely[answerable], 1 - GUIDED)) if answerable.any() else 0.0
    return round(min(guided, 0.98 * answered), 4), round(answered, 4)


def _softmax(scores: Floats) -> Floats:
    shares = np.exp(scores - scores.max())
    return np.asarray(shares / shares.sum())


def _sigmoid(values: Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-values)))
