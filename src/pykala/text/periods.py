"""Periods to which the law's own words limit a rule, and whether they had passed by a day.

Consolidated law keeps rules that expired without being repealed: "for each tax year ending on or before May
thirty-first, nineteen hundred seventy", "until 31 December 2009", "verovuosina 2012–2015", "till utgången av
2010", "avant le 1er janvier 2013". Such words are law, but say nothing about a later day.

A year is read with the word that limits it: a word that ends a period ("before", "until", "ennen", "saakka",
"före", "jusqu'au") or begins it ("after", "from", "alkaen", "från och med", "à compter du"). Years in the
numbers of acts (1535/1992, 2006/112/EC) have no such word, and do not count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from pykala.text.date_phrases import month_names
from pykala.text.languages.known import alternatives, derived, known
from pykala.text.numerals import numerals

_FIRST_YEAR, _LAST_YEAR = 1800, 2199
_REACH = 90  # characters before a year in which its limiting word is searched
_year = re.compile(r"(?<![\d/:§-])(?:1[89]|20|21)\d\d(?![\d/:]|\s?§)")


@dataclass(frozen=True, slots=True)
class _Words:
    """The words that limit a year, in every known language."""

    ends: re.Pattern[str]  # before the year, perhaps with other words between
    begins: re.Pattern[str]
    ends_right_before: re.Pattern[str]  # "päivään tammikuuta 2012", "vuoteen 2009"
    begins_right_before: re.Pattern[str]
    ends_behind: re.Pattern[str]  # "2009 saakka"
    begins_behind: re.Pattern[str]
    opens: re.Pattern[str]  # how a text begins that opens with its period
    run: re.Pattern[str]  # a run of years: "2012–2015", "1963 through 1970"
    in_years: re.Pattern[str]
    goes_on: re.Pattern[str]  # words that say that the rule continues after these years
    years_in_words: tuple[str, ...]


@derived
def _words() -> _Words:
    # What may stand between the limiting word of a date and its year: "before *the first day of* 1971".
    between = (
        rf"(?:[\s,.'’]*(?:{alternatives('periods.between')}|(?:{month_names()})\w{{0,4}}\.?"
        rf"|\d{{1,2}}(?:\.|{alternatives('periods.day_endings')})?|{alternatives('periods.ordinals')}))*[\s,.'’]*"
    )
    return _Words(
        ends=_pattern(rf"(?<!\w)(?:{alternatives('periods.ends')}){between}$"),
        begins=_pattern(rf"(?<!\w)(?:{alternatives('periods.begins')}){between}$"),
        ends_right_before=_pattern(alternatives("periods.ends_right_before")),
        begins_right_before=_pattern(alternatives("periods.begins_right_before")),
        ends_behind=_pattern(rf"\s*(?:{alternatives('periods.ends_behind')})"),
        begins_behind=_pattern(rf"\s*(?:{alternatives('periods.begins_behind')})"),
        opens=_pattern(
            rf"\W*(?:\d{{1,3}}\W+)?(?:{alternatives('periods.ends')}|{alternatives('periods.begins')}"
            rf"|{alternatives('periods.in_years')})\b"
        ),
        run=_pattern(rf"\s*(?:[-–—]|{alternatives('periods.run')})\s*((?:1[89]|20|21)\d\d)(?![\d/:])"),
        in_years=_pattern(rf"(?:{alternatives('periods.in_years')})[\s,]*$"),
        goes_on=_pattern(rf"\b(?:{alternatives('periods.goes_on')})\b"),
        years_in_words=tuple(word for one in known() for word in one.words("periods.years_in_words")),
    )


def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(words, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Bound:
    """The first and the last year to which words limit a rule; None where they do not say."""

    first: int | None
    last: int | None


def bounds(text: str) -> list[Bound]:
    """Every period to which a text limits something, in order."""
    plain, words = _with_years_in_figures(text), _words()
    found: list[Bound] = []
    skip = -1
    for match in _year.finditer(plain):
        if match.start() < skip:
            continue
        year, before, behind = (
            int(match[0]),
            plain[max(0, match.start() - _REACH) : match.start()],
            match.end(),
        )
        run = words.run.match(plain, behind)
        if run is not None and words.in_years.search(before):
            found.append(Bound(year, int(run[1])))
            skip = run.end()
        elif (
            words.ends.search(before)
            or words.ends_right_before.search(before)
            or words.ends_behind.match(plain, behind)
        ):
            started = found and found[-1].last is None and (found[-1].first or year) <= year
            first = found.pop().first if started else None
            found.append(Bound(first, year))
        elif (
            words.begins.search(before)
            or words.begins_right_before.search(before)
            or words.begins_behind.match(plain, behind)
        ):
            found.append(Bound(year, None))
        elif words.in_years.search(before):
            found.append(Bound(year, year))
    return found


def only_past(text: str, as_of: date) -> bool:
    """Whether a text limits what it says to periods that had all ended before the year of a day."""
    return past_until(text, as_of) is not None


def opens_in_the_past(text: str, as_of: date) -> int | None:
    """The last year of the period that a text opens with, if all its periods have passed.

    "Until 31 December 2009 the rate is 5 %" decides nothing today. "Loans which were concluded before 2016
    may be excluded" does: there the year selects loans, and does not end the rule.
    """
    return past_until(text, as_of) if _words().opens.match(text) else None


def past_until(text: str, as_of: date) -> int | None:
    """The last year of a text's periods, if all of them had ended before the year of a day."""
    found = bounds(text)
    if not found or _words().goes_on.search(text):
        return None
    last = [bound.last for bound in found if bound.last is not None and bound.last < as_of.year]
    return max(last) if len(last) == len(found) else None


def _with_years_in_figures(text: str) -> str:
    """A text with "nineteen hundred seventy" as 1970; positions in it differ from those of the original."""
    folded = text.casefold()
    if not any(word in folded for word in _words().years_in_words):
        return text
    pieces, position = [], 0
    for numeral in numerals(text):
        if _FIRST_YEAR <= numeral.value <= _LAST_YEAR and numeral.start >= position:
            pieces += [text[position : numeral.start], str(numeral.value)]
            position = numeral.end
    return "".join((*pieces, text[position:]))
