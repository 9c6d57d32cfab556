# ruff: noqa: E501 - a case reads better on one line
"""When an act enters into force and ceases, as real acts say it, slips of the pen included."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pykala.law.validity import Validity
from pykala.packs.finland.commencement import read_commencement, written_day

STARTS = Validity(date(2020, 1, 1))
FI = "Tämä laki tulee voimaan 1 päivänä tammikuuta 2020."
SV = "Denna lag träder i kraft den 1 januari 2020."
FINNISH = (
    "tammi", "helmi", "maalis", "huhti", "touko", "kesä", "heinä", "elo", "syys", "loka", "marras", "joulu",
)  # fmt: skip
SWEDISH = (
    "januari", "februari", "mars", "april", "maj", "juni", "juli", "augusti", "september", "oktober",
    "november", "december",
)  # fmt: skip


def until(year: int, month: int, day: int) -> Validity:
    return Validity(date(2020, 1, 1), date(year, month, day))


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("fi", "Tämä asetus tulee voimaan 1. päivänä tammikuuta 2020.", STARTS),
        ("fi", "7 § Tämä asetus tulee voimaan 1. tammikuuta 2020.", STARTS),
        ("fi", "Tämä perustuslaki tulee voimaan 1 päivänä tammikuuta 2020.", STARTS),
        ("fi", "Tämä kaari tulee voimaan 1 päivänä tammikuuta 2020.", STARTS),
        ("sv", "Denna grundlag träder i kraft den 1 januari 2020.", STARTS),
        ("fi", "Tämä eduskunnan päätös tulee voimaan 1 päivänä tammikuuta 2020.", STARTS),
        ("fi", "61 § Voimaantulo Tämä työjärjestys tulee voimaan 1.1.2020.", STARTS),
        ("fi", "5 § Voimaantulo Asetus tulee voimaan 1 päivänä tammikuuta 2020.", STARTS),
        ("fi", "Tämä asetus tulee voimaan välittömästi 1.1.2020.", STARTS),
        ("fi", "Tämä asetus tulee voimaan 1 päivänä tamikuuta 2020.", STARTS),
        ("fi", "Tämä asetus tulee voimaan 1 päivänä jotakuuta 2020.", None),
        ("fi", "Tämä laki tulee voimaan 1 päivänä tammi-kuuta 2020.", STARTS),
        ("fi", "Tämä laki tulee voimaan 1 päivänä tammi>kuuta 2020.", STARTS),
        ("fi", "Tämä asetus tulee voimaan 1 päivänä tam-mikuuta 2020.", STARTS),
        ("fi", "Tämä laki tulee voimaan 1 päivänä päivänä tammikuuta 2020.", STARTS),
        ("fi", "Tämä asetus tulee voimaan 1 päivänä tammikuuta vuonna 2020.", STARTS),
        (
            "fi",
            "Tämä maa- ja metsätalousministeriön asetus tulee voimaan 1 päivänä tammikuuta 2020 ja on voimassa"
            " 31 päivään joulukuuta 2020 saakka.",
            until(2021, 1, 1),
        ),
        ("fi", "Tämä oikeusministeriön päätös tulee voimaan 1 päivänä tammikuuta 2020.", STARTS),
        ("fi", "Tämä asetus on voimassa 1 päivästä tammikuuta 2020.", STARTS),
        (
            "fi",
            "Tämä asetus on voimassa 1 päivästä tammikuuta 2020 31 päivään maaliskuuta 2020.",
            until(2020, 4, 1),
        ),
        ("fi", f"{FI} Tämä laki on voimassa kesäkuun 2020 loppuun.", until(2020, 7, 1)),
        ("fi", f"{FI} Se on voimassa vuoden 2021 loppuun.", until(2022, 1, 1)),
        (
            "fi",
            "Voimaantulo- ja siirtymäsäännös Tämä asetus tulee voimaan 1 päivänä tammikuuta 2020 ja"
            " on voimassa 31 päivään joulukuuta 2020.",
            until(2021, 1, 1),
        ),
        # Some sections end; the act does not.
        ("fi", f"{FI} Lain 9 a § on voimassa 31 päivään joulukuuta 2023.", STARTS),
        ("fi", f"{FI} Lain 9 a § ja 93 §:n 1 momentti ovat voimassa 31 päivään joulukuuta 2023.", STARTS),
        ("fi", f"{FI} Tämän lain voimaan tullessa voimassa oleva lupa on voimassa 3 päivään toukokuuta 2020.",
         STARTS),
        ("fi", "Tämä päätös tulee voimaan heti.", None),
        ("fi", "Tämän lain 2 §:n 4 momentti tulee voimaan 1 päivänä tammikuuta 2019.", None),
        ("sv", "Denna lag träder i kraft den1 januari 2020.", STARTS),
        ("sv", "Denna lag träder i kraft 1 januari den 2020.", STARTS),
        ("sv", "Denna förordning träder ikraft den 1 januari 2020.", STARTS),
        ("sv", "Detta beslut av riksdagen träder i kraft den 1 januari 2020.", STARTS),
        ("sv", "7 § Ikraftträdande Beslutet träder i kraft den 1 januari 2020.", STARTS),
        ("sv", "Denna arbetsordning träder i kraft den 1 januari 2020.", STARTS),
        (
            "sv",
            "Denna förordning är i kraft från och med den 1 januari 2020 till och med den 31 december 2020.",
            until(2021, 1, 1),
        ),
        ("sv", f"{SV} Lagen gäller till utgången av juni månad 2020.", until(2020, 7, 1)),
        ("sv", f"{SV} Bestämmelserna i 9 a § 2 mom. gäller till och med den 31 december 2023.", STARTS),
        ("sv", f"{SV} Bestämmelserna i 4 § i denna lag gäller till och med den 31 december 2023.", STARTS),
        (
            "sv",
            f"{SV} Ett lov som gäller vid ikraftträdandet av denna lag gäller till och med den 3 mars 2020.",
            STARTS,
        ),
        (
            "sv",
            "Bestämmelser om ikraftträdandet av denna lag utfärdas genom förordning av statsrådet.",
            Validity.pending(),
        ),
        ("sv", "Avgiften för fordon före ikraftträdandet av denna lag bestäms i fråga om bilar så.", None),
        ("en", "This Act enters into force on 1 January 2020 and is in force until the end of June 2020.",
         until(2020, 7, 1)),
    ],
)  # fmt: skip
def test_entry_into_force_and_end(language: str, text: str, expected: Validity | None) -> None:
    assert read_commencement(text, language).validity == expected


@pytest.mark.parametrize(
    ("language", "text", "places", "validity"),
    [
        (
            "fi",
            f"{FI} Sen 15 a ja 152 § tulevat kuitenkin voimaan vasta 1 päivänä syyskuuta 2021.",
            "15 a ja 152 §",
            Validity(date(2021, 9, 1)),
        ),
        (
            "fi",
            f"{FI} Lain 6 luvun 6 a § ja 7 §:n 4 momentti ovat voimassa 31 päivään joulukuuta 2025.",
            "6 luvun 6 a § ja 7 §:n 4 momentti",
            until(2026, 1, 1),
        ),
        (
            "fi",
            f"{FI} Lain 12 luvun 9 §:n voimaantulosta säädetään valtioneuvoston asetuksella.",
            "12 luvun 9 §:n",
            Validity.pending(),
        ),
        (
            "fi",
            "Tämän lain 26 c §:n 4 momentti tulee voimaan 1 päivänä tammikuuta 2019.",
            "26 c §:n 4 momentti",
            Validity(date(2019, 1, 1)),
        ),
        (
            "sv",
            f"{SV} Lagens 9 a § samt 93 § 1 och 2 mom. gäller till och med den 31 december 2023.",
            "9 a § samt 93 § 1 och 2 mom.",
            until(2024, 1, 1),
        ),
        (
            "sv",
            f"{SV} Bestämmelserna i 7 kap. 6 och 8 § träder dock i kraft först den 1 januari 2021.",
            "7 kap. 6 och 8 §",
            Validity(date(2021, 1, 1)),
        ),
    ],
)
def test_parts_of_an_act_may_have_days_of_their_own(
    language: str, text: str, places: str, validity: Validity
) -> None:
    (part,) = read_commencement(text, language).parts
    assert (part.places, part.validity) == (places, validity)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("fi", "Lakia sovelletaan ensimmäisen kerran vuodelta 2020 toimitettavassa verotuksessa."),
        ("fi", "Päätöstä sovelletaan vuodelta 2021 toimitettavassa verotuksessa."),
        ("fi", "Tätä lakia sovelletaan vuosien 2020 ja 2021 verotuksessa."),
        ("fi", "Lain 12 §:ää sovelletaan verovuodesta 2028 alkaen."),
        ("sv", "Lagen tillämpas första gången vid beskattningen för år 2020."),
        ("sv", "Bestämmelserna i 118 § 3 mom. i lagen tillämpas första gången 2022."),
        ("sv", "Beslutet tillämpas vid beskattningen för 2021."),
    ],
)
def test_the_tax_year_of_first_application_is_quoted(language: str, sentence: str) -> None:
    start = FI if language == "fi" else SV
    after = "Muu jää." if language == "fi" else "Annat kvarstår."
    found = read_commencement(f"{start} {sentence} {after}", language)
    assert (found.validity, found.application) == (STARTS, sentence)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("fi", "Lakia sovelletaan myös vireillä oleviin asioihin."),
        ("sv", "Genom denna förordning upphävs den som tillämpas för skatteåret 2019."),
    ],
)
def test_other_rules_of_application_are_none(language: str, text: str) -> None:
    assert read_commencement(text, language).application == ""


@given(st.dates(date(1860, 1, 1), date(2100, 1, 1)), st.integers(0, 4000))
def test_any_day_reads_the_same_in_both_languages(day: date, length: int) -> None:
    last = day + timedelta(days=length)
    finnish = f"{day.day} päivänä {FINNISH[day.month - 1]}kuuta {day.year}"
    end = f"{last.day} päivään {FINNISH[last.month - 1]}kuuta {last.year}"
    swedish, until_then = (f"den {one.day} {SWEDISH[one.month - 1]} {one.year}" for one in (day, last))
    fi = read_commencement(f"Tämä laki tulee voimaan {finnish} ja on voimassa {end}.", "fi")
    sv = read_commencement(f"Denna lag träder i kraft {swedish} och gäller till och med {until_then}.", "sv")
    assert fi.validity == sv.validity == Validity(day, last + timedelta(days=1))
    assert written_day(f"Helsingissä {finnish}") == written_day(f"Helsingfors {swedish}") == day


PIECES = [
    FI, SV, "Lain", "Sen 5 §", "on voimassa", "tulee voimaan", "gäller till och med", "den 31", "mom.",
    "kap.", "31 päivään", "joulukuuta", "2020", "99.99.9999", "sovelletaan", "tillämpas", "verovuodelta",
    "loppuun",
]  # fmt: skip
PROSE = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=40).map(" ".join)


@settings(max_examples=150)
@given(PROSE, st.sampled_from(["fi", "sv"]))
def test_no_prose_makes_it_fail_or_end_before_it_starts(prose: str, language: str) -> None:
    found = read_commencement(prose, language)
    for one in filter(None, (found.validity, *(part.validity for part in found.parts))):
        assert one.end is None or one.start is None or one.start <= one.end


LONG = ["Lain 1 § ", "sovelletaan ", "Tämä laki on voimassa ", "1 päivänä ", "5 § Voimaantulo "]


@pytest.mark.parametrize("filler", LONG)
def test_long_prose_is_read_in_time_that_grows_with_it(filler: str) -> None:
    assert read_commencement(filler * 20_000, "fi").validity is None
