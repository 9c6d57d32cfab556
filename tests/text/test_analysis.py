from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.text.analysis import LANGUAGES, VERSION, analyse, fingerprint, fold, normalise
from pykala.text.languages.known import known

ONE_TERM = [
    ("fi", "124 §:n 2 momentti", "124§"),
    ("fi", "33 a §:ssä", "33a§"),
    ("fi", "33\u00a0a\u202f§", "33a§"),
    ("fi", "pykälässä 124", "124§"),
    ("fi", "98 artiklan 2 kohta", "98§"),
    ("fi", "tuloverolaki (1535/1992)", "1535/1992"),
    ("fi", "KHO:2025:46", "kho2025:46"),
    ("fi", "KHO 2025:46", "kho2025:46"),
    ("fi", "KVL:004/2024", "kvl4/2024"),
    ("fi", "asia C-101/00", "c-101/00"),
    ("fi", "34 prosenttia", "34%"),
    ("fi", "7,5 %", "7.5%"),
    ("fi", "30.000 euroa", "30000"),
    ("sv", "33 a § 2 mom.", "33a§"),
    ("sv", "artikel 7", "7§"),
    ("sv", "34 procent", "34%"),
    ("en", "section 7", "7§"),
    ("en", "s. 7(2)", "7§"),
    ("en", "ss. 7 and 8", "8§"),
    ("en", "article 98", "98§"),
    ("en", "§ 11-503", "11-503§"),
    ("en", "section 11-208.1 of the Code", "11-208.1"),
    ("en", "TVL 124 §", "124§"),
    ("en", "34 per cent", "34%"),
    ("en", "34%", "34%"),
    ("en", "3.125 percent", "3.125%"),
    ("en", "$30,000", "30000"),
    ("en", "1,500.50", "1500.50"),
    ("fr", "l’article 7", "7§"),
    ("fr", "art. 5", "5§"),
    ("fr", "34 pour cent", "34%"),
    ("fr", "7,5 %", "7.5%"),
    ("fr", "30\u00a0000 $", "30000"),
]


@pytest.mark.parametrize(("language", "text", "term"), ONE_TERM)
def test_figures_and_citations_are_one_term(language: str, text: str, term: str) -> None:
    assert term in analyse(text, language)


@pytest.mark.parametrize(
    "amount", ["30 000", "30\u00a0000", "30\u2009000", "30\u202f000", "30,000", "30.000"]
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_amount_is_the_same_however_it_is_set(amount: str, language: str) -> None:
    assert analyse(amount, language) == ["30000"]


def test_decimals_are_no_thousands() -> None:
    assert analyse("7,5", "fi") == analyse("7.5", "en") == analyse("7,5.", "sv") == ["7.5"]
    assert "3125" not in analyse("3,125", "fi")
    assert "3125" in analyse("3,125", "en")


def test_the_sign_belongs_to_the_number_before_it_in_finnish_and_swedish() -> None:
    terms = analyse("33 a § 2 mom. och 124 § 3 mom.", "sv")
    assert {"33a§", "124§"} <= set(terms)
    assert not {"2§", "3§"} & set(terms)


SAME_TERM = [
    ("fi", "kunta", "kunnan"),
    ("fi", "tilinpäätös", "tilinpäätöksessä"),
    ("fi", "vero", "verosta"),
    ("fi", "kunnanhallitus", "kunnanhallituksen"),
    ("fi", "hallitus", "kunnanhallituksen"),
    ("fi", "verovelvollinen", "verovelvollisella"),
    ("fi", "arvonlisävero", "arvonlisäverolain"),
    ("fi", "laki", "arvonlisäverolaissa"),
    ("fi", "mahdollisuus", "vaikuttamismahdollisuuksien"),
    ("fi", "kattaa", "kattamisesta"),
    ("fi", "kasittely", "käsittelyssä"),
    ("fi", "EU", "EU:n"),
    ("sv", "skattskyldig", "skattskyldiga"),
    ("sv", "skattskyldig", "skattskyldiges"),
    ("en", "taxpayer", "taxpayers'"),
    ("en", "taxpayer", "the taxpayer’s"),
    ("en", "email", "e-mail"),
    ("fr", "impôt", "l’impôt"),
    ("fr", "impot", "d'impôts"),
    ("fr", "imposable", "qu'imposables"),
]


@pytest.mark.parametrize(("language", "asked", "written"), SAME_TERM)
def test_a_question_meets_the_form_in_the_text(language: str, asked: str, written: str) -> None:
    assert set(analyse(asked, language)) & set(analyse(written, language))


KEPT = [("en", "shall not"), ("en", "must"), ("fi", "ei"), ("sv", "inte"), ("fr", "ne"), ("en", "unless")]


@pytest.mark.parametrize(("language", "words"), KEPT)
def test_words_that_turn_a_rule_are_kept(language: str, words: str) -> None:
    assert len(analyse(words, language)) == len(words.split())


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "what is the"), ("fi", "mikä on se"), ("sv", "vad är det"), ("fr", "qu'est ce que le")],
)
def test_stop_words_leave_nothing(language: str, words: str) -> None:
    assert analyse(words, language) == []


def test_folding_keeps_the_letters_apart_but_forgives() -> None:
    assert analyse("käsittelyn", "fi") == ["käsittely", "kasittely"]
    assert analyse("kasittelyn", "fi") == ["kasittely"]
    assert fold("Älä åk ça") == "Ala ak ca"


def test_print_marks_do_not_split_words() -> None:
    assert analyse("vero\u00advelvollinen", "fi") == analyse("verovelvollinen", "fi")
    assert analyse("non\u2011resident", "en") == analyse("non-resident", "en")
    assert normalise("1\u20132") == "1-2"


def test_another_language_is_folded_only() -> None:
    assert analyse("Die Länder", "de") == ["die", "länder", "lander"]


@given(st.text(max_size=200), st.sampled_from([*LANGUAGES, "de"]))
def test_terms_hold_no_space_and_are_the_same_again(text: str, language: str) -> None:
    terms = analyse(text, language)
    assert all(term and not any(character.isspace() for character in term) for term in terms)
    assert analyse(text, language) == terms


@given(st.text(alphabet="aåäöéèç nlks'-§0123456789.,:/", max_size=80), st.sampled_from(LANGUAGES))
def test_composed_and_decomposed_text_are_one(text: str, language: str) -> None:
    assert analyse(unicodedata.normalize("NFD", text), language) == analyse(text, language)


NOISE = [
    "kunnanhallitus",
    "1,",
    "1-",
    "1.",
    "§ 1",
    "section 1 and ",
    "a'",
    "a-",
    "1 000",
    "kho 2025:",
    "7 a ",
    "%",
]


@pytest.mark.parametrize("noise", NOISE)
@pytest.mark.parametrize("language", LANGUAGES)
def test_hostile_repetition_ends_at_once_in_short_terms(noise: str, language: str) -> None:
    begin = time.process_time()
    terms = analyse(noise * 10_000, language)
    assert time.process_time() - begin < 15.0  # a quadratic pattern takes minutes
    assert all(len(term) <= 128 for term in terms)


def test_the_fingerprint_is_short_and_steady() -> None:
    assert fingerprint() == fingerprint()
    assert len(fingerprint()) == 16


def test_courts_of_the_index_change_only_with_its_version() -> None:
    courts = {
        table: [word for one in known(LANGUAGES) for word in one.words(f"law.{table}")]
        for table in ("rulings_by_year", "rulings_by_number")
    }
    assert (VERSION, courts) == (
        2,
        {"rulings_by_year": ["kho", "kko", "mao", "hfd", "hd"], "rulings_by_number": ["kvl", "cskn"]},
    ), "the terms of rulings change: raise VERSION in text/analysis.py, and change this table"
