"""One act in every layout gives one tree: the same identifiers, the same words."""
# ruff: noqa: E501 - a case reads better on one line

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bench.completeness.eu import lost_words
from eu_making import (
    bare,
    consolidated,
    folder,
    formex,
    official_journal,
    page,
    place,
    read,
    read_state,
    styled,
    texts,
)
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import ProvisionKind
from pykala.packs.pack import Snapshot

BODY = {
    "art_1": "",
    "art_1/para_1": "This Directive applies to hats.",
    "art_1/para_1/subpara_2": "It does not apply to crowns.",
    "art_1/para_2": "A hat shall:",
    "art_1/para_2/point_a": "fit; and",
    "art_1/para_2/point_b": "keep off:",
    "art_1/para_2/point_b/point_i": "rain;",
    "art_1/para_2/point_b/point_ii": "sun.",
    "art_2": "The rate shall be 5 %:",
    "art_2/indent_1": "for all hats.",
}
ANNEX = {
    "anx_I": "",
    "anx_I/prt_A": "",
    "anx_I/prt_A/point_1": "caps;",
    "anx_I/prt_A/table_1": "Size | Code\nlarge | L",
}
LAYOUTS = {
    "oj + eli": official_journal(),
    "oj without eli": official_journal(eli=False),
    "unprefixed": official_journal(prefix="", eli=False),
    "consolidated + eli": consolidated(),
    "consolidated without eli": consolidated(lists="indent", eli=False),
    "consolidated by styles": styled(),
    "TexteOnly": bare(),
    "formex consolidated": formex(),
    "formex": formex(root="ACT"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_gives_the_same_articles(layout: str) -> None:
    document = read_state(LAYOUTS[layout])
    assert document.manifestations[0].format == f"eur-lex/{layout}"
    found = texts(document)
    assert {path: found[path] for path in found if path.startswith("art_")} == BODY
    headings = {place(one): one.heading for one in document.root.walk()}
    assert headings["tis_I"] == "GENERAL"
    assert headings["art_1"] == "Scope"
    chapter = next(one for one in document.root.walk() if place(one) == "tis_I")
    assert [place(one) for one in chapter.children] == ["art_1", "art_2"]


@pytest.mark.parametrize(
    "layout", [name for name in LAYOUTS if name not in ("consolidated by styles", "TexteOnly")]
)
def test_annexes_have_parts_points_and_tables(layout: str) -> None:
    document = read_state(LAYOUTS[layout])
    found = texts(document)
    assert {path: found[path] for path in found if path.startswith("anx_")} == ANNEX
    kinds = {place(one): one.kind for one in document.root.walk()}
    assert kinds["anx_I"] is ProvisionKind.ANNEX
    assert kinds["anx_I/prt_A/table_1"] is ProvisionKind.TABLE
    headings = {place(one): one.heading for one in document.root.walk()}
    assert headings["anx_I"] == "KINDS OF HATS"
    assert headings["anx_I/prt_A"] == "Soft hats"


@pytest.mark.parametrize("layout", ["oj + eli", "oj without eli", "unprefixed"])
def test_preambles_hold_citations_recitals_and_footnotes(layout: str) -> None:
    document = read_state(LAYOUTS[layout])
    found = texts(document)
    assert found["cit_1"] == "Having regard to the Treaty, and in particular Article 113 thereof,"
    assert found["rct_1"] == "Hats keep heads warm."
    assert found["rct_1/fn_1"] == "OJ L 1, 1.1.2029, p. 1."
    assert found["rct_2"] == "Prices of hats differ."
    assert found["enacts_1"] == "HAS ADOPTED THIS DIRECTIVE:"
    assert found["fnp_1"] == "Done at Brussels, 2 January 2030.\nFor the Council"
    kinds = {place(one): one.kind for one in document.root.walk()}
    assert kinds["rct_1"] is ProvisionKind.RECITAL
    assert kinds["rct_1/fn_1"] is ProvisionKind.FOOTNOTE
    assert kinds["enacts_1"] is ProvisionKind.ENACTING_CLAUSE
    assert kinds["fnp_1"] is ProvisionKind.SIGNATURE_BLOCK


@pytest.mark.parametrize("layout", LAYOUTS)
def test_no_word_is_lost_and_identifiers_round_trip(layout: str) -> None:
    form = "formex" if layout.startswith("formex") else "page"
    assert not lost_words(Snapshot("en.xml", LAYOUTS[layout], ""), form)
    identifiers = [one.id for one in read_state(LAYOUTS[layout]).root.walk()]
    assert len(set(identifiers)) == len(identifiers)
    assert [ProvisionId.parse(str(one)) for one in identifiers] == identifiers


@pytest.mark.parametrize("lists", ["grid", "indent", "table"])
def test_lists_of_consolidated_pages_are_lists_whatever_their_markup(lists: str) -> None:
    found = texts(read_state(consolidated(lists=lists)))
    assert found["art_1/para_2/point_b/point_ii"] == "sun."


def test_a_list_in_a_later_subparagraph_keeps_its_short_name_until_it_is_taken() -> None:
    one, two = (
        '<p class="oj-normal">{}</p>',
        '<table><tr><td><p class="oj-normal">(a)</p></td><td><p class="oj-normal">{}</p></td></tr></table>',
    )
    body = (
        '<p class="oj-ti-art">Article 1</p>'
        + one.format("1.   First.")
        + one.format("Second:")
        + two.format("red;")
    )
    body += one.format("Third:") + two.format("green;")
    found = texts(read_state(page(body)))
    assert found["art_1/para_1/point_a"] == "red;"
    assert found["art_1/para_1/subpara_3/point_a"] == "green;"


def printed_at_one_depth(title: str, rows: Sequence[tuple[str, str]]) -> dict[str, str]:
    def item(label: str, text: str) -> str:
        space = '<span style="word-spacing: 18pt"> </span>'
        return f'<div style="margin-left: 30pt; text-indent: -30pt"><p class="norm">{label}{space}{text}</p></div>'

    mark = '<p class="modref"><a title="32030L0007">▼B</a></p>'
    return texts(read_state(page(mark + title + "".join(item(*row) for row in rows))))


def test_points_that_a_page_prints_beside_their_parent_are_put_below_it() -> None:
    rows = [
        ("(e)", "either:"),
        ("(i)", "one;"),
        ("(ii)", "two;"),
        ("(f)", "more."),
        ("(h)", "last"),
        ("(i)", "end"),
    ]
    found = printed_at_one_depth('<p class="title-article-norm">Article 1</p>', rows)
    assert found["art_1/point_e/point_i"] == "one;"
    assert found["art_1/point_e/point_ii"] == "two;"
    assert found["art_1/point_f"] == "more."
    assert found["art_1/point_i"] == "end"


def test_letters_that_an_annex_prints_beside_their_number_are_put_below_it() -> None:
    rows = [
        ("3.", "evidence, which may be:"),
        ("(a)", "a card;"),
        ("(b)", "a passport;"),
        ("4.", "an address:"),
        ("(a)", "a bill;"),
        ("(i)", "of water."),
        ("5.", "a fee."),
    ]
    found = printed_at_one_depth('<p class="title-annex-1">ANNEX I</p>', rows)
    assert {path: text for path, text in found.items() if text} == {
        "anx_I/point_3": "evidence, which may be:",
        "anx_I/point_3/point_a": "a card;",
        "anx_I/point_3/point_b": "a passport;",
        "anx_I/point_4": "an address:",
        "anx_I/point_4/point_a": "a bill;",
        "anx_I/point_4/point_i": "of water.",
        "anx_I/point_5": "a fee.",
    }


def test_arrows_and_footnote_numbers_are_no_words_of_the_law() -> None:
    arrow = '<a title="32030L0099: REPLACED"><span class="boldface">►M1</span></a>'
    note = '<a href="#E1" id="src.E1"><span class="superscript">27</span></a>'
    body = (
        '<p class="modref"><a title="32030L0007">▼B</a></p><p class="title-article-norm">Article 1</p>'
        f'<p class="norm">Hats of {arrow} 5 kilograms  ◄  ({note}) are heavy.</p>'
        '<p class="footnote">(<a href="#src.E1" id="E1"><span class="superscript">27</span></a>) OJ L 2.</p>'
    )
    document = read_state(page(body))
    assert texts(document) == {"art_1": "Hats of 5 kilograms are heavy.", "art_1/fn_1": "OJ L 2."}
    version = next(one for one in document.root.walk() if place(one) == "art_1").versions[0]
    assert str(version.source_act) == "eu:32030L0099"


def test_formex_leaves_out_what_was_deleted() -> None:
    deleted = (
        '<?CLG.MDFO ID="O1" IDREF="C1" ACTION="DELETED" ACTIVE.DOC="32030L0099"?><ARTICLE IDENTIFIER="003">'
        '<TI.ART>Article 3</TI.ART><ALINEA>Gone.</ALINEA></ARTICLE><?CLG.MDFC ID="C1" IDREF="O1"?>'
        '<ARTICLE IDENTIFIER="004"><TI.ART>Article 4</TI.ART><ALINEA>Here.</ALINEA></ARTICLE>'
    )
    found = texts(read_state(formex(deleted)))
    assert "art_3" not in found
    assert found["art_4"] == "Here."


def test_formex_sums_are_grouped_as_they_are_printed() -> None:
    article = (
        '<ARTICLE IDENTIFIER="003"><TI.ART>Article 3</TI.ART><ALINEA>At most EUR <FT TYPE="NUMBER">43000000</FT>'
        ' and <FT TYPE="NUMBER">150</FT> hats of <FT TYPE="DECIMAL">1000,5</FT> g.</ALINEA></ARTICLE>'
    )
    assert texts(read_state(formex(article)))["art_3"] == "At most EUR 43 000 000 and 150 hats of 1000,5 g."


def test_a_formex_point_whose_words_are_a_list_keeps_its_items_apart() -> None:
    article = (
        '<ARTICLE IDENTIFIER="003"><TI.ART>Article 3</TI.ART><ALINEA><P>Words:</P><LIST><ITEM><NP><NO.P>1.</NO.P>'
        '<TXT><LIST TYPE="alpha"><ITEM><NP><NO.P>(a)</NO.P><TXT>a hat;</TXT></NP></ITEM><ITEM><NP><NO.P>(b)</NO.P>'
        "<TXT>a cap.</TXT></NP></ITEM></LIST></TXT></NP></ITEM></LIST></ALINEA></ARTICLE>"
    )
    found = texts(read_state(formex(article)))
    assert (found["art_3/point_1/point_a"], found["art_3/point_1/point_b"]) == ("a hat;", "a cap.")


def test_formex_titles_within_a_quoted_article_are_kept() -> None:
    article = (
        '<ARTICLE IDENTIFIER="003"><TI.ART>Article 3</TI.ART><ALINEA><P>The following Article is added:</P><QUOT.S>'
        "<ARTICLE><TI.ART>‘Article 9</TI.ART><SUBDIV><TITLE><TI><NP><NO.P>A.</NO.P><TXT>Caps</TXT></NP></TI></TITLE>"
        "<ALINEA>A cap is a hat.’</ALINEA></SUBDIV></ARTICLE></QUOT.S></ALINEA></ARTICLE>"
    )
    words = " ".join(text for path, text in texts(read_state(formex(article))).items() if "art_3" in path)
    assert "‘Article 9" in words
    assert "A. Caps" in words


def test_the_page_wins_over_formex_and_the_choice_is_recorded() -> None:
    path = folder("2031-02-01")
    reading = read(
        {f"{path}en.xml": consolidated(), f"{path}en.fmx4/CL2030L0007EN0010010.0001.xml": formex()}
    )
    (document,) = reading.documents
    assert [one.format for one in document.manifestations] == ["eur-lex/consolidated + eli", "eur-lex/formex"]
    assert "superseded by" in document.manifestations[1].notes[-1]


def test_formex_is_read_where_the_page_is_refused() -> None:
    path = folder("2031-02-01")
    portal = b'<html><body><header class="ecl-site-header">EUR-Lex</header><p>Languages</p></body></html>'
    reading = read({f"{path}en.html": portal, f"{path}en.fmx4/CL2030L0007EN0010010.0001.xml": formex()})
    assert [refusal.path for refusal in reading.refusals] == [f"{path}en.html"]
    assert "portal" in reading.refusals[0].reason
    assert texts(reading.documents[0])["art_2/indent_1"] == "for all hats."


@pytest.mark.parametrize(
    "imprint",
    ["ELI: http://data.europa.eu/eli/dir/2030/7/oj", "ISSN 1977-0677 (electronic edition)", "ISSN 1977-066X"],
)
def test_the_imprint_of_the_journal_is_no_part_of_the_act(imprint: str) -> None:
    body = (
        '<p class="oj-ti-art">Article 1</p><p class="oj-normal">Hats are free, as ISSN 1977-0677 tells.</p>'
        f'<hr class="oj-separator"/><p class="oj-normal">{imprint}</p><hr class="oj-doc-end"/>'
    )
    document = read_state(f"<html><body>{body}</body></html>".encode())
    assert texts(document) == {"art_1": "Hats are free, as ISSN 1977-0677 tells."}


@pytest.mark.parametrize("title", ["TABLES OF EQUIVALENCES [*]", "Tableaux de correspondance"])
def test_tables_of_equivalences_are_not_articles(title: str) -> None:
    lines = ["Article 1", "Hats are free.", title, "Article 53 | Article 55 |", "Article 54 | Article 56 |"]
    body = "".join(f"<p>{line}</p>" for line in lines)
    document = read_state(
        f'<html><body><h1>32030L0007</h1><div id="TexteOnly">{body}</div></body></html>'.encode()
    )
    found = texts(document)
    assert {path.split("/")[0] for path in found} == {"art_1", "anx_1"}
    rows = " ".join(words for path, words in found.items() if path.startswith("anx_1"))
    assert "Article 53 | Article 55" in rows
    assert "Article 54 | Article 56" in rows


@pytest.mark.parametrize("title", ["DECLARATIONS", "Declarations", "Déclarations"])
def test_declarations_annexed_to_a_treaty_are_no_part_of_its_last_protocol(title: str) -> None:
    lines = (
        "TREATY", "HIS MAJESTY THE KING,", "Article 1", "One.", "PROTOCOL (No 37)", "Article 4", "It enters into force.",
        title, "annexed to the Final Act of the Conference", "A. DECLARATIONS CONCERNING PROVISIONS OF THE TREATIES",
        "7. Declaration on Article 16(4) of the Treaty", "The Conference declares that the draft reads:", "Article 4",
        "Quoted words.", "-" * 50, "Tables of equivalences", "Article 53 | Article 55",
    )  # fmt: skip
    body = "".join(f"<p>{line}</p>" for line in lines)
    document = read_state(
        f'<html><body><div id="TexteOnly"><p><TXT_TE>{body}</TXT_TE></p></div></body></html>'.encode(),
        name="en.html",
    )
    found = {path: text for path, text in texts(document).items() if "ptc" in path or "anx" in path}
    assert found["ptc_37/art_4"] == "It enters into force."
    assert not any("---" in text for text in found.values())
    assert not any(path.startswith("ptc") and "onference" in text for path, text in found.items())
    declared = [path for path, text in found.items() if text in ("Article 4", "Quoted words.")]
    assert len(declared) == 2
    assert all(path.startswith("anx_1/") and "art_" not in path for path in declared)
