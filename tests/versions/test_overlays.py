"""A later text in a chain stands on every day of its interval; on other days stands what stood before."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from making import since
from pykala.law.messages import Message
from pykala.law.provisions import Event, Version
from pykala.law.validity import ALWAYS, Validity
from pykala.versions.overlays import cut, in_force, overlay, suspect

LACKING = Message("finding.no_list")
PENDING = Version("to come", Validity.pending())
FIRST = date(2000, 1, 1)
DAYS = [FIRST + timedelta(days=number) for number in range(40)]


def told(versions: list[Version]) -> list[tuple[str, int | None, int | None]]:
    return [
        (one.text, one.validity.start and one.validity.start.year, one.validity.end and one.validity.end.year)
        for one in versions
    ]


@pytest.mark.parametrize(
    ("chain", "new", "expected"),
    [
        ([("a", since(2000))], ("b", since(2010)), [("a", 2000, 2010), ("b", 2010, None)]),
        (
            [("a", since(2000))],
            ("b", since(2010, 2012)),
            [("a", 2000, 2010), ("b", 2010, 2012), ("a", 2012, None)],
        ),
        ([("a", since(2000, 2010))], ("b", since(2010)), [("a", 2000, 2010), ("b", 2010, None)]),
        ([("a", ALWAYS)], ("b", since(2010)), [("a", None, 2010), ("b", 2010, None)]),
        ([("a", since(2010))], ("b", since(2010)), [("b", 2010, None)]),
        ([], ("b", since(2010)), [("b", 2010, None)]),
        ([("c", since(2020))], ("b", since(2010, 2020)), [("b", 2010, 2020), ("c", 2020, None)]),
        # What says the same as the text in force is no version, as long as that lasts.
        ([("a", since(2000))], ("a", since(2010)), [("a", 2000, None)]),
        ([("a", since(2000, 2020))], ("a", since(2010, 2020)), [("a", 2000, 2020)]),
        ([("a", since(2000, 2020))], ("a", since(2010, 2021)), [("a", 2000, 2010), ("a", 2010, 2021)]),
        ([("a", since(2000, 2020))], ("a", since(2010)), [("a", 2000, 2010), ("a", 2010, None)]),
        ([("a", since(2000))], ("a", since(2010, 2012)), [("a", 2000, None)]),
    ],
)
def test_a_new_text_takes_its_place(
    chain: list[tuple[str, Validity]],
    new: tuple[str, Validity],
    expected: list[tuple[str, int | None, int | None]],
) -> None:
    assert told(overlay([Version(*one) for one in chain], Version(*new))) == expected


def test_a_text_may_be_a_version_though_it_says_the_same() -> None:
    chain = [Version("a", since(2000))]
    again = overlay(chain, Version("a", since(2010)), though_same=True)
    assert told(again) == [("a", 2000, 2010), ("a", 2010, None)]


def test_another_heading_is_another_wording() -> None:
    chain = [Version("a", since(2000), heading="Old")]
    assert len(overlay(chain, Version("a", since(2010), heading="New"))) == 2


def test_what_waits_for_its_day_stays_at_the_end_and_comes_once() -> None:
    chain = [Version("a", since(2000)), PENDING]
    assert told(overlay(chain, Version("b", since(2010))))[:2] == [("a", 2000, 2010), ("b", 2010, None)]
    assert overlay(chain, Version("b", since(2010)))[-1] == PENDING
    assert overlay(chain, PENDING) == chain
    other = Version("later", Validity.pending())
    assert overlay(chain, other) == [*chain, other]
    twin = overlay(chain[:1], Version("a", Validity.pending()))
    assert twin[-1].validity.is_pending, "what is in force does not stand for what is to come"
    assert cut(chain, since(2010))[-1] == PENDING


def test_what_was_never_in_force_stays_in_the_chain_and_a_repeal_leaves_what_waits() -> None:
    never = Version("never in force", since(2005, 2005))
    for hole in (since(2000), since(2000, 2010), Validity(None, date(2010, 1, 1)), ALWAYS):
        assert cut([never, PENDING], hole) == [never, PENDING]


def test_the_wording_on_a_day_is_the_last_made_and_a_tombstone_is_none() -> None:
    chain = [
        Version("a", since(2000)),
        Version("t", since(2005, 2006), event=Event.TEMPORARY),
        Version("", since(2010), event=Event.REPEALED),
    ]
    found = [in_force(chain, date(year, 6, 1)) for year in (1999, 2000, 2005, 2006, 2010)]
    assert [one and one.text for one in found] == [None, "a", "t", "a", None]


@pytest.mark.parametrize(
    ("chain", "doubted"),
    [
        ([("a", since(2000))], [("a", 2000, 2010, False), ("a", 2010, None, True)]),
        ([("a", ALWAYS)], [("a", None, 2010, False), ("a", 2010, None, True)]),
        ([("a", since(2010))], [("a", 2010, None, True)]),
        ([("a", since(2015))], [("a", 2015, None, True)]),
        ([("a", since(2000, 2010))], [("a", 2000, 2010, False)]),
        (
            [("a", since(2000, 2011)), ("b", since(2011))],
            [("a", 2000, 2010, False), ("a", 2010, 2011, True), ("b", 2011, None, True)],
        ),
    ],
)
def test_from_a_day_on_a_text_is_in_doubt(
    chain: list[tuple[str, Validity]], doubted: list[tuple[str, int | None, int | None, bool]]
) -> None:
    found = suspect([Version(*one) for one in chain], date(2010, 1, 1), LACKING)
    assert [(*row, bool(one.findings)) for row, one in zip(told(found), found, strict=True)] == doubted
    assert suspect(found, date(2010, 1, 1), LACKING) == found, "a finding is said once"
    assert all(one.findings in ((), (LACKING,)) for one in found)


def _interval(pair: tuple[int, int | None]) -> Validity:
    start, length = pair
    return Validity(DAYS[start], DAYS[start] + timedelta(days=length) if length else None)


INTERVALS = st.tuples(st.integers(0, 30), st.none() | st.integers(1, 9)).map(_interval)


@given(st.lists(st.tuples(st.sampled_from("abc"), INTERVALS), max_size=6), INTERVALS)
def test_day_by_day_the_last_text_given_stands(texts: list[tuple[str, Validity]], hole: Validity) -> None:
    chain: list[Version] = []
    expected: dict[date, str] = {}
    for words, validity in texts:
        chain = overlay(chain, Version(words, validity))
        expected |= {day: words for day in DAYS if validity.covers(day)}

    def standing(versions: list[Version]) -> dict[date, str]:
        found = ((day, in_force(versions, day)) for day in DAYS)
        return {day: one.text for day, one in found if one is not None}

    assert standing(chain) == expected
    without = cut(chain, hole)
    assert standing(without) == {day: words for day, words in expected.items() if not hole.covers(day)}
    for versions in (chain, without):
        for one, other in pairwise(versions):
            assert one.validity.end is not None
            assert other.validity.start is not None
            assert one.validity.end <= other.validity.start
            assert not one.validity.is_empty
