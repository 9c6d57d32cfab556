"""Slips of one letter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.text.slips import LETTERS, forgiven, one_slip_apart, slips_of

WORDS = frozenset({"capital", "income", "employee", "employer", "taxes", "verotus", "pääoma", "sauna"})
words = st.text(alphabet=LETTERS, min_size=1, max_size=8)


@given(words, words)
def test_two_words_are_one_slip_apart_where_one_of_the_slips_makes_it(one: str, other: str) -> None:
    assert one_slip_apart(one, other) == (other in set(slips_of(one)))


@given(words)
def test_every_slip_is_undone_by_one_slip(word: str) -> None:
    for slip in slips_of(word):
        assert one_slip_apart(slip, word)
        assert one_slip_apart(word, slip)


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("tax on captial incme", "tax on capital income"),
        ("Captial income?", "Capital income?"),
        ("employeee", "employee"),
        ("employet", "employet"),  # employee or employer: two readings
        ("fauna", "fauna"),  # a word of its own is nobody's slip
        ("paid by Saunna Oy", "paid by Saunna Oy"),  # a name
        ("SAUNNA", "SAUNNA"),
        ("taxs", "taxs"),  # too short to tell
        ("pääona", "pääoma"),
        ("unrelated", "unrelated"),
        ("tax in Finlan", "tax in Finland"),
        ("tax in Findland", "tax in Finland"),
        ("tax in Cannada", "tax in Canada"),
        ("tax of the Queen", "tax of the Queen"),  # too short to tell
        ("tax of Canadans", "tax of Canadans"),  # no one place is one slip away
        ("tax in Finlando", "tax in Finlando"),  # a word of its own that does not begin the name
    ],
)
def test_a_question_is_read_as_it_was_meant(question: str, meant: str) -> None:
    known = WORDS | {"fauna", "tax", "finlan", "finlando"}
    read = forgiven(
        question,
        is_word=lambda one: one in known,
        stems=lambda one: (one,),
        held=lambda some: some,
        places={"Finland", "Canada", "Canadian", "Queens"},
    )
    assert read == meant
