"""Questions about a day gone by: what was law then, what is lost, and what nobody can know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from making import bundle, document, graded, section, since
from plain_pack import pack
from pykala.answer.assemble import unanswered
from pykala.ask import Engine, ask
from pykala.law.answers import Answer, CaveatKind, Outcome
from pykala.law.bundles import Bundle
from pykala.law.grades import ANSWERED_FROM, LIKELY_FROM
from pykala.law.identifiers import WorkId
from pykala.law.provisions import Provision, Version
from pykala.law.validity import Validity
from pykala.retrieve.likeness import AskedWords
from pykala.retrieve.question import understand
from pykala.retrieve.search import Later
from pykala.stores.embedded.store import EmbeddedStore

ACT, OTHER = WorkId("xx:act:1"), WorkId("xx:act:2")
DAY = date(2012, 6, 1)
ASKED = "How much is the horse tax?"


def made(work: WorkId, sections: Sequence[Provision], issued: date | None = None) -> Bundle:
    found = bundle(work, [document(work, "en", sections, f"Statute {work.value[-1]}")])
    validity = Validity(issued, None) if issued else found.work.validity
    return replace(found, work=replace(found.work, issued=issued, validity=validity))


def answer(folder: Path, *bundles: Bundle, asked: str = ASKED, day: date = DAY, place: str = "xx") -> Answer:
    with EmbeddedStore.open(folder / "library", writable=True) as store:
        for one in bundles:
            store.put(one)
        store.record({"current_to:xx:legislation": "2026-01-01"})
        return ask(asked, Engine(store, {"xx": pack}), as_of=day, jurisdiction=place)


BESIDE = section(ACT, "2", versions=[Version("A horse may be led on the road at night.", since(2000))])


@pytest.mark.parametrize("issued", [date(2005, 1, 1), date(2020, 3, 1)])
def test_a_later_wording_competes_only_if_its_act_had_been_made(tmp_path: Path, issued: date) -> None:
    lost = Version("The horse tax is 9 euros a year.", since(2021), history_unavailable=True)
    found = answer(tmp_path, made(OTHER, [section(OTHER, "1", versions=[lost])], issued), made(ACT, [BESIDE]))
    works = {one.provision.work for one in found.evidence if one.score >= LIKELY_FROM}
    assert (OTHER in works) == (issued <= DAY)
    assert found.outcome.quotes == (issued <= DAY)


def test_the_wording_that_is_lost_is_that_before_the_earliest_held(tmp_path: Path) -> None:
    versions = [
        Version("The horse tax is 9 euros a year.", since(2013, 2022), history_unavailable=True),
        Version("The mule tax is 9 euros a year.", since(2022)),
    ]
    sibling = section(ACT, "2", versions=[Version("Horse tax is paid to the town.", since(2000))])
    found = answer(tmp_path, made(ACT, [section(ACT, "1", versions=versions), sibling]))
    assert str(found.evidence[0].provision) == "xx:act:1/sec_1"
    assert found.outcome is Outcome.LIKELY
    assert CaveatKind.HISTORY_UNAVAILABLE in {one.kind for one in found.caveats}
    assert found.primary is not None
    assert "9 euros" in found.primary.text


def test_what_was_added_since_does_not_answer_and_lets_no_sibling_answer_in_its_place(tmp_path: Path) -> None:
    added = section(ACT, "3", versions=[Version("The horse tax is 9 euros a year.", since(2020))])
    sibling = section(ACT, "2", versions=[Version("Horse tax is paid to the town.", since(2000))])
    found = answer(tmp_path, made(ACT, [added, sibling], date(2000, 1, 1)))
    assert found.outcome is Outcome.GUIDANCE
    assert found.confidence < LIKELY_FROM
    [told] = [one.message for one in found.caveats if one.kind is CaveatKind.NOT_YET_IN_FORCE]
    assert told.startswith("Statute 1, § 3 ")
    assert "2020-01-01" in told


def test_what_was_added_since_makes_no_answer_of_the_day_less_sure(tmp_path: Path) -> None:
    stood = section(ACT, "2", versions=[Version("The horse tax is 9 euros a year.", since(2000))])
    added = section(ACT, "3", versions=[Version("Each horse has a tax number of 9 digits.", since(2020))])
    alone = answer(tmp_path / "1", made(ACT, [stood], date(2000, 1, 1)))
    both = answer(tmp_path / "2", made(ACT, [stood, added], date(2000, 1, 1)))
    assert both.primary is not None
    assert (both.primary.provision, both.confidence) == (alone.evidence[0].provision, alone.confidence)


def test_the_law_of_a_day_is_not_called_silent_where_later_law_speaks(tmp_path: Path) -> None:
    later = made(OTHER, [section(OTHER, "1", versions=[Version("The horse tax is 9 euros.", since(2020))])])
    later = replace(later, work=replace(later.work, issued=date(2019, 1, 1)))
    bees = section(ACT, "1", versions=[Version("Bees are kept behind a fence.", since(2000))])
    found = answer(tmp_path, later, made(ACT, [bees]))
    assert found.outcome is Outcome.GUIDANCE
    assert "is not known here" in found.text
    assert [str(one.cited.provision) for one in found.support] == ["xx:act:2/sec_1"]


def test_a_section_whose_wording_is_lost_is_named_where_nothing_can_be_shown(tmp_path: Path) -> None:
    lost = Version("The horse tax is 9 euros a year.", since(2013), history_unavailable=True)
    with EmbeddedStore.open(tmp_path / "library", writable=True) as store:
        store.put(made(ACT, [section(ACT, "1", versions=[lost])]))
        question = understand(ASKED, store, {"xx": pack}, as_of=DAY, jurisdiction="xx")
        [one] = graded("xx", 4.6)
        unsure = replace(one, candidate=replace(one.candidate, later=Later.LOST))
        words = AskedWords(question.search_text, "en", {})
        found = unanswered(question, store, {"xx": pack}, [unsure], words, Outcome.GUIDANCE)
    assert found.outcome is Outcome.OUTSIDE_CORPUS, "the law was not silent: its words are not held"
    [near] = found.support
    assert near.cited.citation in found.text
    assert "2013-01-01" in found.text
    assert CaveatKind.HISTORY_UNAVAILABLE in {one.kind for one in found.caveats}


def test_the_law_of_a_day_is_silent_where_later_law_is(tmp_path: Path) -> None:
    later = made(OTHER, [section(OTHER, "1", versions=[Version("The horse tax is 9 euros.", since(2020))])])
    found = answer(tmp_path, later, made(ACT, [BESIDE]), asked="Who won the world cup?")
    assert found.outcome in (Outcome.SILENT, Outcome.OUTSIDE_CORPUS)
    assert not found.support


def test_a_part_that_began_later_is_only_related(tmp_path: Path) -> None:
    own = section(ACT, "1", "", "Carts are free.", "The horse tax is 9 euros a year.", validity=since(2000))
    stands, added = own.children
    lost = Version("Mules pay 3 euros.", since(2020), history_unavailable=True)
    changed = replace(stands, versions=(lost,))
    younger = replace(added, versions=(Version("The horse tax is 9 euros a year.", since(2021)),))
    found = answer(tmp_path, made(ACT, [replace(own, children=(changed, younger))], date(2000, 1, 1)))
    assert found.outcome is not Outcome.ANSWERED
    assert found.confidence < ANSWERED_FROM
    assert found.primary is None or "horse tax" not in found.primary.text
