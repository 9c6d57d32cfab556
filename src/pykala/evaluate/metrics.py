"""The measures, each by its definition.

Ranking: reciprocal rank, recall@k, nDCG@k with the grade as gain, 1 where there are no grades (Järvelin and
Kekäläinen 2002). Intervals: the percentile bootstrap (Efron 1979), seeded. Selective answering: accuracy
over the questions answered with at least a given confidence, against their share (El-Yaniv and Wiener 2010).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log2

import numpy
from numpy.typing import NDArray

from pykala.evaluate.matching import covers, section_of
from pykala.law.identifiers import ProvisionId

RESAMPLES = 1_000
_SEED = 7
_DRAWN_AT_ONCE = 2_000_000
Array = NDArray[numpy.float64]
Gold = Sequence[Sequence[ProvisionId]]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over questions and its 95 % interval."""

    count: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class CoveragePoint:
    """At a confidence threshold: the share of questions answered, and the share of these that are right."""

    confidence: float
    coverage: float
    accuracy: float
    low: float  # the 95 % interval of the accuracy
    high: float


@dataclass(frozen=True, slots=True)
class Latency:
    """How long a stage took, in milliseconds, with 95 % intervals of the percentiles."""

    stage: str
    count: int
    median: float
    p95: float
    mean: float
    median_interval: tuple[float, float]
    p95_interval: tuple[float, float]


def first_rank(gold: Gold, ranked: Sequence[ProvisionId]) -> int | None:
    """The rank, from 1, of the first provision that any alternative names."""
    for rank, found in enumerate(ranked, start=1):
        if any(covers(one, found) for alternative in gold for one in alternative):
            return rank
    return None


def reciprocal_rank(gold: Gold, ranked: Sequence[ProvisionId]) -> float:
    """One over the rank of the first hit; 0 where there is none."""
    rank = first_rank(gold, ranked)
    return 1 / rank if rank else 0.0


def recall(gold: Gold, ranked: Sequence[ProvisionId], k: int) -> float:
    """The share of the provisions of the best alternative among the first k."""
    return max((_share(alternative, ranked[:k]) for alternative in gold), default=0.0)


def ndcg(gold: Gold, ranked: Sequence[ProvisionId], k: int, grades: Sequence[int] = ()) -> float:
    """The discounted gain of the first k, as a share of the best possible; of the best alternative."""
    return max((_ndcg(alternative, ranked[:k], k, grades) for alternative in gold), default=0.0)


def claims(gold: Sequence[ProvisionId], ranked: Sequence[ProvisionId]) -> list[ProvisionId | None]:
    """For each ranked place, the gold provision that it matches, if any.

    Each gold provision is matched once, even if several places lie within it. A place that lies within
    several matches the first of them.
    """
    missing, found = list(gold), []
    for place in ranked:
        hits = [one for one in missing if covers(one, place)]
        missing = [one for one in missing if one not in hits]
        found.append(hits[0] if hits else None)
    return found


def by_section(gold: Gold) -> tuple[tuple[ProvisionId, ...], ...]:
    """The same gold, at the level of sections."""
    return tuple(tuple(dict.fromkeys(map(section_of, alternative))) for alternative in gold)


def precision(gold: Gold, shown: Sequence[ProvisionId]) -> float:
    """The share of the shown provisions that some alternative names."""
    if not shown:
        return 0.0
    wanted = [one for alternative in gold for one in alternative]
    return sum(any(covers(one, found) for one in wanted) for found in shown) / len(shown)


def overlap(gold: Sequence[str], found: Sequence[str]) -> tuple[float, float]:
    """Precision and recall of one set of names against another."""
    shared = len(set(gold) & set(found))
    return (shared / len(set(found)) if found else 0.0), (shared / len(set(gold)) if gold else 0.0)


def share(held: Sequence[bool]) -> float:
    """The share of the required items that are found."""
    return sum(held) / len(held) if held else 0.0


def estimate(values: Sequence[float], *, seed: int = _SEED) -> Estimate:
    """The mean and its 95 % interval by the percentile bootstrap; the same values give the same interval."""
    if not values:
        raise ValueError("there is no mean of no values")
    array = numpy.asarray(values, dtype=float)
    low, high = _interval(array, lambda drawn: drawn.mean(axis=1), seed)
    return Estimate(len(array), float(array.mean()), low, high)


def _interval(array: Array, statistic: Callable[[Array], Array], seed: int = _SEED) -> tuple[float, float]:
    """The 95 % interval of a statistic over resamples, drawn in blocks to bound memory."""
    generator = numpy.random.default_rng(seed)
    rows = max(1, min(RESAMPLES, _DRAWN_AT_ONCE // len(array)))
    found: list[Array] = []
    for start in range(0, RESAMPLES, rows):
        size = (min(rows, RESAMPLES - start), len(array))
        found.append(statistic(array[generator.integers(0, len(array), size)]))
    low, high = numpy.percentile(numpy.concatenate(found), [2.5, 97.5])
    return float(low), float(high)


def coverage_curve(answers: Sequence[tuple[float, bool]], questions: int) -> tuple[CoveragePoint, ...]:
    """Accuracy against coverage, from the most confident answer on; equal confidences are one point.

    `answers` are pairs of confidence and correctness; `questions` is the number asked.
    """
    ordered = sorted(answers, key=lambda one: -one[0])
    points = []
    for count, (confidence, _) in enumerate(ordered, start=1):
        if count == len(ordered) or ordered[count][0] != confidence:
            accuracy = estimate([float(right) for _, right in ordered[:count]])
            points.append(
                CoveragePoint(confidence, count / questions, accuracy.mean, accuracy.low, accuracy.high)
            )
    return tuple(points)


def confusion(pairs: Sequence[tuple[str, str]]) -> dict[tuple[str, str], tuple[int, Estimate]]:
    """How often each outcome was given where another (or the same) was right.

    (right, given) → the count, and its share of the questions with that right outcome.
    """
    found = {}
    for right, given in sorted(set(pairs)):
        row = [float(one == given) for expected, one in pairs if expected == right]
        found[right, given] = (int(sum(row)), estimate(row))
    return found


def latencies(stages: Sequence[Mapping[str, float]]) -> tuple[Latency, ...]:
    """Each stage's times over the questions in which it ran, in the order of the longest trace."""
    names = dict.fromkeys(name for one in sorted(stages, key=len, reverse=True) for name in one)
    return tuple(_latency(name, [one[name] for one in stages if name in one]) for name in names)


def _latency(name: str, times: Sequence[float]) -> Latency:
    array = numpy.asarray(times, dtype=float)
    median, p95 = numpy.percentile(array, [50, 95])
    return Latency(
        name,
        len(times),
        float(median),
        float(p95),
        float(array.mean()),
        _interval(array, lambda drawn: numpy.percentile(drawn, 50, axis=1)),
        _interval(array, lambda drawn: numpy.percentile(drawn, 95, axis=1)),
    )


def _share(alternative: Sequence[ProvisionId], ranked: Sequence[ProvisionId]) -> float:
    found = sum(any(covers(one, place) for place in ranked) for one in alternative)
    return found / len(alternative)


def _ndcg(
    alternative: Sequence[ProvisionId], ranked: Sequence[ProvisionId], k: int, grades: Sequence[int]
) -> float:
    gain = dict(zip(alternative, grades, strict=True)) if grades else dict.fromkeys(alternative, 1)
    found = [gain[one] if one is not None else 0 for one in claims(alternative, ranked)]
    return _discounted(found) / _discounted(sorted(gain.values(), reverse=True)[:k])


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def mean_by(
    scores: Sequence[tuple[str, Mapping[str, float]]], keep: Callable[[str], bool]
) -> dict[str, dict[str, tuple[int, float]]]:
    """Means of the measures kept, by group: group → measure → (questions, mean)."""
    groups: dict[str, dict[str, list[float]]] = {}
    for group, values in scores:
        for name, value in values.items():
            if keep(name):
                groups.setdefault(group, {}).setdefault(name, []).append(value)
    return {
        group: {name: (len(values), sum(values) / len(values)) for name, values in measures.items()}
        for group, measures in groups.items()
    }
