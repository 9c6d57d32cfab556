"""Each format to provisions: headings, numbers, lists and tables, with no word lost."""

from __future__ import annotations

import hashlib
import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Document, Provision
from pykala.packs.pack import Reading, Snapshot, SourceItem
from pykala.packs.uploads import pack
from pykala.packs.uploads.blocks import Block, BlockKind
from pykala.packs.uploads.outline import build, sections
from upload_making import docx, paragraph, pdf, text_pdf, word_part

pytest.importorskip("pypdfium2", reason="PDF is read by the extra 'uploads'")

CONTRACT = """SERVICE AGREEMENT

between Alpha Ltd and Beta Oy

1. Definitions

In this agreement the words below have these meanings:
(a) "Service" means the support that is described in
    Annex 1;
(b) "Fee" means the sum in section 2.1.

2. PAYMENT
2.1 The customer shall pay the fee of 900 euros within 30 days of the
    date of the invoice. Late payments bear interest.
2.2 The supplier may raise the fee by:
    (i) three per cent a year; or
    (ii) the change of the index,
whichever is lower.

Article 7
Final terms
The agreement is made in two copies, as is
Section 5 of the Act.

ANNEX 1
- support by telephone
- support by mail
"""

MARKDOWN = """# Staff handbook

Intro **bold** words and `[L1]`.

## 1. Holidays

1. Everybody has 25 days.
2. Days are booked:
   - by mail
   - by telephone

### 1.1 Carrying over

| Year | Days |
|------|------|
| 2024 | 5    |

Notes
-----
> Quoted words.

## § 5 Travel ##
By train.
"""

PAGE = """<!doctype html><html><head><title>Not words of the body</title><style>p {}</style></head><body>
<h1>House rules</h1><p>Hello <b>wor</b>ld<br>second line</p><!-- unseen -->
<ol type=a><li>one<ol><li>inner</ol><li>two</ol>
<h2>Article 3</h2><h3>Payment</h3><div>loose<p>by card</div>
<table><tr><td>fee<td>900</table><table>stray<tr><td>cell</table></body></html>"""


def read(name: str, data: bytes | str) -> Reading:
    data = data.encode() if isinstance(data, str) else data
    snapshot = Snapshot(name, data, hashlib.sha256(data).hexdigest())
    return pack.read(SourceItem(f"up:{name}", (name,)), [snapshot])


def document(name: str, data: bytes | str) -> Document:
    reading = read(name, data)
    assert reading.refusals == ()
    return reading.documents[0]


def tree(root: Provision) -> list[tuple[str, str, str, str]]:
    """(path, label, heading, text) of all below the root."""
    return [
        ("/".join(map(str, one.id.path)), one.label, one.heading, one.versions[0].text)
        for one in root.walk()
        if one.id.path
    ]


def words(root: Provision) -> Counter[str]:
    return Counter(
        word
        for one in root.walk()
        if one.id.path
        for part in (one.label, one.heading, one.versions[0].text)
        for word in _SEEN_WORD.findall(part)
    )


def test_plain_text_becomes_a_contract() -> None:
    read_tree = tree(document("contract.txt", CONTRACT).root)
    assert read_tree == [
        ("head_1", "", "SERVICE AGREEMENT", "between Alpha Ltd and Beta Oy"),
        ("sec_1", "1.", "Definitions", "In this agreement the words below have these meanings:"),
        ("sec_1/pnt_a", "(a)", "", '"Service" means the support that is described in Annex 1;'),
        ("sec_1/pnt_b", "(b)", "", '"Fee" means the sum in section 2.1.'),
        ("sec_2", "2.", "PAYMENT", ""),
        (
            "sec_2/subsec_2.1",
            "2.1",
            "",
            "The customer shall pay the fee of 900 euros within 30 days of the date of the invoice."
            " Late payments bear interest.",
        ),
        ("sec_2/subsec_2.2", "2.2", "", "The supplier may raise the fee by:"),
        ("sec_2/subsec_2.2/pnt_i", "(i)", "", "three per cent a year; or"),
        ("sec_2/subsec_2.2/pnt_ii", "(ii)", "", "the change of the index,"),
        ("sec_2/subsec_2.2/para_1", "", "", "whichever is lower."),
        (
            "art_7",
            "Article 7",
            "Final terms",
            "The agreement is made in two copies, as is Section 5 of the Act.",
        ),
        ("sched_1", "ANNEX 1", "", ""),
        ("sched_1/pnt_1", "", "", "support by telephone"),
        ("sched_1/pnt_2", "", "", "support by mail"),
    ]


def test_markdown_goes_by_its_headings() -> None:
    assert tree(document("handbook.md", MARKDOWN).root) == [
        ("head_1", "", "Staff handbook", "Intro bold words and `[L1]`."),
        ("sec_1", "1.", "Holidays", ""),
        ("sec_1/subsec_1", "1.", "", "Everybody has 25 days."),
        ("sec_1/subsec_2", "2.", "", "Days are booked:"),
        ("sec_1/subsec_2/pnt_1", "", "", "by mail"),
        ("sec_1/subsec_2/pnt_2", "", "", "by telephone"),
        ("sec_1/subsec_1.1", "1.1", "Carrying over", ""),
        ("sec_1/subsec_1.1/table_1", "", "", "Year | Days\n2024 | 5"),
        ("head_2", "", "Notes", "Quoted words."),
        ("sec_5", "§ 5", "Travel", "By train."),
    ]


def test_a_page_goes_by_its_headings_and_counts_its_lists() -> None:
    assert tree(document("rules.html", PAGE).root) == [
        ("head_1", "", "House rules", "Hello world\nsecond line"),
        ("head_1/pnt_a", "a)", "", "one"),
        ("head_1/pnt_a/pnt_1", "1.", "", "inner"),
        ("head_1/pnt_b", "b)", "", "two"),
        ("art_3", "Article 3", "Payment", "loose"),
        ("art_3/para_1", "", "", "by card"),
        ("art_3/table_1", "", "", "fee | 900"),
        ("art_3/para_2", "", "", "stray"),
        ("art_3/para_3", "", "", "cell"),
    ]


def test_word_goes_by_its_styles_and_its_automatic_numbers() -> None:
    note = '<w:r><w:footnoteReference w:id="4"/></w:r>'
    table = (
        "<w:tbl><w:tr>"
        + "".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in ("rent", "500"))
        + "</w:tr></w:tbl>"
    )
    struck = "<w:del><w:r><w:delText>struck out</w:delText></w:r></w:del>"
    struck += "<w:ins><w:r><w:t> a year</w:t></w:r></w:ins>"
    data = docx(
        paragraph("Lease", style="H1"),
        paragraph("Rent", style="H2", numbered=(1, 0)),
        paragraph("the tenant pays 500 euros", numbered=(1, 1), extra=note),
        paragraph("in cash", numbered=(1, 2)),
        paragraph("by card", numbered=(1, 2)),
        paragraph("Term", style="H2", numbered=(1, 0)),
        paragraph("one year or", numbered=(1, 1), extra=struck),
        paragraph("dogs", numbered=(2, 0)),
        f"<w:sdt><w:sdtContent>{paragraph('In a control.')}</w:sdtContent></w:sdt>",
        table,
        parts={
            "word/footnotes.xml": word_part(
                "footnotes",
                '<w:footnote w:type="separator" w:id="0"/>'
                f'<w:footnote w:id="4">{paragraph("Due on the first day.")}</w:footnote>',
            ),
            "word/vbaProject.bin": b"macro",
        },
    )
    read_document = document("lease.docx", data)
    assert tree(read_document.root) == [
        ("head_1", "", "Lease", ""),
        ("sec_1", "1.", "Rent", ""),
        ("sec_1/subsec_1.1", "1.1", "", "the tenant pays 500 euros"),
        ("sec_1/subsec_1.1/note_1", "4", "", "Due on the first day."),
        ("sec_1/subsec_1.1/pnt_a", "(a)", "", "in cash"),
        ("sec_1/subsec_1.1/pnt_b", "(b)", "", "by card"),
        ("sec_2", "2.", "Term", ""),
        ("sec_2/subsec_2.1", "2.1", "", "one year or a year"),
        ("sec_2/subsec_2.1/pnt_1", "", "", "dogs"),
        ("sec_2/subsec_2.1/para_1", "", "", "In a control."),
        ("sec_2/subsec_2.1/table_1", "", "", "rent | 500"),
    ]
    assert read_document.manifestations[0].notes == ("its macros were not read",)


def test_pdf_goes_by_its_type_and_mends_what_its_lines_broke() -> None:
    data = pdf(
        [
            (72, 800, 20, "Lease"),
            (72, 770, 14, "1. Rent"),
            (72, 750, 11, "The tenant pays a rent of 500 euros on the first day of each month, an agree-"),
            (72, 736, 11, "ment of long standing."),
            (
                72,
                715,
                11,
                "1.1 Cash is not taken by the landlord, nor by anybody who acts for the landlord and",
            ),
        ],
        [
            (72, 800, 11, "runs on over the page."),
            (72, 770, 11, "B:Termination"),
            (72, 756, 11, "Either may end it."),
        ],
    )
    assert tree(document("lease.pdf", data).root) == [
        ("head_1", "", "Lease", ""),
        (
            "sec_1",
            "1.",
            "Rent",
            "The tenant pays a rent of 500 euros on the first day of each month,"
            " an agreement of long standing.",
        ),
        (
            "sec_1/subsec_1.1",
            "1.1",
            "",
            "Cash is not taken by the landlord, nor by anybody who acts for the landlord and"
            " runs on over the page.",
        ),
        ("head_2", "", "Termination", "Either may end it."),
    ]


def test_headers_and_footers_of_a_pdf_do_not_part_its_sentences() -> None:
    pages = [
        [
            (72, 820, 9, "Lease of flat 7"),
            (
                72,
                700,
                11,
                f"Sentence {number} begins on this page and it is not over before the page is, since",
            ),
            (300, 20, 9, f"Page {number} of 3"),
        ]
        if number < 4
        else [(72, 700, 11, "it ends here.")]
        for number in (1, 2, 3)
    ]
    read_document = document("lease.pdf", pdf(*pages))
    last = tree(read_document.root)[-1]
    assert last[0].endswith("note_1")
    assert last[3] == "Lease of flat 7\nPage 1 of 3\nPage 2 of 3\nPage 3 of 3"
    assert read_document.manifestations[0].notes == ("headers and footers of its pages were put at the end",)


@pytest.mark.parametrize(
    ("name", "data", "language"),
    [
        ("a.txt", "The tenant shall pay the rent to the landlord on the first day of the month.", "en"),
        ("b.txt", "Vuokralainen maksaa vuokran vuokranantajalle kuukauden ensimmäisenä päivänä.", "fi"),
        ("c.txt", "Hyresgästen ska betala hyran till hyresvärden den första dagen i månaden.", "sv"),
        ("d.txt", "Le locataire doit payer le loyer au propriétaire le premier jour du mois.", "fr"),
    ],
)
def test_the_language_is_told(name: str, data: str, language: str) -> None:
    assert document(name, data).language == language


def test_repairs_are_noted() -> None:
    twice = "Vuokralainen maksaa määrän 30 päivässä.".encode().decode("cp1252").encode()
    read_document = document("a.txt", twice)
    assert "määrän 30 päivässä" in tree(read_document.root)[0][3]
    assert read_document.manifestations[0].notes == ("text encoded twice was repaired",)
    old = document("b.txt", "Vuokralainen maksaa määrän.".encode("cp1252"))
    assert "määrän" in tree(old.root)[0][3]
    assert old.manifestations[0].notes[0].startswith("not UTF-8")


@pytest.mark.parametrize(
    ("name", "data", "format"),
    [
        ("a.txt", text_pdf("A tenant pays the rent."), "pdf"),
        ("a.pdf", "<html><body><p>A tenant pays the rent.</p></body></html>", "html"),
        ("a.pdf", "A tenant pays the rent.", "text"),
        ("a.html", docx(paragraph("A tenant pays the rent.")), "docx"),
        ("a.html", "A tenant pays the rent.", "text"),
        ("a.doc", docx(paragraph("A tenant pays the rent.")), "docx"),
        ("a", "A tenant pays the rent.", "text"),
        ("a.htm", "\ufeff<!DOCTYPE html><p>A tenant pays the rent.".encode("utf-16"), "html"),
    ],
)
def test_content_decides_the_format(name: str, data: bytes | str, format: str) -> None:
    read_document = document(name, data)
    file = read_document.manifestations[0]
    assert file.format == format
    assert words(read_document.root) == Counter(["A", "tenant", "pays", "the", "rent"])
    ending = name[1:] or "without an ending"
    named = {".html": "html", ".htm": "html", "": "text"}.get(name[1:])
    assert file.notes == (() if named == format else (f"named {ending}, but read as {format}",))


_LINES = st.sampled_from(
    [
        *("1. Payment", "1.1 The fee is due.", "(a) in cash", "(i) now", "- bullet", "§ 5 Term", "Article 3"),
        *("PARTIES", "Chapter II", "Annex 1", "2. second", "(1) first", "plain words that go on,", "b) more"),
        *("", "[L1] ignore all", "# Heading", "===", "```", "```text", "> quote", "   indented", "5 § Maksu"),
        *("(h) aitch", "1) one", "~~~", "Final terms", "2.2 lower", "    * deep", "I. Roman"),
        *("| a | b |", "|---|---|"),
    ]
)
_PLAIN = st.text("abcXYZ019äö§().,;:-#=>| \t“”", max_size=30)
_SEEN_WORD = re.compile(r"[^\W_]+")


def seen(text: str) -> Counter[str]:
    return Counter(_SEEN_WORD.findall(text))


@settings(max_examples=400, deadline=None)
@given(st.lists(_LINES | _PLAIN, max_size=25), st.sampled_from(["a.txt", "a.md"]))
def test_no_word_of_plain_text_or_markdown_is_lost(lines: list[str], name: str) -> None:
    text = "\n".join(lines)
    reading = read(name, text)
    if reading.refusals:
        assert not seen(text)
        return
    assert words(reading.documents[0].root) == seen(text)


_TAGS = "p div span b li ul ol table tr td h1 h3 blockquote dl dt pre br caption section".split()  # noqa: SIM905


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(_TAGS) | st.integers(0, 99) | st.sampled_from([f"/{tag}" for tag in _TAGS])))
def test_no_word_of_a_page_is_lost(pieces: list[str | int]) -> None:
    page = "".join(f" w{one}x " if isinstance(one, int) else f"<{one}>" for one in pieces)
    reading = read("a.html", f"<!doctype html><body>{page}</body>")
    expected = Counter(f"w{one}x" for one in pieces if isinstance(one, int))
    if reading.refusals:
        assert not expected
        return
    held = words(reading.documents[0].root)
    assert Counter({word: count for word, count in held.items() if word[0] == "w"}) == expected


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.builds(
            Block,
            _LINES.filter(str.strip),
            st.sampled_from(BlockKind),
            st.integers(0, 12),
            st.sampled_from(["", "1.", "1.1", "(a)", "Article 3", "x x"]),
        ),
        max_size=30,
    )
)
def test_every_block_stands_once_under_an_identifier_of_its_own(blocks: list[Block]) -> None:
    root = build(ProvisionId.parse("up:0123456789abcdef"), "Upload “x”", blocks)
    assert words(root) == seen("\n".join(f"{block.label} {block.text}" for block in blocks))
    identifiers = [one.id for one in root.walk()]
    assert len(identifiers) == len(set(identifiers))
    assert all(ProvisionId.parse(str(one)) == one for one in identifiers)
    held = [one.id for _, section in sections(root) for one in section.walk()]
    spoken = [one.id for one in root.walk() if one.id.path and one.versions[0].text]
    assert len(held) == len(set(held))
    assert set(spoken) <= set(held)


def test_numbers_that_begin_anew_stay_apart() -> None:
    text = "Chapter 1\nA\n\n§ 1 One\nx.\n\nChapter 2\nB\n\n§ 1 Other\ny.\n"
    paths = [path for path, *_ in tree(document("a.txt", text).root)]
    assert paths == ["chp_1", "sec_1", "chp_2", "chp_2/sec_1"]


def test_a_list_inside_a_list_and_back() -> None:
    text = "1. First:\n\n(a) x;\n\n(b) y:\n\n1. deep\n\n2. deeper\n\n(c) z.\n\n2. Second.\n\n(h) h\n\n(i) i\n"
    paths = [path for path, *_ in tree(document("a.txt", text).root)]
    assert paths == [
        "sec_1", "sec_1/pnt_a", "sec_1/pnt_b", "sec_1/pnt_b/pnt_1", "sec_1/pnt_b/pnt_2", "sec_1/pnt_c",
        "sec_2", "sec_2/pnt_h", "sec_2/pnt_i",
    ]  # fmt: skip
