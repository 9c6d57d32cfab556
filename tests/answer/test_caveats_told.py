"""Caveats in words: how many are named, which are said once, what is read before they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from bench.store_calls import CountingStore
from making import bundle, cites, document, section, since
from plain_pack import pack
from pykala.answer import caveats
from pykala.answer.open_references import of_references
from pykala.law.answers import Answer, Caveat, CaveatKind, Outcome
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Event, Provision, ProvisionKind, Version, WorkKind
from pykala.law.references import EdgeKind, Unresolved, UnresolvedReference
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.once import read_once
from pykala.stores.store import StoredProvision

ACT, AMENDING = WorkId("xx:act:1"), WorkId("xx:act:99")
PLACE, SOURCE = ProvisionId.parse("xx:act:1/sec_1"), ProvisionId.parse("xx:act:99/sec_1")
DAY = date(2020, 6, 1)
PACKS = {"xx": pack}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    with EmbeddedStore.open(tmp_path / "library", writable=True) as opened:
        text = document(AMENDING, "en", [section(AMENDING, "1", "It is changed.")], "Amending Act")
        opened.put(bundle(AMENDING, [text]))
        yield opened


def held(store: EmbeddedStore, *versions: Version, as_of: date | None = DAY) -> StoredProvision:
    store.put(bundle(ACT, [document(ACT, "en", [section(ACT, "1", versions=versions)], "Horse Act")]))
    return store.provision(PLACE, as_of=as_of)


def told(store: EmbeddedStore, stored: StoredProvision, as_of: date = DAY) -> list[tuple[str, str]]:
    found = caveats.of_time(stored, as_of, store, PACKS)
    return [(one.kind.value, one.message) for one in found]


@pytest.mark.parametrize(
    ("unavailable", "act", "kind", "message"),
    [
        (
            True,
            None,
            "HISTORY_UNAVAILABLE",
            "The wording in force on 2020-06-01 is not in this source; what is shown is in force since"
            " 2021-01-01.",
        ),
        (
            True,
            AMENDING,
            "HISTORY_UNAVAILABLE",
            "The wording in force on 2020-06-01 is not in this source; what is shown is in force since"
            " 2021-01-01, as changed by Amending Act.",
        ),
        (False, None, "NOT_YET_IN_FORCE", "This text comes into force on 2021-01-01."),
        (
            False,
            AMENDING,
            "NOT_YET_IN_FORCE",
            "This text comes into force on 2021-01-01, enacted by Amending Act.",
        ),
    ],
)
def test_a_later_wording_is_told_with_its_day_and_its_act(
    store: EmbeddedStore, unavailable: bool, act: WorkId | None, kind: str, message: str
) -> None:
    later = Version("New.", since(2021), source_act=act, history_unavailable=unavailable)
    stored = held(store, later, as_of=None)
    assert told(store, stored) == [(kind, message)]
    assert told(store, stored, date(2021, 1, 1)) == [], "from its first day on there is nothing to tell"


@pytest.mark.parametrize(
    ("as_of", "kind", "message"),
    [
        (
            date(2019, 12, 31),
            "NOT_YET_IN_FORCE",
            "This text applies only from 2021-01-01; it was in force from 2020-01-01.",
        ),
        (
            date(2020, 1, 1),
            "NOT_YET_APPLICABLE",
            "This text is in force since 2020-01-01 and applies only from 2021-01-01.",
        ),
        (
            date(2020, 12, 31),
            "NOT_YET_APPLICABLE",
            "This text is in force since 2020-01-01 and applies only from 2021-01-01.",
        ),
        (date(2021, 1, 1), "", ""),
    ],
)
def test_a_text_in_force_that_applies_later(
    store: EmbeddedStore, as_of: date, kind: str, message: str
) -> None:
    stored = held(store, Version("New.", since(2021), in_force=date(2020, 1, 1)), as_of=None)
    assert told(store, stored, as_of) == ([(kind, message)] if kind else [])


def test_a_text_that_applies_to_what_happened_before_it_entered_into_force(store: EmbeddedStore) -> None:
    stored = held(store, Version("New.", since(2020), in_force=date(2021, 1, 1)), as_of=None)
    message = "This text is in force since 2021-01-01 and applies to what happened from 2020-01-01 on."
    assert told(store, stored, date(2020, 1, 1)) == [("APPLICATION", message)]
    assert told(store, stored, date(2021, 1, 1)) == []


def test_undated_guidance_that_was_issued_after_the_date(store: EmbeddedStore) -> None:
    stored = held(store, Version("Read it so."))
    issued = replace(stored, work=replace(stored.work, issued=date(2020, 6, 2)))
    assert told(store, issued) == [
        ("HISTORY_UNAVAILABLE", "This was issued on 2020-06-02: it is later than 2020-06-01.")
    ]
    assert told(store, issued, date(2020, 6, 2)) == []
    dated = held(store, Version("Read it so.", since(2000)))
    assert told(store, replace(dated, work=issued.work)) == [], "its own day counts"


def test_three_parts_that_are_left_out_are_named(store: EmbeddedStore) -> None:
    stored = held(store, Version("Own.", since(2000)))
    parts = tuple(ProvisionId.parse(f"xx:act:1/sec_{number}") for number in range(1, 5))
    for count, places in ((1, ": Horse Act, § 1."), (3, "; Horse Act, § 3."), (4, "; Horse Act, § 3 ….")):
        ((kind, message),) = told(store, replace(stored, missing=parts[:count]))
        assert (kind, message.count("Horse")) == ("HISTORY_UNAVAILABLE", min(count, 3))
        assert f"{count} part" in message
        assert message.endswith(places)
        ((kind, message),) = told(store, replace(stored, past=parts[:count]))
        assert (kind, "own words, only to years gone by" in message) == ("APPLICATION", True)
        assert message.endswith(places)


@pytest.mark.parametrize(
    ("as_of", "kind"),
    [(date(2019, 12, 31), "NOT_YET_IN_FORCE"), (date(2020, 1, 1), "NOT_YET_APPLICABLE")],
)
def test_parts_that_apply_later_are_named_by_their_first_day(
    store: EmbeddedStore, as_of: date, kind: str
) -> None:
    sections = [
        section(ACT, str(n), versions=[Version("A duty.", since(year), in_force=date(2020, 1, 1))])
        for n, year in enumerate((2022, 2021, 2021, 2021, 2021), start=1)
    ]
    store.put(bundle(ACT, [document(ACT, "en", sections, "Horse Act")]))
    stored = store.provision(ProvisionId(ACT), as_of=DAY)
    named = "Horse Act, § 2; Horse Act, § 3; Horse Act, § 4 …"
    assert told(store, stored, as_of) == [
        (kind, f"4 parts apply only from 2021-01-01, and are left out: {named}."),
        (kind, "1 part applies only from 2022-01-01, and is left out: Horse Act, § 1."),
    ]


def test_a_text_that_ends_by_its_own_words_was_repealed_by_nobody(store: EmbeddedStore) -> None:
    ended = Version("For tax years before 2010.", since(2005, 2010), ends_by_its_words=True)
    ((kind, message),) = told(store, held(store, ended, as_of=date(2009, 1, 1)))
    assert (kind, "until 2010-01-01" in message) == ("APPLICATION", True)


def test_the_act_that_ended_a_text_is_named_where_it_did_so_on_that_day(store: EmbeddedStore) -> None:
    ended = Version("Last.", since(2005, 2010))
    for repealed, by in ((since(2010), ", when it was repealed by Amending Act."), (since(2012), ".")):
        text = document(AMENDING, "en", [section(AMENDING, "1", "It is changed.")], "Amending Act")
        reference = cites(SOURCE, PLACE, kind=EdgeKind.REPEALS, validity=repealed)
        store.put(bundle(AMENDING, [text], references=[reference]))
        found = dict(told(store, held(store, ended, as_of=date(2009, 1, 1))))
        assert found["REPEALED"] == f"This text is no longer in force: it was until 2010-01-01{by}"


def test_a_tombstone_of_that_day_names_its_act_before_others(store: EmbeddedStore) -> None:
    tombstone = Version("", since(2010), event=Event.REPEALED, source_act=AMENDING)
    stored = held(store, Version("Last.", since(2005, 2010)), tombstone, as_of=date(2009, 1, 1))
    assert told(store, stored) == [
        (
            "REPEALED",
            "This text is no longer in force: it was until 2010-01-01, when it was repealed by Amending Act.",
        )
    ]


@pytest.mark.parametrize(
    ("language", "languages", "translation", "messages"),
    [
        ("en", ("en",), False, []),
        (
            "fi",
            ("en",),
            False,
            ["This is the English text; the library does not hold the work in Finnish."],
        ),
        (
            "fi",
            ("fi", "en"),
            False,
            ["This is the English text: it is the one that was found, or that has a wording on the date."],
        ),
        (
            "en",
            ("fi", "sv", "en"),
            True,
            ["This is an unofficial translation; the authentic text is in Finnish and Swedish."],
        ),
        (
            "en",
            ("en",),
            True,
            ["This is an unofficial translation; the authentic text is in another language."],
        ),
        (
            "tlh",
            ("en",),
            False,
            ["This is the English text; the library does not hold the work in tlh."],
        ),
    ],
)
def test_the_language_of_a_text_is_told_where_it_is_not_the_one_asked_for(
    store: EmbeddedStore, language: str, languages: tuple[str, ...], translation: bool, messages: list[str]
) -> None:
    stored = replace(held(store, Version("Rule.")), languages=languages, translation=translation)
    found = caveats.of_provision(stored, language, DAY, store, PACKS)
    assert [one.message for one in found] == messages


def test_guidance_and_uploads_are_told_apart_from_law(store: EmbeddedStore) -> None:
    stored = held(store, Version("Rule."))
    for kind, told_of in (
        (WorkKind.ACT, []),
        (WorkKind.GUIDANCE, [CaveatKind.GUIDANCE]),
        (WorkKind.UPLOAD, [CaveatKind.UPLOAD]),
    ):
        of_kind = replace(stored, work=replace(stored.work, kind=kind))
        found = caveats.of_provision(of_kind, "en", DAY, store, PACKS)
        assert [one.kind for one in found] == told_of


def test_the_day_to_which_law_is_known_is_within_it() -> None:
    assert list(caveats.of_knowledge(None, DAY)) == []
    assert list(caveats.of_knowledge(DAY, DAY)) == []
    (beyond,) = caveats.of_knowledge(date(2020, 5, 31), DAY, PLACE)
    assert (beyond.kind, beyond.provision) == (CaveatKind.BEYOND_CURRENT_TO, PLACE)


def test_three_references_are_named_and_the_others_counted() -> None:
    open_ones = [
        UnresolvedReference(PLACE, EdgeKind.CITES, f"act {number}", Unresolved.NOT_LOADED)
        for number in range(5)
    ]
    three, five = (list(of_references(open_ones[:count])) for count in (3, 5))
    assert [one.message.partition("”")[0] for one in three] == [f"It refers to “act {n}" for n in range(3)]
    assert five[:3] == three
    assert [one.message for one in five[3:]] == ["2 more references lead out of the library."]


def test_what_every_answer_of_a_library_must_say() -> None:
    def kinds(**facts: str) -> list[CaveatKind]:
        return [one.kind for one in caveats.of_library(facts)]

    assert kinds() == kinds(indexes="whole", edition="law") == []
    assert kinds(indexes="behind") == [CaveatKind.DEGRADED]
    assert kinds(edition="sample") == [CaveatKind.SAMPLE]


def warned(*messages: str) -> Answer:
    own = tuple(Caveat(CaveatKind.STALE, PLACE, message) for message in messages)
    return Answer("", "Q?", "en", DAY, Outcome.ANSWERED, "", caveats=own)


def test_what_several_parts_say_is_told_once_below_all() -> None:
    parts = [warned("a", "b", "b"), warned("c", "a"), warned("d")]
    both = caveats.shared(parts)
    assert [one.message for one in both] == ["a"], "one part that says a thing twice does not share it"
    assert [[one.message for one in caveats.without(part, both).caveats] for part in parts] == [
        ["b", "b"],
        ["c"],
        ["d"],
    ]


def test_the_first_of_caveats_that_say_the_same_is_kept() -> None:
    first, again = (Caveat(CaveatKind.STALE, place, "a") for place in (PLACE, SOURCE))
    other = Caveat(CaveatKind.SUSPECT, SOURCE, "a")
    assert {*caveats.said_once([first, other, again])} == {first, other}


def _chain(work: WorkId, number: str, versions: Sequence[Version]) -> Provision:
    place = ProvisionId.parse(f"{work}/sec_{number}")
    return Provision(place, ProvisionKind.SECTION, number, tuple(versions))


def test_all_that_the_caveats_need_is_read_at_once(store: EmbeddedStore) -> None:
    """A library across a network answers for several provisions in three calls, whatever is told of each."""
    sections = {
        "1": [Version("Old.", since(2000))],  # overtaken by the act of 2015
        "2": [Version("Ended.", since(2000, 2010))],
        "3": [Version("Undated.")],
        "4": [Version("For a while.", since(2000, 2010), event=Event.TEMPORARY)],
    }
    finnish = {number: [Version(one.text, since(2016)) for one in own] for number, own in sections.items()}
    store.put(
        bundle(
            ACT,
            [
                document(ACT, "fi", [_chain(ACT, *one) for one in finnish.items()], "Hevoslaki"),
                document(ACT, "en", [_chain(ACT, *one) for one in sections.items()], "Horse Act"),
            ],
        )
    )
    references = [
        cites(SOURCE, PLACE, kind=EdgeKind.AMENDS),
        cites(SOURCE, ProvisionId.parse(f"{ACT}/sec_2"), kind=EdgeKind.REPEALS),
    ]
    text = document(AMENDING, "en", [section(AMENDING, "1", "It is changed.")], "Amending Act")
    made = bundle(AMENDING, [text], references=references)
    store.put(replace(made, work=replace(made.work, issued=date(2015, 1, 1))))
    counting = CountingStore(store)
    once = read_once(counting)
    shown = [store.provision(ProvisionId.parse(f"{ACT}/sec_{number}"), language="en") for number in sections]
    caveats.read_at_once(shown, DAY, once)
    assert counting.calls == {"provisions": 1, "references": 1, "works_of": 1}
    for stored in shown:
        list(caveats.of_time(stored, DAY, once, PACKS))
    again = {name for name, count in counting.calls.items() if count > 1}
    assert not again & {"provisions", "references", "works_of", "edges_of"}
    counting.calls.clear()
    caveats.read_at_once([], DAY, read_once(counting))
    assert not counting.calls, "nothing is read for nothing"
