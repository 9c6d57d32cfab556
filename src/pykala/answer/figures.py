"""Figures of a text, for checking claims against sources: quantities, dates and bare numbers.

Law spells its figures out ("kuuden kuukauden kuluessa", "within six months"), and a claim about it writes
them in digits, often in another language; so numerals of the four languages are read as the numbers they
stand for, and dates as days, whatever their order and typography.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from pykala.text.date_phrases import days as days_in_words
from pykala.text.date_phrases import months
from pykala.text.languages.known import derived
from pykala.text.numerals import numerals
from pykala.text.quantities import Quantity, quantities

_number = re.compile(r"\d{1,3}(?:[ \u00a0\u202f,.]\d{3})+(?![\d])|\d+(?:[.,]\d+)?")
_year = re.compile(r"(?:18|19|20)\d\d")
_AROUND_YEAR: Final = 60  # characters around a year in which the rest of its date is searched
_ZEROS: Final = re.compile(r"(\.\d*?)0+$")
_MONTHS_A_YEAR: Final = 12
DATE: Final = "date"


@derived
def _day_patterns() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(rf"(?<!\w)(?:{day})(?!\w)", re.IGNORECASE) for day in days_in_words())


@dataclass(frozen=True, slots=True)
class PlacedFigure:
    """A quantity or a day in normal form, and its position."""

    figure: str
    unit: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a text: (figure, unit), days, and numbers without a unit."""

    quantities: frozenset[tuple[str, str]]
    days: frozenset[date]
    numbers: frozenset[str]


def figures(text: str, *, spelled: bool = False) -> Figures:
    """The figures of a text; with `spelled`, numerals without a unit count as numbers too.

    A source is read with them and a claim without: "one of the partners" claims no figure.
    """
    days, rest = _without_days(text)
    found = quantities(rest)
    return Figures(
        frozenset((plain(one.figure), one.unit) for one in found),
        frozenset(one.day for one in days),
        frozenset(_bare(rest, found, spelled=spelled)),
    )


def placed_figures(text: str) -> tuple[PlacedFigure, ...]:
    """The quantities of a text, then its days, with positions; a day's unit is `DATE`."""
    days, rest = _without_days(text)
    return (
        *(PlacedFigure(plain(one.figure), one.unit, one.start, one.end) for one in quantities(rest)),
        *(PlacedFigure(one.day.isoformat(), DATE, one.start, one.end) for one in days),
    )


def plain(number: str) -> str:
    """The normal form of a number: "30 000", "30,000" and "30.000" are 30000, "7,50" is 7.5."""
    compact = re.sub(r"[ \u00a0\u202f]", "", number)
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", compact):
        compact = re.sub(r"[.,]", "", compact)
    compact = _ZEROS.sub(r"\1", compact.replace(",", ".")).rstrip(".")
    return compact.lstrip("0") or "0"


def in_months(quantity: tuple[str, str]) -> tuple[str, str]:
    """Years as months: "seven years" is "84 months"; anything else unchanged."""
    figure, unit = quantity
    if unit == "years" and figure.isdigit():
        return str(int(figure) * _MONTHS_A_YEAR), "months"
    return quantity


@dataclass(frozen=True, slots=True)
class _Day:
    day: date
    start: int
    end: int


def _without_days(text: str) -> tuple[list[_Day], str]:
    """The days in a text, and the text with spaces in their place."""
    days: list[_Day] = []
    places = _around_years(text)
    for pattern in _day_patterns():
        found = [
            _Day(day, *match.span())
            for start, end in places
            for match in pattern.finditer(text, start, end)
            if (day := _day(match)) is not None
        ]
        if found:
            text = _blanked(text, found)
            days += found
    return days, text


def _around_years(text: str) -> list[tuple[int, int]]:
    """The parts of a text with a year: days are searched only there."""
    places: list[tuple[int, int]] = []
    for match in _year.finditer(text):
        start, end = max(0, match.start() - _AROUND_YEAR), match.end() + _AROUND_YEAR
        if places and start <= places[-1][1]:
            places[-1] = places[-1][0], end
        else:
            places.append((start, end))
    return places


def _blanked(text: str, days: list[_Day]) -> str:
    pieces: list[str] = []
    end = 0
    for one in days:
        pieces += (text[end : one.start], " " * (one.end - one.start))
        end = one.end
    return "".join((*pieces, text[end:]))


def _day(match: re.Match[str]) -> date | None:
    month = match["month"].casefold()
    try:
        return date(int(match["year"]), int(month) if month.isdigit() else months()[month], int(match["day"]))
    except ValueError:
        return None


def _bare(text: str, taken: Sequence[Quantity], *, spelled: bool) -> Iterator[str]:
    """Numbers outside quantities; the cents of "$30,000.00" do not count."""
    numbers = [
        (match.start(), plain(match[0])) for match in _number.finditer(text) if not _cents(text, match)
    ]
    if spelled:
        numbers += ((one.start, str(one.value)) for one in numerals(text))
        numbers.sort()
    ends, place = 0, 0
    for start, number in numbers:
        while place < len(taken) and taken[place].start <= start:
            ends = max(ends, taken[place].end)
            place += 1
        if start >= ends:
            yield number


def _cents(text: str, match: re.Match[str]) -> bool:
    return text[match.start() - 1 : match.start()] in {".", ","} and not match[0].strip("0")
