"""Dates that questions name: the table says what is named and which day's law it asks for."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.text.dates import Precision, date_asked, first_tax_year, named_dates
from pykala.text.phrases import tell

TODAY = date(2026, 7, 1)
D, M, Y, T = Precision.DAY, Precision.MONTH, Precision.YEAR, Precision.TAX_YEAR

#: question, precision, day
NAMED = [
    # English
    ("What was the VAT rate in 2019?", Y, "2019-12-31"),
    ("What was the rate during the year 2012?", Y, "2012-12-31"),
    ("What are the 2019 rates?", Y, "2019-12-31"),
    ("What is the threshold for the 2025 tax return?", T, "2025-12-31"),
    ("How is capital income taxed in tax year 2024?", T, "2024-12-31"),
    ("What is deductible in the 2024 tax year?", T, "2024-12-31"),
    ("What is the limit for the 2023 taxation year?", T, "2023-12-31"),
    ("Which rate applies to 2024 taxes?", T, "2024-12-31"),
    ("Which expenses count in the taxation of 2018?", T, "2018-12-31"),
    ("What did section 5 say as of 1 March 2020?", D, "2020-03-01"),
    ("What did it say on March 1, 2020?", D, "2020-03-01"),
    ("What was the rate on the 1st of May, 2015?", D, "2015-05-01"),
    ("the law on 2020-03-01", D, "2020-03-01"),
    ("What is the rule in force from 1 January 2026?", D, "2026-01-01"),
    ("What was the rate before 1 March 2020?", D, "2020-02-29"),
    ("What is the rate after 31 August 2024?", D, "2024-09-01"),
    ("What was the rate before 2013?", Y, "2012-12-31"),
    ("What was the rate after 2013?", Y, "2014-01-01"),
    ("What was the rate at the beginning of 2014?", Y, "2014-01-01"),
    ("What was the rate at the end of 2014?", Y, "2014-12-31"),
    ("What is the rate from 2027 onwards?", Y, "2027-01-01"),
    ("What was the rate in March 2020?", M, "2020-03-31"),
    ("What was the rate in December 2019?", M, "2019-12-31"),
    ("How did the rate change between 2012 and 2016?", Y, "2016-12-31"),
    ("What will the rate be next year?", Y, "2027-12-31"),
    ("What was the rate last year?", Y, "2025-12-31"),
    ("What is deductible in last year's taxes?", T, "2025-12-31"),
    ("What is the rate this year?", Y, "2026-07-01"),
    ("What is the limit for this tax year?", T, "2026-12-31"),
    ("What is the rate in 2026?", Y, "2026-07-01"),
    ("What was the rate five years ago?", D, "2021-07-01"),
    ("What was the rate 10 years ago?", D, "2016-07-01"),
    ("I bought it in 2015 and sold it in 2024, how is the gain taxed?", Y, "2024-12-31"),
    # Finnish
    ("Mikä oli arvonlisäverokanta vuonna 2019?", Y, "2019-12-31"),
    ("Paljonko pääomatulosta maksettiin veroa verovuonna 2019?", T, "2019-12-31"),
    ("Mitä sovelletaan vuodelta 2019 toimitettavassa verotuksessa?", T, "2019-12-31"),
    ("Mikä on vähennyksen määrä vuoden 2024 verotuksessa?", T, "2024-12-31"),
    ("Mikä on raja vuoden 2023 veroilmoituksessa?", T, "2023-12-31"),
    ("Mikä oli verovuoden 2018 veroprosentti?", T, "2018-12-31"),
    ("Mitä TVL 124 § sanoi 1.3.2020?", D, "2020-03-01"),
    ("Mikä verokanta oli voimassa 31.12.2012?", D, "2012-12-31"),
    ("Mikä on verokanta 1.9.2024 alkaen?", D, "2024-09-01"),
    ("Mikä on verokanta 31.8.2024 jälkeen?", D, "2024-09-01"),
    ("Mikä oli verokanta ennen 1.9.2024?", D, "2024-08-31"),
    ("Mikä laki oli voimassa 1 päivänä tammikuuta 2014?", D, "2014-01-01"),
    ("Mikä oli raja 1. maaliskuuta 2020?", D, "2020-03-01"),
    ("Mikä oli raja maaliskuussa 2020?", M, "2020-03-31"),
    ("Mikä oli verokanta ennen vuotta 2013?", Y, "2012-12-31"),
    ("Mikä oli verokanta vuoden 2013 alussa?", Y, "2013-01-01"),
    ("Mikä on verokanta vuoden 2027 alusta?", Y, "2027-01-01"),
    ("Mikä oli verokanta vuoden 2013 lopussa?", Y, "2013-12-31"),
    ("Mikä on verokanta vuodesta 2026 alkaen?", Y, "2026-01-01"),
    ("Miten verokanta muuttui vuosina 2010–2013?", Y, "2013-12-31"),
    ("Mikä oli verokanta viime vuonna?", Y, "2025-12-31"),
    ("Mikä on verokanta ensi vuonna?", Y, "2027-12-31"),
    ("Mikä on verokanta ensi vuoden alusta?", Y, "2027-01-01"),
    ("Mikä on vähennys viime vuoden verotuksessa?", T, "2025-12-31"),
    ("Mikä oli vähennys viime verovuonna?", T, "2025-12-31"),
    ("Mikä on verokanta tänä vuonna?", Y, "2026-07-01"),
    ("Mikä oli verokanta toissa vuonna?", Y, "2024-12-31"),
    ("Mikä oli verokanta kaksi vuotta sitten?", D, "2024-07-01"),
    # Swedish
    ("Vilken var skattesatsen år 2019?", Y, "2019-12-31"),
    ("Vilken var skattesatsen under 2019?", Y, "2019-12-31"),
    ("Vad gäller för skatteåret 2019?", T, "2019-12-31"),
    ("Vad gäller för beskattningsåret 2022?", T, "2022-12-31"),
    ("Vad gäller vid beskattningen för 2020?", T, "2020-12-31"),
    ("Vad gällde vid 2018 års beskattning?", T, "2018-12-31"),
    ("Vad gällde den 1 mars 2020?", D, "2020-03-01"),
    ("Vad gäller från och med den 1 september 2024?", D, "2024-09-01"),
    ("Vad gällde före den 1 september 2024?", D, "2024-08-31"),
    ("Vad gällde före 2013?", Y, "2012-12-31"),
    ("Vad gällde i början av 2013?", Y, "2013-01-01"),
    ("Vad gäller nästa år?", Y, "2027-12-31"),
    ("Vad gällde förra året?", Y, "2025-12-31"),
    ("Vad gällde i fjol?", Y, "2025-12-31"),
    ("Vad gäller i år?", Y, "2026-07-01"),
    ("Vad gällde för tre år sedan?", D, "2023-07-01"),
    # French
    ("Quel était le taux en 2019 ?", Y, "2019-12-31"),
    ("Quel est le plafond pour l'année d'imposition 2024 ?", T, "2024-12-31"),
    ("Quel est le plafond pour l’année d’imposition 2024 ?", T, "2024-12-31"),
    ("Que déduire dans la déclaration de revenus de 2024 ?", T, "2024-12-31"),
    ("Quels sont les impôts pour 2023 ?", T, "2023-12-31"),
    ("Que disait l'article 5 le 1er mars 2020 ?", D, "2020-03-01"),
    ("Que dit la loi en vigueur au 1er janvier 2026 ?", D, "2026-01-01"),
    ("Quel est le taux à partir du 1er avril 2025 ?", D, "2025-04-01"),
    ("Quel était le taux avant le 1er avril 2025 ?", D, "2025-03-31"),
    ("Quel était le taux avant 2013 ?", Y, "2012-12-31"),
    ("Quel était le taux au début de 2013 ?", Y, "2013-01-01"),
    ("Quel sera le taux l'année prochaine ?", Y, "2027-12-31"),
    ("Quel était le taux l'an dernier ?", Y, "2025-12-31"),
    ("Quel est le taux cette année ?", Y, "2026-07-01"),
    ("Quel était le taux il y a deux ans ?", D, "2024-07-01"),
    # A statute's number beside a date
    ("Mitä tuloverolain (1535/1992) 124 § sanoi vuonna 2014?", Y, "2014-12-31"),
    ("What did Directive 2006/112/EC say in 2011?", Y, "2011-12-31"),
    ("Did KHO 2019:30 rest on the law of the 2016 tax year?", T, "2016-12-31"),
]

#: questions that name no date, though they hold numbers like years
NOTHING = [
    "What is the VAT rate?",
    "What does 1535/1992 say?",
    "Mitä laissa 1535/1992 säädetään?",
    "What is in Directive 2006/112/EC?",
    "What does Council Regulation (EU) No 282/2011 say?",
    "What does Regulation (EU) 2016/679 require?",
    "What was decided in KHO 2019:30?",
    "What was decided in KHO:2019:30?",
    "Mitä ratkaistiin päätöksessä KHO 6.10.2015/2866?",
    "Mitä ratkaistiin päätöksessä KHO 20.6.1998 taltionumero 1229?",
    "Mitä ratkaistiin päätöksessä KVL 2024/4?",
    "ECLI:FI:KHO:2025:46",
    "fi:act:1992/1535/sec_124",
    "Mitä laki 30.12.1992/1535 sanoo?",
    "What does the Employment Insurance Act, S.C. 1996, c. 23 say?",
    "What is in R.S.C., 1985, c. E-15?",
    "What is in L.R.C. (1985), ch. E-15?",
    "What does SOR/2001-227 say?",
    "What did Local Law 157 of 2019 change?",
    "What did HE 29/2016 vp propose?",
    "VH/5629/00.01.00/2022",
    "What is 32006L0112 about?",
    "Must I report income above 2000 euros?",
    "Onko yli 2000 euron tulo verollista?",
    "Who was born in 1998 and is a resident?",
    "Mitä etuja on vuonna 1960 syntyneellä?",
    "How is a house bought in 2005 taxed?",
    "Have the rules changed since 2020?",
    "What does section 2019 say?",
    "Kuinka monta vuotta tappio vähennetään?",
    "Combien d'années faut-il conserver les registres ?",
    "What is the fee for 1900 hours?",
    "What about 31.2.2020?",
]


@pytest.mark.parametrize(("question", "precision", "day"), NAMED)
def test_the_day_whose_law_is_asked_for(question: str, precision: Precision, day: str) -> None:
    asked = date_asked(question, today=TODAY)
    assert asked is not None
    assert (asked.precision, asked.day) == (precision, date.fromisoformat(day))
    assert question[asked.start : asked.end].replace("’", "'") == asked.text
    assert day in tell("en", asked.reason)


@pytest.mark.parametrize("question", NOTHING)
def test_numbers_that_are_no_dates(question: str) -> None:
    assert named_dates(question, today=TODAY) == ()


@pytest.mark.parametrize(
    "question",
    [
        "What was the rate before the reform?",
        "What was the rate prior to the latest amendment?",
        "What did the previous wording say?",
        "Mikä oli verokanta ennen uudistusta?",
        "Mikä oli verokanta ennen lainmuutosta?",
        "Mitä aiempi sanamuoto sanoi?",
        "Vilken var skattesatsen före reformen?",
        "Vad stod i tidigare lydelse?",
        "Quel était le taux avant la réforme ?",
        "Quel était le taux avant la modification de la loi ?",
    ],
)
def test_the_wording_before_a_change(question: str) -> None:
    asked = date_asked(question, today=TODAY)
    assert asked is not None
    assert (asked.precision, asked.day) == (Precision.BEFORE_CHANGE, None)
    assert "before the latest change" in tell("en", asked.reason)


def test_a_date_goes_before_a_change_without_one() -> None:
    asked = date_asked("Before the reform, what was the rate in 2012?", today=TODAY)
    assert asked is not None
    assert asked.day == date(2012, 12, 31)


@pytest.mark.parametrize(
    ("note", "year"),
    [
        ("Lakia sovelletaan ensimmäisen kerran vuodelta 2020 toimitettavassa verotuksessa.", 2020),
        ("Lain 33 a §:ää sovelletaan ensimmäisen kerran verovuonna 2014.", 2014),
        ("Lagen tillämpas första gången vid beskattningen för 2020.", 2020),
        ("Lagen tillämpas första gången vid den beskattning som verkställs för skatteåret 2021.", 2021),
        ("This Act applies for the first time in the taxation for 2019.", 2019),
        ("first applied in tax year 2020", 2020),
        ("s’applique pour la première fois à l’année d’imposition 2018", 2018),
        ("Tämä laki tulee voimaan 1 päivänä tammikuuta 2020.", None),
        ("Muutettu 2 momentti tulee voimaan 1.1.2016.", None),
        ("", None),
    ],
)
def test_the_first_tax_year_of_a_note(note: str, year: int | None) -> None:
    assert first_tax_year(note) == year


@given(st.dates(date(1990, 1, 1), date(2049, 12, 31)))
def test_every_day_is_read_in_every_spelling(day: date) -> None:
    months = {
        "en": "January February March April May June July August September October November December",
        "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "sv": "januari februari mars april maj juni juli augusti september oktober november december",
    }
    name = {language: names.split()[day.month - 1] for language, names in months.items()}
    for written in (
        day.isoformat(),
        f"{day.day}.{day.month}.{day.year}",
        f"{day.day} {name['en']} {day.year}",
        f"{name['en']} {day.day}, {day.year}",
        f"le {day.day} {name['fr']} {day.year}",
        f"den {day.day} {name['sv']} {day.year}",
    ):
        found = named_dates(f"law {written}?", today=TODAY)
        assert [one.day for one in found] == [day], written


@given(st.text(alphabet="vuonna 2019in before the tax year 1./-:é", max_size=80), st.dates())
def test_no_text_breaks_it_and_nothing_overlaps(text: str, today: date) -> None:
    if not 100 < today.year < 9000:
        today = date(2026, 1, 1)
    found = named_dates(text, today=today)
    for one, following in pairwise(found):
        assert one.end <= following.start
    for one in found:
        assert 0 <= one.start < one.end <= len(text)


@pytest.mark.parametrize(
    "piece",
    [
        "ennen vuotta before the end of in the 2019 1.1. ",
        "ab:",
        "in ",
        " ",
        "1/",
        "1.",
        "x",
        "before the ",
        "2019 ",
    ],
)
def test_long_texts_are_read_in_time_that_grows_with_them(piece: str) -> None:
    started = process_time()
    named_dates(piece * (20_000 // len(piece)), today=TODAY)
    assert process_time() - started < 10.0


def test_years_ago_on_a_leap_day() -> None:
    asked = date_asked("one year ago", today=date(2024, 2, 29))
    assert asked is not None
    assert asked.day == date(2024, 2, 29) - timedelta(days=367) + timedelta(days=1)


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("We separated in 2015. Can we get divorced now?", None),
        ("I finished school five years ago. Is my student loan gone if I go bankrupt?", None),
        ("I was hired in 2010. How much notice do they owe me?", None),
        ("We separated in 2015. What was the waiting time then?", date(2015, 12, 31)),
        ("As of 1 March 2020. What is the rate?", date(2020, 3, 1)),
        ("Ostin kaksion keväällä 2023 ja olen asunut siinä. Vieekö verottaja voitosta osan?", None),
        ("Vuonna 2023 ajoin joka päivä töihin. Mikä silloin oli omavastuu?", date(2023, 12, 31)),
        ("Vi skildes 2015. Får jag gifta om mig?", None),
        ("Vi skildes under 2015. Hur lång var väntetiden då?", date(2015, 12, 31)),
        ("Nous sommes séparés depuis 2015. Puis-je divorcer ?", None),
        ("J’ai vendu la maison en 2015. Quel était le taux ?", date(2015, 12, 31)),
        ("I filed my return for the 2019 tax year. What is the penalty?", date(2019, 12, 31)),
    ],
)
def test_what_happened_before_the_question_is_not_the_day_of_the_law(question: str, day: date | None) -> None:
    asked = date_asked(question, today=TODAY)
    assert (asked.day if asked else None) == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Mikä oli yhteisövero 2013?", date(2013, 12, 31)),
        ("alv prosentti 2011", date(2011, 12, 31)),
        ("Paljonko alv oli 2011?", date(2011, 12, 31)),
        ("Vad var momsen när den var 2011?", date(2011, 12, 31)),
        ("corporate tax rate finland 2013", date(2013, 12, 31)),
        ("Hur mycket var momsen 2011 ?", date(2011, 12, 31)),
        ("Vad gällde 2015 om besvärstiden?", date(2015, 12, 31)),
        ("Quel était le taux 2012 ?", date(2012, 12, 31)),
        ("KHO 2013", None),
        ("What is GDPR 2016", None),
        ("What is the Copyright Act 1985?", None),
        ("What does Directive 2006 say, and Regulation 2016?", None),
        ("Mikä on laki 2015", None),
        ("2013?", None),
        ("yhteisövero 2013", date(2013, 12, 31)),
        ("Taux de TVA 2013", date(2013, 12, 31)),
        ("Did I need a permit 2019?", date(2019, 12, 31)),
        ("What is the rate on capital income if I earn 2000?", None),  # an amount
        ("Mikä on pääomatulon veroprosentti, jos saan osinkoa 2000?", None),
        ("Vad är skatten om jag tjänar 2000?", None),
        ("Combien d'impôt si je gagne 2000?", None),
        ("Onko lahjan raja 2000?", None),
        ("Mikä on pääomatulon vero, kun olen syntynyt 1995?", None),  # a fact of the case
        ("Saako purkaa talon, joka on rakennettu 1990?", None),
        ("Milloin pääsen eläkkeelle, olen syntynyt vuonna 1965?", None),
        ("Mikä on veroprosentti, tuloverolaki 1992?", None),  # the number of an act
        ("Vad säger aktiebolagslagen 2006?", None),
        ("Who is a refugee under the Refugee Convention 1951?", None),
        ("What is the income limit 2035?", None),
        ("Hur beskattas en bostad köpt 2015?", None),
        ("How is a house taxed that was built 2015?", None),
        ("Is it 30 days or 2000?", None),
        ("What has changed since 2023?", None),  # since when, not of when
        ("Must I pay if I earn more than 2000?", None),
    ],
)
def test_a_year_that_ends_a_question(text: str, day: date | None) -> None:
    found = date_asked(text, today=date(2026, 11, 18))
    assert (found.day if found else None) == day
