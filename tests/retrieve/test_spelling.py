"""One-letter slips in questions over the sample library."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

import pykala
from pykala.library import Library

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
