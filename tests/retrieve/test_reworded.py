"""A model may reword a question; it may not answer it, add to it, or lose what is asked."""

from __future__ import annotations

import pytest

from pykala.retrieve.conversing import _is_made_of

BEFORE = "What is the tax rate on capital income in Finland?"


@pytest.mark.parametrize(
    ("text", "new", "made_of"),
    [
        ("What is the tax rate on capital income in Finland in 2013?", "and in 2013?", True),
        ("What was the tax rate on earned income in Finland?", "and on earned income?", True),
        ("What is the tax rate on capital income in Finland?", "and in 2013?", False),  # a figure is lost
        ("What is the 30 per cent tax rate on capital income in Finland in 2013?", "and in 2013?", False),
        (BEFORE, "and how are dividends of a listed company paid?", False),  # the one before, said again
        (
            "What surcharge and penalty does the Canadian revenue agency demand from a fisherman?",
            "and on fishermen?",
            False,  # words that nobody said
        ),
        ("?", "", False),
        (BEFORE, "", True),
    ],
)
def test_a_reworded_question_is_made_of_what_was_said(text: str, new: str, made_of: bool) -> None:
    assert _is_made_of(text, (BEFORE, new), new, "en") is made_of


@pytest.mark.parametrize(
    ("text", "new", "made_of"),
    [
        # Three terms, one of them new: within a third. Three of which two are new: beyond it.
        ("horse cart wagon", "", True),
        ("horse wagon boat", "", False),
        # Half of the words asked may be lost, and no more.
        ("horse", "horse saddle", True),
        ("horse", "horse saddle bridle", False),
    ],
)
def test_the_shares_are_limits(text: str, new: str, made_of: bool) -> None:
    assert _is_made_of(text, ("horse cart", new), new, "en") is made_of
