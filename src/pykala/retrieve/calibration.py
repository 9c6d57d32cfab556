"""How much each feature counts, and how sure that makes us: weights learned from question sets.

Two logistic models a case. One orders the candidates of a question (trained as a choice among them), the
other says how likely the first of them is to be right, from the same features and from how far it is ahead.
Its probability is told as a grade between 0 and 10, so that two readings are the same in every library and
language: from 7 on a candidate is worth showing, from 8 on it answers. Where these lie is measured, not
chosen: `pykala calibrate` sets them so that few wrong answers are shown as answers, and prints how many.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pykala.retrieve.features import FEATURES
from pykala.retrieve.shortlist import GLANCES

Floats = NDArray[np.floating]

GUIDANCE_FROM, ANSWERED_FROM = 7.0, 8.0
_ALONE = 2.0  # the lead of an only candidate
#: What confidence looks at beyond a candidate's own features.
BESIDE = ("lead", "share", "known", "bias")


class Case(StrEnum):
    """What candidates can be judged by."""

    SAME_LANGUAGE = "same language"
    OTHER_LANGUAGE = "other language"
    WORDS_ONLY = "words only"  # a library without an embedder


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of one case, and the probabilities at which grades 7 and 8 begin."""

    glance: Mapping[str, float]  # for choosing which candidates are read
    order: Mapping[str, float]
    confidence: Mapping[str, float]
    guidance: float
    answered: float

    def ranked(self, table: Floats) -> Floats:
        """What each candidate is ordered by."""
        with np.errstate(invalid="ignore", over="ignore"):  # see likeness.py: a flag without a cause
            return np.asarray(table @ _column(self.order))

    def probabilities(self, table: Floats, order: Floats, known: float) -> Floats:
        """How likely each candidate is to be right."""
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

    def grade(self, probability: float) -> float:
        """A probability as a grade between 0 and 10."""
        return float(
            np.interp(
                probability,
                (0.0, self.guidance, self.answered, 1.0),
                (0.0, GUIDANCE_FROM, ANSWERED_FROM, 10.0),
            )
        )


def _column(weights: Mapping[str, float]) -> Floats:
    return np.array([weights.get(name, 0.0) for name in FEATURES], dtype=np.float32)


def leads(order: Floats) -> Floats:
    """How far each candidate is ahead of the best other one; behind it, where that is better."""
    if len(order) < 2:
        return np.full_like(order, _ALONE)
    second, first = np.partition(order, -2)[-2:]
    return np.asarray(np.where(order == first, order - second, order - first))


def shares(order: Floats) -> Floats:
    """Each candidate's share of the choice among all of them."""
    odds = np.exp(order - order.max())
    return np.asarray(odds / odds.sum())


@cache
def calibrated() -> Mapping[Case, Weights]:
    """The weights that ship with the package."""
    text = files("pykala.retrieve").joinpath("data/calibration.json").read_text(encoding="utf-8")
    return read_calibration(text)


def read_calibration(text: str) -> Mapping[Case, Weights]:
    """Weights from the JSON that `pykala calibrate` writes; ValueError where it is none.

    A case that the sets gave too few questions of is not in it, and keeps the weights that ship.
    """
    try:
        cases = json.loads(text)["cases"]
        found = {Case(name): _weights(one) for name, one in cases.items()}
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(
            f"this is no calibration ({error!r}); 'pykala calibrate --out FILE' makes one"
        ) from error
    missing = {*Case} - found.keys()
    return {**{case: calibrated()[case] for case in missing}, **found}


def _weights(one: Mapping[str, Any]) -> Weights:
    unknown = (
        ({*one["glance"]} - {*GLANCES})
        | ({*one["order"]} - {*FEATURES})
        | ({*one["confidence"]} - {*FEATURES, *BESIDE})
    )
    if unknown:
        raise ValueError(f"the calibration speaks of unknown features: {', '.join(sorted(unknown))}")
    return Weights(
        one["glance"], one["order"], one["confidence"], float(one["guidance"]), float(one["answered"])
    )
