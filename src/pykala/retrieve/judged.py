"""Apply a grader model's verdict to the measured grades.

The measured grade decides; the model may move the outcome by one step. If the model refuses a candidate, an
answer becomes "likely", and "likely" becomes "related". If it confirms a candidate, that candidate may rise
to "likely" but no further, because nobody has measured how often the model is right about this law.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pykala.graph.walk import section_of
from pykala.law.answers import Outcome
from pykala.law.grades import ANSWERED_FROM, HIGHEST_LIKELY, LIKELY_FROM, LISTED_FROM
from pykala.law.identifiers import ProvisionId
from pykala.retrieve.grade import Graded

#: The model's grades: from the first value a candidate is confirmed, below the second it is refused; between
#: them the model says nothing.
CONFIRMED_FROM, REFUSED_BELOW = 8.0, 5.0
_JUST: Final = 0.01
_FALLS: Final = {Outcome.ANSWERED: Outcome.LIKELY, Outcome.LIKELY: Outcome.GUIDANCE}
_BELOW: Final = {Outcome.LIKELY: ANSWERED_FROM, Outcome.GUIDANCE: LIKELY_FROM}


@dataclass(frozen=True, slots=True)
class JudgedSections:
    """A model's grades of sections, 0–10."""

    grades: Mapping[ProvisionId, float]

    def applied(self, graded: Sequence[Graded], result: Outcome) -> tuple[tuple[Graded, ...], Outcome]:
        """The candidates in their new order, and the outcome; unchanged where the model agrees."""
        if not graded or not (result.quotes or result is Outcome.GUIDANCE):
            return tuple(graded), result
        first = self._of(graded[0])
        confirmed = next((one for one in graded if self._is_confirmed(one)), None)
        if first is not None and first < REFUSED_BELOW and result.quotes:
            if confirmed is not None:
                return _lifted(confirmed, graded)
            return _fallen(graded, _FALLS[result])
        if result is Outcome.GUIDANCE and confirmed is not None:
            return _lifted(confirmed, graded)
        return tuple(graded), result

    def _of(self, one: Graded) -> float | None:
        return self.grades.get(section_of(one.candidate.section))

    def _is_confirmed(self, one: Graded) -> bool:
        given = self._of(one)
        return given is not None and given >= CONFIRMED_FROM and one.grade >= LISTED_FROM


def _lifted(one: Graded, graded: Sequence[Graded]) -> tuple[tuple[Graded, ...], Outcome]:
    """Move a confirmed candidate first; its grade stays below that of an answer."""
    first = replace(one, grade=min(one.grade, HIGHEST_LIKELY))
    return (first, *(other for other in graded if other is not one)), Outcome.LIKELY


def _fallen(graded: Sequence[Graded], result: Outcome) -> tuple[tuple[Graded, ...], Outcome]:
    """Lower the first candidate's grade to what its new outcome allows."""
    first, *rest = graded
    return (replace(first, grade=min(first.grade, _BELOW[result] - _JUST)), *rest), result
