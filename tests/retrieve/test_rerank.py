"""Reranking: what any reranker says of candidates, and what a failing one changes: nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pykala.law.answers import CaveatKind
from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import ProvisionKind
from pykala.law.validity import Validity
from pykala.models.failures import ModelUnavailable
from pykala.retrieve.rerank import asks_for_duty, obligation, read_closely
from pykala.retrieve.search import Candidate
from pykala.stores.store import Match
from pykala.stores.values import PassageWords


def candidate(
    number: int,
    text: str = "The tax rate.",
    *,
    score: float = 0.5,
    meaning: float = 0.0,
    authority: int = 100,
    start: date | None = date(2020, 1, 1),
    heading: str = "Rate",
    language: str = "en",
) -> Candidate:
    section = ProvisionId.parse(f"fi:act:1992/1535/sec_{number}")
    match = Match(
        passage=number,
        score=score,
        provision=section,
        section=section,
        kind=ProvisionKind.SECTION,
        work=section.work,
        language=language,
        words=PassageWords.of(f"Income Tax Act › {heading}", text, text),
        start=0,
        validity=Validity(start, None),
        authority=authority,
    )
    return Candidate(section, match, score, meaning=meaning)


class Scores:
    """A reranker that gives the scores it was made with, by the first number in a text."""

    name = fingerprint = "scores"

    def __init__(self, *scores: float) -> None:
        self.scores = scores

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array(self.scores[: len(texts)], dtype=np.float32)


class Fails(Scores):
    def __init__(self, error: Exception) -> None:
        self.error = error

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        raise self.error


def test_raw_scores_stay_as_they_are_within_bounds() -> None:
    found = [candidate(number) for number in range(3)]
    assert read_closely(found, Scores(-200.0, 4.0, 0.5), "tax").logits == (-12.0, 4.0, 0.5)


FAULTS = [
    (ModelUnavailable("Cohere answered 503: it cannot serve now"), "503"),
    (ValueError("a text of the library"), "ValueError"),
    (RuntimeError("CUDA"), "RuntimeError"),
]


@pytest.mark.parametrize(("error", "told"), FAULTS)
def test_a_reranker_that_fails_keeps_the_order_and_says_so(error: Exception, told: str) -> None:
    candidates = tuple(candidate(n, score=1 / n) for n in range(1, 6))
    found = read_closely(candidates, Fails(error), "tax")
    assert found.candidates == candidates
    assert found.caveat is not None
    assert found.caveat.kind is CaveatKind.DEGRADED
    assert told in found.caveat.message
    assert "a text of the library" not in found.caveat.message


@pytest.mark.parametrize("scores", [(0.5,), (float("nan"), 0.5), (float("inf"), 0.5)])
def test_scores_that_are_none_change_nothing(scores: tuple[float, ...]) -> None:
    candidates = (candidate(1), candidate(2))
    found = read_closely(candidates, Scores(*scores), "tax")
    assert found.candidates == candidates
    assert found.caveat is not None


def test_nothing_stays_nothing() -> None:
    assert read_closely((), Scores(), "tax").candidates == ()


@given(st.lists(st.floats(-10, 10, width=16), min_size=1, max_size=60))
def test_candidates_stay_as_they_are_and_what_scores_more_has_the_higher_logit(scores: list[float]) -> None:
    candidates = tuple(candidate(number) for number in range(len(scores)))
    found = read_closely(candidates, Scores(*scores), "tax rate")
    assert found.candidates == candidates
    ranked = sorted(zip(scores, found.logits, strict=True))
    assert [logit for _, logit in ranked] == sorted(found.logits)


OBLIGATIONS = [
    ("en", "Duty", "The operator shall notify the authority.", 5.0),  # a phrase 3, a word 2
    ("en", "Duty", "It must. It must. It must. It must.", 6.0),
    ("en", "Contents", "The notice holds:\n(a) the name;\n(b) the day.", 4.0),
    ("en", "Contents", "1) a\n2) b\n3) c\n4) d\n5) e", 6.0),
    ("en", "Scope", "This Act applies to taxes.", -4.0),
    ("en", "Scope", "The operator must register.", 2.0),  # a real duty under a general heading
    ("en", "Rate", "The rate is 34 per cent.", 0.0),
    ("fi", "Ilmoitus", "Verovelvollisen on ilmoitettava tulonsa.", 3.0),
    ("fi", "Soveltamisala", "Tätä lakia sovelletaan veroihin.", -4.0),
    ("sv", "Anmälan", "Den skattskyldige ska anmäla inkomsten.", 5.0),
    ("sv", "Tillämpningsområde", "Denna lag gäller skatter.", -4.0),
    ("fr", "Avis", "L’exploitant est tenu de payer.", 5.0),
    ("fr", "Champ d’application", "La présente loi s’applique.", -4.0),
]


@pytest.mark.parametrize(("language", "heading", "text", "score"), OBLIGATIONS)
def test_words_of_duty_lists_and_general_sections(
    language: str, heading: str, text: str, score: float
) -> None:
    assert obligation(heading, text, language) == score


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Must I register before I sell?", True),
        ("Täytyykö minun ilmoittaa muutosta?", True),
        ("Måste jag anmäla flytten?", True),
        ("Dois-je déclarer ce revenu ?", True),
        ("What is the rate of tax on capital income?", False),
        ("Mikä on pääomatulon veroprosentti?", False),
    ],
)
def test_a_question_asks_for_a_duty(question: str, asks: bool) -> None:
    assert asks_for_duty(question) is asks


def test_the_logits_of_any_reranker_are_on_one_scale() -> None:
    found = [candidate(number, "Text.", score=0.5) for number in range(3)]
    read = read_closely(found, Scores(0.9, 0.5, 0.2), "q")
    assert [round(one, 2) for one in read.logits] == [2.2, 0.0, -1.39]
    assert [one.match.passage for one in read.candidates] == [0, 1, 2]
