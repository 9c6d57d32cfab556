"""The real archive: on the day of every state the law is that state and no word is lost."""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from bench.completeness.eu import lost_words
from bench.eu_official import official_articles, our_articles
from ended_law import Case, cases, law_of, read, stands
from pykala.fetch.mirror import open_mirror
from pykala.fetch.xml import RefusedFile
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Document, Event, Provision, ProvisionKind, Version
from pykala.packs.eu import pack
from pykala.packs.eu.source_files import SourceFile, understand
from pykala.packs.pack import Reading, Snapshot

ARCHIVE = Path(__file__).resolve().parents[4] / "shared" / "corpora" / "eu.tar.zst"
VAT = "eu:32006L0112"
MANY_STATES = (VAT, "eu:31977L0388")  # 32, and 15 of the directive before it
#: The states of the VAT directive that are read in French, too: first and last, those that change most, and
#: two of one month.
IN_FRENCH = frozenset(
    map(
        date.fromisoformat,
        (
            "2006-11-28", "2007-01-01", "2010-01-01", "2010-01-15", "2013-01-01", "2015-01-01", "2019-01-01",
            "2021-07-01", "2022-07-01", "2025-04-14",
        ),
    )
)  # fmt: skip
#: Of each layout and trap one work or more; the whole archive is read by `bench.eu_reading`.
CHOSEN = frozenset(
    {
        "32006L0112", "31962R0017", "31977L0388", "31985L0577", "31995L0046", "32002L0038", "32004L0017",
        "32014R0542", "32016L1065", "32016L1164", "32016R0679", "32018L0843", "32022L2523", "32023L2226",
        "32024R1689", "12006E095", "12012E/TXT", "12016E113",
    }
)  # fmt: skip

pytestmark = pytest.mark.corpora


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    if not ARCHIVE.exists():
        pytest.skip(f"the real corpus is absent: {ARCHIVE.name} is not beside the repository")
    with open_mirror(ARCHIVE) as mirror:
        understood = [file for path in mirror.paths() if (file := understand(path))]
        chosen = [file for file in understood if file.work in CHOSEN and not _is_left_out(file)]
        return {file.path: mirror.read(file.path).data for file in chosen}


def _is_left_out(file: SourceFile) -> bool:
    """Whether it is a French state of the VAT directive that is none of `IN_FRENCH`."""
    is_state = file.day is not None and not file.corrigendum
    return is_state and (file.work, file.language) == ("32006L0112", "fr") and file.day not in IN_FRENCH


@pytest.fixture(scope="module")
def readings(files: dict[str, bytes]) -> dict[str, Reading]:
    return {
        item.name: pack.read(item, [Snapshot(path, files[path], "0" * 64) for path in item.paths])
        for item in pack.works(files)
    }


def states(files: dict[str, bytes], work: str, language: str) -> dict[date, str]:
    """The official pages of a work by the day of their state."""
    pages: dict[date, str] = {}
    for path, data in files.items():
        file = understand(path)
        if file is None or file.format != "page" or file.language != language or file.corrigendum:
            continue
        if f"eu:{file.work}" == work and file.day is not None:
            pages[file.day] = data.decode()
    return pages


#: All days of the directive are compared where `PYKALA_TESTS_WHOLE` is set; else every fourth, and the last.
EVERY = 1 if os.environ.get("PYKALA_TESTS_WHOLE") else 4


@pytest.mark.parametrize(
    ("language", "days", "articles"), [("en", 32, 12_500), ("fr", len(IN_FRENCH), 3_500)]
)
def test_the_vat_directive_is_the_official_state_on_its_days(
    files: dict[str, bytes], readings: dict[str, Reading], language: str, days: int, articles: int
) -> None:
    document = document_of(readings[VAT], language)
    pages = states(files, VAT, language)
    assert len(pages) == days
    compared = 0
    for day in dict.fromkeys([*sorted(pages)[::EVERY], max(pages)]):
        page, standing = pages[day], document.root.at(day)
        if day == date(2006, 11, 28):  # adopted; it came into force with the changes of 1 January 2007
            assert standing is None
            continue
        assert standing is not None
        official, ours = official_articles(page), our_articles(standing)
        # Its own words end it with the year 2022; the official text keeps what has ended.
        ended = {"Article 129a", "Article 129 bis"} if day > date(2022, 12, 31) else set()
        assert ours.keys() == official.keys() - ended
        for title in ours:
            words = official[title]
            assert ours[title] == words, f"{title} on {day}"
            compared += 1
    assert compared > articles / EVERY


def document_of(reading: Reading, language: str) -> Document:
    return next(document for document in reading.documents if document.language == language)


def test_identifiers_and_intervals_hold(readings: dict[str, Reading]) -> None:
    for reading in readings.values():
        for document in reading.documents:
            identifiers = [provision.id for provision in document.root.walk()]
            assert len(set(identifiers)) == len(identifiers)
            assert [ProvisionId.parse(str(one)) for one in identifiers] == identifiers
            for provision in document.root.walk():
                for one, other in pairwise(provision.versions):
                    assert not one.validity.overlaps(other.validity), provision.id


def test_no_word_of_a_page_is_lost(files: dict[str, bytes]) -> None:
    lost: Counter[str] = Counter()
    days = {work: sorted(states(files, work, "en")) for work in MANY_STATES}
    for path, data in files.items():
        file = understand(path)
        if file is None or file.format != "page":
            continue
        # Of a work with many states the first two and the last one stand for all.
        if file.day and file.day in days.get(f"eu:{file.work}", [])[2:-1]:
            continue
        try:
            lost += lost_words(Snapshot(path, data, ""), "page")
        except RefusedFile:
            continue
    assert not lost


def test_the_vat_rates_through_the_years(readings: dict[str, Reading]) -> None:
    document = document_of(readings[VAT], "en")
    article = next(one for one in document.root.walk() if str(one.id) == f"{VAT}/art_98/para_1")
    assert [(str(v.validity.start), v.event.value, str(v.source_act or "")) for v in article.versions] == [
        ("2007-01-01", "enacted", ""),
        ("2022-04-06", "amended", "eu:32022L0542"),
    ]
    gone = next(one for one in document.root.walk() if str(one.id) == f"{VAT}/art_99")
    assert gone.versions[-1].validity.end == date(2022, 4, 6)


def test_quoted_articles_are_not_articles_of_the_amending_act(readings: dict[str, Reading]) -> None:
    expected = {"eu:32016L1065": 4, "eu:32014R0542": 2, "eu:32018L0843": 6}
    found = {
        name: sum(one.kind is ProvisionKind.ARTICLE for one in document_of(readings[name], "en").root.walk())
        for name in expected
    }
    assert found == expected


def test_repealed_acts_end_on_their_day(readings: dict[str, Reading]) -> None:
    expected = {
        "eu:31977L0388": (date(2007, 1, 1), "eu:32006L0112"),
        "eu:31995L0046": (date(2018, 5, 25), "eu:32016R0679"),
        "eu:32004L0017": (date(2016, 4, 18), "eu:32014L0025"),
    }
    for name, (day, by) in expected.items():
        reading = readings[name]
        assert reading.work is not None
        assert reading.work.validity.end == day
        last = reading.documents[0].root.versions[-1]
        assert (last.event, str(last.source_act)) == (Event.REPEALED, by)


def test_corrigenda_attach(readings: dict[str, Reading]) -> None:
    notes = {
        name: [
            str(one.id)
            for one in document_of(readings[name], "fr").root.children
            if one.id.step("corrigendum")
        ]
        for name in (VAT, "eu:32016R0679", "eu:32024R1689")
    }
    assert notes == {
        VAT: [f"{VAT}/corrigendum_01", f"{VAT}/corrigendum_12"],
        "eu:32016R0679": ["eu:32016R0679/corrigendum_02"],
        "eu:32024R1689": ["eu:32024R1689/corrigendum_01"],
    }


def test_pages_without_law_are_refused_with_the_reason(readings: dict[str, Reading]) -> None:
    reasons = Counter(
        refusal.reason.partition(" (")[0].partition(";")[0]
        for reading in readings.values()
        for refusal in reading.refusals
    )
    assert reasons == {
        "it is a page of the EUR-Lex portal without the text of the act": 20,
        "no text of an act is found in it": 2,
    }


def test_languages_pair(readings: dict[str, Reading]) -> None:
    pairings = readings[VAT].pairings
    ids = {provision.id for provision in document_of(readings[VAT], "en").root.walk()}
    assert len(pairings) > 0.99 * (len(ids) - 1)
    assert sum(pairing.confidence == 1.0 for pairing in pairings) > 0.98 * len(pairings)


_ENGLISH = re.compile(r"/(?:meta\.json|en\.(?:xml|html))$")


def _days(version: Version) -> tuple[date | None, ...]:
    """A wording that is put off has an entry into force of its own."""
    return version.validity.start, version.validity.end, version.in_force


def test_law_of_the_union_ends_on_its_day(readings: dict[str, Reading]) -> None:
    """Acts that are repealed, parts that a state no longer prints, and wordings that it replaces.

    The acts are read as the whole archive gives them: another act there may repeal them.
    """
    wrong = []
    with open_mirror(ARCHIVE) as mirror:
        items = {item.name: item for item in pack.survey(mirror)}
        assert not items[VAT].notes, "no other act bears on it: it is read alone as it is among all others"
        vat = replace(readings[VAT], documents=(document_of(readings[VAT], "en"),))
        law = {VAT: (vat, law_of(vat))}
        for case in cases("eu"):
            place = ProvisionId.parse(case["provision"])
            work = str(place.work)
            if work not in law:
                item = items[work]
                english = tuple(path for path in item.paths if _ENGLISH.search(path))
                # One language tells for both in half the time; of some acts only French has the words.
                reading = read("eu", mirror, replace(item, paths=english if place.path else item.paths))
                law[work] = reading, law_of(reading)
            if not _ends(case, place, *law[work]):
                wrong.append(case)
    assert wrong == []


def _ends(case: Case, place: ProvisionId, reading: Reading, nodes: list[Provision]) -> bool:
    """Whether the law of a labelled case ends on its day."""
    end = date.fromisoformat(case["end"])
    family = [node for node in nodes if node.id.path[: len(place.path)] == place.path]
    if case["what"] == "replaced":
        # Words end on the day, or others are put beside them.
        ended = end in {day for node in family for one in node.versions for day in _days(one)}
    else:
        before = any(stands(node, end - timedelta(days=1)) for node in family)
        ended = before and not any(stands(node, end) for node in family)
    return ended and (bool(place.path) or (reading.work is not None and reading.work.validity.end == end))
