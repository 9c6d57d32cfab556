"""Outcomes, dates and grades as a reader is told them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from pykala.answer.about_acts.words import day_words, period_words
from pykala.answer.in_words import (
    dates_in_words,
    grade_in_words,
    law_in_words,
    list_opening,
    outcome_in_words,
    standing_in_words,
)
from pykala.law.answers import Answer, CitedProvision, Outcome, StrategyName
from pykala.law.grades import ANSWERED_FROM, LIKELY_FROM
from pykala.law.identifiers import ProvisionId
from pykala.law.validity import ALWAYS, Validity

DAY, LATER = date(2026, 1, 1), date(2027, 6, 30)


def cited(provision: str = "fi:act:1992/1535/sec_124") -> CitedProvision:
    return CitedProvision(ProvisionId.parse(provision), "TVL 124 §", "", "Rule.", "", "fi", ALWAYS, 100, "")


def answer(outcome: Outcome = Outcome.ANSWERED, provision: str = "", known: date | None = None) -> Answer:
    primary = cited(provision) if provision else None
    return Answer("", "Q?", "en", DAY, outcome, "Rule.", primary=primary, current_to=known)


UPLOAD = "up:file:0123456789abcdef/sec_1"


@pytest.mark.parametrize(
    ("grade", "words"),
    [
        (10.0, "certain (10.0)"),
        (9.99, "very likely right (9.9)"),  # cut, not rounded
        (ANSWERED_FROM, f"very likely right ({ANSWERED_FROM})"),
        (ANSWERED_FROM - 0.01, f"likely ({ANSWERED_FROM - 0.1:.1f})"),
        (LIKELY_FROM, f"likely ({LIKELY_FROM})"),
        (LIKELY_FROM - 0.01, f"possible ({LIKELY_FROM - 0.1:.1f})"),
        (2.0, "possible (2.0)"),
        (1.99, "unlikely (1.9)"),
        (0.0, "unlikely (0.0)"),
        (-0.5, "unlikely (-0.5)"),
    ],
)
def test_a_grade_is_told_by_the_level_that_it_reaches(grade: float, words: str) -> None:
    assert grade_in_words(grade) == words


@pytest.mark.parametrize(
    ("known", "shown", "prose"),
    [
        (None, "law in force on 2026-01-01", "Law in force on 2026-01-01."),
        (
            DAY,
            "law in force on 2026-01-01, known to 2026-01-01",
            "Law in force on 2026-01-01, known to 2026-01-01.",
        ),
        (
            date(2025, 12, 31),
            "law known to 2025-12-31; later changes are not in this library",
            "Law known to 2025-12-31, asked for 2026-01-01; later changes are not in this library.",
        ),
    ],
)
def test_the_law_is_told_as_far_as_it_is_known(known: date | None, shown: str, prose: str) -> None:
    told = answer(known=known)
    assert law_in_words(told, "en", "shown") == shown
    assert law_in_words(told, "en", "prose") == prose


def test_words_that_began_after_the_day_are_not_its_law() -> None:
    told = answer(known=LATER)
    for start, later in ((DAY, False), (date(2026, 1, 2), True), (None, False)):
        begun = replace(told, primary=replace(cited(), validity=Validity(start)))
        assert begun.is_later is later
        for where in ("shown", "prose"):
            assert ("in force on" in law_in_words(begun, "en", where)) is not later


@pytest.mark.parametrize(
    ("validity", "words"),
    [
        (Validity.pending(), "not yet in force"),
        (Validity(DAY, LATER), "in force from 2026-01-01 until 2027-06-30"),
        (Validity(DAY), "in force from 2026-01-01"),
        (Validity(None, LATER), "in force until 2027-06-30"),
        (ALWAYS, "dates not known"),
    ],
)
def test_the_days_of_a_wording_are_told(validity: Validity, words: str) -> None:
    assert dates_in_words(validity) == words
    assert standing_in_words(replace(cited(), validity=validity)) == words


@pytest.mark.parametrize(
    ("end", "adopted", "words"),
    [
        (None, None, "in force from 2025-07-01, applies from 2026-01-01"),
        (LATER, None, "in force from 2025-07-01, applies from 2026-01-01 until 2027-06-30"),
        (None, date(2025, 5, 2), "adopted 2025-05-02, in force from 2025-07-01, applies from 2026-01-01"),
    ],
)
def test_entry_into_force_is_told_apart_from_application(
    end: date | None, adopted: date | None, words: str
) -> None:
    entered = replace(cited(), validity=Validity(DAY, end), in_force=date(2025, 7, 1), adopted=adopted)
    assert standing_in_words(entered) == words
    unknown = replace(entered, validity=Validity(None, end))
    assert "2025-07-01" not in standing_in_words(unknown), "nothing is told beside an unknown day"


def test_an_upload_is_never_law() -> None:
    told = answer(provision=UPLOAD, known=DAY)
    assert outcome_in_words(told) == "From your own document, not law"
    assert law_in_words(told, "en", "shown") == "as of 2026-01-01"
    assert standing_in_words(replace(cited(UPLOAD), validity=Validity(DAY))) == "your own document, not law"


@pytest.mark.parametrize(
    ("outcome", "strategy", "words"),
    [
        (Outcome.ANSWERED, StrategyName.DEFAULT, "Answered"),
        (Outcome.SILENT, StrategyName.DEFAULT, "No answer found"),
        (Outcome.SILENT, StrategyName.ABOUT_ACTS, "Not known"),
        (Outcome.ANSWERED, StrategyName.ABOUT_ACTS, "Answered"),
    ],
)
def test_the_law_is_not_silent_about_itself(outcome: Outcome, strategy: StrategyName, words: str) -> None:
    assert outcome_in_words(replace(answer(outcome), strategy=strategy)) == words


@pytest.mark.parametrize(
    ("day", "language", "words"),
    [
        (date(1993, 1, 1), "en", "1 January 1993"),
        (date(1993, 12, 31), "sv", "31 december 1993"),
        (date(1993, 1, 1), "fr", "1er janvier 1993"),
        (date(1993, 1, 2), "fr", "2 janvier 1993"),
        (date(1993, 2, 1), "fi", "1.2.1993"),
        (date(1993, 2, 1), "tlh", "1 February 1993"),  # a language that nobody knows is told in English
    ],
)
def test_a_day_is_written_as_people_write_it(day: date, language: str, words: str) -> None:
    assert day_words(day, language) == words


def test_a_period_of_one_year_is_that_year() -> None:
    assert period_words(date(2023, 1, 1), date(2023, 12, 31), "en") == "in 2023"
    assert period_words(date(2020, 1, 1), date(2022, 12, 31), "en") == "2020–2022"


LISTED = "The following practices shall be prohibited:\n(a) one;\n(b) two."


@pytest.mark.parametrize(
    ("text", "start", "opening"),
    [
        (LISTED, LISTED.index("(b)"), "The following practices shall be prohibited:"),
        (LISTED, 0, ""),  # the quote begins with it
        (LISTED, 10, ""),
        ("A whole rule.\nAnother rule.", 14, ""),
        ("One line without an end", 9, ""),
        (f"{'x' * 500}:\n(a) one.", 503, ""),  # no opening that a reader takes in at once
        (
            "Key employee means a person who:\n1) one;\n2) two.\nIt ends after 84 months.",
            53,
            "",
        ),  # another part
        ("Yearly income  Percentage exempt\n10,000  30 %", 40, ""),  # a table
        ("[Repealed]\n(a) one;", 12, ""),
        ("", 0, ""),
    ],
)
def test_words_in_a_list_come_with_those_that_open_it(text: str, start: int, opening: str) -> None:
    assert list_opening(text, start) == opening
