"""Words of the code that are for certain tax years apply in these alone."""

from __future__ import annotations

from datetime import date

import pytest

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Provision, ProvisionKind, Version
from pykala.law.validity import Validity
from pykala.packs.nyc.period_phrases import period
from pykala.packs.nyc.tax_years import with_tax_years

ROOT = ProvisionId.parse("nyc:adc:11/sec_11-702")


@pytest.mark.parametrize(
    ("words", "first", "end"),
    [
        (
            "For each tax year commencing on or after June first, nineteen hundred sixty-three and ending on"
            " or before May thirty-first, nineteen hundred seventy, every tenant shall pay a tax.",
            "1963-06-01",
            "1970-06-01",
        ),
        (
            "For each taxable year beginning after nineteen hundred eighty-six but before nineteen hundred"
            " ninety-six:",
            "1987-01-01",
            "1996-01-01",
        ),
        ("For taxable years beginning in two thousand nine, the percentage is:", "2009-01-01", "2010-01-01"),
        ("For taxable years beginning after two thousand sixteen:", "2017-01-01", "None"),
        (
            "For any taxable year beginning after December thirty-first, two thousand seventeen, and before"
            " January first, two thousand twenty-six, there shall be subtracted the deductions.",
            "2018-01-01",
            "2026-01-01",
        ),
        (
            "For the fiscal year beginning on July 1, 2021 and ending on June 30, 2022, a rebate:",
            "2021-07-01",
            "2022-07-01",
        ),
        (
            "For periods prior to July first, nineteen hundred seventy-one such charges are:",
            "None",
            "1971-07-01",
        ),
        (
            "For tax years ending May thirty-first, nineteen hundred eighty, the tax is ninety percent. For"
            " tax years beginning after that day, the tax is eighty percent.",
            "None",
            "None",
        ),
        (
            "Rate of tax. For taxable years beginning after two thousand two and before two thousand six, the"
            " tax imposed pursuant to this section shall be determined as follows:",
            "2003-01-01",
            "2006-01-01",
        ),
        (
            "On or after January first, two thousand fifteen and before January first, two thousand"
            " seventeen, no tax lien shall be sold.",
            "2015-01-01",
            "2017-01-01",
        ),
        ("On or after January first, two thousand fifteen, no tax lien shall be sold.", "None", "None"),
        (
            "Every taxpayer, on or before March fifteenth of each year, beginning with the year nineteen"
            " hundred sixty-seven and ending with the year nineteen hundred seventy-three, shall report.",
            "1967-01-01",
            "1974-01-01",
        ),
        (
            "In lieu of the method prescribed in paragraph (a) of this subdivision, if the taxpayer kept"
            " adequate records for the portion of any taxable year ending prior to December thirty-first,"
            " nineteen hundred sixty-six, it may elect to compute the tax.",
            "None",
            "1966-12-31",
        ),
        (
            "Application for a certificate may be made immediately and continuing until June 30, 2008.",
            "None",
            "2008-07-01",
        ),
        ("Application for a certificate may be made until it is granted.", "None", "None"),
        (
            "Notwithstanding any other law, there is hereby established a nine-month amnesty program,"
            " beginning January first, nineteen hundred eighty-nine and ending September thirtieth, nineteen"
            " hundred eighty-nine, for all.",
            "1989-01-01",
            "1989-10-01",
        ),
        ("Every tenant shall pay a tax for each tax year.", "None", "None"),
        ("For each taxable year, the tax is due.", "None", "None"),
    ],
)
def test_the_tax_years_of_an_opening(words: str, first: str, end: str) -> None:
    assert tuple(map(str, period(words))) == (first, end)


def test_a_rate_of_past_tax_years_is_not_todays_and_its_table_goes_with_it() -> None:
    def node(step: str, number: str, kind: ProvisionKind, text: str, *below: Provision) -> Provision:
        return Provision(ROOT.child(step, number), kind, "", (Version(text),), below)

    section = Provision(
        ROOT,
        ProvisionKind.SECTION,
        "§ 11-702",
        (Version("Tax is due."),),
        (
            node("flush", "1", ProvisionKind.FLUSH, "For taxable years beginning in two thousand three:"),
            node("table", "1", ProvisionKind.TABLE, "$1 | 5%"),
            node("flush", "2", ProvisionKind.FLUSH, "For taxable years beginning after two thousand three:"),
            node("table", "2", ProvisionKind.TABLE, "$1 | 4%"),
            node("flush", "3", ProvisionKind.FLUSH, "Rents are counted by the year."),
        ),
    )
    dated = with_tax_years(section)

    def standing(day: date) -> list[str]:
        return [str(child.id.path[-1]) for child in dated.children if child.at(day)]

    assert standing(date(2003, 12, 31)) == ["flush_1", "table_1", "flush_3"]
    assert standing(date(2026, 1, 1)) == ["flush_2", "table_2", "flush_3"]


def test_rates_of_past_years_in_a_section_amended_since_stand_in_those_years_alone() -> None:
    words = "For taxable years beginning in two thousand five:"
    amended = Version(words, Validity(date(2023, 8, 23)), history_unavailable=True)
    bounded = with_tax_years(Provision(ROOT, ProvisionKind.SECTION, versions=(amended,)))
    assert bounded.versions[0].validity == Validity(date(2005, 1, 1), date(2006, 1, 1))


@pytest.mark.parametrize(
    ("words", "known_from", "named"),
    [
        ("For taxable years beginning in two thousand five:", date(2023, 8, 23), False),
        ("For taxable years beginning after nineteen hundred eighty-six:", None, False),
        ("For taxable years beginning after two thousand thirty:", date(2023, 8, 23), True),
        ("Rents are counted by the year.", date(2023, 8, 23), True),
    ],
)
def test_an_act_is_not_named_for_years_before_it(words: str, known_from: date | None, named: bool) -> None:
    act = WorkId("ny:laws:2023/500")
    version = Version(words, Validity(known_from), source_act=act)
    bounded = with_tax_years(Provision(ROOT, ProvisionKind.SECTION, versions=(version,)))
    assert (bounded.versions[0].source_act == act) is named
