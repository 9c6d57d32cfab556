"""Figures and units as laws write them."""

from __future__ import annotations

import pytest

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
        ("section 124 of 1992", []),
        ("5 persons", []),
    ],
)
def test_quantities(text: str, found: list[tuple[str, str]]) -> None:
    assert [(one.figure, one.unit) for one in quantities(text)] == found


def test_units_are_left_out_of_a_comparison() -> None:
    assert without_units("84 months of work").split() == ["84", "of", "work"]
