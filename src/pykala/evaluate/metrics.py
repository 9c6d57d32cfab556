"""The measures, each by its definition.

Ranking: reciprocal rank, recall@k, nDCG@k with binary gains (Järvelin and Kekäläinen 2002). Intervals:
the percentile bootstrap (Efron 1979), seeded. Selective answering: accuracy over the questions answered
with at least a given confidence, against their share (El-Yaniv and Wiener 2010).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log2

import numpy

from pykala.evaluate.matching import covers, section_of
from pykala.law.identifiers import ProvisionId

RESAMPLES = 1_000
_SEED = 7
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
    """Of the questions, the share answered with at least this confidence, and how many of them rightly."""

    confidence: float
    coverage: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class Latency:
    """How long a stage took, in milliseconds."""

    stage: str
    median: float
    p95: float
    mean: float


def first_rank(gold: Gold, ranked: Sequence[ProvisionId]) -> int | None:
    """The rank, from 1, of the first provision that any alternative asks for."""
    for rank, found in enumerate(ranked, start=1):
        if any(covers(one, found) for alternative in gold for one in alternative):
            return rank
    return None


def reciprocal_rank(gold: Gold, ranked: Sequence[ProvisionId]) -> float:
    """One over the rank of the first hit; 0 where there is none."""
    rank = first_rank(gold, ranked)
    return 1 / rank if rank else 0.0


def recall(gold: Gold, ranked: Sequence[ProvisionId], k: int) -> float:
    """The share of the provisions of the best alternative that stand among the first k."""
    return max((_share(alternative, ranked[:k]) for alternative in gold), default=0.0)


def ndcg(gold: Gold, ranked: Sequence[ProvisionId], k: int) -> float:
    """Discounted gain of the first k over the best that there could be; of the best alternative."""
    return max((_ndcg(alternative, ranked[:k]) for alternative in gold), default=0.0)


def by_section(gold: Gold) -> tuple[tuple[ProvisionId, ...], ...]:
    """The same gold, asked of the section only."""
    return tuple(tuple(dict.fromkeys(map(section_of, alternative))) for alternative in gold)


def precision(gold: Gold, shown: Sequence[ProvisionId]) -> float:
    """The share of what is shown that some alternative asks for."""
    if not shown:
        return 0.0
    wanted = [one for alternative in gold for one in alternative]
    return sum(any(covers(one, found) for one in wanted) for found in shown) / len(shown)


def overlap(gold: Sequence[str], found: Sequence[str]) -> tuple[float, float]:
    """Precision and recall of one set of names against another."""
    shared = len(set(gold) & set(found))
    return (shared / len(set(found)) if found else 0.0), (shared / len(set(gold)) if gold else 0.0)


def share(held: Sequence[bool]) -> float:
    """How many of the things required are held."""
    return sum(held) / len(held) if held else 0.0


def estimate(values: Sequence[float], *, seed: int = _SEED) -> Estimate:
    """The mean and its 95 % interval by the percentile bootstrap; the same values give the same interval."""
    if not values:
        raise ValueError("there is no mean of no values")
    array = numpy.asarray(values, dtype=float)
    generator = numpy.random.default_rng(seed)
    means = [array[generator.integers(0, len(array), len(array))].mean() for _ in range(RESAMPLES)]
    low, high = numpy.percentile(means, [2.5, 97.5])
    return Estimate(len(array), float(array.mean()), float(low), float(high))


def coverage_curve(answers: Sequence[tuple[float, bool]], questions: int) -> tuple[CoveragePoint, ...]:
    """Accuracy against coverage, from the most confident answer on; equal confidences are one point.

    `answers` are those that were given (confidence, rightly), `questions` all that were asked.
    """
    ordered = sorted(answers, key=lambda one: -one[0])
    points = []
    right = 0
    for count, (confidence, correct) in enumerate(ordered, start=1):
        right += correct
        if count == len(ordered) or ordered[count][0] != confidence:
            points.append(CoveragePoint(confidence, count / questions, right / count))
    return tuple(points)


def confusion(pairs: Sequence[tuple[str, str]]) -> Mapping[tuple[str, str], int]:
    """How often each outcome was given where another (or the same) was right: (right, given) → count."""
    return dict(Counter(pairs))


def latencies(stages: Sequence[Mapping[str, float]]) -> tuple[Latency, ...]:
    """Each stage's times over the questions in which it ran, in the order of the fullest trace."""
    names = dict.fromkeys(name for one in sorted(stages, key=len, reverse=True) for name in one)
    return tuple(_latency(name, [one[name] for one in stages if name in one]) for name in names)


def _latency(name: str, times: Sequence[float]) -> Latency:
    median, p95 = numpy.percentile(times, [50, 95])
    return Latency(name, float(median), float(p95), sum(times) / len(times))


def _share(alternative: Sequence[ProvisionId], ranked: Sequence[ProvisionId]) -> float:
    found = sum(any(covers(one, place) for place in ranked) for one in alternative)
    return found / len(alternative)


def _ndcg(alternative: Sequence[ProvisionId], ranked: Sequence[ProvisionId]) -> float:
    missing, gained = list(alternative), 0.0
    for rank, place in enumerate(ranked, start=1):
        hits = [one for one in missing if covers(one, place)]
        if hits:  # a provision gains once, however many of the ranked places lie within it
            missing = [one for one in missing if one not in hits]
            gained += 1 / log2(rank + 1)
    best = sum(1 / log2(rank + 1) for rank in range(1, len(alternative) + 1))
    return gained / best


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
