"""Figures with their places: those of a whole text are those of its sentences."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.answer.figures import DATE, figures, placed_figures
from pykala.text.quantities import quantities

_SENTENCES = [
    "The tax is 25 per cent.",
    "Within six months of 1 March 2020 a return is filed.",
    "Vero on 30 000 euroa 31.12.2025 asti.",
    "Le délai est de trente jours.",
    "It lasts until 2024-02-30, or 2024-02-29.",
    "Section 5 applies from January 1, 1999.",
    "$30,000.00 is due in 1999 1999.",
    "Nothing is said.",
]


@given(st.lists(st.sampled_from(_SENTENCES), max_size=8))
def test_a_text_has_the_figures_of_its_sentences(sentences: list[str]) -> None:
    placed = placed_figures("\n".join(sentences))
    alone = [figures(one) for one in sentences]
    assert {(one.figure, one.unit) for one in placed if one.unit != DATE} == {
        quantity for one in alone for quantity in one.quantities
    }
    assert {one.figure for one in placed if one.unit == DATE} == {
        day.isoformat() for one in alone for day in one.days
    }


@given(st.lists(st.sampled_from(_SENTENCES), max_size=8).map(" ".join))
def test_places_are_where_the_figures_stand(text: str) -> None:
    for one in placed_figures(text):
        again = placed_figures(text[one.start : one.end])
        assert (one.figure, one.unit) in {(found.figure, found.unit) for found in again}


@given(
    st.lists(st.sampled_from(["5", "30 days", "$7", "7.00", ",", "12 § ", "EUR 4", " and ", ".00"])).map(
        "".join
    )
)
def test_a_number_in_a_quantity_is_none_of_its_own(text: str) -> None:
    taken = [(one.start, one.end) for one in quantities(text)]
    outside = {
        match.start()
        for match in re.finditer(r"\d+", text)
        if not any(start <= match.start() < end for start, end in taken)
    }
    assert bool(figures(text).numbers) <= bool(outside)


@pytest.mark.parametrize(
    ("text", "spelled", "numbers"),
    [
        ("twenty-five partners", True, {"25"}),
        ("twenty-five partners", False, set()),
        ("six months and six partners", True, {"6"}),
        ("EUR 20 000 for 3", False, {"3"}),
    ],
)
def test_numbers_without_a_unit(text: str, spelled: bool, numbers: set[str]) -> None:
    assert figures(text, spelled=spelled).numbers == numbers
