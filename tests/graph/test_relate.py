"""All references of a document, over a small grammar of our own ("section 5", "the Bank Act")."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from pykala.graph.relate import relate
from pykala.law.citations import CitationContext, FoundCitation, ResolvedCitation
from pykala.law.identifiers import ProvisionId, Step, WorkId
from pykala.law.provisions import Document, Provision, ProvisionKind, Version
from pykala.law.references import EdgeKind, Method, Reference, Unresolved
from pykala.law.validity import ALWAYS, Validity
from pykala.packs.pack import pack_for

WORK = WorkId("ca:act:X-1")
ROOT = ProvisionId(WORK)
EXCEPTION, YIELDING = {"en": ("despite",)}, {"en": ("subject to",)}
CITATION = re.compile(
    r"sections? \d+(?: to \d+)?(?: of the \w+ Act)?|the Bank Act|Schedule \?|Form \?( of the Bank Act)?"
)
SINCE = Validity(date(2010, 1, 1))


class Grammar:
    """Sections by number, ranges, one act by name, and a form that it finds but cannot resolve."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def find_citations(self, text: str, context: CitationContext) -> Sequence[FoundCitation]:
        self.read.append(text)
        assert context.document is not None
        assert context.provision is not None
        return [FoundCitation(found.start(), found.end(), found.group()) for found in CITATION.finditer(text)]

    def resolve(self, citation: FoundCitation, context: CitationContext) -> Sequence[ResolvedCitation]:
        if citation.text == "the Bank Act":
            return [ResolvedCitation(alias="bank act")]
        if citation.text == "Schedule ?":
            return []
        if citation.text.startswith("Form ?"):
            return [ResolvedCitation()]
        if name := re.search(r"of the (\w+ Act)", citation.text):
            path = (Step("sec", citation.text.split()[1]),)
            return [ResolvedCitation(alias=name[1].lower(), path=path)]
        first, *last = map(int, re.findall(r"\d+", citation.text))
        return [
            ResolvedCitation(target=ROOT.child("sec", str(n))) for n in range(first, (last or [first])[0] + 1)
        ]


def section(number: int, *versions: Version) -> Provision:
    return Provision(ROOT.child("sec", str(number)), ProvisionKind.SECTION, str(number), versions)


def document(*sections: Provision, references: tuple[Reference, ...] = ()) -> Document:
    root = Provision(ROOT, ProvisionKind.WORK, children=sections)
    return Document(WORK, "en", "An Act", root, (), references=references)


def related(*sections: Provision, references: tuple[Reference, ...] = ()) -> tuple[Reference, ...]:
    return relate(document(*sections, references=references), Grammar(), EXCEPTION, YIELDING)


def anchor(text: str, words: str, validity: Validity = ALWAYS) -> Reference:
    start = text.index(words)
    return Reference(
        ROOT.child("sec", "1"),
        EdgeKind.CITES,
        words,
        "en",
        Method.ANCHOR,
        start,
        start + len(words),
        alias="bank act",
        validity=validity,
    )


def test_a_citation_becomes_a_reference_with_its_span_and_dates() -> None:
    text = "Tax is due under section 5."
    (reference,) = related(section(1, Version(text, SINCE)))
    assert reference == Reference(
        ROOT.child("sec", "1"),
        EdgeKind.CITES,
        "section 5",
        "en",
        Method.CITATION,
        17,
        26,
        target=ROOT.child("sec", "5"),
        validity=SINCE,
    )


def test_a_range_gives_one_reference_each_and_all_yield_together() -> None:
    references = related(section(1, Version("Subject to sections 4 to 6, tax is due.")))
    assert [str(reference.target)[-5:] for reference in references] == ["sec_4", "sec_5", "sec_6"]
    assert all(reference.kind is EdgeKind.EXCEPTS and reference.reverse for reference in references)


def test_what_cannot_be_resolved_stays_with_a_reason() -> None:
    references = related(section(1, Version("See Schedule ? and Form ? and the Bank Act.")))
    assert [(reference.text, reference.reason) for reference in references] == [
        ("Schedule ?", Unresolved.NOT_UNDERSTOOD),
        ("Form ?", Unresolved.NOT_UNDERSTOOD),
        ("the Bank Act", None),
    ]
    assert references[-1].alias == "bank act"


def test_a_provision_does_not_cite_itself() -> None:
    assert related(section(5, Version("In this section 5 applies."))) == ()


def test_a_place_named_twice_counts_once_but_an_exception_counts_too() -> None:
    text = "Under section 5 and section 5, and despite section 5, tax is due."
    references = related(section(1, Version(text)))
    assert [(reference.kind, reference.start) for reference in references] == [
        (EdgeKind.CITES, 6),
        (EdgeKind.EXCEPTS, 43),
    ]


def test_each_wording_has_its_own_references() -> None:
    old, new = Validity(None, date(2010, 1, 1)), SINCE
    references = related(section(1, Version("Under section 5.", old), Version("Under section 6.", new)))
    assert [(str(reference.target)[-5:], reference.validity) for reference in references] == [
        ("sec_5", old),
        ("sec_6", new),
    ]


def test_markup_goes_before_what_the_text_seems_to_say() -> None:
    text = "Despite the Bank Act, tax is due under section 5."
    references = related(section(1, Version(text, SINCE)), references=(anchor(text, "Bank Act"),))
    assert [(r.text, r.kind, r.method, r.validity) for r in references] == [
        ("Bank Act", EdgeKind.EXCEPTS, Method.EXCEPTION, SINCE),
        ("section 5", EdgeKind.CITES, Method.CITATION, SINCE),
    ]


def test_in_a_longer_citation_markup_says_which_work_and_words_say_where() -> None:
    bank = ProvisionId(WorkId("ca:act:B-1.01"))
    text = "Despite section 9 of the Bank Act, tax is due; see Form ? of the Bank Act."
    first = replace(anchor(text, "Bank Act"), alias="", target=bank)
    start = text.rindex("Bank Act")
    second = replace(anchor(text, "Bank Act"), start=start, end=start + 8)
    references = related(section(1, Version(text, SINCE)), references=(first, second))
    assert [(r.text, r.kind, r.target, r.alias) for r in references] == [
        ("section 9 of the Bank Act", EdgeKind.EXCEPTS, bank.child("sec", "9"), ""),
        ("Bank Act", EdgeKind.CITES, None, "bank act"),
    ]


def test_a_citation_inside_an_anchor_is_the_anchor() -> None:
    text = "See section 9 of the Bank Act."
    linked = anchor(text, "section 9 of the Bank Act")
    assert related(section(1, Version(text, SINCE)), references=(linked,)) == (
        replace(linked, validity=SINCE),
    )


def test_an_anchor_belongs_to_the_wording_that_it_quotes() -> None:
    old, new = Validity(None, date(2010, 1, 1)), SINCE
    before, after = "Despite the Bank Act, no.", "Under the law and the Bank Act, yes."
    references = related(
        section(1, Version(before, old), Version(after, new)),
        references=(anchor(before, "Bank Act"), anchor(after, "Bank Act", new)),
    )
    assert [(reference.kind, reference.validity) for reference in references] == [
        (EdgeKind.EXCEPTS, old),
        (EdgeKind.CITES, new),
    ]


def test_links_without_a_place_in_the_text_are_kept_as_they_are() -> None:
    bare = Reference(
        ROOT.child("sec", "1"), EdgeKind.AMENDS, "2012, c. 19", "en", Method.ANCHOR, alias="2012 c 19"
    )
    lost = Reference(ROOT.child("sec", "99"), EdgeKind.CITES, "x", "en", Method.ANCHOR, alias="x")
    hollow = Reference(ROOT.child("sec", "2"), EdgeKind.CITES, "y", "en", Method.ANCHOR, alias="y")
    references = related(section(1, Version("Text.")), section(2), references=(lost, hollow, bare))
    assert references == (bare, hollow, lost)


FRAGMENTS = st.sampled_from(
    [
        "section 5",
        "section 1",
        "sections 2 to 4",
        "the Bank Act",
        "Form ?",
        "despite",
        "subject to",
        ",",
        ".",
        "and",
        "tax",
    ]
)


@given(st.lists(st.lists(FRAGMENTS, max_size=8).map(" ".join), min_size=1, max_size=4))
def test_references_quote_their_text_and_come_once_and_in_order(texts: list[str]) -> None:
    sections = [section(n, Version(text)) for n, text in enumerate(texts, start=1)]
    references = related(*sections)
    assert len(set(references)) == len(references)
    assert references == related(*sections)
    order = [(reference.source, reference.start) for reference in references]
    assert order == sorted(order)
    for reference in references:
        text = texts[int(reference.source.path[0].number) - 1]
        assert text[reference.start : reference.end] == reference.text
        assert reference.target != reference.source
        assert not reference.reverse or reference.kind is EdgeKind.EXCEPTS
        # Nothing is an exception without a word that says so.
        if reference.kind is EdgeKind.EXCEPTS:
            assert ("subject to" if reference.reverse else "despite") in text


def test_a_reference_takes_effect_on_the_day_that_its_words_name() -> None:
    """Article 66 of 2015/849 is law since 2015 and repeals two directives in 2017."""
    article = ProvisionId.parse("eu:32015L0849/art_66")
    text = "Directives 2005/60/EC and 2006/70/EC are repealed with effect from 26 June 2017."
    stands = Validity(date(2015, 6, 25), date(2027, 7, 10))
    node = Provision(article, ProvisionKind.ARTICLE, "", (Version(text, stands),))
    work = ProvisionId(article.work)
    document = Document(article.work, "en", "", Provision(work, ProvisionKind.WORK, "", (), (node,)), ())
    found = relate(document, pack_for("eu"), {}, {})
    assert {(one.target, one.kind, one.validity) for one in found} == {
        (ProvisionId.parse(f"eu:{act}"), EdgeKind.REPEALS, Validity(date(2017, 6, 26), date(2027, 7, 10)))
        for act in ("32005L0060", "32006L0070")
    }
