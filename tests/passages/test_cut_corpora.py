"""The same properties over real law: New York City's code as plain text, Canada's as XML.

The readers here are of the simplest kind, for the text's sake only; the packs have their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from lxml import etree

from pykala.fetch.mirror import open_mirror
from pykala.law.composition import compose
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Document, Provision, ProvisionKind, Version
from pykala.passages.cut import CHILDREN, PARENTS, cut
from pykala.text.sentences import sentences
from pykala.text.tokens import count_tokens

CORPORA = Path(__file__).parents[2].parent / "shared" / "corpora"
CITATION = re.compile(
    r"(?:[Ss]ections?|[Ss]ubsections?|[Pp]aragraphs?|[Ss]ubdivisions?|articles?|paragraphes?|alinéas?) "
    r"(?:\d[\w.-]*|\([\w.]+\))(?:\([\w.]+\))*"
)
KINDS = {
    "Subsection": ProvisionKind.SUBSECTION,
    "Definition": ProvisionKind.DEFINITION,
    "Paragraph": ProvisionKind.ITEM,
    "Subparagraph": ProvisionKind.ITEM,
    "Clause": ProvisionKind.ITEM,
}


def members(archive: str, pattern: str, limit: int) -> Iterator[bytes]:
    path = CORPORA / archive
    if not path.exists():
        pytest.skip(f"{archive} is not in ../shared/corpora: passages are not tried on its real text")
    with open_mirror(path) as mirror:
        wanted = (name for name in mirror.paths() if re.search(pattern, name))
        for name in islice(wanted, limit):
            yield mirror.read(name).data


def new_york() -> Iterator[Provision]:
    work = ProvisionId(WorkId("nyc:adc:11"))
    (data,) = members("nyc.tar.zst", r"\.txt$", 1)
    text = data.decode("utf-8", "replace")
    for n, part in enumerate(re.split(r"(?m)^(?=§ 11-)", text)[1:]):
        place = work.child("sec", str(n))
        head, _, body = part.partition("\n")
        paragraphs = re.split(r"\n(?:\s*\n|(?= {3}))", body)
        children = []
        for m, paragraph in enumerate(filter(str.strip, paragraphs)):
            words = " ".join(paragraph.split())
            label = re.match(r"(?:\(\w{1,4}\)|\w{1,3}\.) +(?=\S)", words)
            children.append(
                Provision(
                    place.child("subd", str(m)),
                    ProvisionKind.SUBSECTION,
                    label[0].strip() if label else "",
                    (Version(words[label.end() :] if label else words),),
                )
            )
        heading = " ".join(head.split())
        yield Provision(place, ProvisionKind.SECTION, "", (Version("", heading=heading),), tuple(children))


def canada(language: str) -> Iterator[Provision]:
    work = ProvisionId(WorkId("ca:act:X-1"))
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    folder = {"en": "eng/acts", "fr": "fra/lois"}[language]
    for n, data in enumerate(members("canada.tar.zst", rf"{folder}/[^/]+\.xml$", 25)):
        for m, element in enumerate(etree.fromstring(data, parser).iter("Section")):
            yield built(element, work.child("sec", f"{n}.{m}"), ProvisionKind.SECTION)


def built(element: etree._Element, place: ProvisionId, kind: ProvisionKind) -> Provision:
    def words(tag: str) -> str:
        return " ".join(" ".join("".join(map(str, e.itertext())).split()) for e in element if e.tag == tag)

    children = tuple(
        built(below, place.child("item", str(n)), KINDS[str(below.tag)])
        for n, below in enumerate(element)
        if below.tag in KINDS
    )
    version = Version(words("Text"), heading=words("MarginalNote"))
    return Provision(place, kind, words("Label"), (version,), children)


@pytest.mark.corpora
@pytest.mark.parametrize("source", ["nyc", "canada-en", "canada-fr"])
def test_real_sections_are_cut_without_loss(source: str) -> None:
    language = "fr" if source.endswith("fr") else "en"
    found = list(new_york() if source == "nyc" else canada(language))
    assert len(found) > 500
    work = found[0].id.work
    root = Provision(ProvisionId(work), ProvisionKind.WORK)
    document = Document(work, language, source, root, ())
    long = 0
    for section in found:
        long += _check(document, section)
    assert long > 0  # the sample has sections that need more than one parent


def _check(document: Document, section: Provision) -> bool:
    composed = compose(section)
    text = composed.text
    passages = list(cut(document, [((document.root,), section)]))
    overlong = count_tokens(text) > PARENTS.ceiling
    assert overlong or len(passages) <= 1
    spans = [span for line in composed.lines for span in _sentences(text, line.start, line.end)]
    starts, ends = {start for start, _ in spans}, {end for _, end in spans}
    longest = max((end - start for start, end in spans), default=0)
    endless = any(count_tokens(text[start:end]) > PARENTS.ceiling for start, end in spans)
    held = bytearray(len(text))
    inside_citations = {
        place for found in CITATION.finditer(text) for place in range(found.start() + 1, found.end())
    }
    for passage in passages:
        assert count_tokens(passage.text) <= PARENTS.ceiling
        for child in passage.children:
            start, end = passage.offset + child.start, passage.offset + child.end
            held[start:end] = b"x" * (end - start)
            assert end - start <= max(CHILDREN.ceiling, longest + 2 * CHILDREN.scrap)
            assert not {start, end} & inside_citations, text[start:end]
            assert not text or endless or (start in starts and end in ends), text[start:end]
    assert all(inside or letter.isspace() for inside, letter in zip(held, text, strict=True))
    return overlong


def _sentences(text: str, start: int, end: int) -> list[tuple[int, int]]:
    whole = text[start:end].strip()
    first = start + text[start:end].index(whole)
    spans = [(start + a, start + b) for a, b in sentences(text[start:end])]
    return [(first, first + len(whole)), *spans]
