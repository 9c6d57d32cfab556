"""A tax that has ended takes its chapter with it; one that goes on keeps it."""

from __future__ import annotations

from datetime import date

import pytest

from nyc_making import places, read_plain
from pykala.law.provisions import Version

NOW = date(2026, 11, 18)
CHAPTER = """Chapter 60: Tax on Kites

§ 11-6001 Definitions.
A kite is whatever flies on a line.

§ 11-6002 {heading}.
{imposition}
§ 11-6003 Penalties.
Whoever does not pay shall pay twice.

Chapter 61: Tax on Bells

§ 11-6101 Imposition of tax.
A tax is hereby imposed on every bell.
"""


def _chapter(imposition: str, heading: str = "Imposition of the tax") -> dict[str, Version]:
    document = read_plain(CHAPTER.format(heading=heading, imposition=imposition))
    return {path: found.versions[-1] for path, found in places(document).items()}


@pytest.mark.parametrize(
    ("imposition", "end"),
    [
        (
            "~~~a.~~~A charge is hereby imposed on every kite.\n"
            "~~~b.~~~No kite charge or additional charge shall be imposed pursuant"
            " to this chapter on or after June first, nineteen hundred ninety-eight.\n",
            date(1998, 6, 1),
        ),
        (
            "~~~a.~~~There is hereby established a surcharge of thirty cents on every kite.\n"
            "~~~b.~~~No surcharge shall be imposed pursuant to this chapter on or after December 1, 2017.\n",
            date(2017, 12, 1),
        ),
        (
            "No tax shall be imposed pursuant to this chapter for any taxable year ending after December"
            " thirty-first, nineteen hundred eighty-eight.\n",
            date(1989, 1, 1),
        ),
        (
            "Every flyer of a kite shall pay annually to the commissioner on June twentieth of each year"
            " until and including June twentieth, nineteen hundred eighty-one, a tax for each kite.\n",
            date(1981, 6, 21),
        ),
        (
            "On and after July first, nineteen hundred seventy until and including August thirty-first,"
            " nineteen hundred eighty, there is hereby imposed a tax on every kite.\n",
            date(1980, 9, 1),
        ),
    ],
)
def test_the_end_of_a_tax_told_in_one_section_ends_its_chapter(imposition: str, end: date) -> None:
    found = _chapter(imposition)
    ended = [path for path in found if path.startswith(("chp_60", "sec_11-600"))]
    assert ended[0] == "chp_60"
    assert len(ended) >= 4, found
    assert {found[path].validity.end for path in ended} == {end}
    assert all(found[path].ends_by_its_words for path in ended)
    assert found["chp_61"].validity.covers(NOW)
    assert found["sec_11-6101"].validity.covers(NOW)


def test_a_chapter_stays_while_one_of_its_taxes_goes_on() -> None:
    found = _chapter(
        "~~~a.~~~On and after July first, nineteen hundred seventy until and including August thirty-first,"
        " nineteen hundred eighty, there is hereby imposed a tax of a dollar on every kite.\n"
        "~~~b.~~~On and after September first, nineteen hundred eighty, there is hereby imposed a tax of two"
        " dollars on every kite.\n"
    )
    assert found["sec_11-6002/subd_a"].validity.end == date(1980, 9, 1)
    assert found["chp_60"].validity.covers(NOW)
    assert found["sec_11-6003"].validity.covers(NOW)


def test_a_rate_of_past_years_under_another_heading_does_not_end_the_chapter() -> None:
    found = _chapter(
        "On and after July first, nineteen hundred seventy until and including August thirty-first,"
        " nineteen hundred eighty, there is hereby imposed a surtax on every kite.\n",
        heading="Surtax",
    )
    assert found["chp_60"].validity.covers(NOW)


def test_a_part_that_administers_ended_parts_ends_after_its_last_return() -> None:
    document = read_plain(
        "Chapter 60: Taxes on Kites\n\nSubchapter 1: Kites\n\n"
        "Part 1: Tax On Paper Kites\n\n§ 11-6001 Years for which imposed.\n"
        "The tax imposed by section 11-6002"
        " of this part is imposed for each calendar year included within the period beginning January first,"
        " nineteen hundred sixty-six and ending December thirty-first, nineteen hundred seventy-two.\n\n"
        "Part 2: Tax On Cloth Kites\n\n§ 11-6010 Years for which imposed.\n"
        "The tax imposed by section 11-6011"
        " of this part is imposed for each calendar year included within the period beginning January first,"
        " nineteen hundred sixty-six and ending December thirty-first, nineteen hundred seventy-one.\n\n"
        "Part 3: Administration for Parts 1 and 2\n\n§ 11-6020 Reports.\n"
        "Every taxpayer, on or before March"
        " fifteenth of each year, beginning with the year nineteen hundred sixty-seven and ending with the"
        " year nineteen hundred seventy-three, shall report.\n\n§ 11-6021 Secrecy.\nReports are secret.\n"
    )
    found = {path: one.versions[-1].validity.end for path, one in places(document).items()}
    assert found["sec_11-6001"] == date(1973, 1, 1)
    assert found["sec_11-6010"] == date(1972, 1, 1)
    assert found["sec_11-6020"] == found["sec_11-6021"] == date(1974, 1, 1)


def test_a_subdivision_says_itself_from_which_years_on_it_does_not_apply() -> None:
    found = _chapter(
        "~~~a.~~~The council may adopt a rate."
        " This subdivision shall not apply to any fiscal year beginning on"
        " or after July first, two thousand five.\n"
        "~~~b.~~~Kites are counted."
        " This subdivision shall not apply to any fiscal year beginning on or after"
        " July first, two thousand five, unless the council so decides.\n"
        "~~~c.~~~A tax is hereby imposed on every kite; provided, however, that the tax hereby imposed shall"
        " not be imposed after November thirtieth, two thousand twenty-five.\n"
        "~~~d.~~~There is hereby imposed a tax on kites; provided, however, that the tax hereby imposed shall"
        " not be imposed after November thirtieth, two thousand twenty-five, on receipts from sales of the"
        " kites specified in paragraph two of this subdivision:\n"
        "~~~~~~(1)~~~Red kites.\n~~~~~~(2)~~~Blue kites.\n"
    )
    ends = {
        path.rpartition("11-6002/")[2]: one.validity.end for path, one in found.items() if "6002/" in path
    }
    assert ends["subd_a"] == date(2005, 7, 1)
    assert ends["subd_b"] is None
    assert ends["subd_c"] == date(2025, 12, 1)
    assert (ends["subd_d"], ends["subd_d/para_1"], ends["subd_d/para_2"]) == (None, None, date(2025, 12, 1))


def test_a_note_that_the_law_behind_words_expired_ends_them() -> None:
    found = _chapter(
        "~~~a.~~~Kite credit.*\n"
        "* Editor's note: the local law that added this division (a) to this section expired on 12/31/2011"
        " (with such expiration not affecting the carry over of any credit); see L.L. 2005/002.\n"
        "~~~~~~(1)~~~A flyer shall be allowed a credit.\n"
        "~~~b.~~~A tax is hereby imposed on every kite.\n"
    )
    assert found["sec_11-6002/subd_a/para_1"].validity.end == date(2012, 1, 1)
    assert found["sec_11-6002/subd_b"].validity.covers(NOW)


def test_a_tax_on_mortgages_of_past_years_is_not_todays() -> None:
    found = _chapter(
        "~~~a.~~~A tax of fifty cents for each kite on which a mortgage is given and recorded"
        " on or after August first, nineteen hundred seventy-one and prior to February first,"
        " nineteen hundred eighty-two, is hereby imposed on each such mortgage.\n"
        "~~~b.~~~A tax of one dollar for each kite on which a mortgage is given and recorded on or after"
        " February first, nineteen hundred eighty-two, is hereby imposed on each such mortgage.\n"
    )
    assert found["sec_11-6002/subd_a"].validity.end == date(1982, 2, 1)
    assert found["sec_11-6002/subd_b"].validity.covers(NOW)
    assert found["chp_60"].validity.covers(NOW)


def test_a_section_ends_with_the_surcharge_that_it_imposes() -> None:
    found = _chapter(
        "~~~a.~~~There is hereby imposed for each taxable year beginning after nineteen hundred ninety but"
        " before nineteen hundred ninety-nine, a surcharge on kites.\n"
        "~~~b.~~~The surcharge is counted in dollars.\n",
        heading="Surcharge",
    )
    assert found["sec_11-6002/subd_b"].validity.end == date(1999, 1, 1)
    assert found["sec_11-6003"].validity.covers(NOW)


def test_a_table_as_of_a_day_holds_until_the_next_one() -> None:
    table = "Annual Income as of July 1, {}     Exempt\nMore than $26,000     45 per centum\n"
    found = _chapter(f"As follows:\n\n{table.format(2008)}\n{table.format(2009)}\n{table.format(2017)}\n")
    days = {path: one.validity for path, one in found.items() if "table" in path}
    assert [(one.start, one.end) for one in days.values()] == [
        (date(2008, 7, 1), date(2009, 7, 1)),
        (date(2009, 7, 1), date(2017, 7, 1)),
        (date(2017, 7, 1), None),
    ]


def test_a_tax_that_a_court_ended_says_so() -> None:
    document = read_plain(
        "Chapter 16: Tax on Boxes\n\n§ 11-1601 Boxes.\nA tax is hereby imposed on every box.\n"
        "(Am. L.L. 2001/012, 3/1/2001, eff. 3/1/2001)\n\n"
        "Chapter 17: Tax on Bells\n\n§ 11-1701 Bells.\nA tax is hereby imposed on every bell.\n"
    )
    found = {path: one.versions[-1] for path, one in places(document).items()}
    assert found["sec_11-1601"].validity.end == date(1971, 11, 11)
    assert "held this tax invalid" in found["sec_11-1601"].application
    assert not found["sec_11-1601"].ends_by_its_words
    assert found["sec_11-1601"].source_act is None
    assert found["sec_11-1701"].validity.covers(NOW)
    assert found["sec_11-1701"].application == ""
