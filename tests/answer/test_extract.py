"""The sentence that answers, and the list it introduces."""

from __future__ import annotations

import pytest

from pykala.answer.extract import best_sentence, whole_statement
from pykala.retrieve.likeness import AskedWords
from pykala.retrieve.wording import Figures

LIST = "A bank means\n(a) a bank listed here; or\n(b) a foreign bank.\nThis Part applies to it."


@pytest.mark.parametrize(
    ("text", "sentence", "whole"),
    [
        (LIST, "A bank means", "A bank means\n(a) a bank listed here; or\n(b) a foreign bank."),
        (LIST, "This Part applies to it.", "This Part applies to it."),
        ("The rate is 5 %.\nIt is paid yearly.", "The rate is 5 %.", "The rate is 5 %."),
        ("It means\n" + "x" * 2000, "It means", "It means"),
        ("No end", "No end", "No end"),
    ],
)
def test_a_statement_is_quoted_with_its_list(text: str, sentence: str, whole: str) -> None:
    start = text.index(sentence)
    first, last = whole_statement(text, start, start + len(sentence))
    assert text[first:last] == whole


@pytest.mark.parametrize(
    ("units", "expected"),
    [
        (frozenset({"months"}), "The stay ends after 84 months."),
        (frozenset({"percent"}), "The tax on the stay is 25 per cent."),
    ],
)
def test_the_unit_asked_for_decides(units: frozenset[str], expected: str) -> None:
    text = "A stay is taxed. The tax on the stay is 25 per cent. The stay ends after 84 months."
    asked = AskedWords("stay", "en", {"stay": 1.0})
    start, end = best_sentence(text, asked, "en", figures=Figures(True, units))
    assert text[start:end] == expected
