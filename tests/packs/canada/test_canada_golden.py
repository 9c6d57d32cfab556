"""The sample against its goldens; a missing one is written, and the test fails so that a person looks."""

from __future__ import annotations

import json
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from bench.completeness.canada import lost_words
from pykala.fetch.xml import parse_xml
from pykala.law.provisions import Document
from pykala.packs.canada import pack
from pykala.packs.pack import Reading, Snapshot, SourceItem

SAMPLE = Path(str(files("pykala.packs.canada"))) / "sample"
GOLDEN = Path(__file__).parent / "golden"
ITEMS = list(pack.works(path.relative_to(SAMPLE).as_posix() for path in SAMPLE.rglob("*.xml")))


def snapshots(item: SourceItem) -> list[Snapshot]:
    found = ((path, (SAMPLE / path).read_bytes()) for path in item.paths)
    return [Snapshot(path, data, sha256(data).hexdigest()) for path, data in found]


def outline(document: Document) -> list[dict[str, Any]]:
    """Every provision as a golden has it."""
    return [
        {
            "provision": str(provision.id),
            "kind": provision.kind.value,
            "label": provision.label,
            "heading": version.heading,
            "text": version.text,
            "start": version.validity.start and version.validity.start.isoformat(),
            "event": version.event.value,
            "history_unavailable": version.history_unavailable,
        }
        for provision in document.root.walk()
        for version in provision.versions
    ]


def golden(reading: Reading) -> dict[str, Any]:
    return {
        "documents": {document.language: outline(document) for document in reading.documents},
        "references": [
            [
                str(reference.source),
                reference.language,
                reference.text,
                str(reference.target or reference.alias),
            ]
            for document in reading.documents
            for reference in document.references
        ],
        "terms": [
            [term.term, term.language, str(term.provision), str(term.scope)]
            for document in reading.documents
            for term in document.terms
        ],
        "pairings": [[str(pair.first), pair.confidence, pair.method] for pair in reading.pairings],
    }


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.name)
def test_the_sample_reads_as_its_golden(item: SourceItem) -> None:
    reading = pack.read(item, snapshots(item))
    assert reading.refusals == ()
    found = golden(reading)
    path = GOLDEN / f"{item.name.replace(':', '_')}.json"
    if not path.exists():
        path.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", "utf-8")
        pytest.fail(f"{path.name} was missing and has been written: read it, then run the test again")
    assert found == json.loads(path.read_text("utf-8"))


def test_the_sample_covers_what_it_must() -> None:
    assert [item.name for item in ITEMS] == ["ca:act:E-15", "ca:act:E-5.6", "ca:reg:SOR-96-332"]
    assert all(len(item.paths) == 2 for item in ITEMS)


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.name)
def test_every_sample_says_that_it_is_no_law_and_loses_no_word(item: SourceItem) -> None:
    reading = pack.read(item, snapshots(item))
    for snapshot, document in zip(snapshots(item), reading.documents, strict=True):
        texts = [version.text for provision in document.root.walk() for version in provision.versions]
        assert any("not law" in text or "n’est ni une loi" in text for text in texts)
        assert lost_words(parse_xml(snapshot.data, snapshot.path), document) == {}


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.name)
def test_both_languages_have_the_same_places_but_for_one_tombstone(item: SourceItem) -> None:
    one, other = (
        {str(provision.id) for provision in document.root.walk()}
        for document in pack.read(item, snapshots(item)).documents
    )
    # A repealed definition names no term in the other language: nothing pairs the two.
    assert {place.rpartition("/")[2] for place in one ^ other} <= {
        "def_board-of-referees",
        "def_conseil-arbitral",
    }
