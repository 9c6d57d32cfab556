# ruff: noqa: E501 - a case reads better on one line
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
        (
            "For a designated licensed vehicle whose license expires on or after the first day of June in the"
            " year two thousand twelve and before the first day of June in the year two thousand fourteen, the"
            " amount of tax shall be the sum of the annual taxes.",
            "2012-06-01",
            "2014-06-01",
        ),
        (
            "A vehicle whose license expires on or after the first day of June in the year two thousand twelve"
            " pays the tax.",
            "None",
            "None",
        ),
        (
            "If a taxpayer used the method on a return for each of the two years immediately preceding the"
            " taxpayer's first taxable year beginning on or after January first, two thousand five, the"
            " taxpayer may make a one-time election to continue to use that method for taxable years beginning"
            " on or after January first, two thousand five and before January first, two thousand twelve.",
            "2005-01-01",
            "2012-01-01",
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


def section(*texts: str) -> Provision:
    children = tuple(
        Provision(
            ROOT.child("subd", str(n)),
            ProvisionKind.SUBSECTION,
            "",
            (Version(text, Validity(date(2010, 1, 1))),),
        )
        for n, text in enumerate(texts, start=1)
    )
    return Provision(ROOT, ProvisionKind.SECTION, "", (Version(""),), children)


@pytest.mark.parametrize(
    ("texts", "end"),
    [
        (
            (
                "Increases shall be limited for property whose assessed value was reduced for the assessment"
                " roll completed in two thousand thirteen.",
                "The limit is for assessment rolls completed from two thousand fourteen through two thousand"
                " twenty.",
            ),
            "2021-07-01",
        ),
        (
            (
                "The limit is for assessment rolls completed from two thousand fourteen through two thousand"
                " twenty.",
                "From two thousand twenty-five on, the commissioner may extend it.",
            ),
            "None",
        ),
        (("The limit is for the assessment roll completed in two thousand thirteen.",), "None"),
    ],
)
def test_a_section_on_assessment_rolls_ends_with_the_year_of_the_last(
    texts: tuple[str, ...], end: str
) -> None:
    """Section 11-240.1, on property that the storm of 2012 damaged."""
    found = with_tax_years(section(*texts)).children[0].versions[0]
    assert str(found.validity.end) == end
    assert found.ends_by_its_words is (end != "None")


def test_what_follows_an_election_ends_with_it() -> None:
    """Section 11-508(b)(2): how an election is revoked is of use only in the years of the election."""
    election = (
        "If a taxpayer used the method, the taxpayer may make a one-time election to continue to use that method"
        " for taxable years beginning on or after January first, two thousand five and before January first, two"
        " thousand twelve."
    )
    found = with_tax_years(section(election, "The election may be revoked by filing an amended return."))
    assert [str(one.versions[0].validity.end) for one in found.children] == ["2012-01-01", "2012-01-01"]


def item(path: str, text: str, *children: Provision, table: bool = False) -> Provision:
    kind = ProvisionKind.TABLE if table else ProvisionKind.ITEM
    known = Version(text, Validity(date(2023, 5, 3)))
    return Provision(ProvisionId.parse(f"{ROOT}/{path}"), kind, "", (known,), children)


def ends(root: Provision) -> dict[str, str]:
    return {
        str(one.id).removeprefix(f"{ROOT}/"): str(one.versions[-1].validity.end)
        for one in with_tax_years(root).walk()
    }


def test_a_list_ends_with_the_last_of_its_items() -> None:
    """Sales under an old contract are bounded by its years; the words that open the list end with it."""
    early = "all sales made before May first, nineteen hundred seventy, or made in performance of a contract therefor executed before such date;"
    late = "sales made on or after May first, nineteen hundred seventy and before May first, nineteen hundred eighty, or made in performance of a contract therefor executed during such period;"
    items = (item("para_2/subpara_i", early), item("para_2/subpara_ii", late))
    assert ends(item("para_2", "at the rate of one per cent with respect to –", *items)) == {
        "para_2": "1980-05-01",
        "para_2/subpara_i": "1970-05-01",
        "para_2/subpara_ii": "1980-05-01",
    }
    open_one = item("para_2/subpara_iii", "all other sales.")
    assert ends(item("para_2", "at the rate of one per cent –", *items, open_one))["para_2"] == "None"
    # Another exception goes on.
    other = "sales made on or after May first, nineteen hundred seventy and before May first, nineteen hundred eighty, or made to a charity;"
    assert set(ends(item("para_2", other)).values()) == {"None"}


@pytest.mark.parametrize(("last", "end"), [("in 2009 - 2015", "2016-01-01"), ("in 2009 and after", "None")])
def test_a_table_ends_with_the_last_year_of_its_rows(last: str, end: str) -> None:
    rows = (
        f"For taxable years beginning:  The credit shall be:\nin 2001 - 2005               $3\n{last}      $4"
    )
    told = ends(item("para_2", "In the case of others:", item("para_2/table_1", rows, table=True)))
    assert told == {"para_2": end, "para_2/table_1": end}
