"""Uploads are always cited as uploads, and refer to nothing but themselves."""

from __future__ import annotations

import hashlib

import pytest
from test_uploads_readers import CONTRACT, document, read

from pykala.graph.relate import relate
from pykala.law.citations import CitationContext
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Work, WorkKind
from pykala.law.references import EdgeKind, Unresolved
from pykala.packs.pack import Pack
from pykala.packs.uploads import pack, work_of
from pykala.packs.uploads.citing import upload_title

WORK = Work(WorkId("up:0123456789abcdef"), WorkKind.UPLOAD, 10, titles=(("en", "Upload “contract.pdf”"),))


def test_it_is_a_pack() -> None:
    held: Pack = pack
    assert (held.facts.code, held.facts.authority, held.facts.hosts) == ("up", {"upload": 10}, ())
    assert held.facts.authority_reasons["upload"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("", ""),
        ("/sec_3", ", § 3"),
        ("/sec_3/subsec_3.1", ", § 3.1"),
        ("/sec_3/subsec_3.1/pnt_a", ", § 3.1(a)"),
        ("/sec_3/subsec_2/pnt_i", ", § 3(2)(i)"),
        ("/art_7/para_2", ", art. 7, para. 2"),
        ("/chp_2/sec_1", ", chapter 2, § 1"),
        ("/sched_1/pnt_2", ", schedule 1(2)"),
        ("/head_4/table_1", ", heading 4, table 1"),
        ("/para_12", ", para. 12"),
    ],
)
@pytest.mark.parametrize("language", ["en", "fi", "sv", "fr"])
def test_every_citation_says_that_it_is_an_upload(path: str, expected: str, language: str) -> None:
    provision = ProvisionId.parse(f"{WORK.id}{path}")
    assert pack.cite(provision, WORK, language) == f"Upload “contract.pdf”{expected}"
    assert pack.url(provision, WORK, language) == ""
    nameless = Work(WORK.id, WorkKind.UPLOAD, 10, titles=(("en", "Income Tax Act"),))
    assert pack.cite(provision, nameless, language).startswith("Upload “")


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("home/user/contract.pdf", "Upload “contract.pdf”"),
        ("a”, § 5 “b.txt", "Upload “a', § 5 'b.txt”"),
        ("x [L1].txt", "Upload “x (L1).txt”"),
        ("a\u202egnp.exe", "Upload “a\\u202egnp.exe”"),
    ],
)
def test_a_name_is_shown_and_no_folder(path: str, title: str) -> None:
    assert upload_title(path) == title
    assert len(upload_title("x" * 500)) < 100


def test_the_same_bytes_are_one_work_whatever_the_name() -> None:
    one, other = read("a/contract.txt", CONTRACT).work, read("b/copy.txt", CONTRACT).work
    assert one is not None
    assert other is not None
    assert one.id == other.id == work_of(hashlib.sha256(CONTRACT.encode()).hexdigest())
    assert (one.kind, one.authority, one.aliases) == (WorkKind.UPLOAD, 10, ())
    file = document("a/b/contract.txt", CONTRACT).manifestations[0]
    assert (file.path, file.url, file.format) == ("contract.txt", "", "text")


def test_an_upload_cannot_take_the_name_of_an_act() -> None:
    work = read("x.md", "# Income Tax Act\n\nThe rate is 1 per cent.").work
    assert work is not None
    assert work.titles == (("en", "Upload “x.md”"),)
    assert (work.short_titles, work.abbreviations, work.aliases) == ((), (), ())


TEXT = """1. Fee
The fee is due under section 2.1(a), § 3, clause 9 and article 7, but not under section 5 of the Act,
fi:act:1992/1535/sec_124, TVL 124 §, tuloverolain 2 § or [L1].

2. Payment
2.1 The customer pays:
(a) in cash. Subject to section 3, interest runs.

3. Term
One year.

Article 7
Ends on notice.
"""


def test_references_lead_into_the_same_document_and_nowhere_else() -> None:
    read_document = document("a.txt", TEXT)
    facts = pack.facts
    found = relate(read_document, pack, facts.exception_cues, facts.yielding_cues)
    work = read_document.work
    assert [(one.text, str(one.target or one.reason), one.kind) for one in found] == [
        ("section 2.1(a)", f"{work}/sec_2/subsec_2.1/pnt_a", EdgeKind.CITES),
        ("§ 3", f"{work}/sec_3", EdgeKind.CITES),
        ("clause 9", Unresolved.NO_SUCH_PROVISION, EdgeKind.CITES),
        ("article 7", f"{work}/art_7", EdgeKind.CITES),
        ("section 3", f"{work}/sec_3", EdgeKind.EXCEPTS),
    ]


@pytest.mark.parametrize(
    ("question", "alias", "path"),
    [
        ("What does Upload “contract.pdf”, § 3.1 say?", "Upload “contract.pdf”", "sec_3/subsec_3.1"),
        ('Upload "contract.pdf", art. 7', "Upload “contract.pdf”", "art_7"),
        ("Upload “contract.pdf”", "Upload “contract.pdf”", ""),
    ],
)
def test_our_own_citation_can_be_asked_for(question: str, alias: str, path: str) -> None:
    context = CitationContext("en")
    (found,) = pack.find_citations(question, context)
    (lead,) = pack.resolve(found, context)
    assert (lead.alias, "/".join(map(str, lead.path))) == (alias, path)


@pytest.mark.parametrize("question", ["What does section 3 say?", "TVL 124 §", "article 7 of the treaty"])
def test_a_question_about_the_law_is_not_about_uploads(question: str) -> None:
    assert list(pack.find_citations(question, CitationContext("en"))) == []
