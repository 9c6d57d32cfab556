"""Guidance whose age nobody tells does not answer for a day that is asked for; law does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from making import bundle, document, graded, section, since
from plain_pack import pack
from pykala.law.answers import Outcome
from pykala.law.findings import has_no_date
from pykala.law.grades import LIKELY_FROM
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.messages import Message
from pykala.law.provisions import Version, WorkKind
from pykala.packs.finland.pages.guidance_age import age_of
from pykala.retrieve.engine import Engine
from pykala.retrieve.grade import Graded
from pykala.retrieve.plan import _law_of_its_time
from pykala.retrieve.question import Question, understand
from pykala.stores.embedded.store import EmbeddedStore

ACT, DATED, UNDATED = WorkId("xx:act:1"), WorkId("xx:act:2"), WorkId("xx:act:3")


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    told = Version("Tolls begin at 20 crowns.", since(2020))
    doubtful = replace(told, findings=(Message.of("finding.by_what_it_cites", year="2020"),))
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        store.put(bundle(ACT, [document(ACT, "en", [section(ACT, "1", "Tolls begin at 15 crowns.")])]))
        for work, version in ((DATED, told), (UNDATED, doubtful)):
            page = document(work, "en", [section(work, "1", "", versions=(version,))])
            store.put(bundle(work, [page], kind=WorkKind.GUIDANCE, authority=60))
        yield Engine(store, {"xx": pack})


def asked(engine: Engine) -> Question:
    return understand(
        "Where did tolls begin in 2024?", engine.store, engine.packs, as_of=date(2026, 1, 1), language="en"
    )


def candidates(guidance: WorkId, sure: float, law: float | None) -> tuple[Graded, ...]:
    [first] = graded("xx", sure, authority=60)
    place = ProvisionId.parse(f"{guidance}/sec_1")
    match = replace(first.candidate.match, work=guidance, section=place, provision=place)
    page = replace(first, candidate=replace(first.candidate, section=place, match=match))
    return (page, *(graded("xx", law) if law is not None else ()))


@pytest.mark.parametrize(
    ("guidance", "law", "first", "outcome"),
    [
        (DATED, 1.6, DATED, Outcome.LIKELY),
        (UNDATED, 1.6, ACT, Outcome.GUIDANCE),
        (UNDATED, 5.5, ACT, Outcome.LIKELY),
        (UNDATED, 0.2, UNDATED, Outcome.GUIDANCE),  # no law is worth being listed
        (UNDATED, None, UNDATED, Outcome.GUIDANCE),
    ],
)
def test_law_goes_before_guidance_of_unknown_age(
    engine: Engine, guidance: WorkId, law: float | None, first: WorkId, outcome: Outcome
) -> None:
    found = candidates(guidance, 6.7, law)
    ranked, result = _law_of_its_time(asked(engine), engine, found, Outcome.LIKELY, 1.0)
    assert (ranked[0].candidate.match.work, result) == (first, outcome)
    assert len(ranked) == len(found)
    if guidance == UNDATED:
        most = ranked[0].grade
        assert all(one.grade <= most for one in ranked)
        assert first == ACT or most < LIKELY_FROM


def test_dated_guidance_does_not_suffer_for_its_neighbour(engine: Engine) -> None:
    [undated], [dated] = (candidates(work, sure, None) for work, sure in ((UNDATED, 8.9), (DATED, 8.8)))
    ranked, result = _law_of_its_time(asked(engine), engine, (undated, dated), Outcome.LIKELY, 1.0)
    assert [one.candidate.match.work for one in ranked] == [DATED, UNDATED]
    assert (ranked[0].grade, result) == (8.8, Outcome.LIKELY)


def test_law_that_leads_stays(engine: Engine) -> None:
    found = graded("xx", 6.0, 3.0)
    assert _law_of_its_time(asked(engine), engine, found, Outcome.LIKELY, 1.0) == (found, Outcome.LIKELY)


@pytest.mark.parametrize("words", [["Sanoja."], ["Laissa (876/2023) säädetään."]])
def test_pages_without_a_day_say_so_by_what_is_looked_for(words: list[str]) -> None:
    assert has_no_date([age_of("Ohje", words)[1]])
    assert not has_no_date([Message.of("finding.editions", pages=2), Message.in_words("")])


def test_a_day_in_the_title_is_a_date() -> None:
    day, finding = age_of("Matkakustannusten korvaukset 1.1.2023 alkaen", [])
    assert day == date(2023, 1, 1)
    assert not has_no_date([finding])
