"""Documents for the reading panel: within bounds, without gaps, around what was opened; and the way on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from http_serving import settings_in
from making import bundle, document, section
from plain_pack import pack
from pykala.interfaces.records.law import version_line
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Event, Provision, ProvisionKind, Version
from pykala.law.validity import Validity
from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.packs.pack import installed
from pykala.packs.sections import CONTAINERS
from pykala.stores.embedded.store import EmbeddedStore
from pykala.versions.chains import timeline
from pykala.views.chronicle import History
from pykala.views.hydrate import HydratedDocument, hydrate
from pykala.views.keywords import keywords
from pykala.views.reasoning import on_date
from pykala.views.surroundings import PASSED_OVER, surroundings

DAY = date(2026, 6, 1)
_OPEN: list[Library] = []


@pytest.fixture(scope="module", autouse=True)
def _library(http_folder: Path) -> Iterator[None]:
    with Library.open(sample_library(settings_in(http_folder).cache, installed())) as library:
        _OPEN.append(library)
        yield
        _OPEN.clear()


def sample() -> Library:
    return _OPEN[0]


def places() -> list[ProvisionId]:
    found = []
    for work in sample().store.works():
        stored = on_date(ProvisionId(work.id), sample().store, DAY, None)
        found += [node.id for node in stored.provision.walk()]
    return found


def opened(place: ProvisionId, **bounds: int) -> HydratedDocument:
    return hydrate(place, sample().store, sample().packs, as_of=DAY, **bounds)


@settings(max_examples=60, deadline=None)
@given(data=st.data(), sections=st.integers(1, 12), size=st.integers(200, 6000))
def test_a_document_keeps_its_bounds_and_shows_what_was_opened(
    data: st.DataObject, sections: int, size: int
) -> None:
    place = data.draw(st.sampled_from(places()))
    whole = opened(place)
    part = opened(place, most_sections=sections, most_bytes=size)
    assert part.shown_sections <= sections
    assert part.total_sections == whole.total_sections
    used = sum(len(f"{one.label}{one.heading}{one.text}".encode()) for one in part.blocks)
    assert used <= size or len(part.blocks) == 1
    order = [one.provision for one in whole.blocks]
    shown = [order.index(one.provision) for one in part.blocks]
    assert shown == sorted(shown), "in document order"
    left_out = len(part.blocks) < len(whole.blocks) or part.blocks != whole.blocks
    assert part.truncated == left_out
    assert bool(part.notice) == left_out
    assert place in {one.provision for one in part.blocks}, "what was opened is there"
    # Who opens an act by its name may be shown its rules without its recitals.
    reasons = () if place.path else (ProvisionKind.PREAMBLE, ProvisionKind.RECITAL)
    rules = [one.provision for one in whole.blocks if one.kind not in reasons]
    shown = [rules.index(one.provision) for one in part.blocks if one.provision in rules]
    assert shown == list(range(shown[0], shown[0] + len(shown))), "without gaps"


def test_who_opens_an_act_sees_its_rules_before_a_hundred_recitals(tmp_path: Path) -> None:
    act = WorkId("xx:act:1")
    reasons = Provision(
        ProvisionId.parse(f"{act}/pbl_1"), ProvisionKind.PREAMBLE, versions=(Version("Whereas … " * 500),)
    )
    rules = [section(act, str(number), f"Rule {number}.") for number in range(1, 4)]
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        store.put(bundle(act, [document(act, "en", [reasons, *rules])]))
        read = partial(hydrate, store=store, packs={"xx": pack}, as_of=DAY, most_bytes=1_000)
        whole, opened_there = (read(place) for place in (ProvisionId(act), reasons.id))
    shown = {str(block.provision.path[0]) for block in whole.blocks if block.provision.path}
    assert shown >= {"sec_1", "sec_2", "sec_3"}
    assert whole.truncated
    assert any(block.text.startswith("Whereas") for block in opened_there.blocks)


def test_a_whole_document_holds_every_word() -> None:
    for work in sample().store.works():
        document = opened(ProvisionId(work.id))
        stored = on_date(ProvisionId(work.id), sample().store, DAY, None)
        own = [node.versions[-1].text for node in stored.provision.walk() if node.versions]
        assert [one.text for one in document.blocks if one.text] == [text for text in own if text]
        assert not document.truncated


def test_next_and_previous_go_through_a_work_section_by_section() -> None:
    for work in sample().store.works():
        stored = on_date(ProvisionId(work.id), sample().store, DAY, None)
        sections = [one for one in _sections(stored.provision) if one.kind not in PASSED_OVER]
        for first, second in pairwise(sections):
            here = on_date(first.id, sample().store, DAY, stored.language)
            there = on_date(second.id, sample().store, DAY, stored.language)
            onward = surroundings(here, sample().store, sample().packs, DAY).next
            back = surroundings(there, sample().store, sample().packs, DAY).previous
            assert onward is not None, first.id
            assert onward.provision == second.id
            assert back is not None
            assert back.provision == first.id


def _sections(node: Provision) -> Iterator[Provision]:
    if node.kind in CONTAINERS and node.children:
        for child in node.children:
            yield from _sections(child)
    else:
        yield node


def test_a_repealed_work_is_shown_as_it_last_stood() -> None:
    before = hydrate(
        ProvisionId.parse("fi:act:1992/1535/sec_124"), sample().store, sample().packs, as_of=date(1950, 1, 1)
    )
    assert before.caveats
    assert before.blocks


def test_keywords_count_what_holds_them() -> None:
    language, found = keywords(
        "Miten pääomatuloa verotetaan Suomessa?", sample().store, sample().packs, as_of=DAY
    )
    assert language == "fi"
    words = {one.word: one for one in found}
    assert words["pääomatuloa"].provisions >= 3
    assert words["pääomatuloa"].documents >= 1
    assert [one.weight for one in found] == sorted((one.weight for one in found), reverse=True)


def _node(path: str, versions: tuple[Version, ...], children: tuple[Provision, ...] = ()) -> Provision:
    kind = ProvisionKind.SUBSECTION if children == () else ProvisionKind.SECTION
    return Provision(ProvisionId.parse(f"nyc:adc:11/{path}"), kind, versions=versions, children=children)


def _wording(start: int, end: int | None, event: Event = Event.AMENDED) -> Version:
    days = Validity(date(start, 1, 1), date(end, 1, 1) if end else None)
    return Version("words", validity=days, event=event)


@pytest.mark.parametrize(
    ("own", "parts", "told"),
    [
        ([(2000, None)], [(2000, 2009), (2000, None)], {2000: "amended", 2009: "part_ended"}),
        ([(2000, 2009)], [(2000, 2009)], {2000: "amended", 2009: "ended"}),
        ([], [(2000, 2005), (2000, 2009)], {2000: "amended", 2005: "part_ended", 2009: "ended"}),
        ([(2000, None)], [(2000, 2009), (2009, None)], {2000: "amended", 2009: "amended"}),
    ],
)
def test_a_section_goes_on_where_only_a_part_of_it_ended(
    own: list[tuple[int, int | None]], parts: list[tuple[int, int | None]], told: dict[int, str]
) -> None:
    below = tuple(_node(f"sec_1/subd_{place}", (_wording(*one),)) for place, one in enumerate(parts))
    section = _node("sec_1", tuple(_wording(*one) for one in own), below)
    found = History(section.id, "§ 1", section.versions, timeline(section), {}, history_unavailable=False)
    line = list(version_line(found, DAY))
    assert {one.valid_from.year: one.event for one in line if one.valid_from} == told
