"""Citations that lean on what came before: other paragraphs, the list above, the act that is amended."""

from __future__ import annotations

import pytest

from pykala.graph.relate import relate
from pykala.law.citations import CitationContext
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Document, Provision, ProvisionKind, Version
from pykala.law.references import EdgeKind, Unresolved
from pykala.packs.finland import pack

TVL, AVL = "fi:act:1992/1535", "fi:act:1993/1501"
Text = tuple[str, ProvisionKind, str]


def document(work: str, title: str, texts: list[Text], language: str = "fi") -> Document:
    """A document whose provisions stand in a row, each under the one whose path it continues."""
    nodes = [(ProvisionId.parse(f"{work}/{path}"), kind, text) for path, kind, text in texts]

    known = {place for place, _, _ in nodes}
    root = ProvisionId(WorkId(work))

    def below(parent: ProvisionId) -> tuple[Provision, ...]:
        return tuple(
            Provision(place, kind, "", (Version(text),), below(place))
            for place, kind, text in nodes
            if (place.parent if place.parent in known else root) == parent
        )

    return Document(
        WorkId(work), language, title, Provision(root, ProvisionKind.WORK, children=below(root)), ()
    )


def leads(page: Document) -> list[str]:
    found = []
    for provision in page.root.walk():
        for version in provision.versions:
            context = CitationContext(page.language, provision.id, page)
            for citation in pack.find_citations(version.text, context):
                for one in pack.resolve(citation, context):
                    path = "/".join(map(str, one.path))
                    found.append(str(one.target) if one.target else f"{one.alias}#{path}{one.reason or ''}")
    return found


PARAGRAPH, MOMENTTI, KOHTA = ProvisionKind.FLUSH, ProvisionKind.SUBSECTION, ProvisionKind.ITEM


def test_a_page_speaks_of_the_law_that_an_earlier_paragraph_named() -> None:
    page = document(
        "fi:kho:2020/135",
        "KHO 2020:135",
        [
            ("head_3/para_3", PARAGRAPH, "Metsälain (1093/1996) 23 §:n 1 momentin mukaan se on kirjallinen."),
            ("head_3/para_4", PARAGRAPH, "Lain 25 §:n 1 momentin mukaan siihen on liitettävä päätös."),
            ("head_3/para_5", PARAGRAPH, "Pykälän 2 momentin mukaan sitä ei tarvita."),
            ("head_3/para_6", PARAGRAPH, "Metsälain 5 § ei muuta asiaa."),
        ],
    )
    act = "fi:act:1996/1093"
    assert leads(page) == [
        f"{act}/sec_23/subsec_1",
        f"{act}/sec_25/subsec_1",
        f"{act}/sec_25/subsec_2",
        f"{act}/sec_5",
    ]


@pytest.mark.parametrize("work", ["fi:act:1990/77", "fi:statute:asetus-maksuista"])
def test_a_bare_section_of_a_statute_is_its_own_whatever_law_was_named_before(work: str) -> None:
    statute = document(
        work,
        "Asetus maksuista",
        [
            ("sec_4/subsec_1", MOMENTTI, "Maksamatta jääneelle peritään korkolain (633/1982) korko."),
            ("sec_5/subsec_1", MOMENTTI, "Edellä 4 §:ssä säädetystä poiketen korkoa ei peritä."),
        ],
    )
    assert leads(statute) == ["fi:act:1982/633", f"{work}/sec_4"]


def test_a_page_uses_the_short_names_that_it_defines() -> None:
    page = document(
        "fi:vero:esimerkki",
        "Esimerkki",
        [
            ("intro_1/table_1", ProvisionKind.TABLE, "Lyhenne | Laki\nYML | Ympäristömaksulaki 1.2.2003/77"),
            (
                "sec_1/para_1",
                PARAGRAPH,
                "Kalojen siirroista annetun lain (12/2004, kalalaki) 3 § on tämä.",
            ),
            ("sec_2/para_1", PARAGRAPH, "Kalalain 4 § ja YML 5 §:n 2 momentti. Ks. luku 1."),
        ],
    )
    page = Document(page.work, "fi", page.title, _with_headings(page.root), ())
    assert leads(page) == [
        "fi:act:2003/77",
        "fi:act:2003/77",
        "fi:act:2004/12/sec_3",
        "fi:act:2004/12/sec_4",
        "fi:act:2003/77/sec_5/subsec_2",
        "fi:vero:esimerkki/sec_1",
    ]


def _with_headings(root: Provision) -> Provision:
    """The same page with a provision for each numbered heading."""
    heads: dict[ProvisionId, list[Provision]] = {}
    for provision in root.walk():
        if provision.id.path:
            heads.setdefault(provision.id.parent, []).append(provision)
    return Provision(
        root.id,
        root.kind,
        children=tuple(
            Provision(head, ProvisionKind.SECTION, children=tuple(below)) for head, below in heads.items()
        ),
    )


@pytest.fixture
def amending() -> Document:
    texts: list[Text] = [
        (
            "enacting_1",
            ProvisionKind.ENACTING_CLAUSE,
            "muutetaan rikoslain (39/1889) 6 luvun 10 §, sellaisena kuin se on laissa 754/2010, seuraavasti:",
        ),
        ("sec_10", ProvisionKind.SECTION, "Oheisseuraamus"),
        (
            "sec_10/subsec_1",
            MOMENTTI,
            "Edellä 3 §:ssä tai 2 momentissa säädetty; tämän lain 5 §.",
        ),
        ("entry_1", ProvisionKind.ENTRY_INTO_FORCE, "Tämän lain 10 §:ää sovelletaan; 11 § on ennallaan."),
    ]
    return document("fi:act:2019/272", "Laki rikoslain 6 luvun 10 §:n muuttamisesta", texts)


def test_what_an_amending_act_enacts_cites_the_amended_one(amending: Document) -> None:
    penal = "fi:act:1889/39/chp_6"
    assert leads(amending) == [
        f"{penal}/sec_10",
        "fi:act:2010/754",
        f"{penal}/sec_3",
        f"{penal}/sec_10/subsec_2",
        f"{penal}/sec_5",
        "fi:act:2019/272/sec_10",
        f"{penal}/sec_11",
    ]


def test_a_list_below_the_name_of_a_law_cites_that_law() -> None:
    act = document(
        "fi:act:2018/862",
        "Ydinlaki",
        [
            ("sec_2", ProvisionKind.SECTION, ""),
            ("sec_2/subsec_1", MOMENTTI, "Sovelletaan, mitä säädetään säteilylain (859/2018):"),
            ("sec_2/subsec_1/para_1", KOHTA, "5–6 §:ssä periaatteista;"),
            ("sec_2/subsec_1/para_2", KOHTA, "9 luvussa mittauksista."),
            ("sec_2/subsec_2", MOMENTTI, "Mitä 1 momentissa säädetään, koskee 3 §:ää."),
        ],
    )
    radiation, own = "fi:act:2018/859", "fi:act:2018/862"
    assert leads(act) == [
        radiation,
        f"{radiation}/sec_5",
        f"{radiation}/sec_6",
        f"{radiation}/chp_9",
        f"{own}/sec_2/subsec_1",
        f"{own}/sec_3",
    ]


def test_a_chapter_is_left_out_where_an_act_is_numbered_through() -> None:
    act = document(
        "fi:act:2000/1",
        "Laki",
        [("sec_1/subsec_1", MOMENTTI, "17 luvun 40 §"), ("sec_40", ProvisionKind.SECTION, "teksti")],
    )
    assert leads(act) == ["fi:act:2000/1/sec_40"]


@pytest.mark.parametrize(
    ("language", "text", "reverse"),
    [
        ("fi", "Sen estämättä, mitä 5 §:ssä säädetään, maksu peritään.", False),
        ("fi", "Poiketen siitä, mitä 5 §:ssä säädetään, maksu peritään.", False),
        ("fi", "Maksu peritään 5 §:stä poiketen.", False),
        ("fi", "Jollei 5 §:stä muuta johdu, maksu peritään.", True),
        ("fi", "Ellei 5 §:ssä toisin säädetä, maksu peritään.", True),
        ("fi", "Kaikki maksut, lukuun ottamatta 5 §:n maksuja, peritään.", False),
        ("sv", "Med avvikelse från 5 § tas avgiften ut.", False),
        ("sv", "Trots 5 § tas avgiften ut.", False),
        ("sv", "Avgiften tas ut, om inte annat följer av 5 §.", True),
        ("sv", "Avgiften tas ut, om inte något annat föreskrivs i 5 §.", True),
    ],
)
def test_exceptions_are_told_by_their_words(language: str, text: str, reverse: bool) -> None:
    act = document("fi:act:2000/1", "Laki", [("sec_1/subsec_1", MOMENTTI, text)], language)
    (reference,) = relate(act, pack, pack.facts.exception_cues, pack.facts.yielding_cues)
    assert (reference.kind, reference.reverse) == (EdgeKind.EXCEPTS, reverse)
    assert str(reference.target) == "fi:act:2000/1/sec_5"


def test_what_leads_out_of_the_packs_keeps_its_reason() -> None:
    page = document(
        "fi:vero:x", "X", [("sec_1/para_1", PARAGRAPH, "HE 29/2016 vp, verosopimuksen 5 artikla")]
    )
    references = relate(page, pack, {}, {})
    assert [(one.alias, one.reason) for one in references] == [
        ("he:2016/29", Unresolved.OUTSIDE_CORPUS),
        ("", Unresolved.OUTSIDE_CORPUS),
    ]
    assert all(one.kind is EdgeKind.INTERPRETS for one in references)
