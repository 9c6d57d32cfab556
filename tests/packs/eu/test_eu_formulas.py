"""Formulas that a page prints as pictures: from Formex where that spells them out, else marked."""
# ruff: noqa: E501 - markup reads better on one line

from __future__ import annotations

import pytest
from lxml import etree

from eu_making import B, folder, page, place, read, read_pages
from pykala.law.provisions import Document, Version
from pykala.packs.eu.formulas import formula_text
from pykala.packs.left_out import NO_LIST, NO_PICTURE

PICTURE = '<p class="norm"><img src="data:image/jpg;base64,AAAA" alt="image"/></p>'
FORMULA = '<FORMULA TYPE="OUTLINE"><EXPR>rate</EXPR><OP.CMP TYPE="EQ"/><EXPR><FRACTION><DIVIDEND>tax</DIVIDEND><DIVISOR>income</DIVISOR></FRACTION></EXPR></FORMULA>'


def article(inside: str) -> bytes:
    return page(f'{B}<p class="title-article-norm">Article 1</p>{inside}')


def spelled(opening: str) -> bytes:
    return (
        '<?xml version="1.0"?><CONS.ACT><CONS.DOC><TITLE><TI><P>D</P></TI></TITLE><ENACTING.TERMS><ARTICLE><TI.ART>Article 1</TI.ART>'
        f"<ALINEA><P>{opening}</P><P>{FORMULA}</P><P>where tax is the tax.</P></ALINEA></ARTICLE></ENACTING.TERMS></CONS.DOC></CONS.ACT>"
    ).encode()


def versions(document: Document, path: str) -> tuple[Version, ...]:
    return next(one.versions for one in document.root.walk() if place(one) == path)


PAGE = article(f'<p class="norm">The rate is:</p>{PICTURE}<p class="norm">where tax is the tax.</p>')


def test_a_picture_is_marked_where_nothing_spells_it_out() -> None:
    found = versions(read_pages(("2031-01-01", PAGE)), "art_1/subpara_2")
    assert [(one.text, one.findings) for one in found] == [("[…]", (NO_PICTURE,))]


def test_a_picture_within_words_leaves_its_mark_there() -> None:
    inline = article('<p class="norm">Here <img src="x" alt="image"/> is the price.</p>')
    found = versions(read_pages(("2031-01-01", inline)), "art_1")
    assert (found[0].text, found[0].findings) == ("Here […] is the price.", (NO_PICTURE,))


def test_formex_gives_the_formula_to_its_own_state_and_to_others_of_the_same_words() -> None:
    files = {f"{folder('2030-01-02')}en.xml": PAGE, f"{folder('2031-01-01')}en.xml": PAGE}
    files[f"{folder('2031-01-01')}en.fmx4/CL.xml"] = spelled("The rate is:")
    found = versions(read(files).documents[0], "art_1/subpara_2")
    assert [(one.text, one.findings) for one in found] == [("rate = (tax) / (income)", ())]


def test_a_formula_after_other_words_is_not_taken() -> None:
    files = {
        f"{folder('2031-01-01')}en.xml": PAGE,
        f"{folder('2031-01-01')}en.fmx4/CL.xml": spelled("The levy is:"),
    }
    assert versions(read(files).documents[0], "art_1/subpara_2")[0].findings == (NO_PICTURE,)


def test_words_that_announce_nothing_say_so() -> None:
    announced = read_pages(("2031-01-01", article('<p class="norm">The rates are as follows:</p>')))
    assert versions(announced, "art_1")[0].findings == (NO_LIST,)


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<EXPR>H<IND>i</IND><OP.MATH TYPE='MULT'/>2</EXPR>", "H_i × 2"),
        ("<EXPR TYPE='BRACKET'>a<OP.MATH TYPE='MINUS'/>b</EXPR><OP.CMP TYPE='GE'/>0", "(a − b) ≥ 0"),
        ("<SUM><UNDER>i</UNDER></SUM>x<EXPONENT>2</EXPONENT>", "∑_i x^2"),
        ("<ROOT>a<OP.MATH TYPE='PLUS'/>b</ROOT>", "√(a + b)"),
        ("RW<EXPONENT>*</EXPONENT><IND>i</IND>", "RW*_i"),
        ("50<HT>%</HT><HT>x</HT><FRACTION><DIVIDEND>a</DIVIDEND><DIVISOR>b</DIVISOR></FRACTION>", "50% x (a) / (b)"),
        ("<INCL.ELEMENT FILEREF='a.tif'/>", "[…]"),
    ],
)  # fmt: skip
def test_signs_that_formex_writes_as_attributes(markup: str, text: str) -> None:
    assert formula_text(etree.fromstring(f"<FORMULA>{markup}</FORMULA>")) == text
