"""Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009): ranks count, scores do not."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

K = 60

Item = TypeVar("Item", bound=Hashable)


def reciprocal_ranks(rankings: Sequence[Sequence[Item]], k: int = K) -> list[tuple[Item, float]]:
    """Fuse rankings; ties keep the order in which items were first met."""
    scores: dict[Item, float] = {}
    for ranking in rankings:
        for rank, item in enumerate(ranking, start=1):
            scores[item] = scores.get(item, 0.0) + 1.0 / (k + rank)
    return sorted(scores.items(), key=lambda pair: -pair[1])
