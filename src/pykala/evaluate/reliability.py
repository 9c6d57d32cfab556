"""Compare grades with measured chances: confidence as a probability, and its calibration error.

A logistic curve maps the confidence model's output to the share that was right (Platt 1999), fitted on
questions that were not used to fit the model. Reliability is reported in ten bins, and as the expected
calibration error: the mean distance between predicted and measured values, weighted by the bins' sizes
(Naeini, Cooper and Hauskrecht 2015).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Rights = NDArray[np.bool_]
Points = tuple[tuple[float, float], ...]

BINS = 10
#: The points at which the curve is stored; linear interpolation between them is accurate to a hundredth.
_KEPT = (
    0.0,
    0.01,
    0.03,
    0.06,
    0.1,
    0.15,
    *(tenth / 20 for tenth in range(4, 18)),
    0.9,
    0.94,
    0.97,
    0.99,
    1.0,
)
_STEPS = 60
_GENTLEST = 0.05  # the least slope: the curve must rise, whatever a few questions suggest
_EDGE, _STEEPEST = 1e-6, 30.0


@dataclass(frozen=True, slots=True)
class Bin:
    """Provisions with similar grades: the mean predicted chance, the share that was right, the count."""

    predicted: float
    measured: float
    count: int


def scale_of(likely: Floats, right: Rights) -> Points:
    """The curve from the model's output to the measured chance, as increasing points."""
    slope, offset = _logistic(_logits(likely), right) if len(likely) else (1.0, 0.0)
    chances = _sigmoid(slope * _logits(np.array(_KEPT)) + offset)
    inner = [(at, round(float(chance), 4)) for at, chance in zip(_KEPT[1:-1], chances[1:-1], strict=True)]
    return ((0.0, 0.0), *inner, (1.0, 1.0))


def on_scale(points: Points, likely: Floats) -> Floats:
    """A model's probabilities mapped by the curve."""
    at, chances = zip(*points, strict=True)
    return np.asarray(np.interp(likely, at, chances))


def across_folds(likely: Floats, right: Rights, folds: NDArray[np.int_]) -> Floats:
    """Each question's chance by the curve of the other folds, so that no question fits its own curve."""
    chances = np.zeros(len(likely))
    for fold in np.unique(folds):
        held_out = folds == fold
        points = scale_of(likely[~held_out], right[~held_out])
        chances[held_out] = on_scale(points, likely[held_out])
    return chances


def reliability(chances: Floats, right: Rights) -> tuple[Bin, ...]:
    """Ten bins of equal width, without those that are empty."""
    places = np.minimum((chances * BINS).astype(int), BINS - 1)
    return tuple(
        Bin(float(chances[held].mean()), float(right[held].mean()), int(held.sum()))
        for held in (places == place for place in range(BINS))
        if held.any()
    )


def calibration_error(bins: Sequence[Bin]) -> float:
    """The expected calibration error of some bins."""
    total = sum(one.count for one in bins)
    return sum(one.count * abs(one.predicted - one.measured) for one in bins) / total if total else 0.0


def together(cases: Sequence[Sequence[Bin]]) -> tuple[Bin, ...]:
    """The bins of several cases in one table; bins of the same tenth are merged."""
    tenths: dict[int, list[Bin]] = {}
    for one in (one for bins in cases for one in bins):
        tenths.setdefault(min(int(one.predicted * BINS), BINS - 1), []).append(one)
    return tuple(_as_one(tenths[tenth]) for tenth in sorted(tenths))


def _as_one(bins: Sequence[Bin]) -> Bin:
    count = sum(one.count for one in bins)
    return Bin(
        sum(one.predicted * one.count for one in bins) / count,
        sum(one.measured * one.count for one in bins) / count,
        count,
    )


def bins_json(bins: Sequence[Bin]) -> list[dict[str, float]]:
    """Bins under stable names."""
    return [
        {"predicted": round(one.predicted, 4), "measured": round(one.measured, 4), "count": one.count}
        for one in bins
    ]


def bins_from(records: Sequence[Mapping[str, Any]]) -> tuple[Bin, ...]:
    """Bins read back."""
    return tuple(Bin(one["predicted"], one["measured"], one["count"]) for one in records)


def _sigmoid(values: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -_STEEPEST, _STEEPEST))))


def _logits(likely: Floats) -> Floats:
    inside = np.clip(likely, _EDGE, 1 - _EDGE)
    return np.asarray(np.log(inside / (1 - inside)))


def _logistic(logits: Floats, right: Rights) -> tuple[float, float]:
    """Slope and offset by Newton's method; targets slightly off 0 and 1 avoid false certainty."""
    hits, misses = int(right.sum()), int((~right).sum())
    targets = np.where(right, (hits + 1) / (hits + 2), 1 / (misses + 2))
    rows = np.column_stack([logits, np.ones_like(logits)])
    weights = np.array([1.0, 0.0])
    for _ in range(_STEPS):
        chances = _sigmoid(rows @ weights)
        bend = (rows * (chances * (1 - chances))[:, None]).T @ rows + _EDGE * np.eye(2)
        weights = weights + np.clip(np.linalg.solve(bend, rows.T @ (targets - chances)), -2.0, 2.0)
    if weights[0] < _GENTLEST:
        share = float(targets.mean())
        return _GENTLEST, float(np.log(share / (1 - share)) - _GENTLEST * logits.mean())
    return float(weights[0]), float(weights[1])
