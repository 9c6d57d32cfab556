"""The contract of every store on time: chains with all their versions, and what changed in a period."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from making import bundle, document, section, since
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Event, Provision, ProvisionKind, Version, WorkKind
from pykala.law.validity import ALWAYS, Validity
from pykala.stores.store import UnknownProvision, WritableStore

TAX, TOLL = WorkId("fi:act:1992/1535"), WorkId("xx:act:7")
AMENDING = WorkId("fi:act:2015/1549")


def at(path: str, work: WorkId = TAX) -> ProvisionId:
    return ProvisionId.parse(f"{work}/{path}")


def put(store: WritableStore, work: WorkId, *chains: tuple[Version, ...], **more: object) -> None:
    sections = [section(work, str(n), versions=chain) for n, chain in enumerate(chains, start=1)]
    store.put(bundle(work, [document(work, "fi", sections)], **more))  # type: ignore[arg-type]


RATES = (
    Version("Rate 30.", since(2012, 2016)),
    Version("Rate 34.", since(2016), event=Event.AMENDED, source_act=AMENDING),
)
ENDED = (Version("A fee.", Validity(date(2010, 3, 1), date(2014, 6, 30))),)


PERIODS: list[tuple[date, date | None, list[tuple[str, str | None, WorkId | None]]]] = [
    (date(2012, 1, 1), date(2012, 12, 31), [("sec_1", "enacted", None)]),
    (date(2016, 1, 1), date(2016, 1, 1), [("sec_1", "amended", AMENDING)]),
    (date(2016, 1, 2), None, []),
    (date(2015, 1, 1), date(2015, 12, 31), []),
    (date(2014, 6, 30), date(2014, 6, 30), [("sec_2", None, None)]),
    (date(2014, 6, 1), date(2014, 6, 29), []),
    (date(2010, 1, 1), date(2012, 1, 1), [("sec_2", "enacted", None), ("sec_1", "enacted", None)]),
]


def test_what_began_or_ended_in_a_period(store: WritableStore) -> None:
    put(store, TAX, RATES, ENDED)
    for first, last, expected in PERIODS:
        found = [
            (str(one.provision.path[-1]), one.event.value if one.event else None, one.source_act)
            for one in store.changes(first, last)
        ]
        assert found == expected, (first, last)


def test_one_change_is_told_once_whatever_the_languages(store: WritableStore) -> None:
    swedish = (RATES[0], replace(RATES[1], text="Sats 34.", source_act=None))
    documents = [
        document(TAX, language, [section(TAX, "1", versions=chain)])
        for language, chain in (("fi", RATES), ("sv", swedish))
    ]
    store.put(bundle(TAX, documents))
    found = store.changes(date(2016, 1, 1), date(2016, 12, 31))
    assert [(one.event, one.source_act, one.day) for one in found] == [
        (Event.AMENDED, AMENDING, date(2016, 1, 1))
    ]


def test_what_is_not_dated_or_never_stood_has_not_changed(store: WritableStore) -> None:
    never = Validity(date(2013, 1, 1), date(2013, 1, 1))
    put(store, TAX, (Version("Old.", ALWAYS),), (Version("To come.", Validity.pending()),))
    put(store, TOLL, (Version("Never.", never),))
    assert store.changes(date.min) == ()


def test_changes_of_a_jurisdiction_and_of_a_kind(store: WritableStore) -> None:
    put(store, TAX, RATES)
    put(store, TOLL, RATES, kind=WorkKind.GUIDANCE)
    period = date(2016, 1, 1), date(2016, 12, 31)
    assert [one.provision.work for one in store.changes(*period)] == [TAX, TOLL]
    assert [one.provision.work for one in store.changes(*period, jurisdictions=["xx"])] == [TOLL]
    assert [one.provision.work for one in store.changes(*period, kinds=["act"])] == [TAX]
    assert [one.provision.work for one in store.changes(*period, works=[TOLL])] == [TOLL]
    assert store.changes(*period, jurisdictions=["zz"]) == ()
    assert store.changes(*period, jurisdictions=["xx"], kinds=["act"]) == ()


def test_what_ends_at_the_same_day_that_others_begin_is_one_change(store: WritableStore) -> None:
    put(store, TAX, RATES)
    assert [one.event for one in store.changes(date(2016, 1, 1), date(2016, 1, 1))] == [Event.AMENDED]


DAYS = st.integers(0, 3000).map(lambda n: date.fromordinal(date(2010, 1, 1).toordinal() + n))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(days=st.lists(DAYS, min_size=2, max_size=6, unique=True), first=DAYS, length=st.integers(0, 900))
def test_changes_are_those_of_the_chains(
    store: WritableStore, days: list[date], first: date, length: int
) -> None:
    from pykala.versions.chains import timeline

    ordered = sorted(days)
    chain = tuple(
        Version(f"Text {n}.", Validity(start, end)) for n, (start, end) in enumerate(pairwise(ordered))
    )
    put(store, TAX, chain, edition=repr(days))
    last = date.fromordinal(first.toordinal() + length)
    expected = [
        (moment.day, change.event)
        for moment in timeline(store.chain(at("sec_1")))
        if moment.day and first <= moment.day <= last
        for change in moment.changes
    ]
    assert [(one.day, one.event) for one in store.changes(first, last)] == expected


def test_a_chain_is_the_part_of_the_document_as_it_was_put(store: WritableStore) -> None:
    inner = Provision(at("sec_1/subsec_1"), ProvisionKind.SUBSECTION, "(1)", RATES)
    whole = replace(section(TAX, "1", versions=ENDED), children=(inner,))
    chapter = Provision(at("chp_1"), ProvisionKind.CHAPTER, "1", (), (whole, section(TAX, "2", "Two.")))
    made = document(TAX, "fi", [chapter])
    store.put(bundle(TAX, [made]))
    assert store.chain(ProvisionId(TAX)) == made.root
    assert store.chain(at("chp_1")) == chapter
    assert store.chain(at("sec_1")) == whole
    assert store.chain(at("sec_1/subsec_1")) == inner
    with pytest.raises(UnknownProvision, match="sec_9"):
        store.chain(at("sec_9"))


def test_a_chain_is_given_in_the_language_asked_for(store: WritableStore) -> None:
    finnish, swedish = (
        document(TAX, language, [section(TAX, "1", text)])
        for language, text in (("fi", "Vero."), ("sv", "Skatt."))
    )
    store.put(bundle(TAX, [finnish, swedish]))
    assert store.chain(at("sec_1"), language="sv").versions[0].text == "Skatt."
    assert store.chain(at("sec_1"), language="fr").versions[0].text == "Vero."
