from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.law.validity import ALWAYS, NOT_YET, Validity

DAYS = st.one_of(
    st.dates(date(2000, 1, 1), date(2000, 1, 20)), st.sampled_from([date.min, date.max])
)  # few, so that ends meet
ENDS = st.one_of(st.none(), DAYS)


@st.composite
def validities(draw: st.DrawFn) -> Validity:
    start, end = draw(ENDS), draw(ENDS)
    if start is not None and end is not None and end < start:
        start, end = end, start
    return Validity(start, end)


@given(validities(), validities(), DAYS)
def test_a_day_lies_in_the_intersection_when_in_both(one: Validity, other: Validity, day: date) -> None:
    assert one.intersection(other).covers(day) == (one.covers(day) and other.covers(day))


@given(validities(), validities())
def test_overlap_is_symmetric_and_means_a_common_day(one: Validity, other: Validity) -> None:
    assert one.overlaps(other) == other.overlaps(one)
    common = one.intersection(other)
    first = common.start or date.min
    assert one.overlaps(other) == (one.covers(first) and other.covers(first))


@given(validities())
def test_always_changes_nothing(validity: Validity) -> None:
    assert validity.intersection(ALWAYS) == validity == ALWAYS.intersection(validity)
    assert validity.intersection(validity) == validity


@given(validities(), DAYS)
def test_an_empty_interval_holds_no_day(validity: Validity, day: date) -> None:
    if validity.is_empty:
        assert not validity.covers(day)
    else:
        assert validity.covers(validity.start or date.min)


@given(st.dates(date(1900, 1, 1), date(2100, 1, 1)), st.integers(1, 1000))
def test_the_first_day_counts_and_the_last_does_not(start: date, length: int) -> None:
    validity = Validity(start, start + timedelta(days=length))
    assert validity.covers(start)
    assert not validity.covers(start - timedelta(days=1))
    assert validity.covers(start + timedelta(days=length - 1))
    assert not validity.covers(start + timedelta(days=length))


def test_an_interval_does_not_end_before_it_starts() -> None:
    with pytest.raises(ValueError, match="before it starts"):
        Validity(date(2020, 1, 2), date(2020, 1, 1))


def test_pending_text_is_not_law_on_any_real_day() -> None:
    pending = Validity.pending()
    assert pending.is_pending
    assert not pending.is_empty
    assert not pending.covers(date(9999, 1, 1))
    assert pending.covers(NOT_YET)
    assert not ALWAYS.is_pending
