"""Citations as acts of the Union write them, in English and French: text, where it stands, where it leads."""

# ruff: noqa: E501 - a case reads better on one line

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pykala.law.citations import CitationContext, ResolvedCitation
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Document, Provision, ProvisionKind, Version
from pykala.law.references import EdgeKind, Unresolved
from pykala.packs.eu.grammar import find_citations
from pykala.packs.eu.naming_acts import celex_work, eli_work, latin_letters, numbered_act
from pykala.packs.eu.resolution import resolve

NAMES = {"GDPR": "eu:32016R0679", "VAT Directive": "eu:32006L0112", "Sixth VAT Directive": "eu:31977L0388"}
HERE = "eu:32011R0282/art_5/para_1/point_b"
OWN, VAT, SIXTH = "eu:32011R0282", "eu:32006L0112", "eu:31977L0388"
OLD = "eu:31971R2821/art_1/para_1"
NOWHERE, OUTSIDE = f"!{Unresolved.NOT_UNDERSTOOD}", f"!{Unresolved.OUTSIDE_CORPUS}"


def shown(lead: ResolvedCitation) -> str:
    if lead.target is not None:
        return str(lead.target)
    return "/".join((lead.alias, *map(str, lead.path))) if lead.alias else f"!{lead.reason}"


def leads(text: str, language: str, place: str, document: Document | None = None) -> list[str]:
    context = CitationContext(language, ProvisionId.parse(place) if place else None, document)
    return [
        shown(lead)
        for citation in find_citations(text, context, NAMES)
        for lead in resolve(citation, context, NAMES)
    ]


# language, where the text stands, text, the targets in order
CASES = [
    ("en", HERE, "Article 98(2)", [f"{OWN}/art_98/para_2"]),
    ("en", HERE, "Articles 24 to 26", [f"{OWN}/art_24", f"{OWN}/art_25", f"{OWN}/art_26"]),
    ("en", HERE, "Articles 24–26", [f"{OWN}/art_24", f"{OWN}/art_25", f"{OWN}/art_26"]),
    (
        "en",
        HERE,
        "Articles 9, 10 and 11(1)(a)",
        [f"{OWN}/art_9", f"{OWN}/art_10", f"{OWN}/art_11/para_1/point_a"],
    ),
    ("en", HERE, "point (a) of Article 5(1)", [f"{OWN}/art_5/para_1/point_a"]),
    ("en", HERE, "the first subparagraph of Article 5(2)", [f"{OWN}/art_5/para_2/subpara_1"]),
    ("en", HERE, "point (b) of the second paragraph of Article 2", [f"{OWN}/art_2/subpara_2/point_b"]),
    (
        "en",
        HERE,
        "Article 5(1), second subparagraph, points (a) and (c)",
        [f"{OWN}/art_5/para_1/subpara_2/point_a", f"{OWN}/art_5/para_1/subpara_2/point_c"],
    ),
    ("en", HERE, "the third subparagraph of Article 12(3)(a)", [f"{OWN}/art_12/para_3/point_a/subpara_3"]),
    (
        "en",
        HERE,
        "Article 6(1)(a), (b) and (d)",
        [f"{OWN}/art_6/para_1/point_a", f"{OWN}/art_6/para_1/point_b", f"{OWN}/art_6/para_1/point_d"],
    ),
    ("en", HERE, "Article 63(1) and (2)(a)", [f"{OWN}/art_63/para_1", f"{OWN}/art_63/para_2/point_a"]),
    (
        "en",
        HERE,
        "Article 3(1)(a)(i) and (b)",
        [f"{OWN}/art_3/para_1/point_a/point_i", f"{OWN}/art_3/para_1/point_b"],
    ),
    ("en", HERE, "Article 3 (2) (a)", [f"{OWN}/art_3/para_2/point_a"]),
    ("en", HERE, "paragraph 2", [f"{OWN}/art_5/para_2"]),
    ("en", HERE, "paragraphs 1 and 3 of this Article", [f"{OWN}/art_5/para_1", f"{OWN}/art_5/para_3"]),
    ("en", HERE, "points (a) to (c)", [f"{OWN}/art_5/para_1/point_{letter}" for letter in "abc"]),
    ("en", HERE, "Annex III", [f"{OWN}/anx_III"]),
    ("en", HERE, "point 3 of Annex I", [f"{OWN}/anx_I/point_3"]),
    ("en", HERE, "point (2) of Annex X, Part B", [f"{OWN}/anx_X/prt_B/point_2"]),
    ("en", HERE, "point I of the Annex to Regulation (EU) 2016/1675", ["eu:32016R1675/anx_1/point_I"]),
    ("en", HERE, "recitals 12 and 13", [f"{OWN}/rct_12", f"{OWN}/rct_13"]),
    ("en", HERE, "Council Directive 2006/112/EC", [VAT]),
    ("en", HERE, "Directive 2006/112/EC, the amount", [VAT]),
    ("en", HERE, "Article 4 of Directive 77/388/EEC", [f"{SIXTH}/art_4"]),
    ("en", HERE, "Article 28(2)(d) of the sixth VAT Directive", [f"{SIXTH}/art_28/para_2/point_d"]),
    ("en", HERE, "Implementing Regulation (EU) 2018/1912", ["eu:32018R1912"]),
    (
        "en",
        HERE,
        "Regulations (EU) No 1407/2013 and (EU) No 651/2014 should",
        ["eu:32013R1407", "eu:32014R0651"],
    ),
    (
        "en",
        HERE,
        "Directives 2009/65/EC, 2011/61/EU or 2013/36/EU",
        ["eu:32009L0065", "eu:32011L0061", "eu:32013L0036"],
    ),
    (
        "en",
        HERE,
        "Articles 5 and 6 of and Annex I to Directive 2006/112/EC",
        [f"{VAT}/art_5", f"{VAT}/art_6", f"{VAT}/anx_I"],
    ),
    ("en", HERE, "Directive 2006/112/EC … Article 4 of that Directive", [VAT, f"{VAT}/art_4"]),
    ("en", HERE, "Article 10 of this Regulation", [f"{OWN}/art_10"]),
    ("en", HERE, "This Regulation shall enter into force", []),
    ("en", HERE, "Article 4 of that Directive", [NOWHERE]),
    (
        "en",
        HERE,
        "Having regard to Directive 2003/87/EC and amending Directive 96/61/EC, namely Article 2 thereof",
        ["eu:32003L0087", "eu:31996L0061", "eu:32003L0087/art_2"],
    ),
    ("en", HERE, "Article 113 TFEU", ["tfeu/art_113"]),
    ("en", HERE, "Article 5 of the Treaty on European Union", ["teu/art_5"]),
    ("en", HERE, "Article 113 of the Treaty", ["tfeu/art_113"]),
    ("en", OLD, "Article 85 (3) of the Treaty", ["eu:11957E085/art_85/para_3"]),
    ("en", "eu:32006L0112/art_1", "Article 93 of the Treaty", ["eu:12002E093/art_93"]),
    ("en", "eu:12002E093/art_93", "within the time limit laid down in Article 14", ["eu:12002E014/art_14"]),
    ("en", OLD, "Article 6 of Regulation No 17", ["eu:31962R0017/art_6"]),
    ("en", HERE, "Regulation No 17 of the United Nations", []),
    ("en", HERE, "Case C-101/00 and ECLI:EU:C:2002:536", ["c-101/00", "ecli:eu:c:2002:536"]),
    ("en", HERE, "OJ L 347, 11.12.2006, p. 1", [OUTSIDE]),
    ("en", HERE, "Article 3 of the Agreement", [OUTSIDE]),
    ("en", HERE, "Article 147(6) of CRR", ["crr/art_147/para_6"]),
    ("en", HERE, "CELEX 02006L0112-20250414", [VAT]),
    ("en", HERE, "http://data.europa.eu/eli/dir/2006/112/oj", [VAT]),
    ("en", HERE, "8,5 basis points. From 1 January 2019", []),
    ("en", HERE, "Articles 5 and 6, 10 % of which", [f"{OWN}/art_5", f"{OWN}/art_6"]),
    ("en", "", "What does Article 98 of the VAT Directive say?", [f"{VAT}/art_98"]),
    ("en", "", "Article 6(1)(f) GDPR", ["eu:32016R0679/art_6/para_1/point_f"]),
    ("en", "", "Article 5", [NOWHERE]),
    ("fr", HERE, "à l’article 98, paragraphe 2,", [f"{OWN}/art_98/para_2"]),
    ("fr", HERE, "à l'article 5, paragraphe 1, point a)", [f"{OWN}/art_5/para_1/point_a"]),
    ("fr", HERE, "à l'article 85 paragraphe 3", [f"{OWN}/art_85/para_3"]),
    ("fr", HERE, "articles 24 à 26", [f"{OWN}/art_24", f"{OWN}/art_25", f"{OWN}/art_26"]),
    (
        "fr",
        HERE,
        "article 3, paragraphe 1, points a) et b), et paragraphe 2, de la directive 2013/36/UE",
        [
            "eu:32013L0036/art_3/para_1/point_a",
            "eu:32013L0036/art_3/para_1/point_b",
            "eu:32013L0036/art_3/para_2",
        ],
    ),
    (
        "fr",
        HERE,
        "points 1 b) i), iii) et iv)",
        [f"{OWN}/art_5/para_1/point_1/point_b/point_{number}" for number in ("i", "iii", "iv")],
    ),
    ("fr", HERE, "considérant 12", [f"{OWN}/rct_12"]),
    ("fr", HERE, "directive 2006/112/CE", [VAT]),
    ("fr", HERE, "règlement (UE) nº 904/2010", ["eu:32010R0904"]),
    ("fr", HERE, "règlement d’exécution (UE) 2016/99", ["eu:32016R0099"]),
    ("fr", HERE, "annexe III de la directive 2006/112/CE", [f"{VAT}/anx_III"]),
    ("fr", HERE, "premier alinéa", [f"{OWN}/art_5/para_1/subpara_1"]),
    ("fr", HERE, "article 10 de la présente directive", [f"{OWN}/art_10"]),
    ("fr", HERE, "article 1er de la directive 77/388/CEE … ladite directive", [f"{SIXTH}/art_1", SIXTH]),
    ("fr", HERE, "article 369 septvicies bis de la directive 2006/112/CE", [f"{VAT}/art_369za"]),
    ("fr", HERE, "l’article 325 terquinquagies du règlement (UE) no 575/2013", ["eu:32013R0575/art_325az"]),
    (
        "fr",
        HERE,
        "aux articles 27 et 27 bis de la directive 2003/87/CE",
        ["eu:32003L0087/art_27", "eu:32003L0087/art_27a"],
    ),
    (
        "fr",
        HERE,
        "vu le traité sur le fonctionnement de l’Union européenne, et notamment son article 81, paragraphe 2",
        ["tfeu", "tfeu/art_81/para_2"],
    ),
    ("fr", HERE, "article 15 de l'acte d'adhésion", [OUTSIDE]),
    ("fr", HERE, "article 2 du règlement IAS", ["règlement ias/art_2"]),
]  # fmt: skip


@pytest.mark.parametrize(("language", "place", "text", "expected"), CASES)
def test_a_citation_leads_where_its_words_say(
    language: str, place: str, text: str, expected: list[str]
) -> None:
    assert leads(text, language, place) == expected


EFFECTS = [
    ("en", "Directive 77/799/EEC is repealed with effect from 6 July 2016.", ["2016-07-06"]),
    ("en", "Directives 2005/60/EC and 2006/70/EC are repealed with effect from 26 June 2017.", ["2017-06-26"] * 2),
    (
        "en",
        "Articles 3 to 9 of Directive 77/388/EEC are repealed from 1 May 2004 and Article 10 of Directive 77/388/EEC is"
        " repealed from 1 May 2005.",
        ["2004-05-01", "2005-05-01"],
    ),
    (
        "en",
        "Regulations (EC) No 78/2009, (EC) No 79/2009 and (EC) No 661/2009 and Regulations (EC) No 631/2009, (EU) No"
        " 406/2010 and (EU) 2015/166 are repealed with effect from 6 July 2022.",
        ["2022-07-06"] * 6,
    ),
    (
        "en",
        "Directive 2003/6/EC and Commission Directives 2004/72/EC, 2003/125/EC and Commission Regulation (EC) No"
        " 2273/2003 shall be repealed with effect from 3 July 2016.",
        ["2016-07-03"] * 4,
    ),
    (
        "fr",
        "La directive 2003/6/CE et les directives 2004/72/CE, 2003/125/CE et 2003/124/CE de la Commission et le règlement"
        " (CE) no 2273/2003 de la Commission sont abrogés avec effet au 3 juillet 2016.",
        ["2016-07-03"] * 5,
    ),
    ("en", "In accordance with Directive 2000/1/EC, Directive 77/388/EEC is repealed from 1 May 2004.", ["None", "2004-05-01"]),
    ("en", "Directive 77/388/EEC is repealed with effect from the date of application of this Regulation.", ["None"]),
    ("en", "Directive 77/388/EEC applies from 6 July 2016.", ["None"]),
    ("fr", "La directive 77/799/CEE est abrogée avec effet au 1er janvier 2013.", ["2013-01-01"]),
    ("fr", "Le règlement (CE) no 2201/2003 est abrogé à compter du 1er août 2022.", ["2022-08-01"]),
]  # fmt: skip


@pytest.mark.parametrize(("language", "text", "days"), EFFECTS)
def test_a_repeal_takes_effect_on_the_day_that_its_own_words_name(
    language: str, text: str, days: list[str]
) -> None:
    """Not on that of the article, which may be law for years before."""
    found = find_citations(text, CitationContext(language, ProvisionId.parse(HERE)))
    assert [str(one.effective) for one in found] == days


KINDS = [
    ("en", "Directive 2006/112/EC is amended as follows:", EdgeKind.AMENDS),
    ("en", "Article 97 of Directive 2006/112/EC is replaced by the following:", EdgeKind.AMENDS),
    ("en", "Directive 77/388/EEC is hereby repealed.", EdgeKind.REPEALS),
    ("en", "in Article 2, point (h) is deleted;", EdgeKind.REPEALS),
    ("en", "the following Article 5a is inserted:", EdgeKind.INSERTS),
    ("en", "in accordance with Directive 77/388/EEC, as amended by a later act,", EdgeKind.CITES),
    ("fr", "La directive 77/388/CEE est modifiée comme suit:", EdgeKind.AMENDS),
    ("fr", "Le règlement (UE) no 282/2010 est abrogé.", EdgeKind.REPEALS),
    ("fr", "conformément à la directive 77/388/CEE,", EdgeKind.CITES),
]


@pytest.mark.parametrize(("language", "text", "kind"), KINDS)
def test_the_words_behind_a_citation_say_what_is_done_to_it(language: str, text: str, kind: EdgeKind) -> None:
    found = find_citations(text, CitationContext(language, ProvisionId.parse(HERE)))
    assert [citation.kind for citation in found] == [kind]


def test_a_recital_amends_nothing() -> None:
    context = CitationContext("en", ProvisionId.parse(f"{OWN}/rct_5"))
    (found,) = find_citations("Directive 2006/112/EC is amended in practice.", context)
    assert found.kind is EdgeKind.CITES


# A document with a structure of its own


def node(path: str, text: str = "", *children: Provision) -> Provision:
    identifier = ProvisionId.parse(f"eu:32024R0001/{path}" if path else "eu:32024R0001")
    return Provision(identifier, ProvisionKind.ARTICLE, "", (Version(text),), children)


def amending() -> Document:
    quote = node("art_1/point_1/quote_1", "‘2. Article 9 of this Regulation and the first subparagraph.’")
    change = node("art_1/point_1", "in Article 6, paragraph 2 is replaced by the following:", quote)
    inner = node("art_1/point_2/point_a", "in the first subparagraph, point (c) is deleted;")
    annex = node(
        "art_1/point_3", "Annex II is amended as follows:", node("art_1/point_3/point_a", "in Section 3.5")
    )
    body = node(
        "art_1",
        "Regulation (EU) No 575/2013 is amended as follows:",
        change,
        node("art_1/point_2", "Article 3, point 9 is amended as follows:", inner),
        annex,
    )
    other = node(
        "art_2",
        "",
        node("art_2/para_1", "first", node("art_2/para_1/point_a"), node("art_2/para_1/subpara_2")),
    )
    recitals = (node("rct_1", "Directive 77/388/EEC counts."), node("rct_2", "Article 28 of that Directive"))
    root = node(
        "", "", *recitals, body, other, node("art_3"), node("art_4"), node("anx_1", "", node("anx_1/point_1"))
    )
    return Document(
        WorkId("eu:32024R0001"), "en", "Regulation amending Regulation (EU) No 575/2013", root, ()
    )


PLACED = [
    ("art_1/point_1", ["eu:32013R0575/art_6/para_2"]),
    ("art_1/point_1/quote_1", ["eu:32013R0575/art_9", "eu:32013R0575/art_6/para_2/subpara_1"]),
    ("art_1/point_2/point_a", ["eu:32013R0575/art_3/point_9/subpara_1/point_c"]),
    ("art_1/point_3/point_a", ["eu:32013R0575/anx_II/sct_3.5"]),
    ("rct_2", ["eu:31977L0388/art_28"]),
]


@pytest.mark.parametrize(("path", "expected"), PLACED)
def test_places_of_an_amended_act_are_found_through_the_lines_above(path: str, expected: list[str]) -> None:
    document = amending()
    place = f"eu:32024R0001/{path}"
    text = next(each for each in document.root.walk() if str(each.id) == place).versions[-1].text
    assert leads(text, "en", place, document) == expected


STANDING = [
    ("art_2/para_1/subpara_2", "the first subparagraph", ["eu:32024R0001/art_2/para_1"]),
    ("art_2/para_1/subpara_2", "point (a) of the first subparagraph", ["eu:32024R0001/art_2/para_1/point_a"]),
    ("art_2/para_1", "Articles 2 to 4", [f"eu:32024R0001/art_{number}" for number in (2, 3, 4)]),
    ("art_2/para_1", "Article 2(1)(a)(i)", ["eu:32024R0001/art_2/para_1/point_a"]),
    ("art_2/para_1", "paragraph 7", [f"!{Unresolved.NO_SUCH_PROVISION}"]),
    ("art_2/para_1", "point 1 of the Annex", ["eu:32024R0001/anx_1/point_1"]),
]


@pytest.mark.parametrize(("path", "text", "expected"), STANDING)
def test_places_of_the_act_at_hand_are_those_it_has(path: str, text: str, expected: list[str]) -> None:
    assert leads(text, "en", f"eu:32024R0001/{path}", amending()) == expected


# Numbers

ACTS = [
    ("Directive", "77", "388", False, "31977L0388"),
    ("Directive", "2006", "112", False, "32006L0112"),
    ("Regulation", "282", "2011", True, "32011R0282"),
    ("Regulation", "2018", "1912", False, "32018R1912"),
    ("Regulation", "2821", "71", True, "31971R2821"),
    ("Regulation", "4056", "86", False, "31986R4056"),
    ("Decision", "1359", "2013", True, "32013D1359"),
    ("Decision", "2010", "670", False, "32010D0670"),
    ("Decision", "2015", "1814", False, "32015D1814"),
    ("Framework Decision", "2002", "584", False, "32002F0584"),
    ("règlement", "904", "2010", True, "32010R0904"),
    ("Regulation", "17", "", True, "31962R0017"),
]


@pytest.mark.parametrize(("kind", "first", "second", "numbered", "celex"), ACTS)
def test_the_year_is_told_from_the_number(
    kind: str, first: str, second: str, numbered: bool, celex: str
) -> None:
    assert str(numbered_act(kind, first, second, numbered=numbered)) == f"eu:{celex}"


@pytest.mark.parametrize(
    ("words", "letters"),
    [("bis", "a"), ("quinquies", "d"), ("septvicies", "z"), ("octovicies", "aa"), ("septvicies bis", "za"),
     ("bis bis", "aa"), ("terquinquagies", "az"), ("sexquinquagies", "bc")],
)  # fmt: skip
def test_latin_numerals_are_letters(words: str, letters: str) -> None:
    assert latin_letters(words) == letters


def test_numbers_and_addresses_of_works() -> None:
    assert str(celex_work("02019R2144-20220706")) == "eu:32019R2144"
    assert str(celex_work("32006L0112R(01)")) == "eu:32006L0112R(01)"
    assert str(celex_work("12016E/TXT")) == "eu:12016E/TXT"
    assert celex_work("2019R2144") is None
    assert str(eli_work("http://data.europa.eu/eli/reg_impl/2015/2378/oj")) == "eu:32015R2378"
    assert eli_work("http://data.europa.eu/eli/treaty/tfeu") is None


WORDS = st.sampled_from(
    [
        *(
            "Article",
            "Articles",
            "article",
            "paragraphe",
            "paragraph",
            "point",
            "points",
            "section",
            "Part",
            "A",
        ),
        *(
            "(a)",
            "a)",
            "(1)",
            "1",
            "2",
            "to",
            "and",
            "et",
            "à",
            "of",
            "de",
            "la",
            "du",
            "the",
            "its",
            "is",
            "as",
        ),
        *("Annex", "annexe", "I", "II", "Directive", "2006/112/EC", "No", "(EU)", "Treaty", "traité", "that"),
        *("thereof", "first", "subparagraph", "premier", "alinéa", "bis", "ter", "amended", "follows:"),
        *(",", ".", ";", "\n"),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(WORDS, max_size=40), st.sampled_from(["en", "fr"]), st.sampled_from([HERE, OLD, ""]))
def test_whatever_is_written_citations_stand_in_order_and_lead_somewhere_or_say_why(
    words: list[str], language: str, place: str
) -> None:
    text = " ".join(words)
    context = CitationContext(language, ProvisionId.parse(place) if place else None)
    found = find_citations(text, context, NAMES)
    end = 0
    for citation in found:
        assert end <= citation.start < citation.end <= len(text)
        assert citation.text == text[citation.start : citation.end]
        assert all(lead.target or lead.alias or lead.reason for lead in resolve(citation, context, NAMES))
        end = citation.end


@pytest.mark.parametrize(
    "unit", ["Article 1(", "Articles 1, ", "point (a) of ", "first and ", "(EU) No 1/", "article 1 bis "]
)
def test_a_hostile_text_takes_no_more_than_its_share_of_time(unit: str) -> None:
    context = CitationContext("en" if unit != "article 1 bis " else "fr", ProvisionId.parse(HERE))
    find_citations(unit * 50, context)

    def spent(times: int) -> float:
        """The least of three runs: a machine that does other work beside only ever adds."""
        found = []
        for _ in range(3):
            begun = process_time()
            find_citations(unit * times, context)
            found.append(process_time() - begun)
        return min(found)

    assert spent(2000) < 16 * max(spent(500), 0.02)
