"""The router: which two acts a question is about, so that they are looked into more closely.

An act's own words point at it, and the index has counted them all: where many of its sections are among
what was found, and high up, the question speaks its language. A name or a citation outweighs that. The
second act counts only where it is not far behind the first (one that is would bring noise), and acts that
the question names are always among the two.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import log2

from pykala.law.authority import OFFICIAL_FROM
from pykala.law.identifiers import WorkId
from pykala.retrieve.search import Candidate

ACTS = 2
_NAMED = 10.0  # what a name is worth beside the best of sections found
_LEAST = 0.35  # of the first act's weight, that the second must have
_DEPTH = 60


def route(candidates: Sequence[Candidate], named: Collection[WorkId] = ()) -> tuple[WorkId, ...]:
    """The acts that a question's words point at, best first; at most two."""
    weights = dict.fromkeys(named, _NAMED)
    official = [one for one in candidates if one.match.authority >= OFFICIAL_FROM]  # nobody uploads a route
    for rank, candidate in enumerate(official[:_DEPTH], start=1):
        work = candidate.match.work
        weights[work] = weights.get(work, 0.0) + candidate.score / log2(rank + 1)
    ranked = sorted(weights, key=lambda work: (-weights[work], str(work)))[:ACTS]
    if not ranked:
        return ()
    return tuple(work for work in ranked if weights[work] >= _LEAST * weights[ranked[0]])
