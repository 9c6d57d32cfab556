"""One-letter slips in questions over the sample library."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

import pykala
from pykala.library import Library
from pykala.retrieve.spelling import respelled

DAY = date(2026, 1, 1)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    settings = pykala.Settings.read({"PYKALA_CACHE": str(tmp_path_factory.mktemp("cache"))})
    with pykala.sample(settings) as library:
        yield library


@pytest.mark.parametrize(
    ("question", "meant", "provision"),
    [
        (
            "What is the tax rate on captial income in Finland?",
            "What is the tax rate on capital income in Finland?",
            "fi:act:1992/1535/sec_124/subsec_2",
        ),
        (
            "Mikä on arvonlisäveron yleinen verokannta?",
            "Mikä on arvonlisäveron yleinen verokanta?",
            "fi:act:1993/1501/sec_84/subsec_1",
        ),
        (
            "Within how many hours must a personal data braech be notified under GDPR?",
            "Within how many hours must a personal data breach be notified under GDPR?",
            "eu:32016R0679/art_33/para_1",
        ),
    ],
)
def test_a_slip_is_forgiven_and_said(sample: Library, question: str, meant: str, provision: str) -> None:
    answer = sample.ask(question, as_of=DAY)
    assert (answer.question, answer.standalone) == (question, meant)
    assert answer.primary is not None
    assert str(answer.primary.provision) == provision


@pytest.mark.parametrize(
    "question",
    [
        "What is the tax rate on capital income in Finland?",
        "Do I need a permit for a sauna?",
        "Onko mökillä pakko maksaa kiinteistöveroa?",
        "Vad är skattesatsen på kapitalinkomst?",
        "Quel est le taux d’imposition ?",
        "Does Verohallinto tax Nokia Oyj?",
    ],
)
def test_what_is_spelled_rightly_stands(sample: Library, question: str) -> None:
    assert sample.ask(question, as_of=DAY).standalone == ""


@pytest.mark.parametrize(
    ("language", "question", "meant"),
    [
        ("en", "corporate income tax rate Canda", "corporate income tax rate Canada"),
        ("en", "corporate income tax rate canda", "corporate income tax rate Canada"),
        ("en", "tax in Finlad", "tax in Finland"),
        ("en", "tax in Finlan", "tax in Finland"),
        ("en", "tax in Findland", "tax in Finland"),
        ("en", "tax in Fniland", "tax in Finland"),
        ("en", "tax in Canad", "tax in Canada"),
        ("en", "a candian tax", "a Canadian tax"),
        ("en", "parking in New Yrok", "parking in New York"),
        ("en", "parking in nwe york city", "parking in New york city"),
        ("en", "parking in the Brnox", "parking in the Bronx"),
        ("sv", "skatt i Finlad", "skatt i Finland"),
        ("fr", "impôt au Canad", "impôt au Canada"),
        ("fi", "verotus Soumessa", "verotus Suomessa"),
    ],
)
def test_a_slip_in_the_name_of_a_place_is_forgiven(
    sample: Library, language: str, question: str, meant: str
) -> None:
    assert respelled(question, language, sample.store, sample.embedder, sample.packs) == meant


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "tax on a candle"),
        ("en", "finland's taxes"),
        ("en", "kanada tax"),
        ("en", "when does the finish line count"),
        ("en", "inland revenue"),
        ("en", "a new work permit"),
        ("en", "tax of the Queen"),
        ("en", "Canadians and Europeans abroad"),
        ("fi", "muutto Kanadaan"),
        ("fi", "kanavan rakentaminen"),
        ("fi", "Otan kolme kanaa pihalle"),
        ("fi", "mainonta somessa"),
        ("fi", "Air Canadan eläkkeet"),
        ("sv", "resor i Europa"),
        ("sv", "Manhattans parkeringsskatt"),
    ],
)
def test_a_word_of_its_own_becomes_no_place(sample: Library, language: str, question: str) -> None:
    assert respelled(question, language, sample.store, sample.embedder, sample.packs) == question


def test_a_slip_in_a_place_does_not_answer_from_another_place(sample: Library) -> None:
    answer = sample.ask("corporate income tax rate Canda", as_of=DAY)
    assert answer.standalone == "corporate income tax rate Canada"
    assert answer.primary is None or answer.primary.provision.work.jurisdiction == "ca"
