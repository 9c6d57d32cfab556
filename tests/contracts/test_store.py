"""The contract that every store keeps; engines are listed once, in conftest.py.

Tests that only ask of what they put ask all their questions of one store: to make one costs far more.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from making import bundle, cites, document, section, simple, since
from pykala.law.filters import Filter
from pykala.law.identifiers import ProvisionId, Step, WorkId
from pykala.law.messages import Message
from pykala.law.provisions import DefinedTerm, Event, Pairing, Provision, ProvisionKind, Version, WorkKind
from pykala.law.references import Direction, EdgeKind, Unresolved
from pykala.law.validity import Validity
from pykala.models.hashing import HashingEmbedder
from pykala.stores.store import Match, NotInForce, UnknownProvision, WritableStore

EMBEDDER = HashingEmbedder(64)


TAX, BANK, OTHER = WorkId("fi:act:1992/1535"), WorkId("ca:act:B-1.01"), WorkId("ca:act:X-9")


def at(text: str) -> ProvisionId:
    return ProvisionId.parse(text)


def found(store: WritableStore, query: str, **filter: object) -> list[str]:
    return [str(match.provision) for match in store.match_text(query, Filter(**filter), 10)]  # type: ignore[arg-type]


def test_a_document_comes_back_as_it_was_put(store: WritableStore) -> None:
    chain = (
        Version("Rate 30.", since(2012, 2016), heading="Rate"),
        Version(
            "Rate 34.",
            since(2016),
            heading="Rate",
            event=Event.AMENDED,
            source_act=WorkId("fi:act:2015/1550"),
            application="tax year 2016",
            observed_at=date(2026, 1, 2),
            findings=(
                Message("finding.no_list"),
                Message.of("finding.states_missing", count=2, first=date(2012, 1, 1), day=date(2015, 1, 1)),
                Message.of("finding.not_played", act="1/2015", reason=Message("unplayed.temporary")),
                Message.in_words("two “texts”, and\na {third}"),
            ),
        ),
    )
    put = document(TAX, "fi", [section(TAX, "124", versions=chain), section(TAX, "125", "a", "b", "c")])
    assert store.put(bundle(TAX, [put]))
    assert store.document(TAX, "fi") == put
    assert [work.id for work in store.works()] == [TAX]
    assert store.work(TAX).title("fi") == put.title


def test_the_same_fingerprint_is_not_written_again(store: WritableStore) -> None:
    put = simple("ca:act:A-1", "The minister may act.")
    assert store.put(put)
    before = store.stats()
    assert not store.put(put)
    assert store.stats() == before
    assert store.fingerprints() == {"ca:act:A-1": put.fingerprint}


WORDINGS = {
    date(2011, 12, 31): None,
    date(2012, 1, 1): "Rate 30.",
    date(2015, 12, 31): "Rate 30.",
    date(2016, 1, 1): "Rate 34.",
    date(2019, 12, 31): "Rate 34.",
    date(2020, 1, 1): None,
}


def test_the_wording_of_a_day(store: WritableStore) -> None:
    chain = (Version("Rate 30.", since(2012, 2016)), Version("Rate 34.", since(2016, 2020)))
    store.put(bundle(TAX, [document(TAX, "fi", [section(TAX, "124", versions=chain)])]))
    provision = at("fi:act:1992/1535/sec_124")
    for day, text in WORDINGS.items():
        if text is None:
            with pytest.raises(NotInForce):
                store.provision(provision, as_of=day)
            assert found(store, "rate", as_of=day) == [], day
        else:
            assert store.provision(provision, as_of=day).version.text == text, day
            assert [match.text for match in store.match_text("rate", Filter(as_of=day), 9)] == [text], day
        assert store.history(provision) == chain


def test_a_provision_comes_with_what_is_below_and_above_it(store: WritableStore) -> None:
    store.put(bundle(TAX, [document(TAX, "fi", [section(TAX, "5", "Own.", "first", "second")])]))
    stored = store.provision(at("fi:act:1992/1535/sec_5"), as_of=date(2020, 1, 1))
    assert [str(child.id) for child in stored.provision.children] == [
        "fi:act:1992/1535/sec_5/subsec_1",
        "fi:act:1992/1535/sec_5/subsec_2",
    ]
    inner = store.provision(at("fi:act:1992/1535/sec_5/subsec_2"))
    assert [str(ancestor.id) for ancestor in inner.ancestors] == [
        "fi:act:1992/1535",
        "fi:act:1992/1535/sec_5",
    ]
    assert stored.within(inner.provision.id) == inner, "what is below is not read again"
    assert stored.within(at("fi:act:1992/1535/sec_5/subsec_9")) is stored


def test_a_part_is_missing_before_its_first_wording_and_not_after_its_end(store: WritableStore) -> None:
    whole = section(TAX, "5", "Own.", "ended", "begun later")
    ended, later = (
        replace(child, versions=(Version(child.versions[0].text, validity, history_unavailable=True),))
        for child, validity in zip(
            whole.children, (Validity(None, date(2017, 1, 1)), since(2019)), strict=True
        )
    )
    store.put(bundle(TAX, [document(TAX, "fi", [replace(whole, children=(ended, later))])]))
    for year, shown, missing in ((2016, [ended], (later.id,)), (2018, [], (later.id,)), (2020, [later], ())):
        stored = store.provision(whole.id, as_of=date(year, 1, 1))
        assert (list(stored.provision.children), stored.missing) == (shown, missing)


def test_parts_that_end_by_their_own_words_are_named_once_they_have(store: WritableStore) -> None:
    whole = section(TAX, "5", "Own.", "for 2016 alone", "for ever")
    inner = Provision(whole.children[0].id.child("pnt", "1"), ProvisionKind.ITEM, "(1)")
    once = Version("for 2016 alone", since(2016, 2017), ends_by_its_words=True)
    past = replace(whole.children[0], versions=(once,), children=(replace(inner, versions=(once,)),))
    held = replace(whole, children=(past, whole.children[1]))
    store.put(bundle(TAX, [document(TAX, "fi", [held])]))
    assert store.provision(whole.id, as_of=date(2016, 5, 1)).past == ()
    assert store.provision(whole.id, as_of=date(2018, 5, 1)).past == (past.id,), "and not what lies in it"
    assert store.provision(whole.id, as_of=date(2018, 5, 1)).within(whole.children[1].id).past == ()


def test_parts_that_are_in_force_and_apply_later_are_given_until_they_do(store: WritableStore) -> None:
    whole = section(TAX, "5", "Own.", "never applied", "for ever", "to be inserted")
    first, standing, inserted = whole.children
    applied = Version("applied from 2020", since(2020), in_force=date(2018, 1, 1))
    never = Version("never applied", since(2018, 2018))
    inner = Provision(first.id.child("pnt", "1"), ProvisionKind.ITEM, "(1)", (applied,))
    first = replace(first, versions=(never, applied), children=(inner,))
    inserted = replace(inserted, versions=(Version("to be inserted", since(2020), event=Event.INSERTED),))
    store.put(bundle(TAX, [document(TAX, "fi", [replace(whole, children=(first, standing, inserted))])]))
    awaited = replace(first, versions=(applied,), children=())  # and neither what lies in it nor the inserted
    for day, later in (
        (date(2017, 12, 31), ()),
        (date(2018, 1, 1), (awaited,)),
        (date(2019, 12, 31), (awaited,)),
        (date(2020, 1, 1), ()),
    ):
        stored = store.provision(whole.id, as_of=day)
        assert (stored.later, stored.missing, stored.past) == (later, (), ()), day
        assert stored.within(standing.id).later == store.provision(standing.id, as_of=day).later == ()


def test_an_unknown_provision_names_the_nearest(store: WritableStore) -> None:
    store.put(simple("ca:act:A-1", "One."))
    with pytest.raises(UnknownProvision, match="ca:act:A-1/sec_1"):
        store.provision(at("ca:act:A-1/sec_1/subsec_7"))
    with pytest.raises(UnknownProvision, match="ca:act:Z-9"):
        store.provision(at("ca:act:Z-9/sec_1"))


def test_the_language_asked_for_is_given_where_it_is_held(store: WritableStore) -> None:
    store.put(
        bundle(
            TAX,
            [
                document(TAX, "fi", [section(TAX, "1", "Vero.")]),
                document(TAX, "sv", [section(TAX, "1", "Skatt.")]),
            ],
        )
    )
    provision = at("fi:act:1992/1535/sec_1")
    assert store.provision(provision, language="sv").version.text == "Skatt."
    assert store.provision(provision, language="fr").language == "fi"
    assert store.provision(provision).languages == ("fi", "sv")


REFERRING = bundle(
    OTHER,
    [
        document(
            OTHER,
            "en",
            [section(OTHER, "1", "See the Bank Act, section 2(1)."), section(OTHER, "2", "Subject to it.")],
        )
    ],
    references=[
        cites(at("ca:act:X-9/sec_1"), at("ca:act:B-1.01/sec_2/subsec_1")),
        cites(at("ca:act:X-9/sec_1"), alias="Bank Act", path=at("ca:act:B-1.01/sec_1").path),
        cites(at("ca:act:X-9/sec_2"), at("ca:act:B-1.01/sec_2"), kind=EdgeKind.EXCEPTS, reverse=True),
        cites(at("ca:act:X-9/sec_2"), at("ca:act:B-1.01/sec_99")),
        cites(at("ca:act:X-9/sec_2"), reason=Unresolved.OUTSIDE_CORPUS),
    ],
)
REFERRED = bundle(
    BANK,
    [document(BANK, "en", [section(BANK, "1", "Banks."), section(BANK, "2", "Loans.", "one")], "Bank Act")],
)


@pytest.mark.parametrize("order", list(itertools.permutations([REFERRING, REFERRED])))
def test_references_are_linked_in_whatever_order_works_arrive(store: WritableStore, order) -> None:  # type: ignore[no-untyped-def]
    for one in order:
        store.put(one)
    edges = store.edges([at("ca:act:X-9/sec_1"), at("ca:act:X-9/sec_2")])
    assert {(e.kind, str(e.source), str(e.target)) for e in edges} == {
        (EdgeKind.CITES, "ca:act:X-9/sec_1", "ca:act:B-1.01/sec_2/subsec_1"),
        (EdgeKind.CITES, "ca:act:X-9/sec_1", "ca:act:B-1.01/sec_1"),
        (EdgeKind.EXCEPTS, "ca:act:B-1.01/sec_2", "ca:act:X-9/sec_2"),
    }
    assert [one.reason for one in store.unresolved([at("ca:act:X-9/sec_2")])] == [
        Unresolved.NO_SUCH_PROVISION,
        Unresolved.OUTSIDE_CORPUS,
    ]


def test_removing_a_work_leaves_its_readers_waiting_for_it(store: WritableStore) -> None:
    store.put(REFERRING)
    store.put(REFERRED)
    store.delete(BANK)
    assert store.edges([at("ca:act:X-9/sec_1")]) == ()
    reasons = [one.reason for one in store.unresolved([at("ca:act:X-9/sec_1")])]
    assert reasons == [Unresolved.NOT_LOADED] * 2
    assert found(store, "loans") == []
    with pytest.raises(UnknownProvision):
        store.delete(BANK)
    store.put(REFERRED)
    assert len(store.edges([at("ca:act:X-9/sec_1")])) == 2


def test_references_to_a_work_are_counted_with_its_usual_name(store: WritableStore) -> None:
    tax, other = WorkId("ca:act:E-15"), WorkId("ca:act:X-9")
    texts = ["Excise Tax Act", "Excise Tax Act", "excise act of 1985", "section 9 of the Act", "32013R0575"]
    places = ["ca:act:E-15", "ca:act:E-15", "ca:act:E-15", "ca:act:E-15/sec_9", "ca:act:E-15"]
    references = [
        *(
            cites(at("ca:act:X-9/sec_1"), at(place), text=text)
            for place, text in zip(places, texts, strict=True)
        ),
        cites(at("ca:act:X-9/sec_1"), at("ca:act:E-15"), text="Loi sur la taxe d'accise", language="fr"),
        cites(at("ca:act:X-9/sec_1"), at("ca:act:E-15"), text="amended by it", kind=EdgeKind.AMENDS),
    ]
    store.put(bundle(other, [document(other, "en", [section(other, "1", "x")])], references=references))
    found = store.mentions_of([tax, other])
    # Neither a publisher's number nor a list of amendments is a reference in the words of the law.
    assert (found[tax].count, found[other].count) == (5, 0)
    assert found[tax].names == {"en": "Excise Tax Act", "fr": "Loi sur la taxe d'accise"}
    assert store.mentions_of([]) == {}


def test_a_name_that_two_works_answer_to_links_to_neither(store: WritableStore) -> None:
    store.put(REFERRING)
    store.put(REFERRED)
    second = WorkId("ca:act:B-2")
    store.put(bundle(second, [document(second, "en", [section(second, "1", "x")], "Bank Act")]))
    targets = {str(edge.target) for edge in store.edges([at("ca:act:X-9/sec_1")])}
    assert targets == {"ca:act:B-1.01/sec_2/subsec_1"}
    assert [one.reason for one in store.unresolved([at("ca:act:X-9/sec_1")])] == [Unresolved.AMBIGUOUS]
    store.delete(second)
    assert len(store.edges([at("ca:act:X-9/sec_1")])) == 2


DIRECTED: list[tuple[Direction, list[EdgeKind] | None, set[str]]] = [
    (Direction.OUT, None, set()),
    (Direction.IN, [EdgeKind.CITES], {"ca:act:X-9/sec_1"}),
    (Direction.BOTH, [EdgeKind.PARENT_OF], {"ca:act:B-1.01"}),
]


def test_edges_by_direction_and_kind(store: WritableStore) -> None:
    store.put(REFERRING)
    store.put(REFERRED)
    here = at("ca:act:B-1.01/sec_1")
    for direction, kinds, expected in DIRECTED:
        edges = store.edges([here], kinds=kinds, direction=direction)
        ends = {str(edge.source if edge.source != here else edge.target) for edge in edges}
        assert ends == expected, (direction, kinds)


def test_edges_hold_on_the_days_of_the_text_they_stand_in(store: WritableStore) -> None:
    reference = cites(at("ca:act:A-1/sec_1"), at("ca:act:A-1/sec_2"), validity=since(2010, 2015))
    store.put(simple("ca:act:A-1", "One.", "Two.", references=[reference]))
    sizes = [
        len(store.edges([at("ca:act:A-1/sec_1")], as_of=date(year, 6, 1)))
        for year in (2009, 2010, 2014, 2015)
    ]
    assert sizes == [0, 1, 1, 0]


def test_an_edge_begins_on_its_first_day_and_has_gone_on_its_last(store: WritableStore) -> None:
    reference = cites(at("ca:act:A-1/sec_1"), at("ca:act:A-1/sec_2"), validity=since(2010, 2015))
    store.put(simple("ca:act:A-1", "One.", "Two.", references=[reference]))
    days = (date(2009, 12, 31), date(2010, 1, 1), date(2014, 12, 31), date(2015, 1, 1))
    for direction, here in ((Direction.OUT, "ca:act:A-1/sec_1"), (Direction.IN, "ca:act:A-1/sec_2")):
        sizes = [len(store.edges([at(here)], direction=direction, as_of=day)) for day in days]
        assert sizes == [0, 1, 1, 0], direction


def test_a_hub_is_left_out_by_its_cap(store: WritableStore) -> None:
    sections = ["Hub.", *["Pointing there."] * 6]
    references = [cites(at(f"ca:act:A-1/sec_{n}"), at("ca:act:A-1/sec_1")) for n in range(2, 8)]
    store.put(simple("ca:act:A-1", *sections, references=references))
    hub = [at("ca:act:A-1/sec_1")]
    for cap, size in ((5, 0), (6, 6)):
        assert (
            len(store.edges(hub, direction=Direction.IN, caps={(EdgeKind.CITES, Direction.IN): cap})) == size
        )


FILTERS: list[tuple[dict[str, Any], list[str]]] = [
    ({"jurisdictions": frozenset({"fi"})}, ["fi:act:2000/1/sec_1"]),
    ({"languages": frozenset({"en"})}, ["ca:act:A-1/sec_1", "ca:reg:R-1/sec_1"]),
    ({"kinds": frozenset({"regulation"})}, ["ca:reg:R-1/sec_1"]),
    ({"kinds": frozenset({"section"}), "languages": frozenset({"fi"})}, ["fi:act:2000/1/sec_1"]),
    ({"kinds": frozenset({"act", "section"}), "languages": frozenset({"en"})}, ["ca:act:A-1/sec_1"]),
    ({"kinds": frozenset({"act", "definition"})}, []),
    ({"works": frozenset({WorkId("ca:act:A-1")})}, ["ca:act:A-1/sec_1"]),
    ({"works": frozenset({WorkId("ca:act:NONE")})}, []),
    ({"jurisdictions": frozenset({"nowhere"})}, []),
]


def test_both_matches_filter_before_they_rank(store: WritableStore) -> None:
    store.put(simple("fi:act:2000/1", "taxation", language="fi"))
    store.put(simple("ca:act:A-1", "taxation"))
    store.put(simple("ca:reg:R-1", "taxation taxation taxation", kind=WorkKind.REGULATION))
    vector = EMBEDDER.encode(["taxation"], "query")[0]
    for filter, expected in FILTERS:
        wanted = Filter(**filter)
        assert sorted(str(m.provision) for m in store.match_text("taxation", wanted, 10)) == expected, filter
        assert sorted(str(m.provision) for m in store.match_vector(vector, wanted, 10)) == expected, filter
        # One result is wanted, and the best match of all does not pass: the filter comes first.
        assert len(store.match_text("taxation", wanted, 1)) == min(1, len(expected)), filter


LEFT_OUT: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["note_1", "rec_1", "sec_1"]),
    ({"without": frozenset({"editorial-note"})}, ["rec_1", "sec_1"]),
    ({"without": frozenset({"editorial-note", "recital"})}, ["sec_1"]),
    ({"without": frozenset({"section"})}, ["note_1", "rec_1"]),
    ({"without": frozenset({"footnote", "no such kind"})}, ["note_1", "rec_1", "sec_1"]),
    ({"without": frozenset({"act"})}, ["note_1", "rec_1", "sec_1"]),  # a kind of works, not of provisions
    ({"without": frozenset({"recital"}), "kinds": frozenset({"recital"})}, []),
    ({"without": frozenset({"recital"}), "kinds": frozenset({"recital", "section"})}, ["sec_1"]),
    ({"without": frozenset({"section"}), "kinds": frozenset({"act"})}, ["note_1", "rec_1"]),
    ({"without": frozenset({"recital"}), "languages": frozenset({"fi"})}, []),
]


def apart(step: str, kind: ProvisionKind, text: str) -> Provision:
    """A provision that stands beside the sections of the Bank Act."""
    return Provision(ProvisionId(BANK, (Step(step, "1"),)), kind, "", (Version(text),))


def test_kinds_that_are_left_out_are_left_out_before_ranking(store: WritableStore) -> None:
    # The more often a kind says the word, the better it matches: what is left out would come first.
    provisions = [
        apart("note", ProvisionKind.EDITORIAL_NOTE, "taxation taxation taxation taxation"),
        apart("rec", ProvisionKind.RECITAL, "taxation taxation taxation"),
        section(BANK, "1", "of taxation and of other things"),
    ]
    store.put(bundle(BANK, [document(BANK, "en", provisions)]))
    vector = EMBEDDER.encode(["taxation"], "query")[0]

    def seen(matches: Sequence[Match]) -> list[str]:
        return sorted(str(match.provision).partition("/")[2] for match in matches)

    for filter, expected in LEFT_OUT:
        wanted = Filter(**filter)
        assert seen(store.match_text("taxation", wanted, 10)) == expected, filter
        assert seen(store.match_terms({"taxat": 1.0}, "en", wanted, 10)) == expected, filter
        assert seen(store.match_vector(vector, wanted, 10)) == expected, filter
        for limit in range(1, len(expected) + 1):
            assert len(store.match_text("taxation", wanted, limit)) == limit, filter
            assert len(store.match_vector(vector, wanted, limit)) == limit, filter


def test_a_replaced_work_is_found_by_its_new_words_only(store: WritableStore) -> None:
    store.put(simple("ca:act:A-1", "Old horses."))
    store.put(simple("ca:act:A-1", "New carriages."))
    assert found(store, "horses") == []
    assert found(store, "carriages") == ["ca:act:A-1/sec_1"]
    vector = EMBEDDER.encode(["horses"], "query")[0]
    assert [match.text for match in store.match_vector(vector, Filter(), 5)] == ["New carriages."]


def test_a_failed_batch_leaves_nothing(store: WritableStore) -> None:
    store.put(simple("ca:act:A-1", "Kept."))
    before = store.stats()
    with pytest.raises(RuntimeError, match="stop"), store.batch():
        store.put(simple("ca:act:A-2", "Lost."))
        store.delete(WorkId("ca:act:A-1"))
        raise RuntimeError("stop")
    assert store.stats() == before
    assert found(store, "kept lost") == ["ca:act:A-1/sec_1"]


def test_a_writer_that_is_alone_in_a_jurisdiction_writes_it_and_others(store: WritableStore) -> None:
    with store.alone_in("ca"), store.alone_in("ca"):
        store.put(simple("ca:act:A-1", "Kept."))
        with pytest.raises(RuntimeError, match="stop"), store.batch():
            store.put(simple("ca:act:A-2", "Lost."))
            raise RuntimeError("stop")
        with store.batch():
            assert not store.put(simple("ca:act:A-1", "Kept."))
            store.put(simple("fi:act:2015/1", "Kept, too."))
    with pytest.raises(RuntimeError, match="stop"), store.alone_in("ca"):
        raise RuntimeError("stop")
    with store.alone_in("ca"):
        store.delete(WorkId("ca:act:A-1"))
    assert found(store, "kept lost") == ["fi:act:2015/1/sec_1"]


def test_an_item_that_gives_no_work_is_remembered(store: WritableStore) -> None:
    store.put(simple("ca:act:A-1", "Was law."))
    store.refuse("ca:act:A-1", "hash", [("a.xml", "truncated")])
    assert store.fingerprints() == {"ca:act:A-1": "hash"}
    assert found(store, "law") == []


def test_a_work_answers_to_its_names(store: WritableStore) -> None:
    store.put(
        bundle(BANK, [document(BANK, "en", [section(BANK, "1", "x")], "Bank Act")], abbreviations=["BA"])
    )
    for name in ("ca:act:B-1.01", "Bank Act", "bank  act", "BA"):
        assert store.resolve(name) == (BANK,), name
    assert store.resolve("no such name") == ()


def test_terms_weigh_more_the_rarer_they_are(store: WritableStore, is_second_of_two: bool) -> None:
    store.put(simple("ca:act:A-1", "taxation of horses", "taxation of carriages", "taxation"))
    weights = store.weigh("taxation horses unicorns", "en")
    assert len(weights) == 3
    common, rare, unknown = weights.values()
    assert rare >= common > 0
    assert rare > common or is_second_of_two  # there all words are as rare as any: it is weighed by the first
    assert unknown == 0


def test_definitions_and_pairs(store: WritableStore) -> None:
    put = REFERRED.documents[0]
    here = at("ca:act:B-1.01/sec_1")
    term = DefinedTerm("Foreign Bank", "en", here, at("ca:act:B-1.01"))
    pair = Pairing(here, "en", here, "fr", 0.9, "label")
    store.put(replace(REFERRED, documents=(replace(put, terms=(term,)),), pairings=(pair,)))
    assert store.definitions(["foreign bank"], "en") == (term,)
    assert store.definitions(["foreign bank"], "fr") == ()
    assert store.pairings(here) == (pair,)


def test_text_that_is_enacted_but_not_in_force_is_not_found_today(store: WritableStore) -> None:
    work = WorkId("ca:act:A-1")
    pending = section(work, "1", "Future duty.", validity=Validity.pending())
    store.put(bundle(work, [document(work, "en", [pending])]))
    assert found(store, "duty", as_of=date(2026, 1, 1)) == []
    assert found(store, "duty") == ["ca:act:A-1/sec_1"]
    with pytest.raises(NotInForce, match="not fixed"):
        store.provision(at("ca:act:A-1/sec_1"), as_of=date(2026, 1, 1))


def test_reads_at_once_are_those_of_each_one_and_the_first_error_is_raised(store: WritableStore) -> None:
    for number in (1, 2):
        store.put(simple(f"ca:act:A-{number}", f"Horses of {number}."))
    first, second = (ProvisionId.parse(f"ca:act:A-{number}/sec_1") for number in (1, 2))

    def words_of(provision: ProvisionId) -> str:
        within = Filter(works=frozenset({store.provision(provision).work.id}))
        (match,) = store.match_text("horses", within, 5)
        return match.text

    assert store.at_once([]) == []
    assert store.at_once([lambda: words_of(first), lambda: words_of(second)]) == [
        "Horses of 1.",
        "Horses of 2.",
    ]
    with pytest.raises(UnknownProvision):
        store.at_once([lambda: words_of(first), lambda: words_of(ProvisionId.parse("ca:act:A-3/sec_1"))])
    assert words_of(second) == "Horses of 2."
