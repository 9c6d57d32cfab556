"""Chains of versions: their timelines, and the properties that every chain must have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from making import section, since
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Event, Provision, ProvisionKind, Version
from pykala.law.validity import Validity
from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.packs.pack import installed
from pykala.versions.chains import Finding, check_chain, check_chains, last_day_before_change, timeline

ACT, AMENDING = WorkId("fi:act:1992/1535"), WorkId("fi:act:2015/1549")


def chain(*versions: Version) -> Provision:
    return section(ACT, "1", versions=versions)


def findings(*versions: Version) -> list[tuple[Finding, Validity]]:
    return [(one.kind, one.days) for one in check_chain(chain(*versions))]


@pytest.mark.parametrize(
    ("versions", "expected"),
    [
        ([Version("a")], []),
        ([Version("a", since(2000, 2010)), Version("b", since(2010))], []),
        ([Version("a", Validity(None, date(2010, 1, 1))), Version("b", since(2010))], []),
        (
            [Version("a", since(2000, 2011)), Version("b", since(2010))],
            [(Finding.OVERLAP, since(2010, 2011))],
        ),
        (
            [Version("a", since(2000)), Version("b", since(2010, 2012))],
            [(Finding.OVERLAP, since(2010, 2012))],
        ),
        ([Version("a", since(2000)), Version("b", Validity.pending())], []),
        ([Version("a", since(2000)), Version("b", since(2010, 2012), event=Event.TEMPORARY)], []),
        ([Version("a", since(2000)), Version("b", since(2010, 2010))], []),
        (
            [Version("a", since(2000, 2005)), Version("b", since(2010), event=Event.AMENDED)],
            [(Finding.GAP, since(2005, 2010))],
        ),
        (
            [Version("a", since(2000, 2005)), Version("b", since(2010), event=Event.INSERTED)],
            [(Finding.ABSENCE, since(2005, 2010))],
        ),
        (
            [
                Version("a", since(2000, 2005)),
                Version("t", since(2005, 2010), event=Event.TEMPORARY),
                Version("a", since(2010), event=Event.AMENDED),
            ],
            [],
        ),
        (
            [
                Version("a", since(2000, 2005)),
                Version("t", since(2005, 2008), event=Event.TEMPORARY),
                Version("a", since(2010), event=Event.AMENDED),
            ],
            [(Finding.GAP, since(2005, 2010))],
        ),
        (
            [Version("b", since(2010)), Version("a", since(2000, 2010))],
            [(Finding.DISORDER, since(2000, 2010))],
        ),
    ],
)
def test_what_is_wrong_with_a_chain(
    versions: list[Version], expected: list[tuple[Finding, Validity]]
) -> None:
    assert findings(*versions) == expected


DAYS = st.lists(st.dates(date(1990, 1, 1), date(2030, 1, 1)), min_size=2, max_size=8, unique=True)


@given(DAYS)
def test_a_chain_without_faults_gives_the_later_wording_on_the_boundary(days: list[date]) -> None:
    made = chain(
        *(Version(str(n), Validity(start, end)) for n, (start, end) in enumerate(pairwise(sorted(days))))
    )
    assert list(check_chain(made)) == []
    for version in made.versions:
        assert version.validity.start is not None
        assert version.validity.end is not None
        for day in (version.validity.start, version.validity.end - timedelta(days=1)):
            standing = made.at(day)
            assert standing is not None
            assert standing.versions == (version,)


@given(
    st.lists(
        st.tuples(st.integers(0, 40), st.integers(0, 15)).map(
            lambda pair: Validity(date(1990 + pair[0], 1, 1), date(1990 + sum(pair), 1, 1))
        ),
        min_size=1,
        max_size=6,
    )
)
def test_faults_are_found_where_and_only_where_there_are_any(validities: list[Validity]) -> None:
    ordered = sorted(validities, key=lambda one: one.start or date.min)
    made = chain(*(Version(str(n), one, event=Event.AMENDED) for n, one in enumerate(ordered)))
    solid = [one for one in ordered if not one.is_empty]
    days = [date(year, 1, 1) for year in range(1990, 2046)]
    counts = {day: sum(one.covers(day) for one in solid) for day in days}
    first = min((one.start for one in solid if one.start), default=date.max)
    last = max((one.end for one in solid if one.end), default=date.min)
    kinds = {one.kind for one in check_chain(made)}
    assert (Finding.OVERLAP in kinds) == any(count > 1 for count in counts.values())
    assert (Finding.GAP in kinds) == any(counts[day] == 0 and first <= day < last for day in days)


def test_a_timeline_merges_all_that_lies_below() -> None:
    own = ProvisionId.parse(f"{ACT}/sec_1")
    parts = (
        Provision(
            own.child("subsec", "1"),
            ProvisionKind.SUBSECTION,
            "1",
            (
                Version("a", since(2000, 2016)),
                Version("b", since(2016), event=Event.AMENDED, source_act=AMENDING),
            ),
        ),
        Provision(
            own.child("subsec", "2"), ProvisionKind.SUBSECTION, "2", (Version("c", since(2005, 2012)),)
        ),
    )
    whole = replace(chain(Version("", since(2000))), children=parts)
    told = [
        (
            moment.day and moment.day.year,
            moment.events,
            moment.acts,
            [str(c.provision.last) for c in moment.changes],
        )
        for moment in timeline(whole)
    ]
    assert told == [
        (2000, (Event.ENACTED,), (), ["sec_1", "subsec_1"]),
        (2005, (Event.ENACTED,), (), ["subsec_2"]),
        (2012, (None,), (), ["subsec_2"]),
        (2016, (Event.AMENDED,), (AMENDING,), ["subsec_1"]),
    ]


def test_a_version_that_repeats_the_words_is_no_change() -> None:
    noted = chain(
        Version("a", since(2000, 2010)), Version("a", since(2010), application="first applied in 2011")
    )
    assert [moment.day for moment in timeline(noted)] == [date(2000, 1, 1)]
    repealed = chain(Version("", since(2000, 2010)), Version("", since(2010), event=Event.REPEALED))
    assert [moment.events for moment in timeline(repealed)] == [(Event.ENACTED,), (Event.REPEALED,)]


@pytest.mark.parametrize(
    ("versions", "day"),
    [
        ([Version("a", since(2000, 2010)), Version("b", since(2010))], date(2009, 12, 31)),
        ([Version("a", Validity(None, date(2010, 1, 1))), Version("b", since(2010))], date(2009, 12, 31)),
        (
            [Version("a", since(2000, 2010)), Version("b", since(2010, 2030)), Version("c", since(2030))],
            date(2009, 12, 31),
        ),
        ([Version("a", since(2000))], None),
        ([Version("a")], None),
        ([], None),
    ],
)
def test_the_last_day_before_the_latest_change(versions: list[Version], day: date | None) -> None:
    made = Provision(ProvisionId.parse(f"{ACT}/sec_1"), ProvisionKind.SECTION, "1", tuple(versions))
    assert last_day_before_change(made, date(2026, 1, 1)) == day


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(sample_library(tmp_path_factory.mktemp("cache"), installed())) as library:
        yield library


def test_every_chain_of_the_sample_holds(sample: Library) -> None:
    looked_at = 0
    for work in sample.store.works():
        for language, _ in work.titles:
            root = sample.store.document(work.id, language).root
            looked_at += 1
            assert [one for one in check_chains(root) if one.is_fault] == []
    assert looked_at > 10


@pytest.mark.parametrize(
    ("as_of", "day"),
    [
        (date(2009, 12, 31), None),
        (date(2010, 1, 1), date(2009, 12, 31)),
        (date(2019, 12, 31), date(2009, 12, 31)),
        (date(2020, 1, 1), date(2019, 12, 31)),
    ],
)
def test_a_change_on_the_very_day_counts_as_the_latest(as_of: date, day: date | None) -> None:
    made = chain(Version("a", since(2000, 2010)), Version("b", since(2010, 2020)), Version("c", since(2020)))
    assert last_day_before_change(made, as_of) == day
