"""Citations as Finnish, Swedish and English texts write them: text, where it stands, where it leads."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.law.citations import CitationContext
from pykala.law.identifiers import ProvisionId
from pykala.law.references import EdgeKind, Unresolved
from pykala.packs.finland import pack
from pykala.packs.finland.citations.citation_patterns import between, listed, members

ACT = "fi:act:1992/1535/sec_33a/subsec_2"  # a momentti of an act that is numbered through
CHAPTERED = "fi:act:1997/1336/chp_2/sec_4/subsec_1"  # an act that starts again in each chapter
RULING = "fi:kho:2020/1/head_1/para_1"
GUIDANCE = "fi:vero:konserniavustus/sec_1/para_1"
TVL, AVL = "fi:act:1992/1535", "fi:act:1993/1501"

# language, where the text stands, text, the targets in order; "name#path" for a work known by name only
CASES = [
    ("fi", ACT, "sovelletaan 124 §:n 2 momentin 3 kohdassa", [f"{TVL}/sec_124/subsec_2/para_3"]),
    ("fi", ACT, "viitataan 33 a §:ään", [f"{TVL}/sec_33a"]),
    ("fi", ACT, "33 a §:ssä ja 33 b §:ssä", [f"{TVL}/sec_33a", f"{TVL}/sec_33b"]),
    ("fi", ACT, "55 ja 56 §", [f"{TVL}/sec_55", f"{TVL}/sec_56"]),
    ("fi", ACT, "26–28 §", [f"{TVL}/sec_26", f"{TVL}/sec_27", f"{TVL}/sec_28"]),
    ("fi", ACT, "26-28 §:ssä", [f"{TVL}/sec_26", f"{TVL}/sec_27", f"{TVL}/sec_28"]),
    ("fi", ACT, "26―27 §", [f"{TVL}/sec_26", f"{TVL}/sec_27"]),
    ("fi", ACT, "18 a–18 c §", [f"{TVL}/sec_18a", f"{TVL}/sec_18b", f"{TVL}/sec_18c"]),
    ("fi", ACT, "3, 5 ja 7 §", [f"{TVL}/sec_3", f"{TVL}/sec_5", f"{TVL}/sec_7"]),
    ("fi", ACT, "17 luvun 40 §", [f"{TVL}/sec_40"]),
    ("fi", CHAPTERED, "3 luvun 6 §:ssä", ["fi:act:1997/1336/chp_3/sec_6"]),
    ("fi", CHAPTERED, "edellä 6 §:ssä", ["fi:act:1997/1336/chp_2/sec_6"]),
    ("fi", CHAPTERED, "1 momentissa", ["fi:act:1997/1336/chp_2/sec_4/subsec_1"]),
    (
        "fi",
        RULING,
        "osakeyhtiölain 13 luvun 1 §:n 1 kohdassa",
        ["fi:act:2006/624/chp_13/sec_1/subsec_1/para_1"],
    ),
    ("fi", RULING, "TVL 48.6 §", [f"{TVL}/sec_48/subsec_6"]),
    ("fi", RULING, "TVL 124 § 2 mom", [f"{TVL}/sec_124/subsec_2"]),
    ("fi", RULING, "TVL 124 § 2 mom.", [f"{TVL}/sec_124/subsec_2"]),
    ("fi", RULING, "TVL:n 124 §:n 2 momentti", [f"{TVL}/sec_124/subsec_2"]),
    ("fi", RULING, "EVL 6 b §:n 2 momentin 1 kohta", ["fi:act:1968/360/sec_6b/subsec_2/para_1"]),
    ("fi", RULING, "tuloverolain 33 a §", [f"{TVL}/sec_33a"]),
    ("fi", RULING, "Tuloverolaissa, jonka 5 §", [TVL, f"{TVL}/sec_5"]),
    ("fi", RULING, "perintö- ja lahjaverolain 55 §", ["fi:act:1940/378/sec_55"]),
    ("fi", RULING, "(1535/1992)", [TVL]),
    ("fi", RULING, "(1535/92)", [TVL]),
    ("fi", RULING, "tuloverolain (1992/1535, TVL) 9 §:n", [f"{TVL}/sec_9"]),
    (
        "fi",
        RULING,
        "arvonlisäverolain (1501/1993) 102 §:n 1 momentin 1 kohta",
        [f"{AVL}/sec_102/subsec_1/para_1"],
    ),
    ("fi", ACT, "annetun lain (746/2011) 14 ja 31 §", ["fi:act:2011/746/sec_14", "fi:act:2011/746/sec_31"]),
    ("fi", ACT, "lain 5 §", [f"{TVL}/sec_5"]),
    ("fi", GUIDANCE, "Arvonlisäverolaki on laaja. AVL 1 §. Lain 5 §", [AVL, f"{AVL}/sec_1", f"{AVL}/sec_5"]),
    ("fi", ACT, "tämän lain 5 §:ssä", [f"{TVL}/sec_5"]),
    ("fi", ACT, "tämän lain voimaan tullessa", [TVL]),
    ("fi", ACT, "2 momentissa tarkoitettu", [f"{TVL}/sec_33a/subsec_2"]),
    ("fi", ACT, "edellä 1 momentissa", [f"{TVL}/sec_33a/subsec_1"]),
    ("fi", ACT, "1 ja 3 momentissa", [f"{TVL}/sec_33a/subsec_1", f"{TVL}/sec_33a/subsec_3"]),
    ("fi", ACT, "1 momentin 2 kohdassa", [f"{TVL}/sec_33a/subsec_1/para_2"]),
    ("fi", ACT, "3 kohdassa", [f"{TVL}/sec_33a/subsec_2/para_3"]),
    ("fi", ACT, "1 momentin 2 kohdan b alakohdassa", [f"{TVL}/sec_33a/subsec_1/para_2/subpara_b"]),
    (
        "fi",
        ACT,
        "31 § 1 momentti 2 kohta ja 3 momentti",
        [f"{TVL}/sec_31/subsec_1/para_2", f"{TVL}/sec_31/subsec_3"],
    ),
    (
        "fi",
        RULING,
        "Arvonlisäverolaki 1 § 1 momentti 1 kohta, 18 e § 1 ja 3 momentti ja 117 §",
        [
            f"{AVL}/sec_1/subsec_1/para_1",
            f"{AVL}/sec_18e/subsec_1",
            f"{AVL}/sec_18e/subsec_3",
            f"{AVL}/sec_117",
        ],
    ),
    ("fi", RULING, "MVL_9_§_2_mom", ["fi:act:1967/543/sec_9/subsec_2"]),
    ("fi", RULING, "MaatVL_6_§_13_kohta", ["fi:act:1967/543/sec_6/subsec_1/para_13"]),
    ("fi", RULING, "KonsAvL 2 §:n 1 momentin mukaan", ["fi:act:1986/825/sec_2/subsec_1"]),
    ("fi", RULING, "Laki toimeentulotuesta 11 § 2 momentti", ["laki toimeentulotuesta#sec_11/subsec_2"]),
    (
        "fi",
        RULING,
        "siihen sovelletaan rajoitetusti verovelvollisen tulon verottamisesta annetun lain 13 §:ää",
        ["fi:act:1978/627/sec_13"],
    ),
    ("fi", RULING, "3 §\u200d:n mukaan TVL:ssä", [f"#{Unresolved.NOT_UNDERSTOOD}", TVL]),
    ("fi", ACT, "5\N{NO-BREAK SPACE}a\N{THIN SPACE}§:n", [f"{TVL}/sec_5a"]),
    ("fi", RULING, "YVA-asetuksen 6 §:n", ["yva-asetus#sec_6"]),
    (
        "fi",
        RULING,
        "(maatilatalouden tuloverolaki 543/1967, 2 § 2 momentti)",
        ["fi:act:1967/543/sec_2/subsec_2"],
    ),
    (
        "fi",
        ACT,
        "edellä 1 momentissa tarkoitetussa tilanteessa säädetään valvonnasta annetun lain (131/1973) 9 §:ssä",
        [f"{TVL}/sec_33a/subsec_1", "fi:act:1973/131/sec_9"],
    ),
    (
        "fi",
        "fi:act:2007/468/enacting_1",
        "muutetaan ulosottolain (37/1895) 4 luvun 4 §, 6 § ja 18 §:n 1 momentti, sellaisina kuin ne"
        " ovat, sekä 7 §",
        [
            "fi:act:1895/37/chp_4/sec_4",
            "fi:act:1895/37/chp_4/sec_6",
            "fi:act:1895/37/chp_4/sec_18/subsec_1",
            "fi:act:1895/37/sec_7",
        ],
    ),
    ("fi", "fi:act:2007/468/enacting_1", "muutetaan 6 §", [f"#{Unresolved.NOT_UNDERSTOOD}"]),
    ("fi", RULING, "107 artikla 1 kohta", []),
    ("fi", RULING, "hallituksen esitys HE 29/2016 vp", [f"he:2016/29#{Unresolved.OUTSIDE_CORPUS}"]),
    ("fi", RULING, "1.1.2016 alkaen 30 prosenttia, 5 asiakasta", []),
    ("fi", GUIDANCE, "KHO:2025:46", ["fi:kho:2025/46"]),
    ("fi", GUIDANCE, "KHO 2025:46", ["fi:kho:2025/46"]),
    ("fi", GUIDANCE, "ECLI:FI:KHO:2025:46", ["fi:kho:2025/46"]),
    ("fi", GUIDANCE, "KHO 1994 B 559", ["fi:kho:1994-B-559"]),
    ("fi", GUIDANCE, "KHO 1986-B-II-610", ["fi:kho:1986-B-II-610"]),
    ("fi", GUIDANCE, "KHO 6.10.2015/2866", ["kho 6.10.2015/2866#"]),
    ("fi", GUIDANCE, "KHO 9.6.2025 taltionumero 1294", ["kho 9.6.2025/1294#"]),
    ("fi", GUIDANCE, "KVL:004/2024", ["fi:kvl:2024/4"]),
    ("fi", GUIDANCE, "KVL 47/2017", ["fi:kvl:2017/47"]),
    ("fi", GUIDANCE, "KVL:2024/4", ["fi:kvl:2024/4"]),
    ("fi", RULING, "Keskusverolautakunta 27.2.2024 nro 4/2024", ["fi:kvl:2024/4"]),
    (
        "fi",
        GUIDANCE,
        "TVL 1 §. Tapaus KHO 2019:30 koskee 2 §:ää",
        [f"{TVL}/sec_1", "fi:kho:2019/30", f"{TVL}/sec_2"],
    ),
    ("fi", None, "Mitä TVL 124 § sanoo?", [f"{TVL}/sec_124"]),
    ("fi", None, "mitä sanoo 124 §?", [f"#{Unresolved.NOT_UNDERSTOOD}"]),
    ("sv", ACT, "33 a § 2 mom. inkomstskattelagen", [f"{TVL}/sec_33a/subsec_2"]),
    (
        "sv",
        ACT,
        "i 33 a § 2 mom. 3 punkten i inkomstskattelagen (1535/1992)",
        [f"{TVL}/sec_33a/subsec_2/para_3"],
    ),
    ("sv", ACT, "inkomstskattelagens 33 a §", [f"{TVL}/sec_33a"]),
    ("sv", ACT, "17 kap. 40 §", [f"{TVL}/sec_40"]),
    ("sv", ACT, "i 2 mom. föreskrivs", [f"{TVL}/sec_33a/subsec_2"]),
    ("sv", ACT, "26–28 §", [f"{TVL}/sec_26", f"{TVL}/sec_27", f"{TVL}/sec_28"]),
    ("sv", ACT, "5 § i denna lag", [f"{TVL}/sec_5"]),
    (
        "sv",
        ACT,
        "5 § i lagen om källskatt för löntagare från utlandet (1551/1995)",
        ["fi:act:1995/1551/sec_5"],
    ),
    ("sv", ACT, "HFD 2025:46", ["fi:kho:2025/46"]),
    ("en", None, "section 124 of the Income Tax Act", ["income tax act#sec_124"]),
    ("en", ACT, "section 124, subsection 2", [f"{TVL}/sec_124/subsec_2"]),
    ("en", ACT, "section 124(2)", [f"{TVL}/sec_124/subsec_2"]),
    ("en", ACT, "sections 55 and 56", [f"{TVL}/sec_55", f"{TVL}/sec_56"]),
    ("en", ACT, "sections 26 to 28", [f"{TVL}/sec_26", f"{TVL}/sec_27", f"{TVL}/sec_28"]),
    ("en", ACT, "subsection 2, paragraph 3", [f"{TVL}/sec_33a/subsec_2/para_3"]),
    ("en", ACT, "section 3 of this Act", [f"{TVL}/sec_3"]),
    ("en", None, "Income Tax Act (1535/1992), section 124, subsection 2", [f"{TVL}/sec_124/subsec_2"]),
    ("en", None, "What does TVL 124 § say?", [f"{TVL}/sec_124"]),
    # Finnish: names in any case, short and long
    ("fi", RULING, "tuloverolaissa säädetään, arvonlisäverolakia sovelletaan", [TVL, AVL]),
    ("fi", RULING, "verotusmenettelystä annetun lain 26 §", ["fi:act:1995/1558/sec_26"]),
    ("fi", RULING, "katsottiin verotusmenettelystä annetun lain 26 §", ["fi:act:1995/1558/sec_26"]),
    ("fi", RULING, "lain (1552/1995) 5 §", ["fi:act:1995/1552/sec_5"]),
    ("fi", RULING, "valtion virkamieslain 5 §", ["valtion virkamieslaki#sec_5"]),
    (
        "fi",
        RULING,
        "jätteistä annetun valtioneuvoston asetuksen 5 §",
        ["jätteistä annettu valtioneuvoston asetus#sec_5"],
    ),
    ("fi", RULING, "samanlaista veronalaista tuloa erityislain mukaan jollain tavalla", []),
    ("fi", RULING, "yhtiöjärjestyksen 3 §:n mukaan", []),
    ("fi", RULING, "Osakeyhtiölaki 21.7.2006/624", ["fi:act:2006/624"]),
    ("fi", RULING, "EnnakkoperintäL 25 b §", ["fi:act:1996/1118/sec_25b"]),
    ("fi", RULING, "TerveydenhoitoA 17 § 39 kohta", ["terveydenhoitoasetus#sec_17/subsec_1/para_39"]),
    ("fi", RULING, "L yhtiöveron hyvityksestä 8 § 1 mom", ["fi:act:1988/1232/sec_8/subsec_1"]),
    ("fi", "fi:kho:1981-B-II-554/head_1", "TVL 22 § 1 mom", ["fi:act:1974/1043/sec_22/subsec_1"]),
    ("fi", "fi:kho:1998/12/head_1", "osakeyhtiölain 12 luvun 2 §", ["fi:act:1978/734/chp_12/sec_2"]),
    ("fi", RULING, "PeVL 11/2012 vp, EV 252/2006, A myy soraa 30 000 tonnia", []),
    # Finnish: places
    ("fi", RULING, "EVL 6.1,3 §", ["fi:act:1968/360/sec_6/subsec_1/para_3"]),
    ("fi", RULING, "TVL 4 § (318/2004) 1 momentti", [f"{TVL}/sec_4/subsec_1"]),
    ("fi", ACT, "5 §:n 3 kohta", [f"{TVL}/sec_5/subsec_1/para_3"]),
    ("fi", ACT, "muu kuin d kohdassa tarkoitettu", [f"{TVL}/sec_33a/subsec_2/para_d"]),
    ("fi", ACT, "3 kohdetta ja 5 kohteen arvo", []),
    ("fi", ACT, "23, 23 a eikä 26 a §:ää", [f"{TVL}/sec_23", f"{TVL}/sec_23a", f"{TVL}/sec_26a"]),
    ("fi", ACT, "6 luvussa säädetään", [f"{TVL}/chp_6"]),
    ("fi", ACT, "vuonna 2015 ja 5 §", [f"{TVL}/sec_5"]),
    ("fi", ACT, "tässä pykälässä ja tässä momentissa", [f"{TVL}/sec_33a", ACT]),
    (
        "fi",
        ACT,
        "ulosottokaaren 8 luvun nojalla. Mainitun luvun 2 §",
        ["ulosottokaari#chp_8", "ulosottokaari#chp_8/sec_2"],
    ),
    (
        "fi",
        ACT,
        "tuloverolain (1535/1992) 5 §. Saman pykälän 2 momentti",
        [f"{TVL}/sec_5", f"{TVL}/sec_5/subsec_2"],
    ),
    (
        "fi",
        ACT,
        "valmistelulain (9/2001) 5 §; mainitun lain 7 §",
        ["fi:act:2001/9/sec_5", "fi:act:2001/9/sec_7"],
    ),
    (
        "fi",
        "fi:act:2006/696/enacting_1",
        "muutetaan 18 päivänä joulukuuta 1995 annetun lain (1592/1995) 2 §:n 15 kohta, sellaisena kuin se on"
        " laissa 630/2004, ja lisätään 3 §:ään uusi 5 momentti",
        [
            "fi:act:1995/1592/sec_2/subsec_1/para_15",
            "fi:act:2004/630",
            "fi:act:1995/1592/sec_3",
            "fi:act:1995/1592/sec_3/subsec_5",
        ],
    ),
    # Rulings, bills, cases, diary numbers, treaties
    ("fi", GUIDANCE, "KHO 1991-A-99", ["fi:kho:1991-A-99"]),
    ("fi", GUIDANCE, "KHO 1985 II 553 ja KHO 1985-II-5", ["fi:kho:1985-B-II-553", "fi:kho:1985-A-II-5"]),
    ("fi", GUIDANCE, "KHO:2019:T123", ["fi:kho:2019-T123"]),
    ("fi", GUIDANCE, "KHO 20.6.1998 taltio 1229", ["kho 20.6.1998/1229#"]),
    ("fi", GUIDANCE, "KHO 5.9.08 T 2156", ["kho 5.9.2008/2156#"]),
    ("fi", GUIDANCE, "KHO 2019:30 ja 2019:31", ["fi:kho:2019/30", "fi:kho:2019/31"]),
    (
        "fi",
        GUIDANCE,
        "asia C\u2011101/00 ja C-386/08 P",
        [f"case:c-101/00#{Unresolved.OUTSIDE_CORPUS}", f"case:c-386/08#{Unresolved.OUTSIDE_CORPUS}"],
    ),
    ("fi", GUIDANCE, "VH/5629/00.01.00/2022", ["vh/5629/00.01.00/2022#"]),
    ("fi", GUIDANCE, "(A26/200/2014)", ["a26/200/2014#"]),
    ("fi", GUIDANCE, "(SopS 65/1997)", ["fi:treaty:1997/65"]),
    # The Union
    (
        "fi",
        GUIDANCE,
        "direktiivin 2006/112/EY 98 artiklan 2 kohdan a alakohta",
        ["eu:32006L0112/art_98/para_2/point_a"],
    ),
    ("fi", GUIDANCE, "neuvoston direktiivi 2011/16/EU", ["eu:32011L0016"]),
    ("fi", GUIDANCE, "asetus (EU) N:o 282/2011", ["eu:32011R0282"]),
    ("fi", GUIDANCE, "asetuksen (ETY) N:o 3821/85 16 artikla", ["eu:31985R3821/art_16"]),
    (
        "fi",
        GUIDANCE,
        "asetuksen (EU) 2016/679 5 ja 6 artiklan",
        ["eu:32016R0679/art_5", "eu:32016R0679/art_6"],
    ),
    ("fi", GUIDANCE, "yleisen tietosuoja-asetuksen 6 artiklan 1 kohta", ["eu:32016R0679/art_6/para_1"]),
    (
        "fi",
        GUIDANCE,
        "arvonlisäverodirektiivin 9 artikla. Sen 10 artiklassa",
        ["eu:32006L0112/art_9", "eu:32006L0112/art_10"],
    ),
    ("fi", GUIDANCE, "SEUT 101 artiklan", ["eu:12016E/art_101"]),
    ("fi", GUIDANCE, "verosopimuksen 15 artiklan", [f"#{Unresolved.OUTSIDE_CORPUS}"]),
    ("sv", ACT, "artikel 98.2 a i rådets direktiv 2006/112/EG", ["eu:32006L0112/art_98/para_2/point_a"]),
    ("sv", ACT, "artikel 9.1 i förordning (EU) nr 282/2011", ["eu:32011R0282/art_9/para_1"]),
    (
        "sv",
        ACT,
        "artiklarna 5 och 6 i dataskyddsförordningen",
        ["eu:32016R0679/art_5", "eu:32016R0679/art_6"],
    ),
    # Swedish
    ("sv", ACT, "i 5 § 2 mom. 3 punkten", [f"{TVL}/sec_5/subsec_2/para_3"]),
    ("sv", CHAPTERED, "i 4 kap. 2 §", ["fi:act:1997/1336/chp_4/sec_2"]),
    ("sv", ACT, "5 och 6 §", [f"{TVL}/sec_5", f"{TVL}/sec_6"]),
    ("sv", ACT, "61 och 64 § 2 mom.", [f"{TVL}/sec_61", f"{TVL}/sec_64/subsec_2"]),
    ("sv", ACT, "ovan i 2 mom.", [f"{TVL}/sec_33a/subsec_2"]),
    (
        "sv",
        ACT,
        "i 5 §, 6 § 1 mom. och 7 § i strafflagen",
        ["fi:act:1889/39/sec_5", "fi:act:1889/39/sec_6/subsec_1", "fi:act:1889/39/sec_7"],
    ),
    ("sv", ACT, "9 § i lagen av den 3 april 1981 om vägar (267/1981)", ["fi:act:1981/267/sec_9"]),
    ("sv", ACT, "5 § i lagen om fiske och 7 § i nämnda lag", ["lag om fiske#sec_5", "lag om fiske#sec_7"]),
    ("sv", ACT, "hälso- och sjukvårdslagen (1326/2010)", ["fi:act:2010/1326"]),
    ("sv", ACT, "bolagen och förslagen i anslagen", []),
    ("sv", ACT, "RP 29/2016 rd", [f"he:2016/29#{Unresolved.OUTSIDE_CORPUS}"]),
    ("sv", ACT, "HFD 2019:30", ["fi:kho:2019/30"]),
    (
        "sv",
        "fi:act:2005/50/enacting_1",
        "fogas till 26 § i lagen om lön (1108/2000), sådan den lyder i lagarna 1/2001 och 2/2002,"
        " ett nytt 3 mom.",
        ["fi:act:2000/1108/sec_26", "fi:act:2001/1", "fi:act:2002/2", "fi:act:2000/1108/sec_26/subsec_3"],
    ),
    # English
    ("en", ACT, "section 124, subsection 2 of the Income Tax Act", ["income tax act#sec_124/subsec_2"]),
    ("en", None, "TVL 124 § 2 mom", [f"{TVL}/sec_124/subsec_2"]),
]


def leads_to(language: str, at: str | None, text: str) -> list[str]:
    context = CitationContext(language, ProvisionId.parse(at) if at else None)
    found = []
    for citation in pack.find_citations(text, context):
        for resolved in pack.resolve(citation, context):
            path = "/".join(map(str, resolved.path))
            found.append(
                str(resolved.target) if resolved.target else f"{resolved.alias}#{path}{resolved.reason or ''}"
            )
    return found


def test_the_table_is_as_long_as_it_was_asked_to_be() -> None:
    assert len(CASES) >= 60


@pytest.mark.parametrize(("language", "at", "text", "expected"), CASES, ids=[case[2][:40] for case in CASES])
def test_citations_lead_where_they_say(language: str, at: str | None, text: str, expected: list[str]) -> None:
    assert leads_to(language, at, text) == expected


@pytest.mark.parametrize(
    ("at", "kind"),
    [
        (ACT, EdgeKind.CITES),
        (RULING, EdgeKind.APPLIES),
        (GUIDANCE, EdgeKind.INTERPRETS),
        (None, EdgeKind.CITES),
    ],
)
def test_the_source_says_what_sort_of_edge_a_citation_is(at: str | None, kind: EdgeKind) -> None:
    context = CitationContext("fi", ProvisionId.parse(at) if at else None)
    assert [citation.kind for citation in pack.find_citations("TVL 124 §", context)] == [kind]


def test_a_provision_does_not_cite_itself() -> None:
    tombstone = CitationContext("fi", ProvisionId.parse(f"{TVL}/sec_42"))
    (repealing,) = pack.find_citations("42 § on kumottu L:lla 30.7.2004/716.", tombstone)
    assert repealing.text == "30.7.2004/716"
    ruling = CitationContext("fi", ProvisionId.parse("fi:kho:2025/46/details_1/para_1"))
    assert not pack.find_citations("ECLI:FI:KHO:2025:46", ruling)


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ("26–28", ["26", "27", "28"]),
        ("18 e ja 18 f", ["18e", "18f"]),
        ("26 a–26 c", ["26a", "26b", "26c"]),
        ("26 a–28", ["26a", "28"]),
        ("9–3", ["9", "3"]),
        ("1–900", ["1", "900"]),
        ("1, 3–5 ja 7 a", ["1", "3", "4", "5", "7a"]),
        ("a ja b", ["a", "b"]),
    ],
)
def test_lists_and_ranges_unfold(numbers: str, expected: list[str]) -> None:
    unfolded = [number for first, last in members(listed(numbers)) for number in between(first, last)]
    assert unfolded == expected


_words = st.lists(
    st.sampled_from(
        [
            "124",
            "§",
            "33",
            "a",
            "§:n",
            "2",
            "momentin",
            "3",
            "kohdassa",
            "TVL",
            "tuloverolain",
            "lain",
            "ja",
            "sekä",
            "–",
            "-",
            ",",
            ".",
            "(1535/1992)",
            "KHO:2025:46",
            "KVL",
            "4/2024",
            "17",
            "luvun",
            "tämän",
            "lain",
            "mom.",
            "kap.",
            "section",
            "subsection",
            "of",
            "the",
            "Act",
            "annetun",
            "lain",
            "26–28",
            "artikla",
            "i",
        ]
    ),
    max_size=25,
).map(" ".join)


@given(
    st.one_of(_words, st.text(max_size=200)),
    st.sampled_from(["fi", "sv", "en"]),
    st.sampled_from([ACT, RULING, None]),
)
def test_citations_stand_in_order_without_overlap_and_always_resolve(
    text: str, language: str, at: str | None
) -> None:
    context = CitationContext(language, ProvisionId.parse(at) if at else None)
    end = 0
    for citation in pack.find_citations(text, context):
        assert end <= citation.start < citation.end
        assert text[citation.start : citation.end] == citation.text
        end = citation.end
        for resolved in pack.resolve(citation, context):
            assert resolved.target or resolved.alias or resolved.reason
            if resolved.target:
                assert ProvisionId.parse(str(resolved.target)) == resolved.target


@pytest.mark.parametrize(
    "piece",
    [
        "1 § ",
        "1 ja ",
        "lain ",
        "a",
        "annetun ",
        "1 § i lagen om ",
        "Act on the ",
        "(",
        "-",
        "9",
        "laki-",
        "jä ",
        "lagen om å ",
        "1/2 ",
        "artikel 1.1 ",
        "KHO 1:",
    ],
)
@pytest.mark.parametrize("language", ["fi", "sv", "en"])
def test_reading_takes_time_in_proportion_to_the_text(piece: str, language: str) -> None:
    context = CitationContext(language, ProvisionId.parse(ACT))

    def seconds(length: int) -> float:
        text = (piece * length)[:length]
        start = process_time()
        pack.find_citations(text, context)
        return process_time() - start

    seconds(500)
    # Eight times the text: a quadratic reader would need 64 times as long. The best of three is measured.
    short, long = (min(seconds(length) for _ in range(3)) for length in (2_000, 16_000))
    assert long < 30 * max(short, 0.001)
