"""The real archive, one work in forty: everything is read, counted right, named once, and no word is lost."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from bench.completeness.canada import lost_words
from pykala.fetch.mirror import open_mirror
from pykala.fetch.xml import parse_xml
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Document, ProvisionKind
from pykala.packs.canada import pack
from pykala.packs.canada.naming import item_name
from pykala.packs.pack import Reading, Snapshot

ARCHIVE = Path(__file__).resolve().parents[4] / "shared" / "corpora" / "canada.tar.zst"
ONE_IN = 40
#: Every section of the file, save those that are quoted from another text.
SECTIONS = "count(//Section[not(ancestor::AmendedText or ancestor::ReadAsText or ancestor::QuotedText)])"
BODY_SECTIONS = "count(/*/Body/Section)"

pytestmark = pytest.mark.corpora


def chosen(path: str) -> bool:
    name = item_name(path)
    return name is not None and int(sha256(name.encode()).hexdigest(), 16) % ONE_IN == 0


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    if not ARCHIVE.exists():
        pytest.skip(f"the real corpus is absent: {ARCHIVE.name} is not beside the repository")
    with open_mirror(ARCHIVE) as mirror:
        return {path: mirror.read(path).data for path in mirror.paths() if chosen(path)}


@pytest.fixture(scope="module")
def readings(files: dict[str, bytes]) -> list[Reading]:
    return [
        pack.read(item, [Snapshot(path, files[path], "0" * 64) for path in item.paths])
        for item in pack.works(files)
    ]


@pytest.fixture(scope="module")
def documents(readings: list[Reading]) -> list[Document]:
    return [document for reading in readings for document in reading.documents]


def sections(document: Document) -> Iterator[ProvisionId]:
    return (provision.id for provision in document.root.walk() if provision.kind is ProvisionKind.SECTION)


def test_all_are_read_in_both_languages(files: dict[str, bytes], readings: list[Reading]) -> None:
    assert len(files) > 200
    assert [refusal for reading in readings for refusal in reading.refusals] == []
    assert sum(len(reading.documents) for reading in readings) == len(files)
    assert all(len(reading.documents) == 2 for reading in readings)


def test_section_counts_are_those_of_the_xml(files: dict[str, bytes], documents: list[Document]) -> None:
    for document in documents:
        path = document.manifestations[0].path
        root = parse_xml(files[path], path)
        found = list(sections(document))
        assert len(found) == root.xpath(SECTIONS), path
        body = [place for place in found if len(place.path) == 1]
        assert len(body) >= root.xpath(BODY_SECTIONS), path


def test_identifiers_are_unique_and_round_trip(documents: list[Document]) -> None:
    for document in documents:
        identifiers = [provision.id for provision in document.root.walk()]
        assert len(identifiers) == len(set(identifiers)), document.manifestations[0].path
        assert all(ProvisionId.parse(str(identifier)) == identifier for identifier in identifiers)


def test_no_word_of_the_law_is_lost(files: dict[str, bytes], documents: list[Document]) -> None:
    for document in documents:
        path = document.manifestations[0].path
        assert lost_words(parse_xml(files[path], path), document) == {}, path


def test_spans_of_links_are_exact(documents: list[Document]) -> None:
    for document in documents:
        texts = {provision.id: provision.versions[-1].text for provision in document.root.walk()}
        for reference in document.references:
            assert texts[reference.source][reference.start : reference.end] == reference.text


def test_nearly_all_places_are_the_same_in_both_languages(readings: list[Reading]) -> None:
    shared = different = paired = total = 0
    for reading in readings:
        english, french = reading.documents
        one, other = ({provision.id for provision in document.root.walk()} for document in (english, french))
        shared, different = shared + len(one & other), different + len(one ^ other)
        wanted = set(sections(english))
        paired += sum(pair.confidence >= 0.8 for pair in reading.pairings if pair.first in wanted)
        total += len(wanted)
    assert different / (shared + different) < 0.03
    assert paired / total > 0.99
