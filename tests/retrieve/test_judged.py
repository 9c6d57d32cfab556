"""A grader model moves the outcome by one step at most, and never makes an answer."""

from __future__ import annotations

import pytest

from making import graded
from pykala.law.answers import Outcome
from pykala.law.grades import ANSWERED_FROM, LIKELY_FROM, LISTED_FROM
from pykala.retrieve.judged import CONFIRMED_FROM, REFUSED_BELOW, JudgedSections

ANSWERED, LIKELY, GUIDANCE, SILENT = Outcome.ANSWERED, Outcome.LIKELY, Outcome.GUIDANCE, Outcome.SILENT
SURE, UNSURE = (9.5, 7.0, 3.0), (3.0, 2.0, LISTED_FROM - 0.01)
BELOW_ANSWER, BELOW_LIKELY = ANSWERED_FROM - 0.01, LIKELY_FROM - 0.01


@pytest.mark.parametrize(
    ("grades", "before", "given", "expected", "after"),
    [
        # What the model says of the first section, the second, the third; the sections with their grades.
        (SURE, ANSWERED, {1: 9.0}, ((1, 9.5), (2, 7.0), (3, 3.0)), ANSWERED),
        (SURE, ANSWERED, {}, ((1, 9.5), (2, 7.0), (3, 3.0)), ANSWERED),
        (SURE, ANSWERED, {1: REFUSED_BELOW}, ((1, 9.5), (2, 7.0), (3, 3.0)), ANSWERED),
        (SURE, ANSWERED, {1: 4.9}, ((1, BELOW_ANSWER), (2, 7.0), (3, 3.0)), LIKELY),
        (SURE, LIKELY, {1: 4.9}, ((1, BELOW_LIKELY), (2, 7.0), (3, 3.0)), GUIDANCE),
        (SURE, ANSWERED, {1: 4.9, 3: CONFIRMED_FROM}, ((3, 3.0), (1, 9.5), (2, 7.0)), LIKELY),
        (SURE, ANSWERED, {1: 4.9, 3: 7.9}, ((1, BELOW_ANSWER), (2, 7.0), (3, 3.0)), LIKELY),
        (SURE, ANSWERED, {2: 9.0}, ((1, 9.5), (2, 7.0), (3, 3.0)), ANSWERED),
        (SURE, LIKELY, {2: 9.0}, ((1, 9.5), (2, 7.0), (3, 3.0)), LIKELY),
        ((9.5, 9.4), ANSWERED, {1: 0.0, 2: 10.0}, ((2, BELOW_ANSWER), (1, 9.5)), LIKELY),
        (UNSURE, GUIDANCE, {2: CONFIRMED_FROM}, ((2, 2.0), (1, 3.0), (3, UNSURE[2])), LIKELY),
        (UNSURE, GUIDANCE, {3: 10.0}, ((1, 3.0), (2, 2.0), (3, UNSURE[2])), GUIDANCE),
        ((LISTED_FROM,), GUIDANCE, {1: 10.0}, ((1, LISTED_FROM),), LIKELY),
        (UNSURE, GUIDANCE, {1: 0.0}, ((1, 3.0), (2, 2.0), (3, UNSURE[2])), GUIDANCE),
        (UNSURE, SILENT, {1: 10.0}, ((1, 3.0), (2, 2.0), (3, UNSURE[2])), SILENT),
        ((), GUIDANCE, {1: 10.0}, (), GUIDANCE),
    ],
)
def test_a_model_moves_the_outcome_by_one_step(
    grades: tuple[float, ...],
    before: Outcome,
    given: dict[int, float],
    expected: tuple[tuple[int, float], ...],
    after: Outcome,
) -> None:
    candidates = graded("xx", *grades)
    places = {one.candidate.match.passage: one.candidate.section for one in candidates}
    judged = JudgedSections({places[number]: grade for number, grade in given.items() if number in places})
    found, result = judged.applied(candidates, before)
    assert tuple((one.candidate.match.passage, one.grade) for one in found) == expected
    assert result is after
