"""Figures and units as laws write them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.text.quantities import quantities, without_units


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("34 per cent on 30,000 euros", [("34", "percent"), ("30000", "euros")]),
        ("30 000 euron ylittävältä osalta 34 prosenttia", [("30000", "euros"), ("34", "percent")]),
        ("enintään 84 kuukautta", [("84", "months")]),
        ("en 48-månadersperiod", [("48", "months")]),
        ("7,5 %", [("7.5", "percent")]),
        ("un taux de 5 %", [("5", "percent")]),
        ("$30,000 in four quarters", [("30000", "dollars")]),
        ("700 hours; 26 weeks", [("700", "hours"), ("26", "weeks")]),
        ("four per centum of the tax", [("4", "percent")]),
        ("fourteen days after", [("14", "days")]),
        ("EUR 20 000 or 5 EUR 30 days", [("20000", "euros"), ("5", "euros"), ("30", "days")]),
        ("up to USD 1 000 000 or CAD 50", [("1000000", "dollars"), ("50", "dollars")]),
        ("30 calendar days, 5 working days", [("30", "days"), ("5", "days")]),
        ("10 työpäivän ja 30 kalenteripäivää", [("10", "days"), ("30", "days")]),
        ("inom fem arbetsdagar", [("5", "days")]),
        ("trente jours ouvrables", [("30", "days")]),
        ("kuusi kuukautta, kahdenkymmenenviiden euron", [("6", "months"), ("25", "euros")]),
        ("twenty-five dollars for two thousand five hundred hours", [("25", "dollars"), ("2500", "hours")]),
        ("tre månader eller en dag, ett år", [("3", "months"), ("1", "days"), ("1", "years")]),
        ("quatre-vingt-dix jours, douze mois, un an", [("90", "days"), ("12", "months"), ("1", "years")]),
        ("thirty (30) days", [("30", "days")]),
        ("one hundred and twenty days", [("120", "days")]),
        ("a five-year period", [("5", "years")]),
        ("a rate of five and seven-eighths percent", [("5.875", "percent")]),
        (
            "eight and eighty-five one-hundredths per centum, 7 1/2 %",
            [("8.85", "percent"), ("7.5", "percent")],
        ),
        ("one and four hundred twenty-five thousandths of one percent", [("1.425", "percent")]),
        ("one-half of one per centum and six days", [("0.5", "percent"), ("6", "days")]),
        ("two and thirty days, a third of the days", [("30", "days")]),
        ("le montant en euros, en mois", []),
        ("the one who, six persons", []),
        ("section 124 of 1992", []),
        ("5 persons", []),
    ],
)
def test_quantities(text: str, found: list[tuple[str, str]]) -> None:
    assert [(one.figure, one.unit) for one in quantities(text)] == found


def test_units_are_left_out_of_a_comparison() -> None:
    assert without_units("84 months of work").split() == ["84", "of", "work"]


_PIECES = [
    "1",
    "30",
    "000",
    "2 500",
    "1,000",
    "7,5",
    "3.25",
    "€",
    "$",
    "%",
    "euroa",
    "days",
    "mois",
    "år",
    "kk",
]
_PIECES += ["percent", "vuotta", "-", " ", " ", "\u00a0", "\n", ",", ".", "a", "_"]
_UNITS = {
    "days": "days",
    "months": "mois|kk",
    "years": r"år|vuot\w+",
    "percent": "%|percent",
    "euros": r"€|euro\w*",
    "dollars": r"\$",
}
_NUMBER = r"\d{1,3}(?:[ \u00a0,.]\d{3})+(?!\d)|\d+(?:[.,]\d+)?"


@given(st.lists(st.sampled_from(_PIECES), max_size=16).map("".join))
def test_one_pass_finds_what_a_pattern_for_each_unit_finds(text: str) -> None:
    patterns = [
        (unit, rf"(?<!\w)({_NUMBER})\s*[-\u2011]?(?:{words})(?!\w)") for unit, words in _UNITS.items()
    ]
    patterns += [("dollars", rf"\$\s?({_NUMBER})"), ("euros", rf"€\s?({_NUMBER})")]
    expected = sorted(
        (*match.span(), unit) for unit, pattern in patterns for match in re.finditer(pattern, text)
    )
    assert sorted((one.start, one.end, one.unit) for one in quantities(text)) == expected
