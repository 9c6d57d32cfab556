"""What a reader is told of the time of a text: each caveat with the act that causes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from making import bundle, cites, document, section, since
from plain_pack import pack
from pykala.law.answers import Caveat, CaveatKind
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Document, Event, Provision, ProvisionKind, Version
from pykala.law.references import EdgeKind, Reference
from pykala.law.validity import Validity
from pykala.library import Library
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.store import NotInForce

ACT, AMENDING = WorkId("xx:act:1"), WorkId("xx:act:99")
TARGET = ProvisionId.parse("xx:act:1/sec_1")
SOURCE = ProvisionId.parse("xx:act:99/sec_1")


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        yield Library(store, packs={"xx": pack}, today=lambda: date(2026, 1, 1))


def put(library: Library, *versions: Version, parts: Sequence[Provision] = ()) -> None:
    held = replace(section(ACT, "1", versions=versions), children=tuple(parts))
    library.store.put(bundle(ACT, [document(ACT, "en", [held], "Horse Act")]))


def put_amending(library: Library, *references: Reference) -> None:
    text = document(AMENDING, "en", [section(AMENDING, "1", "Section 1 is changed.")], "Amending Act")
    library.store.put(bundle(AMENDING, [text], references=references))


def caveats(library: Library, day: date | None = None, provision: str = "xx:act:1/sec_1") -> list[Caveat]:
    return list(library.show(provision, as_of=day).caveats)


def one(library: Library, day: date | None = None) -> tuple[CaveatKind, str]:
    (found,) = caveats(library, day)
    return found.kind, found.message


def test_a_tombstone_names_the_act_that_repealed(library: Library) -> None:
    put_amending(library)
    put(
        library,
        Version("A horse tax.", since(2000, 2010)),
        Version("Repealed.", since(2010), event=Event.REPEALED, source_act=AMENDING),
    )
    kind, message = one(library)
    assert kind is CaveatKind.REPEALED
    assert message == "This provision is repealed since 2010-01-01 by Amending Act."


def test_an_ended_provision_shows_its_last_text_and_says_when_and_by_what_it_ended(library: Library) -> None:
    put(library, Version("Old.", since(2000, 2005)), Version("Last.", since(2005, 2010)))
    put_amending(library, cites(SOURCE, TARGET, kind=EdgeKind.REPEALS, validity=since(2010)))
    shown = library.show("xx:act:1/sec_1", as_of=date(2020, 1, 1))
    assert shown.cited.text == "Last."
    kind, message = one(library, date(2020, 1, 1))
    assert kind is CaveatKind.REPEALED
    assert "until 2010-01-01" in message
    assert "repealed by Amending Act" in message
    assert caveats(library, date(2009, 12, 31)) == []


def test_a_gap_shows_the_last_text_before_it(library: Library) -> None:
    put(library, Version("Old.", since(2000, 2005)), Version("Anew.", since(2010), event=Event.INSERTED))
    assert library.show("xx:act:1/sec_1", as_of=date(2007, 1, 1)).cited.text == "Old."
    assert one(library, date(2007, 1, 1))[0] is CaveatKind.REPEALED


def test_a_temporary_text_ended_by_itself(library: Library) -> None:
    put(library, Version("For a while.", since(2000, 2005), event=Event.TEMPORARY))
    kind, message = one(library, date(2007, 1, 1))
    assert (kind, "for which time it was enacted" in message) == (CaveatKind.REPEALED, True)


def test_before_its_first_day_there_is_nothing_to_show(library: Library) -> None:
    put(library, Version("Text.", since(2000)))
    with pytest.raises(NotInForce, match="from 2000-01-01 on"):
        library.show("xx:act:1/sec_1", as_of=date(1999, 1, 1))


def test_history_unavailable_names_the_act_of_the_wording_shown(library: Library) -> None:
    put_amending(library)
    put(
        library,
        Version("New.", since(2010), event=Event.AMENDED, source_act=AMENDING, history_unavailable=True),
    )
    kind, message = one(library, date(2005, 1, 1))
    assert kind is CaveatKind.HISTORY_UNAVAILABLE
    assert "since 2010-01-01, as changed by Amending Act" in message


def test_what_waits_for_its_day_names_its_act(library: Library) -> None:
    waiting = Version("To come.", Validity.pending(), source_act=AMENDING)
    put(library, waiting)
    stored = library.store.provision(TARGET)
    from pykala.answer.caveats import of_provision

    (found,) = of_provision(stored, "en", date(2020, 1, 1), library.store, library.packs)
    assert found.kind is CaveatKind.NOT_YET_IN_FORCE
    assert "enacted by xx:act:99, but not in force" in found.message


def test_findings_of_the_parts_make_the_whole_suspect(library: Library) -> None:
    parts = [
        Provision(
            TARGET.child("subsec", str(n)),
            ProvisionKind.SUBSECTION,
            f"({n})",
            (Version("Part.", since(2000), findings=(Message.in_words(f"act {n} did not apply"),)),),
        )
        for n in range(5)
    ]
    put(library, Version("Own.", since(2000)), parts=parts)
    found = caveats(library)
    assert [caveat.kind for caveat in found] == [CaveatKind.SUSPECT] * 4
    assert found[0].message == "Horse Act, § 1: act 0 did not apply"
    assert str(found[0].provision) == "xx:act:1/sec_1/subsec_0"
    assert "2 more findings" in found[3].message


def amends(day: Validity, kind: EdgeKind = EdgeKind.AMENDS) -> Reference:
    return cites(SOURCE, TARGET, kind=kind, validity=day)


@pytest.mark.parametrize("kind", [EdgeKind.AMENDS, EdgeKind.REPEALS, EdgeKind.INSERTS])
def test_a_later_amendment_that_the_text_does_not_hold_makes_it_stale(
    library: Library, kind: EdgeKind
) -> None:
    put(library, Version("Old.", since(2000)))
    put_amending(library, amends(since(2024), kind))
    found, message = one(library, date(2025, 1, 1))
    assert found is CaveatKind.STALE
    assert "in force since 2024-01-01, made by Amending Act" in message
    assert caveats(library, date(2023, 12, 31)) == []


def test_a_whole_act_is_not_called_stale(library: Library) -> None:
    """Every act that amends some section of it names the whole act, too."""
    put(library, Version("Old.", since(2000)))
    put_amending(library, cites(SOURCE, ProvisionId(ACT), kind=EdgeKind.AMENDS, validity=since(2024)))
    assert caveats(library, date(2025, 1, 1), str(ACT)) == []


def test_an_amendment_that_the_text_holds_does_not(library: Library) -> None:
    put(
        library,
        Version("Old.", since(2000, 2024)),
        Version("New.", since(2024), event=Event.AMENDED, source_act=AMENDING),
    )
    put_amending(library, amends(since(2024)))
    assert caveats(library, date(2025, 1, 1)) == []


def test_an_amendment_that_applies_before_it_enters_into_force_is_in_the_text(library: Library) -> None:
    """1185/2023 is in force from 2024-01-01 and applies from 2023-10-12."""
    applied = Version("New.", since(2019), source_act=ACT, in_force=date(2020, 1, 1))
    put(library, Version("Old.", Validity(date(2000, 1, 1), date(2019, 1, 1))), applied)
    put_amending(library, amends(since(2020)))
    assert not caveats(library, date(2025, 1, 1))


def test_a_consolidation_holds_all_that_came_before_its_last_state(library: Library) -> None:
    put_amending(library, amends(since(2015)))
    sections = [
        section(ACT, "1", versions=[Version("As it was.", since(2000))]),
        section(ACT, "2", versions=[Version("x", since(2000, 2020)), Version("y", since(2020))]),
    ]
    library.store.put(bundle(ACT, [document(ACT, "en", sections, "Horse Act")]))
    assert caveats(library, date(2025, 1, 1)) == []


def test_a_work_that_names_the_acts_of_its_changes_holds_no_others(library: Library) -> None:
    other = Version("y", since(2020), event=Event.AMENDED, source_act=WorkId("xx:act:50"))
    sections = [
        section(ACT, "1", versions=[Version("As it was.", since(2000))]),
        section(ACT, "2", versions=[Version("x", since(2000, 2020)), other]),
    ]
    library.store.put(bundle(ACT, [document(ACT, "en", sections, "Horse Act")]))
    put_amending(library, amends(since(2015)))  # enacted before the last state, and applied only after it
    assert one(library, date(2025, 1, 1))[0] is CaveatKind.STALE


def test_an_act_without_a_date_of_its_edge_counts_from_its_own(library: Library) -> None:
    put(library, Version("Old.", since(2000)))
    text = document(AMENDING, "en", [section(AMENDING, "1", "Section 1 is changed.")], "Amending Act")
    made = bundle(AMENDING, [text], references=[cites(SOURCE, TARGET, kind=EdgeKind.AMENDS)])
    library.store.put(replace(made, work=replace(made.work, issued=date(2024, 5, 1))))
    assert one(library, date(2025, 1, 1))[0] is CaveatKind.STALE
    assert caveats(library, date(2024, 4, 30)) == []


def test_a_translation_behind_the_authentic_text_says_so(library: Library) -> None:
    def held(language: str, *versions: Version, translation: bool = False) -> Document:
        made = document(ACT, language, [section(ACT, "1", versions=versions)], "Horse Act")
        return replace(made, translation=translation)

    finnish = held(
        "fi", Version("Vanha.", since(2000, 2020)), Version("Uusi.", since(2020), source_act=AMENDING)
    )
    library.store.put(bundle(ACT, [finnish, held("en", Version("Old.", since(2000)), translation=True)]))
    found = {
        caveat.kind: caveat.message
        for caveat in library.show("xx:act:1/sec_1", as_of=date(2025, 1, 1), language="en").caveats
    }
    assert "the Finnish text was changed on 2020-01-01 by xx:act:99" in found[CaveatKind.STALE]
    before = library.show("xx:act:1/sec_1", as_of=date(2010, 1, 1), language="en").caveats
    assert CaveatKind.STALE not in {caveat.kind for caveat in before}


def test_an_authentic_text_that_lacks_an_act_is_behind_and_one_dated_apart_is_not(library: Library) -> None:
    chain = (Version("Vanha.", since(2000, 2020)), Version("Uusi.", since(2020), source_act=AMENDING))
    finnish = document(ACT, "fi", [section(ACT, "1", versions=chain)], "Hevoslaki")
    for newest, kinds in (
        (Version("Gammal.", since(2000)), [CaveatKind.STALE]),
        (Version("Ny.", since(2019), source_act=AMENDING), []),
    ):
        swedish = document(ACT, "sv", [section(ACT, "1", versions=[newest])], "Hästlag")
        library.store.put(bundle(ACT, [finnish, swedish]))
        found = library.show("xx:act:1/sec_1", as_of=date(2025, 1, 1), language="sv").caveats
        assert [caveat.kind for caveat in found] == kinds


def test_a_text_that_applies_to_later_tax_years_says_so(library: Library) -> None:
    note = "Applied for the first time in the taxation for 2021."
    put(library, Version("New.", since(2020), application=note))
    kind, message = one(library, date(2020, 6, 1))
    assert kind is CaveatKind.APPLICATION
    assert "from tax year 2021 on" in message
    assert caveats(library, date(2021, 1, 1)) == []


def test_words_of_a_time_that_has_passed_say_so(library: Library) -> None:
    put(library, Version("Until 31 December 2009 the horse tax is 5 euros a year.", since(2000)))
    kind, message = one(library)
    assert (kind, "up to 2009" in message) == (CaveatKind.APPLICATION, True)
    assert one(library, date(2010, 1, 1)) == (kind, message.replace("2026-01-01", "2010-01-01"))
    assert caveats(library, date(2009, 6, 1)) == []
    (told,) = library.ask("How much is the horse tax?").caveats
    assert (told.kind, told.message) == (kind, message)


def test_what_stands_beside_an_answer_has_its_caveats_too(library: Library) -> None:
    doubtful = Version(
        "The cart tax is 9 euros a year.",
        since(2000),
        findings=(Message.in_words("an amendment did not apply"),),
    )
    sections = [
        section(ACT, "1", "The horse tax is 5 euros a year, as section 2 says of carts."),
        section(ACT, "2", versions=[doubtful]),
    ]
    reference = cites(TARGET, ProvisionId.parse("xx:act:1/sec_2"))
    library.store.put(bundle(ACT, [document(ACT, "en", sections, "Horse Act")], references=[reference]))
    answer = library.ask("How much is the horse tax?", as_of=date(2020, 1, 1))
    assert [str(one.cited.provision) for one in answer.support] == ["xx:act:1/sec_2"]
    (found,) = [caveat for caveat in answer.caveats if caveat.kind is CaveatKind.SUSPECT]
    assert found.message == "Horse Act, § 2: an amendment did not apply"
