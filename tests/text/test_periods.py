"""Words that bind a rule to a period that has passed."""

from __future__ import annotations

from datetime import date

import pytest

from pykala.text.periods import Bound, bounds, only_past, opens_in_the_past

TODAY = date(2026, 11, 15)


@pytest.mark.parametrize(
    ("text", "past"),
    [
        (
            "For each tax year commencing on or after June first, nineteen hundred sixty-three and ending on"
            " or before May thirty-first, nineteen hundred seventy, every tenant shall pay a tax",
            True,
        ),
        ("For each tax year commencing on or after, June first, nineteen hundred seventy, a tenant", False),
        ("for taxable years beginning before January 1, 1971, the rate is 5 %", True),
        ("The rate was 3 % before 2009.", True),
        ("Until 31 December 2009 the rate is 5 %.", True),
        ("From 1 January 2016 until 31 December 2017, the standard rate may not be lower than 15 %.", True),
        ("Verovuosina 2012–2015 vero on 5 prosenttia.", True),
        ("Vero on 5 prosenttia 31 päivään joulukuuta 2009 saakka.", True),
        ("ennen 1 päivää tammikuuta 2005 tehty sopimus", True),
        ("Lakia sovelletaan 1 päivästä tammikuuta 2012.", False),
        ("till utgången av 2010 är skatten 5 procent", True),
        ("från och med den 1 januari 2012", False),
        ("avant le 1er janvier 2013, le taux est de 5 %", True),
        ("à compter du 1er janvier 2013", False),
        ("on and after December twentieth, two thousand thirteen and before December first, two thousand"
         " twenty-seven", False),
        ("Directive 2006/112/EC and section 5 (1535/1992) apply.", False),
        ("if the contributor’s death occurs after December 31, 2018, $2,500", False),
        ("For the 1990 tax year and each subsequent year ending before 1995", False),
        ("within thirty days before the meeting", False),
        ("", False),
    ],
)  # fmt: skip
def test_past_periods(text: str, past: bool) -> None:
    assert only_past(text, TODAY) is past


def test_a_period_answers_for_a_day_within_it() -> None:
    text = "From 1 January 2016 until 31 December 2017, the standard rate may not be lower than 15 %."
    assert bounds(text) == [Bound(2016, 2017)]
    assert not only_past(text, date(2017, 4, 1))


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("Until 31 December 2009 the rate is 5 %.", 2009),
        ("2. Before 1 January 2024, Member States shall inform the Commission.", 2024),
        ("From 1 January 2016 until 31 December 2017, the rate may not be lower than 15 %.", 2017),
        ("Verovuosina 2012–2015 vero on 5 prosenttia.", 2015),
        ("Jusqu’au 31 décembre 2010, le taux est de 5 %.", 2010),
        ("Loans which were concluded before 17 June 2016 may be excluded.", None),
        ("‘consolidated’ means a regime that was in force on or before 1 July 2021", None),
        ("From 1 January 2016 the rate is 15 %.", None),
        ("", None),
    ],
)
def test_a_text_that_opens_with_a_past_period(text: str, year: int | None) -> None:
    assert opens_in_the_past(text, TODAY) == year
