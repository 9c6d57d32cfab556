from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.text.language import Detected, detect

QUESTIONS = [
    ("fi", "Mikä on pääomatulon veroprosentti?"),
    ("fi", "lounasetu arvonlisävero"),
    ("fi", "Kuka päättää kunnan talousarviosta"),
    ("fi", "Paljonko veroa"),
    ("fi", "perintövero"),
    ("fi", "verokortti ulkomailla"),
    ("fi", "avainhenkilölaki 84 kuukautta"),
    ("fi", "saako työnantaja periä ennakonpidätyksen"),
    ("sv", "Vad är skattesatsen för kapitalinkomst?"),
    ("sv", "moms på lunchförmån"),
    ("sv", "Får kommunen bevilja lån?"),
    ("sv", "arvsskatt"),
    ("sv", "Hur beskattas dividender"),
    ("sv", "avdrag för arbetsrum"),
    ("en", "What is the tax rate on capital income above 30 000 euros in Finland?"),
    ("en", "VAT lunch vouchers"),
    ("en", "key employee withholding"),
    ("en", "Who must file a return?"),
    ("en", "property tax exemption"),
    ("en", "commercial rent tax"),
    ("en", "What is the withholding rate (lähdevero) for a key employee (avainhenkilö)?"),
    ("fr", "Quel est le taux de l'impôt?"),
    ("fr", "taux de TVA réduit"),
    ("fr", "déclaration de revenu"),
    ("fr", "Qui doit produire une déclaration ?"),
    ("fr", "crédit de taxe sur les intrants"),
    ("fr", "employeur retenue à la source"),
]


@pytest.mark.parametrize(("language", "question"), QUESTIONS)
def test_short_questions(language: str, question: str) -> None:
    assert detect(question).language == language


@pytest.mark.parametrize("text", ["", "   ", "124", "TVL 124 §", "KHO 2025:46", "???"])
@pytest.mark.parametrize("default", ["en", "fi"])
def test_the_default_stands_where_nothing_speaks(text: str, default: str) -> None:
    assert detect(text, default=default) == Detected(default, 0.0)


@pytest.mark.parametrize(
    ("language", "citation"),
    [
        ("en", "GDPR Article 17(3)"),
        ("en", "Compare GDPR Article 6 and Article 9"),
        ("en", "Criminal Code s. 231"),
        ("en", "Article 6"),
        ("en", "Article 6 GDPR consent"),
        ("en", "Regulation 2016/679 Article 6"),
        ("en", "Directive (EU) 2019/633 Article 3"),
        ("en", "Civil Code art. 5"),
        ("fr", "LIR al. 150(1)d)"),
        ("fr", "article 6 du RGPD"),
        ("fr", "RGPD article 17"),
        ("fr", "article 150 LIR"),
        ("fr", "Code criminel, article 231"),
        ("fr", "Code canadien du travail art. 230"),
        ("fr", "paragraphe 150(1)"),
        ("fr", "directive sur les services"),
    ],
)
def test_citations(language: str, citation: str) -> None:
    assert detect(citation).language == language


@pytest.mark.parametrize("text", ["MCTMT", "STAR", "DPIA", "HIPAA", "EI", "KVTES"])
@pytest.mark.parametrize("default", ["en", "fr"])
def test_initials_are_of_no_language(text: str, default: str) -> None:
    assert detect(text, default=default).language == default


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "high-risk AI"),
        ("en", "prohibited AI practices"),
        ("en", "quit job EI"),  # "ei" is Finnish
        ("fi", "MIKÄ ON PERINTÖVERO"),  # a text in capitals throughout is no abbreviation
        ("fr", "QUEL EST LE TAUX"),
        ("fr", "186v)"),
        ("fr", "28(2)a)(ii)"),
        ("en", "28(2)(a)(ii)"),
    ],
)
def test_capitals_and_forms(language: str, text: str) -> None:
    assert detect(text).language == language


def test_the_names_of_acts_count_like_words() -> None:
    assert detect("LIPR 34", named=["fr"]).language == "fr"
    assert detect("What does the LIPR say of detention?", named=["fr"]).language == "en"
    assert detect("LIPR 34", named=["de"]).language == "en"  # none of the languages asked for


def test_a_language_in_which_the_place_makes_no_law_needs_a_word_of_its_own() -> None:
    term = "alternate side parking"  # looks Swedish
    assert detect(term, among=("en", "fi", "sv", "fr")).language == "sv"
    assert detect(term, likely=("en",)).language == "en"
    assert detect("irtisanomisaika", likely=("en",)).language == "fi"  # certain
    assert detect("Saako koiran tuoda?", likely=("en", "fr")).language == "fi"


def test_words_that_two_languages_share_leave_the_default() -> None:
    assert detect("Article 6", default="fr").language == "fr"


def test_only_the_languages_asked_for() -> None:
    assert detect("Vad är skatten?", default="en", among=("en", "fr")).language in ("en", "fr")
    assert detect("Was ist die Steuer für dieses Jahr?", among=("de", "en")).language == "de"


@given(st.text(max_size=60))
def test_any_text_gets_one_of_the_languages(text: str) -> None:
    found = detect(text)
    assert found.language in ("fi", "sv", "en", "fr")
    assert 0.0 <= found.confidence <= 1.0
    assert detect(text) == found


def test_a_plain_question_loads_no_model() -> None:
    # Loading the model costs most of a second, more than half of what `pykala ask` may take.
    program = (
        "import sys; from pykala.text.language import detect; "
        "detect('Mikä on pääomatulon veroprosentti?'); detect('What is the tax rate?'); "
        "sys.exit('py3langid' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
