"""The sample against its goldens; a missing one is written, and the test fails so that a person looks."""
# ruff: noqa: E501 - a case reads better on one line

from __future__ import annotations

import json
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from bench.completeness.eu import lost_words
from pykala.law.provisions import Document
from pykala.packs.eu import pack
from pykala.packs.pack import Reading, Snapshot, SourceItem

SAMPLE = Path(str(files("pykala.packs.eu"))) / "sample"
GOLDEN = Path(__file__).parent / "golden"
ITEMS = list(pack.works(path.relative_to(SAMPLE).as_posix() for path in SAMPLE.rglob("*") if path.is_file()))
PAGES = sorted(SAMPLE.rglob("*.xml"))


def snapshots(item: SourceItem) -> list[Snapshot]:
    found = ((path, (SAMPLE / path).read_bytes()) for path in item.paths)
    return [Snapshot(path, data, sha256(data).hexdigest()) for path, data in found]


def outline(document: Document) -> list[dict[str, Any]]:
    """Every version of every provision as a golden has it."""
    return [
        {
            "provision": str(provision.id),
            "kind": provision.kind.value,
            "label": provision.label,
            "heading": version.heading,
            "text": version.text,
            "start": version.validity.start and version.validity.start.isoformat(),
            "end": version.validity.end and version.validity.end.isoformat(),
            "event": version.event.value,
            "source": str(version.source_act or ""),
            "application": version.application,
        }
        for provision in document.root.walk()
        for version in provision.versions
    ]


def golden(reading: Reading) -> dict[str, Any]:
    assert reading.work is not None
    return {
        "work": [
            str(reading.work.id), reading.work.kind.value, reading.work.short_titles, reading.work.abbreviations,
            reading.work.aliases,
        ],
        "documents": {document.language: outline(document) for document in reading.documents},
        "references": [
            [str(reference.source), reference.kind.value, reference.text, str(reference.target)]
            for document in reading.documents
            for reference in document.references
        ],
        "terms": [
            [term.term, term.language, str(term.provision), str(term.scope)]
            for document in reading.documents
            for term in document.terms
        ],
        "pairings": [[str(pair.first), pair.confidence, pair.method] for pair in reading.pairings],
    }  # fmt: skip


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.name)
def test_the_sample_reads_as_its_golden(item: SourceItem) -> None:
    reading = pack.read(item, snapshots(item))
    assert reading.refusals == ()
    found = json.loads(json.dumps(golden(reading)))
    path = GOLDEN / f"{item.name.replace(':', '_').replace('/', '-')}.json"
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", "utf-8")
        pytest.fail(f"{path.name} was missing and has been written: read it, then run the test again")
    assert found == json.loads(path.read_text("utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=lambda path: "/".join(path.parts[-4:]))
def test_no_word_of_the_sample_is_lost(page: Path) -> None:
    assert not lost_words(Snapshot(page.name, page.read_bytes(), ""), "page")


def test_there_is_a_sample_in_both_languages() -> None:
    assert {item.name for item in ITEMS} == {"eu:31995L0046", "eu:32006L0112", "eu:32016R0679"}
    assert {page.stem for page in PAGES} == {"en", "fr"}
