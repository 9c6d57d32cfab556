"""The best of each place, where a question does not say whose law it asks for."""

from __future__ import annotations

import pytest

from making import graded
from pykala.law.grades import ANSWERED_FROM, LIKELY_FROM, LISTED_FROM
from pykala.retrieve.grade import Graded
from pykala.retrieve.interleave import interleaved, places_of, related


def groups(**grades: tuple[float, ...]) -> dict[str, tuple[Graded, ...]]:
    return {place: graded(place, *own) for place, own in grades.items()}


def order(found: tuple[Graded, ...]) -> str:
    return " ".join(
        f"{one.candidate.section.work.jurisdiction}{one.candidate.match.passage}" for one in found
    )


@pytest.mark.parametrize(
    ("found", "leaning", "expected"),
    [
        # In turn, the place with the best grade first.
        ({"ca": (7.1, 5.0), "eu": (7.3, 4.0)}, (), "eu1 ca1 eu2 ca2"),
        # Three at most; the fourth comes behind them.
        ({"ca": (7.1, 1.0), "eu": (7.3,), "fi": (7.2,), "nyc": (7.0,)}, (), "eu1 fi1 ca1 ca2 nyc1"),
        # One that is far behind does not come in turn.
        ({"ca": (7.1, 5.0), "eu": (4.0, 3.0)}, (), "ca1 ca2 eu1 eu2"),
        # What the question leans to comes first, all of it.
        ({"ca": (7.1, 5.0), "eu": (7.3, 4.0)}, ("ca",), "ca1 ca2 eu1 eu2"),
        ({"ca": (7.1, 5.0), "eu": (7.3,), "nyc": (7.2, 2.0)}, ("ca", "nyc"), "nyc1 ca1 nyc2 ca2 eu1"),
        # Unless it hardly speaks of the matter and another place does.
        ({"ca": (0.5, 0.4), "eu": (2.3, 0.4)}, ("ca",), "ca1 eu1 ca2 eu2"),
        # What it leans to has nothing at all.
        ({"ca": (), "eu": (7.3, 4.0)}, ("ca",), "eu1 eu2"),
        # At the very limits: one grade behind still comes in turn, and what may be listed speaks of it.
        ({"ca": (7.0, 5.0), "eu": (6.0, 3.0)}, (), "ca1 eu1 ca2 eu2"),
        ({"ca": (7.0, 5.0), "eu": (5.99, 3.0)}, (), "ca1 ca2 eu1 eu2"),
        ({"ca": (LISTED_FROM, 0.4), "eu": (2.3, 0.4)}, ("ca",), "ca1 ca2 eu1 eu2"),
        ({"ca": (0.5, 0.4), "eu": (LISTED_FROM, 0.4)}, ("ca",), "ca1 eu1 ca2 eu2"),
        ({"ca": (0.5, 0.4), "eu": (LISTED_FROM - 0.01, 0.4)}, ("ca",), "ca1 ca2 eu1 eu2"),
        # Of more places that it leans to, three come in turn.
        (
            {"ca": (5.0,), "eu": (6.0,), "fi": (7.0,), "nyc": (8.0, 1.0)},
            ("ca", "eu", "fi", "nyc"),
            "nyc1 fi1 eu1 nyc2 ca1",
        ),
        ({"": (8.5, 7.0)}, (), "1 2"),
        ({}, (), ""),
    ],
)
def test_places_come_in_turn(
    found: dict[str, tuple[float, ...]], leaning: tuple[str, ...], expected: str
) -> None:
    made = {place: graded(place or "xx", *own) for place, own in found.items()}
    assert order(interleaved(made, leaning)).replace("xx", "") == expected


@pytest.mark.parametrize(
    ("found", "leaning", "answers"),
    [
        ({"ca": (9.6,), "eu": (8.9,)}, (), True),
        ({"ca": (9.6,), "eu": (9.3,)}, (), False),  # another place's law speaks nearly as well
        ({"ca": (9.1,), "eu": (8.9,)}, (), False),
        ({"ca": (9.5,), "eu": (9.0,)}, (), True),  # half a grade ahead
        ({"ca": (9.5,), "eu": (9.01,)}, (), False),
        ({"eu": (9.3,), "ca": (9.6,)}, (), False),
        ({"ca": (9.1,)}, (), True),
        ({"ca": (9.1,), "eu": (9.9,)}, ("ca",), True),
        ({"ca": (8.1,), "eu": (9.9,)}, ("ca",), False),
    ],
)
def test_a_place_answers_only_where_its_lead_is_clear(
    found: dict[str, tuple[float, ...]], leaning: tuple[str, ...], answers: bool
) -> None:
    told = interleaved(groups(**found), leaning)
    assert (told[0].grade >= ANSWERED_FROM) is answers


def test_nothing_is_lost_and_each_near_place_is_within_five() -> None:
    told = interleaved(groups(ca=(7.1, 6.0, 5.0), eu=(7.3, 6.0, 5.0, 4.0), fi=(7.2, 3.0), nyc=(6.9, 1.0)))
    assert len(told) == 11
    assert {*places_of(told[:5])} == {"ca", "eu", "fi"}


def test_law_beside_what_the_question_leans_to_is_not_quoted() -> None:
    told = interleaved(groups(ca=(9.1, 4.0), eu=(9.9, 2.0)), ("ca",))
    assert [one.grade for one in told] == [9.1, 4.0, LIKELY_FROM - 0.01, 2.0]
    assert [one.grade for one in interleaved(groups(ca=(9.1,), eu=(4.0,)))] == [9.1, 4.0]


def test_what_is_only_related_stays_just_below_a_line() -> None:
    told = related(graded("ca", 9.9, ANSWERED_FROM, 3.0), ANSWERED_FROM)
    assert [one.grade for one in told] == [ANSWERED_FROM - 0.01, ANSWERED_FROM - 0.01, 3.0]
