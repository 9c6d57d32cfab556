"""What an amending act quotes stays inside the article that quotes it."""
# ruff: noqa: E501 - a case reads better on one line

from __future__ import annotations

import pytest

from eu_making import formex, list_table, page, place, read_state, texts
from pykala.law.provisions import ProvisionKind


def p(css: str, text: str) -> str:
    return f'<p class="{css}">{text}</p>'


def article(number: str, inside: str) -> str:
    return (
        f'<div class="eli-subdivision" id="art_{number}">{p("oj-ti-art", f"Article {number}")}{inside}</div>'
    )


def item(label: str, inside: str) -> str:
    return list_table(label, inside, "oj-normal")


QUOTED = (
    p("oj-normal", "the following Articles are inserted:")
    + f'<div id="005A">{p("oj-ti-art", "‘Article 5a")}{p("oj-sti-art", "Caps")}{p("oj-normal", "1.   Caps are hats.")}</div>'
    + f'<div id="005B">{p("oj-ti-art", "Article 5b")}{item("(a)", p("oj-normal", "the term ‘cap’ has the meaning of ‘hat’;"))}'
    + f"{p('oj-normal', 'Crowns are no hats.’;')}</div>"
)


def test_quoted_articles_never_become_articles_of_the_act() -> None:
    body = article(
        "1",
        p("oj-normal", "Directive (EU) 2030/7 is amended as follows:")
        + item("(1)", QUOTED)
        + item("(2)", p("oj-normal", "Article 6 is deleted.")),
    )
    document = read_state(
        page(
            "<div class='eli-container'>"
            + body
            + article("2", p("oj-normal", "Entry into force."))
            + "</div>"
        )
    )
    articles = [place(one) for one in document.root.walk() if one.kind is ProvisionKind.ARTICLE]
    assert articles == ["art_1", "art_2"]
    found = texts(document)
    assert found["art_1/point_1"] == "the following Articles are inserted:"
    assert found["art_1/point_1/quote_1"].split("\n") == [
        "‘Article 5a",
        "Caps",
        "1. Caps are hats.",
        "Article 5b",
        "(a) the term ‘cap’ has the meaning of ‘hat’;",
        "Crowns are no hats.’;",
    ]
    assert found["art_1/point_2"] == "Article 6 is deleted."


@pytest.mark.parametrize(
    ("announcing", "quoted"),
    [
        ("in Article 3, paragraph 1 is replaced by the following:", "‘1. Hats are taxed.’;"),
        (
            "à l’article 3, le paragraphe 1 est remplacé par le texte suivant:",
            "«1. Les chapeaux sont taxés.»;",
        ),
        ("Article 3 shall read:", "“Hats are taxed.”"),
    ],
)
def test_a_quoted_line_is_kept_whole(announcing: str, quoted: str) -> None:
    body = article("1", p("oj-normal", announcing) + p("oj-normal", quoted) + p("oj-normal", "After."))
    found = texts(read_state(page(body)))
    assert found["art_1/quote_1"] == quoted
    assert found["art_1/subpara_2"] == "After."


def test_definitions_in_quotation_marks_are_not_quotations() -> None:
    body = article(
        "1",
        p("oj-normal", "The following definitions shall apply:")
        + item("(1)", p("oj-normal", "‘hat’ means what keeps a head warm;"))
        + item("(2)", p("oj-normal", "‘cap’ and ‘bonnet’ mean soft hats.")),
    )
    document = read_state(page(body))
    assert texts(document)["art_1/point_1"] == "‘hat’ means what keeps a head warm;"
    assert [(term.term, place_of(term.provision)) for term in document.terms] == [
        ("hat", "art_1/point_1"),
        ("cap", "art_1/point_2"),
        ("bonnet", "art_1/point_2"),
    ]


def place_of(identifier: object) -> str:
    return str(identifier).partition("/")[2]


def test_articles_quoted_in_a_consolidated_text() -> None:
    mark = '<p class="modref"><a title="32030L0007">▼B</a></p>'
    body = (
        mark + p("title-article-norm", "Article 28h") + p("norm", "Article 22 shall be replaced by the following:")
        + p("title-article-quoted", "‘Article 22") + p("stitle-article-quoted", "Obligations") + p("norm", "1.  Everyone shall pay.’.")
        + p("title-article-norm", "Article 28i") + p("norm", "Next.")
    )  # fmt: skip
    found = texts(read_state(page(body)))
    assert found["art_28h/quote_1"] == "‘Article 22\nObligations\n1. Everyone shall pay.’."
    assert found["art_28i"] == "Next."
    assert "art_22" not in found


def test_articles_quoted_in_formex() -> None:
    quoted = (
        '<ARTICLE IDENTIFIER="003"><TI.ART>Article 3</TI.ART><ALINEA><P>The following is inserted:</P><QUOT.S>'
        '<ARTICLE IDENTIFIER="009"><TI.ART><QUOT.START CODE="2018"/>Article 9</TI.ART><ALINEA>Caps.<QUOT.END CODE="2019"/></ALINEA></ARTICLE>'
        "</QUOT.S></ALINEA></ARTICLE>"
    )
    found = texts(read_state(formex(quoted)))
    assert found["art_3/quote_1"] == "‘Article 9\nCaps.’"
    assert "art_9" not in found


@pytest.mark.parametrize(
    ("intro", "scope"),
    [
        ("For the purposes of this Chapter:", "eu:32030L0007/cpt_2"),
        ("For the purposes of this Directive:", "eu:32030L0007"),
        ("For the purposes of this Article:", "eu:32030L0007/art_1"),
        ("The following definitions shall apply:", "eu:32030L0007"),
    ],
)
def test_definitions_reach_as_far_as_they_say(intro: str, scope: str) -> None:
    body = p("oj-ti-section-1", "CHAPTER 2") + article(
        "1", p("oj-normal", intro) + item("(a)", p("oj-normal", "‘hat’ means a cover."))
    )
    (term,) = read_state(page(body)).terms
    assert str(term.scope) == scope


@pytest.mark.parametrize(
    ("intro", "line", "term"),
    [
        ("Aux fins de la présente directive, on entend par:", "«chapeau», ce qui couvre la tête;", "chapeau"),
        (
            "Aux fins de la présente directive, on entend par:",
            "«chapeau» de feutre: un chapeau mou;",
            "chapeau",
        ),
        ("Les États membres notifient:", "«chapeau», un mot;", None),
    ],
)
def test_french_definitions(intro: str, line: str, term: str | None) -> None:
    body = article("1", p("oj-normal", intro) + item("1)", p("oj-normal", line)))
    document = read_state(page(body), name="fr.xml")
    assert [one.term for one in document.terms] == ([term] if term else [])
