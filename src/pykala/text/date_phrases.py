"""How people name dates in every known language: one table of patterns by their meaning.

The words come from the languages' files (`[dates]`). Groups add details: `day`, `month`, `year` and `count`
are figures or names; `before`, `after`, `beginning`, `end` and `tax`, where they match, change the meaning;
`matter` contains words that are also about something else ("the 2025 tax return" is a date and a return).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from pykala.text.languages.known import NOTHING, alternatives, derived, known


class Meaning(StrEnum):
    """The meaning of a phrase that names a date."""

    DAY = "day"
    MONTH = "month"
    TAX_YEAR = "tax year"
    LAST_OF_YEARS = "last of several years"
    YEAR = "year"
    NEXT_YEAR = "next year"
    THIS_YEAR = "this year"
    LAST_YEAR = "last year"
    YEAR_BEFORE_LAST = "the year before last"
    YEARS_AGO = "years ago"
    BEFORE_CHANGE = "before the change"


#: Meanings whose phrases are taken unchanged from the languages' files, with their tables.
_TABLES: Final = {
    Meaning.TAX_YEAR: "dates.tax_year",
    Meaning.YEAR: "dates.year",
    Meaning.NEXT_YEAR: "dates.next_year",
    Meaning.THIS_YEAR: "dates.this_year",
    Meaning.LAST_YEAR: "dates.last_year",
    Meaning.YEAR_BEFORE_LAST: "dates.year_before_last",
    Meaning.YEARS_AGO: "dates.years_ago",
    Meaning.BEFORE_CHANGE: "dates.before_change",
}
_CENTURY: Final = r"(?:18|19|20)\d\d"
_DAY: Final = r"(?P<day>\d{1,2})"
#: Units that every language writes in the same way.
_UNITS: Final = r"euro\w*|eur|€|\$|kg|km|m2|m²|%"


@derived
def months() -> Mapping[str, int]:
    """Every name of a month with its number."""
    return {
        name: number
        for language in known()
        for table in ("dates.months", "dates.months_short")
        for number, name in enumerate(language.words(table), start=1)
    }


def month_names() -> str:
    """The names of the months as one piece of a pattern, the longest first."""
    return "|".join(sorted(months(), key=len, reverse=True))


@derived
def counts() -> Mapping[str, int]:
    """Every word for a number from one to ten, with that number."""
    return {
        word: number
        for language in known()
        for number, word in enumerate(language.words("dates.counts"), start=1)
    }


@derived
def year() -> str:
    """A pattern for a year. A number that goes on (2019/5) or that counts something (2000 euros) is none."""
    units = f"{_UNITS}|{alternatives('dates.counted')}"
    return rf"(?P<year>{_CENTURY})(?![\d/:]|[.,]\d|-\d|\s?(?:{units})(?!\w))"


def _month() -> str:
    return rf"(?P<month>{month_names()})\.?(?:{alternatives('dates.month_endings')})?"


@derived
def days() -> tuple[str, ...]:
    """Patterns for a single day, in four orders."""
    endings, month = alternatives("dates.day_endings"), _month()
    after, begins = alternatives("dates.figures_after"), alternatives("dates.figures_from")
    return (
        rf"{_DAY}(?:\.|{endings})?(?:\s+(?:{alternatives('dates.day_of')}))?\s+"
        rf"(?:(?:{alternatives('dates.day_word')})\s+)?{month},?\s+{year()}",
        rf"{month}\s+{_DAY}(?:{alternatives('dates.month_first')})?,?\s+{year()}",
        rf"(?<![\d.]){_DAY}\.\s?(?P<month>\d{{1,2}})\.\s?{year()}"
        rf"(?:\s+(?:(?P<later>{after})|{begins}))?",
        rf"(?<![\d-])(?P<year>{_CENTURY})-(?P<month>\d\d)-(?P<day>\d\d)(?![\d-])",
    )


def _moved() -> str:
    """A pattern for words before a day: "before the", "after", "on"."""
    article = rf"(?:{alternatives('dates.day_article')})?"
    return (
        rf"(?:(?P<before>{alternatives('dates.day_before')})\s+{article}"
        rf"|(?P<after>{alternatives('dates.day_after')})\s+{article}"
        rf"|{alternatives('dates.day_on')})?"
    )


@derived
def phrases() -> Mapping[Meaning, tuple[str, ...]]:
    """Every phrase that names a date, by what it means."""
    several = rf"{_CENTURY}\s*(?:[-–]|{alternatives('dates.run')})\s*(?P<year>{_CENTURY})(?![\d/:])"
    month = (
        rf"(?:(?P<before>{alternatives('dates.month_before')})\s+"
        rf"|(?P<after>{alternatives('dates.month_after')})\s+"
        rf"|(?P<beginning>{alternatives('dates.month_from')})\s+|{alternatives('dates.month_in')})?"
        rf"{_month()},?\s+{year()}"
    )
    found = {
        Meaning.DAY: tuple(_moved() + day for day in days()),
        Meaning.MONTH: (month,),
        Meaning.LAST_OF_YEARS: (rf"(?:{alternatives('dates.years_in')})\s+{several}",),
        **{meaning: _of_languages(table) for meaning, table in _TABLES.items()},
    }
    return {meaning: found[meaning] for meaning in Meaning}


def _of_languages(table: str) -> tuple[str, ...]:
    """The phrases of a table, with patterns for years and numbers in their placeholders."""
    count = rf"(?P<count>\d{{1,2}}|{'|'.join(counts()) or NOTHING})"
    return tuple(
        phrase.replace("{year}", year()).replace("{count}", count)
        for language in known()
        for phrase in language.pieces(table)
    )


#: Numbers that look like a year or a date but belong to the name of a statute or a case.
CITATIONS: Final = (
    r"[a-z]{2,8}:[^\s\d]{0,40}\d[^\s]{0,200}",  # fi:act:1992/1535, KHO:2019:30, ECLI:FI:KHO:2025:46
    r"(?:kho|kko|kvl|hfd|hd)(?::n)?[\s:]+(?:\d{1,2}\.\d{1,2}\.)?\d{4}"
    r"(?:[:/]\w+|\s+taltio\w*\s+\d+|\s+[a-z]{1,2}\s+\d+)?",
    r"\d{1,2}\.\d{1,2}\.\d{4}\s?/\s?\d+",  # 30.12.1992/1535
    r"\d{1,5}(?:-\d+)?/\d{2,4}(?:/[\w.]+)*",  # 1535/1992, 282/2011, 2006/112/EC
    r"\d{4}/\d{1,5}(?:/\w+)?",  # 2016/679
    r"\d{4}:\d+",
    r"(?:sor|si|dors|tr)[/-]\d{2,4}-\d+",
    r"(?:r\.?s\.?c|s\.?c|l\.?r\.?c|l\.?c)\.?,?\s?\(?\d{4}\)?(?:\s?\([^)]{1,15}\))?(?:,\s?ch?\.\s?[\w.-]+)?",
    r"\d{4},\s?ch?\.\s?[\w-]+",  # 2012, c. 19
    r"local\s+law\s+\d+\s+of\s+\d{4}|chapter\s+\d+\s+of\s+the\s+laws\s+of\s+\d{4}|l\.\s?\d{4},?\s+ch\.\s?\d+",
    r"\d{5}[a-z]{1,2}\d{4}",  # 32006L0112
    r"[a-z]{1,4}/\d+/[\d.]+/\d{4}",  # VH/5629/00.01.00/2022
)
