from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.law.authority import Authority, compare
from pykala.law.identifiers import ProvisionId

IDS = st.sampled_from(
    ["fi:act:1/1", "fi:act:1/1/sec_1", "fi:act:1/1/sec_2", "fi:act:1/1/sec_1/subsec_1", "fi:act:2/2/sec_1"]
).map(ProvisionId.parse)
AUTHORITIES = st.builds(
    Authority, IDS, st.integers(0, 3), st.none() | st.dates(date(2000, 1, 1), date(2000, 1, 5))
)


@given(AUTHORITIES, AUTHORITIES)
def test_the_outcome_does_not_depend_on_who_is_named_first(one: Authority, other: Authority) -> None:
    assert compare(one, other) == compare(other, one)


@given(AUTHORITIES, AUTHORITIES)
def test_one_wins_and_the_other_loses(one: Authority, other: Authority) -> None:
    precedence = compare(one, other)
    assert {precedence.winner, precedence.loser} == {one, other}


@given(AUTHORITIES, AUTHORITIES)
def test_a_lower_rank_never_wins(one: Authority, other: Authority) -> None:
    precedence = compare(one, other)
    assert precedence.winner.rank >= precedence.loser.rank
    assert (precedence.reason == "higher rank") == (one.rank != other.rank)


ACT = ProvisionId.parse("fi:act:1/1/sec_1")
DEEP = ProvisionId.parse("fi:act:1/1/sec_1/subsec_1")
OLD, NEW = date(2000, 1, 1), date(2020, 1, 1)


@pytest.mark.parametrize(
    ("winner", "loser", "reason"),
    [
        (Authority(ACT, 2, OLD), Authority(DEEP, 1, NEW), "higher rank"),
        (Authority(ACT, 1, NEW), Authority(DEEP, 1, OLD), "later"),
        (Authority(DEEP, 1, OLD), Authority(ACT, 1, OLD), "more specific"),
        (Authority(DEEP, 1, None), Authority(ACT, 1, NEW), "more specific"),
    ],
)
def test_superior_then_later_then_specific(winner: Authority, loser: Authority, reason: str) -> None:
    precedence = compare(loser, winner)
    assert (precedence.winner, precedence.reason) == (winner, reason)


def test_level_sources_give_no_reason() -> None:
    other = ProvisionId.parse("fi:act:1/1/sec_2")
    assert compare(Authority(ACT, 1), Authority(other, 1)).reason == ""
