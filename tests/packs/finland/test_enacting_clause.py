"""Enacting clauses in the manner of real ones, and what each says is done to which place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.packs.finland.amendments.enacting_clause import Clause, read_clause, read_places
from pykala.packs.finland.amendments.enacting_numbers import between
from pykala.packs.finland.amendments.enacting_targets import targets_of

LAW = "kanavamaksulain (321/1996)"


def said(clause: Clause) -> list[str]:
    """Each instruction in short: `amend sec_3/subsec_2`, `insert chp_4 [heading]`, `renumber sec_7 > 8`."""
    lines = []
    for one in clause.instructions:
        place = "/".join(map(str, one.path)) or "act"
        line = f"{one.action} {place}"
        line += f" [{one.facet}]" if one.facet != "whole" else ""
        line += f" > {one.to.number}" if one.to else ""
        line += " temporarily" if one.temporary else ""
        line += f" in {one.only_language}" if one.only_language else ""
        line += " instead" if one.instead else ""
        lines.append(line)
    return lines


FINNISH = [
    # One place
    ("muutetaan {law} 3 § seuraavasti:", ["amend sec_3"]),
    ("muutetaan {law} 3 a § seuraavasti:", ["amend sec_3a"]),
    ("muutetaan {law} 3 §:n 2 momentti seuraavasti:", ["amend sec_3/subsec_2"]),
    ("muutetaan {law} 3 §:n 2 momentin 4 kohta seuraavasti:", ["amend sec_3/subsec_2/para_4"]),
    ("muutetaan {law} 3 §:n 4 a kohta seuraavasti:", ["amend sec_3/para_4a"]),
    (
        "muutetaan {law} 3 §:n 2 momentin 4 kohdan b alakohta seuraavasti:",
        ["amend sec_3/subsec_2/para_4/subpara_b"],
    ),
    ("muutetaan {law} 5 §:n otsikko seuraavasti:", ["amend sec_5 [heading]"]),
    ("muutetaan {law} 4 luvun otsikko seuraavasti:", ["amend chp_4 [heading]"]),
    ("muutetaan {law} III osan otsikko seuraavasti:", ["amend part_3 [heading]"]),
    ("muutetaan {law} 4 luku seuraavasti:", ["amend chp_4"]),
    ("muutetaan {law} nimike seuraavasti:", ["amend act [title]"]),
    ("muutetaan {law} liite seuraavasti:", ["amend annex_1"]),
    ("muutetaan {law} liite 3 seuraavasti:", ["amend annex_3"]),
    ("muutetaan {law} voimaantulosäännös seuraavasti:", ["amend entry_1"]),
    (
        "muutetaan {law} 3 §:n 1 momentin johdantokappale seuraavasti:",
        ["amend sec_3/subsec_1 [introduction]"],
    ),
    ("muutetaan {law} 28 §:n edellä oleva väliotsikko seuraavasti:", ["amend sec_28 [cross-heading]"]),
    # Lists and ranges
    ("muutetaan {law} 3, 5 ja 7 a § seuraavasti:", ["amend sec_3", "amend sec_5", "amend sec_7a"]),
    ("muutetaan {law} 7–9 § seuraavasti:", ["amend sec_7", "amend sec_8", "amend sec_9"]),
    ("muutetaan {law} 7-9 § seuraavasti:", ["amend sec_7", "amend sec_8", "amend sec_9"]),
    ("muutetaan {law} 8 a–8 c § seuraavasti:", ["amend sec_8a", "amend sec_8b", "amend sec_8c"]),
    ("muutetaan {law} 8 a–c § seuraavasti:", ["amend sec_8a", "amend sec_8b", "amend sec_8c"]),
    ("muutetaan {law} 10–11 b § seuraavasti:", [f"amend sec_{n}" for n in ("10", "11", "11a", "11b")]),
    (
        "muutetaan {law} 3 §:n 1, 3 ja 4 momentti seuraavasti:",
        ["amend sec_3/subsec_1", "amend sec_3/subsec_3", "amend sec_3/subsec_4"],
    ),
    (
        "muutetaan {law} 3 §:n 2 momentti, 5 §:n otsikko ja 1 momentin 3 kohta, 7 ja 9 § sekä 4 luvun otsikko"
        " seuraavasti:",
        [
            "amend sec_3/subsec_2",
            "amend sec_5 [heading]",
            "amend sec_5/subsec_1/para_3",
            "amend sec_7",
            "amend sec_9",
            "amend chp_4 [heading]",
        ],
    ),
    (
        "muutetaan {law} 3 §:n 1 momentin 1 kohdan b alakohta ja 7 kohta sekä 4 momentti seuraavasti:",
        ["amend sec_3/subsec_1/para_1/subpara_b", "amend sec_3/subsec_1/para_7", "amend sec_3/subsec_4"],
    ),
    ("muutetaan {law} liitteet 1 ja 3–5 seuraavasti:", [f"amend annex_{n}" for n in (1, 3, 4, 5)]),
    ("muutetaan {law} 6 § ja liite seuraavasti:", ["amend sec_6", "amend annex_1"]),
    # Chapters that lead on
    (
        "muutetaan {law} 5 luvun 10 a §, 5 a luvun 1 §:n 1 momentin 4 kohta ja 2 §:n 1 momentti sekä 6 luvun"
        " 7 § seuraavasti:",
        [
            "amend chp_5/sec_10a",
            "amend chp_5a/sec_1/subsec_1/para_4",
            "amend chp_5a/sec_2/subsec_1",
            "amend chp_6/sec_7",
        ],
    ),
    ("muutetaan {law} II osan 1 luvun 2 § seuraavasti:", ["amend part_2/chp_1/sec_2"]),
    # Where the ending has been forgotten
    ("muutetaan {law} 8 a § 1 momentti seuraavasti:", ["amend sec_8a/subsec_1"]),
    ("muutetaan {law} 1 §:n 2 momenttia seuraavasti:", ["amend sec_1/subsec_2"]),
    # Earlier wordings, recalled and left alone
    (
        "muutetaan {law} 3 §:n 2 momentti, sellaisena kuin se on laissa 561/2004, seuraavasti:",
        ["amend sec_3/subsec_2"],
    ),
    (
        "muutetaan {law} 3 §:n 2 momentti, sellaisena kuin se on osaksi laeissa 561/2004, 3/2010 ja 7/2011,"
        " ja 5 § seuraavasti:",
        ["amend sec_3/subsec_2", "amend sec_5"],
    ),
    (
        "muutetaan {law} 3 §:n 2 momentti ja 5 §, sellaisina kuin niistä ovat 3 §:n 2 momentti laissa"
        " 1259/2013 ja 5 § osaksi laissa 8/2015, sekä lisätään lakiin uusi 6 a § seuraavasti:",
        ["amend sec_3/subsec_2", "amend sec_5", "insert sec_6a"],
    ),
    (
        "muutetaan {law} 4 §, sellaisena kuin se on mainitussa laissa 740/1993 sekä laeissa 321/1998 ja"
        " 228/2004, seuraavasti:",
        ["amend sec_4"],
    ),
    (
        "muutetaan 3 päivänä toukokuuta 1996 annetun kanavamaksulain (321/96) 4 §, sellaisena kuin se on"
        " 17 päivänä joulukuuta 1998 annetussa laissa (1254/98), seuraavasti:",
        ["amend sec_4"],
    ),
    # Insertions
    ("lisätään {law} 7 §:ään uusi 3 momentti seuraavasti:", ["insert sec_7/subsec_3"]),
    ("lisätään {law} 7 §:n 1 momenttiin uusi 12 kohta seuraavasti:", ["insert sec_7/subsec_1/para_12"]),
    ("lisätään {law} 7 §:n 1 kohtaan uusi d alakohta seuraavasti:", ["insert sec_7/para_1/subpara_d"]),
    ("lisätään kanavamaksulakiin (321/1996) uusi 5 a § seuraavasti:", ["insert sec_5a"]),
    ("lisätään kanavamaksulakiin (321/1996) uusi 5 a ja 6 c § seuraavasti:",
     ["insert sec_5a", "insert sec_6c"]),
    ("lisätään kanavamaksulakiin (321/1996) uusi 2 a luku seuraavasti:", ["insert chp_2a"]),
    ("lisätään {law} 4 lukuun uusi 8 a–8 c § seuraavasti:", [f"insert chp_4/sec_8{x}" for x in "abc"]),
    (
        "muutetaan {law} 7 luvun 2 §:n 12 kohta sekä lisätään 7 luvun 2 §:ään, sellaisena kuin se on laissa"
        " 1249/2023, uusi 13 kohta, lukuun uusi 24 a § ja 25 §:ään uusi 7 momentti seuraavasti:",
        [
            "amend chp_7/sec_2/para_12",
            "insert chp_7/sec_2/para_13",
            "insert chp_7/sec_24a",
            "insert chp_7/sec_25/subsec_7",
        ],
    ),
    (
        "lisätään {law} 7 §:ään, sellaisena kuin se on laissa 4/2010, uusi 3 momentti, jolloin nykyinen"
        " 3 momentti siirtyy 4 momentiksi, ja lakiin uusi 9 a § seuraavasti:",
        ["insert sec_7/subsec_3", "renumber sec_7/subsec_3 > 4", "insert sec_9a"],
    ),
    # An act whose sections started again in each chapter is numbered through
    (
        "muutetaan {law} I osan 1 luvun 1 §:n otsikko, II osan 1 luvun 1 §:n numero 3:ksi, 2 §:n numero 4:ksi"
        " ja mainitun pykälän 1 momentti, 5 ja 6 §:n numero 7 ja 8:ksi ja mainittujen pykälien otsikot sekä"
        " 11 §:n numero 13:ksi ja mainittu pykälä, II A osan numero III:ksi ja mainitun osan 1 luvun"
        " 1–2 a §:n numero 29–31:ksi sekä lisätään lakiin uusi 18 § seuraavasti:",
        [
            "amend part_1/chp_1/sec_1 [heading]",
            "renumber part_2/chp_1/sec_1 > 3",
            "renumber part_2/chp_1/sec_2 > 4",
            "amend sec_4/subsec_1",
            "renumber part_2/chp_1/sec_5 > 7",
            "renumber part_2/chp_1/sec_6 > 8",
            "amend sec_7 [heading]",
            "amend sec_8 [heading]",
            "renumber part_2/chp_1/sec_11 > 13",
            "amend sec_13",
            "renumber part_2a/chp_1/sec_1 > 29",
            "renumber part_2a/chp_1/sec_2 > 30",
            "renumber part_2a/chp_1/sec_2a > 31",
            "insert sec_18",
        ],
    ),
    (
        "lisätään {law} 28 §:ään uusi 3 momentti, jolloin nykyinen 3–5 momentti siirtyvät 4–6 momentiksi,"
        " seuraavasti:",
        ["insert sec_28/subsec_3", *(f"renumber sec_28/subsec_{n} > {n + 1}" for n in (3, 4, 5))],
    ),
    (
        "lisätään {law} 28 §:ään uusi 2 momentti, jolloin muutettu 2 momentti siirtyy 3 momentiksi ja"
        " nykyinen 3 momentti siirtyy 4 momentiksi, seuraavasti:",
        ["insert sec_28/subsec_2", "renumber sec_28/subsec_2 > 3", "renumber sec_28/subsec_3 > 4"],
    ),
    (
        "lisätään kanavamaksulakiin (321/1996) siitä lailla 10/2001 kumotun 54 §:n tilalle uusi 54 §"
        " seuraavasti:",
        ["insert sec_54 instead"],
    ),
    (
        "lisätään {law} 59 §:ään, sellaisena kuin se on osaksi laissa 376/1994, siitä lailla 1119/2018"
        " kumotun 5 kohdan tilalle uusi 5 kohta ja lakiin uusi 60 § seuraavasti:",
        ["insert sec_59/para_5 instead", "insert sec_60"],
    ),
    ("lisätään {law} 8 §:n edelle uusi väliotsikko seuraavasti:", ["insert sec_8 [cross-heading]"]),
    (
        "lisätään {law} 2 lukuun uusi 15 § ja sen edelle uusi väliotsikko seuraavasti:",
        ["insert chp_2/sec_15", "insert chp_2/sec_15 [cross-heading]"],
    ),
    # Repeals
    ("kumotaan {law} 6 luku seuraavasti:", ["repeal chp_6"]),
    (
        "kumotaan {law} 29 §:n 5 momentti ja 56 a §, sellaisina kuin ne ovat, 29 §:n 5 momentti laissa"
        " 878/2017 ja 56 a § laissa 244/2008, muutetaan 27 §:n 1 momentti sekä lisätään lakiin uusi 31 a §"
        " seuraavasti:",
        ["repeal sec_29/subsec_5", "repeal sec_56a", "amend sec_27/subsec_1", "insert sec_31a"],
    ),
    ("kumotaan kanavamaksuista annettu valtioneuvoston asetus (99/2001).", ["repeal act"]),
    # For a time
    ("muutetaan väliaikaisesti {law} 4 ja 5 § seuraavasti:",
     ["amend sec_4 temporarily", "amend sec_5 temporarily"]),
    (
        "muutetaan {law} 12 §:n 1 momentti väliaikaisesti sekä 12 §:n 2 momentti seuraavasti:",
        ["amend sec_12/subsec_1 temporarily", "amend sec_12/subsec_2"],
    ),
    (
        "lisätään kanavamaksulakiin (321/1996) väliaikaisesti uusi 58 b § ja lakiin uusi 69 c § seuraavasti:",
        ["insert sec_58b temporarily", "insert sec_69c"],
    ),
    # One language
    (
        "muutetaan {law} 29 §:n 2 kohdan ruotsinkielinen sanamuoto ja 41 § seuraavasti:",
        ["amend sec_29/para_2 in sv", "amend sec_41"],
    ),
    (
        "muutetaan {law} 79 §:n johdantokappaleen suomenkielinen sanamuoto ja 3 kohta seuraavasti:",
        ["amend sec_79 [introduction] in fi", "amend sec_79/para_3"],
    ),
    (
        "muutetaan {law} 146 §, 147 §:n 2 momentin, 150 §:n otsikon ja 2–3 momentin sekä 151 §:n 2 momentin"
        " suomenkielinen sanamuoto sekä 153 § seuraavasti:",
        [
            "amend sec_146",
            "amend sec_147/subsec_2 in fi",
            "amend sec_150 [heading] in fi",
            "amend sec_150/subsec_2 in fi",
            "amend sec_150/subsec_3 in fi",
            "amend sec_151/subsec_2 in fi",
            "amend sec_153",
        ],
    ),
    ("muutetaan {law} 3 §:n ja 5 §:n otsikko seuraavasti:",
     ["amend sec_3 [heading]", "amend sec_5 [heading]"]),
    # Older forms
    ("on liikenneministerin esittelystä muuttanut {law} 4 §:n 2 momentin seuraavasti:", []),
    ("on liikenneministerin esittelystä muuttanut {law} 4 §:n 2 momentti ja 5 § seuraavasti:",
     ["amend sec_4/subsec_2", "amend sec_5"]),
]  # fmt: skip

SWEDISH = [
    (
        "ändras i kanalavgiftslagen (321/1996) rubriken för 3 §, det inledande stycket i 4 § 1 mom., den"
        " finska språkdräkten i 5 § 2 mom. samt 6 § som följer:",
        [
            "amend sec_3 [heading]",
            "amend sec_4/subsec_1 [introduction]",
            "amend sec_5/subsec_2 in fi",
            "amend sec_6",
        ],
    ),
    (
        "ändras i kanalavgiftslagen (321/1996) 3 § 1 mom. 1 punkten underpunkterna a och c och 5 punkten"
        " som följer:",
        [
            "amend sec_3/subsec_1/para_1/subpara_a",
            "amend sec_3/subsec_1/para_1/subpara_c",
            "amend sec_3/subsec_1/para_5",
        ],
    ),
    ("ändras i kanalavgiftslagen (321/1996) 3 § som följer:", ["amend sec_3"]),
    (
        "ändras i kanalavgiftslagen (321/1996) 112 a § 1 mom., sådant det lyder i lag 561/2004, som följer:",
        ["amend sec_112a/subsec_1"],
    ),
    (
        "ändras i kanalavgiftslagen (321/1996) 83 § 2 och 3 mom. och 84 § samt fogas till lagen en ny 10 a §"
        " som följer:",
        ["amend sec_83/subsec_2", "amend sec_83/subsec_3", "amend sec_84", "insert sec_10a"],
    ),
    (
        "ändras i kanalavgiftslagen (321/1996) 8 kap. 2 § 2 mom. 2 punkten och fogas till 4 kap. en ny 9 §"
        " som följer:",
        ["amend chp_8/sec_2/subsec_2/para_2", "insert chp_4/sec_9"],
    ),
    (
        "upphävs i kanalavgiftslagen (321/1996) 4 § 5 mom., sådant det lyder i lag 1178/2004, och ändras 1 §"
        " som följer:",
        ["repeal sec_4/subsec_5", "amend sec_1"],
    ),
    # A company ends like an act ("bolag"), and what stands in an act is not the act.
    (
        "upphävs i lagen om kanalbolag (321/1996) 6 kap. 37 § 3 mom. och ändras 2 kap. 1 § som följer:",
        ["repeal chp_6/sec_37/subsec_3", "amend chp_2/sec_1"],
    ),
    (
        "upphävs i kanalmyndighetens beslut (321/1996) 2 § 1 mom. och ändras 3 § som följer:",
        ["repeal sec_2/subsec_1", "amend sec_3"],
    ),
    ("upphävs kanalmyndighetens beslut (321/1996) som följer:", ["repeal act"]),
    (
        "fogas till 7 § i kanalavgiftslagen (321/1996), sådan den lyder i lagarna 1/2011 och 9/2012, ett nytt"
        " 4 mom. som följer:",
        ["insert sec_7/subsec_4"],
    ),
    (
        "fogas till kanalavgiftslagen (321/1996) en ny 18 b § och till 19 § ett nytt 2 mom., varvid det"
        " nuvarande 2 mom. blir 3 mom., som följer:",
        ["insert sec_18b", "insert sec_19/subsec_2", "renumber sec_19/subsec_2 > 3"],
    ),
]


@pytest.mark.parametrize(("text", "expected"), FINNISH)
def test_what_a_finnish_clause_does(text: str, expected: list[str]) -> None:
    clause = read_clause("Eduskunnan päätöksen mukaisesti\n" + text.format(law=LAW), "fi")
    assert said(clause) == expected
    if expected:
        assert clause.unread == ()


@pytest.mark.parametrize(("text", "expected"), SWEDISH)
def test_what_a_swedish_clause_does(text: str, expected: list[str]) -> None:
    clause = read_clause("I enlighet med riksdagens beslut\n" + text, "sv")
    assert said(clause) == expected
    assert clause.unread == ()


def test_words_that_are_not_understood_are_told() -> None:
    clause = read_clause(f"muutetaan {LAW} 16 §:n merkkiä 317 koskeva kohta ja 18 § seuraavasti:", "fi")
    assert "merkkiä" in [words for _, _, words in clause.unread]
    assert said(clause) == ["amend sec_18"]


def test_a_place_that_leads_to_nothing_is_told_as_not_understood() -> None:
    clause = read_clause(f"muutetaan {LAW} 3 §:n 2 momentin, 5 §:n 1 momentti ja 6 § seuraavasti:", "fi")
    assert said(clause) == ["amend sec_5/subsec_1", "amend sec_6"]
    assert [words for _, _, words in clause.unread] == ["2 momentin"]
    short = read_clause(f"muutetaan {LAW} 5 §:n 1 ja 17 §:n 2 momentti seuraavasti:", "fi")
    assert [words for _, _, words in short.unread] == ["5 §:n"]


def test_the_span_is_that_of_the_words() -> None:
    text = f"Eduskunnan päätöksen mukaisesti\nmuutetaan {LAW} 3 §:n 2 ja 4 momentti sekä 7–9 § seuraavasti:"
    spans = {text[one.start : one.end] for one in read_clause(text, "fi").instructions}
    assert spans == {"2 ja 4 momentti", "7–9 §"}


ACTS = [
    (f"muutetaan {LAW} 3 § seuraavasti:", [("1996/321", "kanavamaksulaki")]),
    ("muutetaan rikoslain (39/1889) 3 luvun 1 § seuraavasti:", [("1889/39", "rikoslaki")]),
    ("muutetaan tuloverolain (1535/92) 3 § seuraavasti:", [("1992/1535", "tuloverolaki")]),
    ("muutetaan oikeudenkäymiskaaren 5 luvun 3 § seuraavasti:", [("", "oikeudenkäymiskaari")]),
    (
        "kumotaan kanavista annetun lain (1/2000) 3 § ja sulkuporteista annetun lain (2/2001) 5 §"
        " seuraavasti:",
        [("2000/1", "kanavista annettu laki"), ("2001/2", "sulkuporteista annettu laki")],
    ),
    (
        "muutetaan kanavalain 153 §:n mukaista jakoa varten annetun asetuksen (15/2013) 4 § seuraavasti:",
        [("2013/15", "kanavalain 153 §:n mukaista jakoa varten annettu asetus")],
    ),
    ("säädetään kanavalain (1/2000) 3 §:n nojalla:", []),
]


@pytest.mark.parametrize(("text", "expected"), ACTS)
def test_which_acts_a_clause_changes(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(act.number, act.name) for act in read_clause(text, "fi").acts] == expected


def test_targets_are_named_by_number_and_where_there_is_none_by_name() -> None:
    clause = "muutetaan oikeudenkäymiskaaren 5 luvun 3 § seuraavasti:"
    assert [act.number for act in targets_of("Laki oikeudenkäymiskaaren muuttamisesta", clause)] == ["1734/4"]
    assert targets_of("Laki kanavista", "säädetään:") == ()


def test_an_amended_amendment_leads_to_the_act_behind_it() -> None:
    clause = (
        "muutetaan kanavamaksulain 3 ja 5 §:n väliaikaisesta muuttamisesta annetun lain (295/2020)"
        " voimaantulosäännös seuraavasti:"
    )
    found = targets_of(
        "Laki kanavamaksulain muuttamisesta annetun lain voimaantulosäännöksen muuttamisesta", clause
    )
    assert found[0].number == "2020/295"
    assert "kanavamaksulaki" in [act.name for act in found]


def test_a_list_of_places_is_read_outside_a_clause_too() -> None:
    paths = ["/".join(map(str, one.path)) for one in read_places("5 § ja 7 §:n 2 momentti", "fi")]
    assert paths == ["sec_5", "sec_7/subsec_2"]


@given(st.integers(1, 300), st.integers(2, 30))
def test_a_range_holds_every_number_between_its_ends(first: int, length: int) -> None:
    assert between(str(first), str(first + length)) == [str(n) for n in range(first + 1, first + length)]


WORDS = st.lists(
    st.sampled_from(
        [
            "muutetaan",
            "lisätään",
            "kumotaan",
            "lain",
            "lakiin",
            "uusi",
            "3",
            "4",
            "a",
            "§:n",
            "§:ään",
            "§",
            "momentti",
            "momentin",
            "kohta",
            "luvun",
            "luku",
            "ja",
            ",",
            "–",
            "sellaisena",
            "kuin",
            "se",
            "on",
            "laissa",
            "3/2004",
            "jolloin",
            "nykyinen",
            "siirtyy",
            "momentiksi",
            "(12/2003)",
            "väliaikaisesti",
            "otsikko",
            "liite",
            "sen",
            "edelle",
            "väliotsikko",
            "tilalle",
            "kumotun",
            "seuraavasti",
            "xyz",
        ]
    ),
    max_size=40,
)


@given(WORDS, st.sampled_from(["fi", "sv"]))
def test_any_words_are_read_without_failing_and_spans_lie_in_the_text(
    words: list[str], language: str
) -> None:
    text = " ".join(words)
    for one in read_clause(text, language).instructions:
        assert 0 <= one.start <= one.end <= len(text)


@pytest.mark.parametrize(
    ("first", "last", "inner"),
    [
        ("50x", "50ö", ["50y", "50z", "50å", "50ä"]),
        ("8a", "8d", ["8b", "8c"]),
        ("8", "8c", ["8a", "8b"]),
        ("10", "12a", ["11", "12"]),
        ("8d", "8a", []),
    ],
)
def test_letters_go_on_after_z(first: str, last: str, inner: list[str]) -> None:
    assert between(first, last) == inner
