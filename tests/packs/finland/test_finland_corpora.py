"""The pack over the real archives beside the repository: all is read or refused, no word is lost."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree, html

from pykala.fetch.mirror import Mirror, open_mirror
from pykala.law.citations import CitationContext
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Document
from pykala.packs.finland import pack
from pykala.packs.pack import Reading, Snapshot, SourceItem

CORPORA = Path(__file__).parents[4] / "shared" / "corpora"
_UNSEEN = re.compile(r"[\s\u00ad\u200b\u200c\u200d\u2060\ufeff|]+")

pytestmark = pytest.mark.corpora


def archive(name: str) -> Iterator[Mirror]:
    path = CORPORA / name
    if not path.exists():
        pytest.skip(f"the corpus {name} is not beside the repository (looked in ../shared/corpora)")
    with open_mirror(path) as mirror:
        yield mirror


@pytest.fixture(scope="module")
def statutes() -> Iterator[Mirror]:
    yield from archive("finland-akn.tar.zst")


@pytest.fixture(scope="module")
def pages() -> Iterator[Mirror]:
    yield from archive("finland-web.tar.zst")


def read(mirror: Mirror, item: SourceItem) -> tuple[Reading, list[Snapshot]]:
    files = [mirror.read(path) for path in item.paths]
    snapshots = [Snapshot(file.path, file.data, file.sha256) for file in files]
    return pack.read(item, snapshots), snapshots


def check_identifiers(document: Document) -> None:
    identifiers = [provision.id for provision in document.root.walk()]
    assert len(set(identifiers)) == len(identifiers), document.work
    assert all(ProvisionId.parse(str(one)) == one for one in identifiers)
    assert all(provision.versions for provision in document.root.walk())


def squeezed(text: str) -> str:
    return _UNSEEN.sub("", text)


def lost_words(document: Document, source: Iterator[str]) -> list[str]:
    """The pieces of the source's text that no provision holds."""
    held = squeezed("".join(p.label + p.heading + p.versions[-1].text for p in document.root.walk()))
    return [piece for piece in source if squeezed(piece) not in held]


def statute_text(data: bytes) -> Iterator[str]:
    for part in ("preface", "preamble", "body"):
        for element in etree.fromstring(data).iter(f"{{*}}{part}"):
            yield from map(str, element.itertext())


def page_text(data: bytes) -> Iterator[str]:
    root = html.document_fromstring(data, parser=html.HTMLParser(encoding="utf-8"))
    main = root.find(".//article")
    main = main if main is not None else root.find("body")
    title = next(main.iter("h1"))
    for element in main.iter():
        yield element.text or "" if element is not title else ""
        yield element.tail or "" if element is not main else ""


def test_statutes_read_without_loss(statutes: Mirror) -> None:
    items = list(pack.works(statutes.paths()))
    assert len(items) == 2_053
    for item in items[::25]:
        reading, snapshots = read(statutes, item)
        assert not reading.refusals
        assert [document.language for document in reading.documents] == ["fi", "sv"]
        assert reading.work is not None
        assert reading.work.validity.start is not None, item.name
        by_language = {"fi": snapshots[0], "sv": snapshots[1]}
        for document in reading.documents:
            check_identifiers(document)
            assert not lost_words(document, statute_text(by_language[document.language].data))


def test_statutes_pair_their_languages(statutes: Mirror) -> None:
    sure = pairs = sections = 0
    for item in list(pack.works(statutes.paths()))[::25]:
        reading, _ = read(statutes, item)
        pairs += len(reading.pairings)
        sure += sum(pairing.confidence == 1.0 for pairing in reading.pairings)
        sections += sum(1 for provision in reading.documents[0].root.walk() if provision.id.path)
    assert sure / pairs > 0.99
    assert pairs / sections > 0.99


@pytest.mark.parametrize(("source", "at_least"), [("kho", 7_000), ("kvl", 1_100), ("vero", 540)])
def test_pages_read_without_loss(pages: Mirror, source: str, at_least: int) -> None:
    items = [item for item in pack.works(pages.paths()) if item.name.startswith(f"{source}:")]
    assert len(items) >= at_least
    for item in items[:: len(items) // 45]:
        reading, (snapshot,) = read(pages, item)
        assert not reading.refusals, item.name
        (document,) = reading.documents
        check_identifiers(document)
        assert not lost_words(document, page_text(snapshot.data)), item.name


def test_citations_of_rulings_reach_sections(pages: Mirror) -> None:
    items = [item for item in pack.works(pages.paths()) if item.name.startswith("kho:")]
    depths: Counter[str] = Counter()
    for item in items[::150]:
        (document,) = read(pages, item)[0].documents
        for provision in document.root.walk():
            context = CitationContext(document.language, provision.id, document)
            for citation in pack.find_citations(provision.versions[0].text, context):
                for resolved in pack.resolve(citation, context):
                    path = resolved.target.path if resolved.target else resolved.path
                    depths["nowhere" if resolved.reason else "section" if path else "work"] += 1
    assert depths["section"] > 5 * depths["nowhere"], depths
