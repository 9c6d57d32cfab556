"""Interleave the candidates of several jurisdictions, where a question does not say which law it means.

Each place is searched and graded separately, so that the largest does not crowd out the others. The places
take turns: the first five results include each place that may be meant.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain, zip_longest

from pykala.law.grades import ANSWERED_FROM, LIKELY_FROM, LISTED_FROM
from pykala.retrieve.grade import Graded

PLACES = 3  # the most places that take turns
_NEAR = 1.0  # how far behind the best place's grade another place may be and still take turns
_CLEAR = 0.5  # how far ahead a place must be for its law to answer
_JUST = 0.01


def interleaved(groups: Mapping[str, Sequence[Graded]], leaning: Collection[str] = ()) -> tuple[Graded, ...]:
    """The candidates of each place in one list, taking turns; places that the question suggests come first.

    Where the question suggests places, the others are not quoted. No candidate is sure where the law of
    another place fits the question nearly as well.
    """
    held = {place: tuple(graded) for place, graded in groups.items() if graded}
    ranked = sorted(held, key=lambda place: -held[place][0].grade)
    first = [place for place in ranked if place in leaning][:PLACES]
    if not first:
        best = max((graded[0].grade for graded in held.values()), default=0.0)
        first = [place for place in ranked if held[place][0].grade >= best - _NEAR][:PLACES]
    rest = [place for place in ranked if place not in first]
    if leaning:
        held |= {place: related(held[place], LIKELY_FROM) for place in rest}
    leading, behind = (_in_turn([held[place] for place in places]) for places in (first, rest))
    leading = related(leading, ANSWERED_FROM) if _is_disputed([held[place] for place in first]) else leading
    if leading and behind and leading[0].grade < LISTED_FROM <= behind[0].grade:
        return _in_turn([leading, behind])  # the law of the suggested places hardly fits the question
    return (*leading, *behind)


def places_of(graded: Sequence[Graded]) -> tuple[str, ...]:
    """The places of candidates, in order."""
    return tuple(dict.fromkeys(one.candidate.match.work.jurisdiction for one in graded))


def _is_disputed(groups: Sequence[Sequence[Graded]]) -> bool:
    """Whether a second place fits the question nearly as well as the first."""
    best = sorted((group[0].grade for group in groups), reverse=True)
    return len(best) > 1 and best[0] - best[1] < _CLEAR


def related(graded: Sequence[Graded], below: float) -> tuple[Graded, ...]:
    """Limit grades to just below a threshold, so that the candidates answer nothing or are not quoted."""
    return tuple(replace(one, grade=min(one.grade, below - _JUST)) for one in graded)


def _in_turn(groups: Sequence[Sequence[Graded]]) -> tuple[Graded, ...]:
    rows = chain.from_iterable(zip_longest(*groups))
    return tuple(one for one in rows if one is not None)
