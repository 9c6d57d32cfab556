"""Learn from question sets how candidates are ordered, and how sure the engine may be.

The order is a conditional logit: the right candidate of a question should score highest (McFadden, 1974).
Confidence is a logistic regression over the first candidate. NumPy fits both in seconds, and both are
measured by cross-validation: every reported figure is of questions that were not used to fit the weights. The
scale that turns confidence into grades comes from the same held-out probabilities, and its reliability is
measured with the curves of the other folds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path
from typing import Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from pykala.evaluate.matching import covers, section_of
from pykala.evaluate.questions import GoldQuestion
from pykala.evaluate.regression import (
    CONFIDENCE_FEATURES,
    Floats,
    Judged,
    choice_weights,
    confidence_rows,
    confidence_weights,
    order_weights,
    sigmoid,
)
from pykala.evaluate.reliability import (
    Bin,
    across_folds,
    bins_json,
    calibration_error,
    reliability,
    scale_of,
)
from pykala.evaluate.sets import pack_set, read_set
from pykala.law.answers import Outcome
from pykala.law.grades import ANSWERED_FROM, LIKELY_FROM
from pykala.law.identifiers import ProvisionId
from pykala.library import Library
from pykala.library.configured import open_configured
from pykala.library.sample import is_sample
from pykala.retrieve.calibration import (
    BESIDE,
    Case,
    Least,
    Weights,
    nearness,
)
from pykala.retrieve.features import FEATURES
from pykala.retrieve.learned import keep_beside, models_of
from pykala.retrieve.plan import looked_at
from pykala.retrieve.shortlist import GLANCES, glance
from pykala.settings import Settings

#: Candidates after the first whose chances are measured: as many as an answer lists.
_LISTED = 8
#: The share of answerable questions that may fall below the least nearness, so that nothing is listed for
#: them.
_TOO_FAR = 0.03
#: The share of right answers that may fall below the least likeness of an answer.
_UNLIKE = 0.03
#: The share of right first candidates that may fall below the least likeness for listing; by words alone it
#: is higher, because words separate candidates less well.
_UNLISTED: Final = {Case.SAME_LANGUAGE: 0.005, Case.OTHER_LANGUAGE: 0.005, Case.WORDS_ONLY: 0.03}
_ALIKE: Final = [FEATURES.index("section_likeness"), FEATURES.index("section_coverage")]
_MATCHED: Final = FEATURES.index("section_matched")
_FOLDS, _SEED = 5, 12
_FEWEST = 20  # the least questions of a case


def judge(questions: Sequence[GoldQuestion], library: Library, today: date) -> Iterator[Judged]:
    """The candidates of each question, as grading sees them, compared with the gold."""
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
                    str(section_of(asked.primaries[0])) if asked.primaries else asked.id,
                    one.case,
                    one.table.astype(np.float64),
                    np.array(right, dtype=np.bool_),
                    one.known,
                    answerable,
                    glance(one.glanced, asked.as_of or today).astype(np.float64),
                    np.array(found, dtype=np.bool_),
                    one.size,
                )


def _is_right(section: ProvisionId, asked: GoldQuestion) -> bool:
    return any(covers(section_of(gold), section) for gold in asked.primaries)


@dataclass(frozen=True, slots=True)
class Fitted:
    """The weights of a case, and their results on questions that were not used to fit them."""

    weights: Weights
    questions: int
    first_right: float  # of the questions that the law answers
    reciprocal_rank: float
    answered: float  # share of all questions that would be shown as answered
    wrong: float  # share of all questions that would be shown as answered and are wrong
    accuracy: float  # of those shown as answered
    likely: float  # share of all questions that would be shown as likely
    likely_accuracy: float  # of those shown as likely
    bins: tuple[Bin, ...]  # reliability of the grades of first candidates
    bins_beside: tuple[Bin, ...]  # the same for the other candidates

    @property
    def error(self) -> float:
        """The expected calibration error of the first candidates."""
        return calibration_error(self.bins)


def fit(judged: Sequence[Judged], beside: Sequence[Judged] = (), order: Weights | None = None) -> Fitted:
    """Fit one case, with every figure from cross-validation over acts; over sections where acts are few.

    Questions `beside` only teach what a right answer looks like: the order and the value of a grade are
    measured on the others. With the `order` of earlier weights, only grades are learned.
    """
    kept = np.array([order.order.get(name, 0.0) for name in FEATURES]) if order else None
    folds = _folds(judged)
    held_out: list[_HeldOut] = []
    for fold in range(_FOLDS):
        seen = [one for one, place in zip(judged, folds, strict=True) if place != fold]
        weights = order_weights(seen) if kept is None else kept
        confidence = confidence_weights([*seen, *beside], weights)
        unseen = (one for one, place in zip(judged, folds, strict=True) if place == fold)
        held_out += [_best_first(one, fold, weights, confidence) for one in unseen]
    first, behind = _ranked(held_out, 0, 1), _ranked(held_out, 1, _LISTED)
    chances = across_folds(*first)
    learned = Weights(
        *_named(judged, beside, order),
        scale=scale_of(*first[:2]),
        scale_beside=scale_of(*behind[:2]),
        near=_near(judged),
    )
    return Fitted(
        replace(learned, least=least_alike(judged, learned)),
        questions=len(judged),
        **_figures(held_out, chances, first[1]),
        bins=reliability(chances, first[1]),
        bins_beside=reliability(across_folds(*behind), behind[1]),
    )


def _near(judged: Sequence[Judged]) -> float:
    """The nearness that all but a few of the answerable questions reach with their nearest candidate."""
    found = [nearness(one.table, one.size) for one in judged if one.answerable and one.size]
    return round(float(np.quantile(found, _TOO_FAR)), 4) if found else 0.0


def least_alike(judged: Sequence[Judged], weights: Weights) -> Least:
    """The likeness that all but a few right first candidates reach: those graded as answers, and all."""
    alike, matched, grades = [], [], []
    for one in judged:
        order = weights.ranked(one.table)
        first = int(np.argmax(order))
        if one.answerable and one.right[first]:
            alike.append(max(one.table[first, _ALIKE]))
            matched.append(one.table[first, _MATCHED])
            grades.append(weights.grades(one.table, order, one.known)[first])
    sure = np.array(grades) >= ANSWERED_FROM
    if not sure.any():
        return Least()
    return Least(
        alike_to_answer=_quantile(np.array(alike)[sure], _UNLIKE),
        alike_to_list=_quantile(alike, _UNLISTED[judged[0].case]),
        matched_to_answer=_quantile(np.array(matched)[sure], _UNLIKE),
    )


def _quantile(values: Sequence[float] | Floats, share: float) -> float:
    return round(float(np.quantile(values, share)), 3)


@dataclass(frozen=True, slots=True)
class _HeldOut:
    """A question's candidates, ordered by weights that were not fitted with it, best first."""

    fold: int
    answerable: bool
    likely: Floats
    right: NDArray[np.bool_]


def _best_first(one: Judged, fold: int, weights: Floats, confidence: Floats) -> _HeldOut:
    order = one.table @ weights
    ranks = np.argsort(-order, kind="stable")
    likely = sigmoid(confidence_rows(one, order) @ confidence)
    return _HeldOut(fold, one.answerable, likely[ranks], one.right[ranks] & one.answerable)


def _ranked(
    held_out: Sequence[_HeldOut], start: int, end: int
) -> tuple[Floats, NDArray[np.bool_], NDArray[np.int_]]:
    """For the candidates of a range of ranks: confidence, whether right, and the fold."""
    cut = [(one.likely[start:end], one.right[start:end], one.fold) for one in held_out]
    return (
        np.concatenate([likely for likely, _, _ in cut]),
        np.concatenate([right for _, right, _ in cut]),
        np.concatenate([np.full(len(likely), fold) for likely, _, fold in cut]),
    )


def _folds(judged: Sequence[Judged]) -> NDArray[np.int64]:
    """The fold of each question; by section where a library has few acts, to have enough folds."""
    few = len({one.act for one in judged}) < 2 * _FOLDS
    groups = [one.section if few else one.act for one in judged]
    return np.array([crc32(f"{_SEED}:{group}".encode()) % _FOLDS for group in groups], dtype=np.int64)


def calibrate(
    sets: Sequence[tuple[Path, Path]],
    settings: Settings,
    today: date,
    beside: Sequence[tuple[Path, Path]] = (),
) -> dict[Case, Fitted]:
    """Fit every case for which the sets have enough questions; with vectors, and without."""
    judged, taught = _judged(sets, settings, today), _judged(beside, settings, today)
    enough = {case: found for case, found in judged.items() if len(found) >= _FEWEST}
    if not enough:
        raise ValueError(f"there are too few questions to learn from; give at least {_FEWEST}")
    return {case: fit(found, taught[case]) for case, found in enough.items()}


def _judged(sets: Sequence[tuple[Path, Path]], settings: Settings, today: date) -> dict[Case, list[Judged]]:
    judged: dict[Case, list[Judged]] = {case: [] for case in Case}
    for path, folder in sets:
        with open_configured(folder, settings) as library:
            questions = read_set(_set_of(path, library))
            # Without learned weights, as if the models had never been calibrated.
            weights = {} if settings.calibration is None else library.made_of.calibration
            given = library.options
            by_words = [replace(given, vectors=False, reranker=False)] if library.embedder else []
            for options in (given, *by_words):
                tried = library.with_parts(options=replace(options, cache=False), calibration=weights)
                for one in judge(questions, tried, today):
                    judged[one.case].append(one)
    # If the question's own language has the answer, candidates in another language are neither right nor
    # wrong. So only questions that need the other language, and those that nothing answers, are used.
    judged[Case.OTHER_LANGUAGE] = [
        one for one in judged[Case.OTHER_LANGUAGE] if one.right.any() or not one.answerable
    ]
    return judged


def _set_of(questions: Path, library: Library) -> Path:
    """The path of a set; a pack's code means the pack's own set for this library."""
    pack = library.packs.get(str(questions))
    if pack is None or questions.exists():
        return questions
    return pack_set(pack, sample=is_sample(library.store.facts()))


def keep(
    fitted: Mapping[Case, Fitted], sets: Sequence[tuple[Path, Path]], settings: Settings
) -> tuple[Path, ...]:
    """Store the weights beside each library, for its models; words alone keep the bundled weights."""
    written = []
    for folder in dict.fromkeys(folder for _, folder in sets):
        with open_configured(folder, settings) as library:
            models = models_of(library.embedder, library.reranker)
        by_models = {
            case: one for case, one in fitted.items() if case is not Case.WORDS_ONLY or not models["embedder"]
        }
        written.append(keep_beside(folder, models, calibration_json(by_models)))
    return tuple(written)


def calibration_text(fitted: Mapping[Case, Fitted]) -> str:
    """The JSON text of some weights: indented, with each point of a scale on one line."""
    text = json.dumps(calibration_json(fitted), indent=1)
    flat = re.sub(r"\[\s*([\d.]+),\s*([\d.]+)\s*\]", r"[\1, \2]", text)
    return f"{flat}\n"


def calibration_json(fitted: Mapping[Case, Fitted]) -> dict[str, object]:
    """The weights and their results, in the form that `pykala.retrieve.calibration` reads."""
    return {
        "cases": {
            case.value: {
                "glance": dict(one.weights.glance),
                "order": dict(one.weights.order),
                "confidence": dict(one.weights.confidence),
                "scale": [list(point) for point in one.weights.scale],
                "scale_beside": [list(point) for point in one.weights.scale_beside],
                "near": one.weights.near,
                "least": asdict(one.weights.least),
                "measured": {
                    "questions": one.questions,
                    "first_right": round(one.first_right, 4),
                    "reciprocal_rank": round(one.reciprocal_rank, 4),
                    "answered": round(one.answered, 4),
                    "accuracy": round(one.accuracy, 4),
                    "wrong": round(one.wrong, 4),
                    "likely": round(one.likely, 4),
                    "likely_accuracy": round(one.likely_accuracy, 4),
                    "calibration_error": round(one.error, 4),
                    "reliability": bins_json(one.bins),
                    "reliability_beside": bins_json(one.bins_beside),
                },
            }
            for case, one in fitted.items()
        }
    }


def _named(
    judged: Sequence[Judged], beside: Sequence[Judged], order: Weights | None
) -> tuple[Mapping[str, float], Mapping[str, float], Mapping[str, float]]:
    """The weights fitted on all questions, by name: for the shortlist, the order and confidence."""
    if order is None:
        chosen = choice_weights([(one.glances, one.glances_right) for one in judged], GLANCES)
        glanced, ordered = _by_name(GLANCES, chosen), _by_name(FEATURES, order_weights(judged))
    else:
        glanced, ordered = dict(order.glance), dict(order.order)
    weights = np.array([ordered[name] for name in FEATURES])
    confidence = confidence_weights([*judged, *beside], weights)
    return glanced, ordered, _by_name((*CONFIDENCE_FEATURES, *BESIDE), confidence)


def _by_name(names: Sequence[str], weights: Floats) -> dict[str, float]:
    return {name: round(float(value), 3) for name, value in zip(names, weights, strict=True)}


def _figures(held_out: Sequence[_HeldOut], chances: Floats, right: NDArray[np.bool_]) -> dict[str, float]:
    ranks = [_rank(one.right) for one in held_out if one.answerable]
    shown = chances >= ANSWERED_FROM / 10
    likely = (chances >= LIKELY_FROM / 10) & ~shown
    return {
        "first_right": float(np.mean([rank == 1 for rank in ranks])) if ranks else 0.0,
        "reciprocal_rank": float(np.mean([1 / rank if rank else 0.0 for rank in ranks])) if ranks else 0.0,
        "answered": float(shown.mean()),
        "wrong": float((shown & ~right).mean()),
        "accuracy": float(right[shown].mean()) if shown.any() else 1.0,
        "likely": float(likely.mean()),
        "likely_accuracy": float(right[likely].mean()) if likely.any() else 1.0,
    }


def _rank(right: NDArray[np.bool_]) -> int:
    return int(np.argmax(right)) + 1 if right.any() else 0
