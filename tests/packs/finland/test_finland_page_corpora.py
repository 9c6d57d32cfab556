"""The pages of the real archive, a sample of each kind: read whole, matched right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import html

from pykala.fetch.mirror import Mirror, open_mirror
from pykala.law.identifiers import WorkId
from pykala.law.provisions import Document, ProvisionKind
from pykala.packs.finland import pack
from pykala.packs.finland.pages.page_facts import is_statute_page, page_facts, work_id
from pykala.packs.finland.pages.page_matching import match_pages
from pykala.packs.finland.pages.statute_pages import read_statute_page
from pykala.packs.finland.treaties.reading import TreatyFiles, read_treaty
from pykala.packs.pack import Snapshot

CORPORA = Path(__file__).parents[4] / "shared" / "corpora"
_UNSEEN = re.compile(r"[\s\u00ad\u200b\u200c\u200d\u2060\ufeff|_–―—-]+")
_WORD = re.compile(r"\w+")

pytestmark = pytest.mark.corpora


@pytest.fixture(scope="module")
def web() -> Iterator[Mirror]:
    path = CORPORA / "finland-web.tar.zst"
    if not path.exists():
        pytest.skip(
            "the corpus finland-web.tar.zst is not beside the repository (looked in ../shared/corpora)"
        )
    with open_mirror(path) as mirror:
        yield mirror


def lost(document: Document, data: bytes) -> list[str]:
    """The pieces of a page's text that no provision holds."""
    root = html.document_fromstring(data, parser=html.HTMLParser(encoding="utf-8"))
    body = root.find("body")
    assert body is not None
    title = next(body.iter("h1"))
    lines = [
        f"{p.label} {v.heading} {v.text} {v.application}" for p in document.root.walk() for v in p.versions
    ]
    held = _UNSEEN.sub("", "".join(lines))
    together = [set(_WORD.findall(line)) for line in lines]
    pieces = [
        text
        for element in body.iter()
        for text in (element.text if element is not title else "", element.tail)
        if text and text.strip()
    ]
    # The note in "26 artikla (SopS 94–95/2011) - Otsikko" goes behind the heading: same words, other order.
    return [
        piece
        for piece in pieces
        if _UNSEEN.sub("", piece) not in held
        and not any(set(_WORD.findall(piece)) <= words for words in together)
    ]


def test_statute_pages_read_without_loss(web: Mirror) -> None:
    paths = sorted(filter(is_statute_page, web.paths()))
    assert len(paths) > 54_000
    kinds = set()
    for path in paths[::400]:
        file = web.read(path)
        reading = read_statute_page(
            Snapshot(path, file.data, file.sha256), pack.facts, WorkId("fi:statute:sample")
        )
        assert not reading.refusals, path
        (document,) = reading.documents
        assert not lost(document, file.data), path
        identifiers = [provision.id for provision in document.root.walk()]
        assert len(set(identifiers)) == len(identifiers), path
        kinds |= {provision.kind for provision in document.root.walk()}
    assert {ProvisionKind.SECTION, ProvisionKind.ENACTING_CLAUSE, ProvisionKind.ENTRY_INTO_FORCE} <= kinds


def test_treaties_read_without_loss(web: Mirror) -> None:
    items = list(TreatyFiles.items(web.paths()))
    assert len(items) == 73
    works = set()
    for item in items[::6]:
        file = web.read(item.paths[0])
        reading = read_treaty(item, [Snapshot(file.path, file.data, file.sha256)], pack.facts)
        assert reading.work is not None
        works.add(reading.work.id)
        (document,) = reading.documents
        assert not lost(document, file.data), item.name
        articles = [one for one in document.root.walk() if one.kind is ProvisionKind.ARTICLE]
        assert len(articles) >= 24, item.name
    assert len(works) == len(items[::6])


def test_the_income_tax_act_and_its_amendments_find_their_numbers(web: Mirror) -> None:
    """Without any other source: the consolidated page's own list numbers the amending pages."""
    named = re.compile(r"/(?:Tuloverolaki|Laki tuloverolain .*muuttamisesta(?:_\d+)?)\.html$")
    pages = [page_facts(path, web.read(path).data) for path in sorted(web.paths()) if named.search(path)]
    matches, unmatched = match_pages(pages, [])
    base = next(page for page in pages if page.listed)
    assert matches[base.path].work == work_id("1535", "1992")
    listed = {act.work for act in base.listed}
    amending = [path for path, match in matches.items() if match.work in listed]
    # Many share their words on entry into force; what other sources tell of sections is not at hand here.
    assert len(amending) >= 60, (len(amending), len(pages), len(unmatched))
    works = [matches[path].work for path in amending]
    assert len(set(works)) == len(works)
