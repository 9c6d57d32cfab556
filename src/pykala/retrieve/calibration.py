"""How much each feature counts, and how likely the result is right: weights learned from question sets.

Each case has two logistic models. The first orders the candidates of a question (trained as a choice among
them). The second estimates how likely the first candidate is to be right, from the same features and from its
lead over the others. A scale maps that estimate to the share that was right among questions not used in
training, and a grade is ten times that share: of the provisions graded 9, nine in ten are right. So grades
mean the same in every library and language, and outcomes follow from them. `pykala calibrate` measures the
scale and how well it holds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import pairwise
from math import log10
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pykala.law.grades import ANSWERED_FROM, LISTED_FROM
from pykala.retrieve.features import FEATURES
from pykala.retrieve.shortlist import GLANCES

Floats = NDArray[np.floating]

#: Pairs of the confidence model's estimate and the measured chance of being right; both increase.
Scale = tuple[tuple[float, float], ...]
_MEANING, _ASKED, _MILLION = FEATURES.index("meaning"), FEATURES.index("asked"), 1_000_000
#: Features of the confidence model, besides those of the candidate itself.
BESIDE = ("lead", "share", "known", "bias")


class Case(StrEnum):
    """Which scores are available for a candidate."""

    SAME_LANGUAGE = "same language"
    OTHER_LANGUAGE = "other language"
    WORDS_ONLY = "words only"  # a library without an embedder


@dataclass(frozen=True, slots=True)
class Least:
    """The least likeness between a section and a question, whatever else supports the section.

    Almost all right answers reach these values. The defaults are for calibration files that were written
    before the values were measured.
    """

    alike_to_answer: float = 0.5
    alike_to_list: float = 0.25
    matched_to_answer: float = 0.3  # the share of the question's words that have a near match in it


@dataclass(frozen=True, slots=True)
class Limits:
    """Measured thresholds that grading uses.

    The values are in the calibration file, each with what was measured about it; `python -m training.limits`
    measures them again.
    """

    known_to_cover: float  # below this share of known words, the library does not cover the question
    known_to_list: float  # below this one, no candidate can be about the question
    #: The cosine to known questions or topics from which the question's words need not be the section's own.
    known_by_questions: float
    #: The weight of a term that the library does not contain: so many times that of the rarest known term,
    #: and at least so much. So a passage with all other words of a question about Germany does not answer it.
    unknown_times: float
    unknown_least: float
    #: How likely a section with the figure or the time that was asked for must be, as a share of the grade of
    #: the first one, which lacks it; and among how many of the first candidates it is looked for. Of the
    #: sections of which a deadline was asked, nine in ten state a time; of the others of their acts, fewer
    #: than half do.
    near_for_figure: float
    near_for_deadline: float
    read_for_figure: int
    highest_logit: float  # of the bundled reranker: its logits divided by this are a feature
    opening: int  # characters of a section within which it names the act's short title
    alone: float  # the lead of a candidate that has no competitor
    #: How much the nearest cosine rises when a library has ten times as many passages, whatever the question:
    #: the median cosine of questions that are not about law is .17 among 1,345 passages, .33 among 1,297,062.
    nearer: float


class Weighing(Protocol):
    """Orders candidates and grades them by their features (`FEATURES`)."""

    @property
    def glance(self) -> Mapping[str, float]:
        """Weights for the shortlist."""
        ...

    @property
    def near(self) -> float:
        """The least nearness of a relevant result; 0 where it was not measured."""
        ...

    @property
    def least(self) -> Least:
        """The least likeness for a sure answer, and for being listed."""
        ...

    def ranked(self, table: Floats) -> Floats:
        """The score that orders each candidate."""
        ...

    def grades(self, table: Floats, order: Floats, known: float) -> Floats:
        """The grade of each candidate, 0 to 10."""
        ...


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of one case, and their measured probabilities."""

    glance: Mapping[str, float]  # for choosing which candidates are read
    order: Mapping[str, float]
    confidence: Mapping[str, float]
    scale: Scale  # of the candidate that is ordered first
    scale_beside: Scale  # of the other candidates, which are right less often than their scores suggest
    near: float = 0.0  # a result below this nearness is about something else; 0: not measured
    least: Least = Least()

    def ranked(self, table: Floats) -> Floats:
        """The score that orders each candidate."""
        with np.errstate(invalid="ignore", over="ignore"):  # see likeness.py: a flag without a cause
            return np.asarray(table @ _column(self.order))

    def probabilities(self, table: Floats, order: Floats, known: float) -> Floats:
        """The model's probability that each candidate is right, before calibration."""
        with np.errstate(invalid="ignore", over="ignore"):
            own = table @ _column(self.confidence)
        logits = (
            own
            + self.confidence.get("lead", 0.0) * leads(order)
            + self.confidence.get("share", 0.0) * shares(order)
            + self.confidence.get("known", 0.0) * known
            + self.confidence.get("bias", 0.0)
        )
        return np.asarray(1.0 / (1.0 + np.exp(-logits)))

    def grades(self, table: Floats, order: Floats, known: float) -> Floats:
        """Ten times each candidate's measured probability of being right."""
        likely = self.probabilities(table, order, known)
        first = int(np.argmax(order))
        chances = _read(self.scale_beside, likely)
        chances[first] = _read(self.scale, likely[first : first + 1])[0]
        return 10 * chances


def _read(scale: Scale, likely: Floats) -> Floats:
    said, measured = zip(*scale, strict=True)
    return np.array(np.interp(likely, said, measured))


def _column(weights: Mapping[str, float]) -> Floats:
    return np.array([weights.get(name, 0.0) for name in FEATURES], dtype=np.float32)


def nearness(table: Floats, size: int) -> float:
    """How near the nearest candidate is: the best cosine by meaning, plus half of that by known questions.

    The cosine by meaning is scaled to a library of a million passages. It also stands in for that by known
    questions where no candidate has any.
    """
    meaning = float(table[:, _MEANING].max()) + measured_limits().nearer * (log10(_MILLION) - log10(size))
    return meaning + 0.5 * (float(table[:, _ASKED].max()) or meaning)


def leads(order: Floats) -> Floats:
    """How far each candidate is ahead of the best other one; negative where it is behind."""
    if len(order) < 2:
        return np.full_like(order, measured_limits().alone)
    second, first = np.partition(order, -2)[-2:]
    return np.asarray(np.where(order == first, order - second, order - first))


def shares(order: Floats) -> Floats:
    """Each candidate's probability in a softmax over all."""
    odds = np.exp(order - order.max())
    return np.asarray(odds / odds.sum())


@cache
def calibrated() -> Mapping[Case, Weights]:
    """The bundled weights."""
    return read_calibration(bundled())


@cache
def measured_limits() -> Limits:
    """The bundled limits."""
    return read_limits(bundled())


def bundled() -> str:
    """The text of the bundled calibration file."""
    return files("pykala.retrieve").joinpath("data/calibration.json").read_text(encoding="utf-8")


def read_limits(text: str) -> Limits:
    """Read the limits from a calibration file; ValueError where one is missing or unknown."""
    try:
        return Limits(**{name: one["value"] for name, one in json.loads(text)["limits"].items()})
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"the limits of the calibration are incomplete: {error}") from error


def read_calibration(text: str) -> Mapping[Case, Weights]:
    """Read weights from the JSON of `pykala calibrate`; ValueError for anything else.

    A case for which the question sets had too few questions is missing from the file and keeps the bundled
    weights.
    """
    found = learned_cases(text)
    missing = {*Case} - found.keys()
    return {**{case: calibrated()[case] for case in missing}, **found}


def learned_cases(text: str) -> dict[Case, Weights]:
    """The cases in such a JSON."""
    try:
        cases = json.loads(text)["cases"]
        return {Case(name): _weights(one) for name, one in cases.items()}
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(
            f"this is no calibration ({error!r}); 'pykala calibrate --out FILE' makes one"
        ) from error


def _weights(one: Mapping[str, Any]) -> Weights:
    unknown = (
        ({*one["glance"]} - {*GLANCES})
        | ({*one["order"]} - {*FEATURES})
        | ({*one["confidence"]} - {*FEATURES, *BESIDE})
    )
    if unknown:
        raise ValueError(f"the calibration speaks of unknown features: {', '.join(sorted(unknown))}")
    if "scale" in one:
        scale, beside = _scale(one["scale"]), _scale(one["scale_beside"])
    else:
        scale = beside = _scale_of_thresholds(float(one["guidance"]), float(one["answered"]))
    near = float(one.get("near", 0.0))
    least = Least(**{name: float(value) for name, value in one.get("least", {}).items()})
    return Weights(one["glance"], one["order"], one["confidence"], scale, beside, near, least)


def _scale(points: Sequence[Sequence[float]]) -> Scale:
    scale = tuple((float(said), float(measured)) for said, measured in points)
    rises = all(a[0] <= b[0] and a[1] <= b[1] for a, b in pairwise(scale))
    if len(scale) < 2 or not rises or not all(0 <= value <= 1 for point in scale for value in point):
        raise ValueError("the calibration's scale must be pairs between 0 and 1 that rise")
    return scale


def _scale_of_thresholds(guidance: float, answered: float) -> Scale:
    """The scale for an old file without measured grades; what answered with that file still answers."""
    return _scale(((0.0, 0.0), (guidance, LISTED_FROM / 10), (answered, ANSWERED_FROM / 10), (1.0, 1.0)))
