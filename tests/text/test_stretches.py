"""Stretches of a text that touch one another are found as comparing each with each would find them."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from pykala.text.stretches import Stretches


class Piece(NamedTuple):
    start: int
    end: int


PIECES = st.builds(lambda start, length: Piece(start, start + length), st.integers(0, 30), st.integers(1, 9))


@given(st.lists(PIECES, max_size=12), PIECES)
def test_what_touches_is_what_shares_a_place(pieces: list[Piece], other: Piece) -> None:
    found = Stretches(pieces).touching(other.start, other.end)
    assert found == sorted(one for one in pieces if one.start < other.end and other.start < one.end)
    assert Stretches(pieces).leave_free(other.start, other.end) is not bool(found)
