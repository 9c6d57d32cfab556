"""Which way of reading on a question's words choose."""

from __future__ import annotations

import pytest

from pykala.graph.walk import MOST_HOPS
from pykala.retrieve import strategies
from pykala.retrieve.strategies import strategy_for

ROWS = (
    strategies.DEFAULT,
    strategies.CASE_LAW,
    strategies.RECENCY,
    strategies.DEFINITION,
    strategies.CROSS_SOURCE,
    strategies.MULTI_HOP,
)


@pytest.mark.parametrize(
    ("question", "language", "name"),
    [
        ("What has the court held on electronic vouchers? Any case law?", "en", "case_law"),
        ("Onko KHO antanut ennakkopäätöksen lounassetelistä?", "fi", "case_law"),
        ("What changed in the latest amendments?", "en", "recency"),
        ("Mitä muuttui vuonna 2024?", "fi", "recency"),
        ("What is a foreign national?", "en", "definition"),
        ("Vad avses med kommunkoncern?", "sv", "definition"),
        ("What does the guidance say about travel costs?", "en", "cross_source"),
        ("Vilka undantag finns från skatteplikten?", "sv", "multi_hop"),
        ("Dans quels cas la loi prévoit-elle une dérogation ?", "fr", "multi_hop"),
        ("How long may a trial period be?", "en", "default"),
    ],
)
def test_the_words_choose_the_strategy(question: str, language: str, name: str) -> None:
    assert strategy_for(question, language).name == name


def test_a_question_for_a_figure_asks_for_no_definition() -> None:
    assert strategy_for("What is the tax rate on capital income?", "en", figure=True).name == "default"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_row_keeps_the_bounds_of_the_walk(row: strategies.Strategy) -> None:
    assert 1 <= row.seeds <= 3
    assert 1 <= row.walk.hops <= MOST_HOPS
    assert row.walk.nodes == 10
