"""What the pack makes of its own sample, written down; a missing expectation is written and fails once."""

from __future__ import annotations

import hashlib
import json
from datetime import date
from importlib.resources import files
from pathlib import Path

import pytest

from pykala.law.citations import CitationContext
from pykala.law.composition import compose
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Document, Provision, Version
from pykala.packs.finland import pack
from pykala.packs.pack import Reading, Snapshot, SourceItem

GOLDEN = Path(__file__).parent / "golden"
SAMPLE = Path(str(files("pykala.packs.finland").joinpath("sample")))
PATHS = sorted(str(path.relative_to(SAMPLE)) for path in SAMPLE.rglob("*") if path.is_file())
ITEMS = {item.name: item for item in pack.works(PATHS)}
LARGEST_SAMPLE = 150_000


def read(item: SourceItem) -> Reading:
    snapshots = []
    for path in item.paths:
        data = (SAMPLE / path).read_bytes()
        snapshots.append(Snapshot(path, data, hashlib.sha256(data).hexdigest()))
    return pack.read(item, snapshots)


def golden_path(name: str) -> Path:
    """`act:1992/1535` is act-1992-1535.json; a page goes by the name of its file."""
    source, _, rest = name.partition(":")
    plain = rest.replace("/", "-") if source == "act" else Path(rest).stem.removesuffix(" - vero.fi")
    return GOLDEN / f"{source}-{plain}.json"


def _version(version: Version) -> dict[str, object]:
    said: dict[str, object] = {"text": version.text}
    for name in ("start", "end"):
        if day := getattr(version.validity, name):
            said[name] = day.isoformat()
    for name in ("heading", "source_act", "application", "authentic", "history_unavailable"):
        if value := getattr(version, name):
            said[name] = value if isinstance(value, bool) else str(value)
    if version.findings:
        said["findings"] = [finding.plain() for finding in version.findings]
    return {**said, "event": version.event.value}


def _provision(provision: Provision, document: Document) -> dict[str, object]:
    context = CitationContext(document.language, provision.id, document)
    cited = [
        " ".join([citation.text, "→", *(str(one.target or one.alias or one.reason) for one in resolved)])
        for version in provision.versions
        for citation in pack.find_citations(version.text, context)
        for resolved in [pack.resolve(citation, context)]
    ]
    said: dict[str, object] = {
        "id": str(provision.id),
        "kind": provision.kind.value,
        "label": provision.label,
    }
    said["versions"] = [_version(version) for version in provision.versions]
    return {**said, "cites": cited} if cited else said


def as_json(reading: Reading) -> str:
    work = reading.work
    assert work is not None
    table = {
        "work": {
            "id": str(work.id),
            "kind": work.kind.value,
            "authority": work.authority,
            "titles": list(map(list, work.titles)),
            "abbreviations": list(work.abbreviations),
            "aliases": list(work.aliases),
            "issued": str(work.issued),
        },
        "pairings": len(reading.pairings),
        "refusals": [refusal.reason for refusal in reading.refusals],
        "documents": [
            {
                "language": document.language,
                "title": document.title,
                "translation": document.translation,
                "references": [
                    f"{one.source} {one.kind} {one.text} → {one.target or one.alias}"
                    for one in document.references
                ],
                "provisions": [_provision(provision, document) for provision in document.root.walk()],
            }
            for document in reading.documents
        ],
    }
    return json.dumps(table, ensure_ascii=False, indent=1) + "\n"


@pytest.mark.parametrize("name", ITEMS)
def test_the_sample_reads_as_written_down(name: str) -> None:
    expected, found = golden_path(name), as_json(read(ITEMS[name]))
    if not expected.exists():
        GOLDEN.mkdir(exist_ok=True)
        expected.write_text(found, "utf-8")
        pytest.fail(f"{expected.name} was missing and is now written: look at it, then run again")
    assert found == expected.read_text("utf-8"), f"{expected.name} differs; delete it to write it anew"


def test_every_golden_file_has_its_sample() -> None:
    assert {golden_path(name) for name in ITEMS} == set(GOLDEN.glob("*.json"))


def test_the_sample_is_small_and_wholly_read() -> None:
    assert sum((SAMPLE / path).stat().st_size for path in PATHS) < LARGEST_SAMPLE
    assert sorted(path for item in ITEMS.values() for path in item.paths) == PATHS


def test_each_sample_document_says_that_it_is_a_paraphrase() -> None:
    for item in ITEMS.values():
        for document in read(item).documents:
            words = " ".join(v.text for p in document.root.walk() for v in p.versions)
            assert any(sign in words for sign in ("mukaelma", "omskriven provtext", "paraphrased sample")), (
                item.name
            )


@pytest.mark.parametrize(
    ("language", "as_of", "words"),
    [
        ("fi", date(2026, 6, 1), ("30 000 euroa", "veroprosentti on 34")),
        ("sv", date(2026, 6, 1), ("30 000 euro", "skatteprocenten 34")),
        ("en", date(2026, 6, 1), ("above 30,000 euros", "34 per cent")),
        ("en", date(2015, 6, 1), ("above 30,000 euros", "33 per cent")),
        ("en", date(2014, 6, 1), ("above 40,000 euros", "32 per cent")),
        ("en", date(2013, 6, 1), ("above 50,000 euros", "32 per cent")),
        ("en", date(2010, 6, 1), ("28 per cent",)),
    ],
)
def test_the_capital_income_rate_is_that_of_the_day(
    language: str, as_of: date, words: tuple[str, ...]
) -> None:
    documents = {one.language: one for one in read(ITEMS["act:1992/1535"]).documents}
    section = next(p for p in documents[language].root.walk() if str(p.id).endswith("/sec_124"))
    standing = section.at(as_of)
    assert standing is not None
    text = compose(standing).text
    assert all(word in text for word in words)
    assert "sanamuoto" not in text


def test_every_reference_of_the_sample_to_the_sample_has_its_target() -> None:
    readings = [read(item) for item in ITEMS.values()]
    known = {p.id for reading in readings for d in reading.documents for p in d.root.walk()}
    works = {identifier.work for identifier in known}
    missing: set[ProvisionId] = set()
    for reading in readings:
        for document in reading.documents:
            for provision in document.root.walk():
                context = CitationContext(document.language, provision.id, document)
                for version in provision.versions:
                    for citation in pack.find_citations(version.text, context):
                        targets = (one.target for one in pack.resolve(citation, context))
                        missing |= {t for t in targets if t and t.work in works and t not in known}
    # 85 a § of the Value Added Tax Act is cited and is not part of the extract.
    assert {str(target) for target in missing} == {"fi:act:1993/1501/sec_85a"}
