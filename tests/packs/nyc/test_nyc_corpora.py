"""The real title: every section is read, named once, and no word is lost; citations against their labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from bench import nyc_citations, nyc_ended
from bench.completeness.nyc import lost_words
from bench.nyc_reading import levels_agree
from pykala.fetch.mirror import Mirror, open_mirror
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Document, Event, ProvisionKind
from pykala.text.encoding import decode

ARCHIVE = Path(__file__).resolve().parents[4] / "shared" / "corpora" / "nyc.tar.zst"

pytestmark = pytest.mark.corpora


@pytest.fixture(scope="module")
def mirror() -> Iterator[Mirror]:
    if not ARCHIVE.exists():
        pytest.skip(f"the real corpus is absent: {ARCHIVE.name} is not beside the repository")
    with open_mirror(ARCHIVE) as opened:
        yield opened


@pytest.fixture(scope="module")
def text(mirror: Mirror) -> str:
    (path,) = [path for path in mirror.paths() if path.endswith(".txt")]
    return decode(mirror.read(path).data).text


@pytest.fixture(scope="module")
def document(mirror: Mirror) -> Document:
    return nyc_citations.read_title(ARCHIVE)


def test_every_section_of_the_file_is_one_of_ours(text: str, document: Document) -> None:
    in_file = [line.split()[1] for line in text.splitlines() if line.startswith("§ 11-")]
    ours = [
        provision.id.path[0].number.partition(".dup")[0]
        for provision in document.root.walk()
        if provision.kind is ProvisionKind.SECTION
    ]
    assert len(ours) >= 816
    assert Counter(ours) == Counter(in_file)
    assert str(document.root.children[0].id).endswith("sec_11-121")


def test_identifiers_are_unique_and_round_trip(document: Document) -> None:
    identifiers = [provision.id for provision in document.root.walk()]
    assert len(identifiers) == len(set(identifiers)) > 9_000
    assert all(ProvisionId.parse(str(one)) == one for one in identifiers)


def test_no_word_of_the_law_is_lost(text: str, document: Document) -> None:
    assert lost_words(text, document) == {}


def test_history_notes_become_changes_with_dates(document: Document) -> None:
    notes = [one for one in document.root.walk() if one.kind is ProvisionKind.HISTORICAL_NOTE]
    told = {reference.source for reference in document.references}
    assert len(notes) > 120
    assert {note.id for note in notes} == told
    assert all(reference.validity.start for reference in document.references)
    found = {str(one.id): one.versions[0] for one in document.root.walk() if one.versions}
    section = found["nyc:adc:11/sec_11-208.1"]
    assert (section.event, section.validity.start) == (Event.AMENDED, date(2021, 7, 18))
    assert str(section.source_act) == "nyc:ll:2021/80"


def test_words_of_past_years_end_with_them(document: Document) -> None:
    told = nyc_ended.score(document)
    print(f"precision {told.precision:.3f}, recall {told.recall:.3f}")
    assert (told.labelled, told.standing) == (327, 173)
    assert told.precision >= 0.99, told.wrong
    assert told.recall >= 0.97, told.wrong


def test_levels_by_labels_alone_agree_with_the_indents(text: str) -> None:
    same, labelled = levels_agree(text)
    assert labelled == 501
    assert same / labelled > 0.96


def test_citations_against_their_labels(document: Document) -> None:
    score = nyc_citations.score(document)
    assert score.stale == []
    assert score.labelled >= 300
    assert score.precision >= 0.97, "\n".join(score.wrong)
    assert score.recall >= 0.95, "\n".join(score.wrong)
