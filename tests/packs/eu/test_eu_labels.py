"""Numbers of articles, points, divisions and annexes: one spelling for both languages."""
# ruff: noqa: E501 - a case reads better on one line

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.law.identifiers import Step
from pykala.packs.eu.labels import annex, article_number, division, point_number, protocol


@pytest.mark.parametrize(
    ("title", "number"),
    [
        ("Article 98", "98"),
        ("Article 98a", "98a"),
        ("Article 98 bis", "98a"),
        ("Article premier", "1"),
        ("Article 1er", "1"),
        ("Article unique", "1"),
        ("Sole Article", "1"),
        ("Article 369 septvicies ter", "369zb"),
        ("Article 8 bis quinquies", "8ad"),
        ("Article 27da", "27da"),
        ("Article 28 bis", "28a"),
        ("Artikel 63b", "63b"),
        ("Article 5 Supply of goods", "5"),
        ("Articles of association", ""),
        ("The article", ""),
        ("", ""),
    ],
)
def test_articles(title: str, number: str) -> None:
    assert article_number(title) == number


@pytest.mark.parametrize(
    ("label", "number"),
    [
        ("(a)", "a"), ("a)", "a"), ("a bis)", "aa"), ("(aa)", "aa"), ("1.", "1"), ("(10a)", "10a"), ("10 bis)", "10a"),
        ("‘(a)", "a"), ("«1)", "1"), ("—", ""), ("-", ""), ("1.2.3.", "1.2.3"), ("(ii)", "ii"),
    ],
)  # fmt: skip
def test_points(label: str, number: str) -> None:
    assert point_number(label) == number


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("TITLE VIII", ("tis", "VIII", 2, "")),
        ("TITRE VIII", ("tis", "VIII", 2, "")),
        ("CHAPTER 2", ("cpt", "2", 3, "")),
        ("CHAPITRE 2 bis", ("cpt", "2a", 3, "")),
        ("TITLE IIA", ("tis", "IIa", 2, "")),
        ("TITRE II BIS", ("tis", "IIa", 2, "")),
        ("Section 1 General rule", ("sct", "1", 4, "General rule")),
        ("Sub-section 2", ("sbs", "2", 5, "")),
        ("PART ONE", ("prt", "1", 1, "")),
        ("PREMIÈRE PARTIE", ("prt", "1", 1, "")),
        ("TITLE IV TAXABLE PERSONS", ("tis", "IV", 2, "TAXABLE PERSONS")),
        ("Titles of nobility", None),
        ("GENERAL PROVISIONS", None),
    ],
)
def test_divisions(title: str, expected: tuple[str, str, int, str] | None) -> None:
    assert division(title) == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("ANNEX III", ("III", "")),
        ("ANNEXE VI bis", ("VIa", "")),
        ("ANNEX", ("", "")),
        ("ANNEX A LIST OF GOODS", ("A", "LIST OF GOODS")),
        ("ANNEXE", ("", "")),
        ("Annexation", None),
    ],
)
def test_annexes(title: str, expected: tuple[str, str] | None) -> None:
    assert annex(title) == expected


@pytest.mark.parametrize(
    ("title", "number"), [("PROTOCOL (No 1)", "1"), ("PROTOCOLE (n o 26)", "26"), ("Protocol", "")]
)
def test_protocols(title: str, number: str) -> None:
    assert protocol(title) == number


@given(st.text(max_size=60))
def test_whatever_stands_in_a_label_makes_a_step(text: str) -> None:
    for step, number in (("art", article_number(text)), ("point", point_number(text))):
        if number:
            assert Step(step, number).number == number
