"""Periods that the law's own words bind a rule to, and whether they had passed by a day.

Consolidated law keeps rules that ran out without being repealed: "for each tax year ending on or before May
thirty-first, nineteen hundred seventy", "until 31 December 2009", "verovuosina 2012–2015", "till utgången av
2010", "avant le 1er janvier 2013". Such words are the law, and answer nothing about a later day.

A year is read with the word that binds it: one that ends a period ("before", "until", "ennen", "saakka",
"före", "jusqu'au") or one that begins it ("after", "from", "alkaen", "från och med", "à compter du").
Years in the numbers of acts (1535/1992, 2006/112/EC) are bound by no such word, and count for nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from pykala.text.date_phrases import MONTHS
from pykala.text.numerals import numerals

_FIRST_YEAR, _LAST_YEAR = 1800, 2199
_REACH = 90  # characters before a year in which the word that binds it stands
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_ORDINAL: Final = (
    r"(?:twenty|thirty)?-?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh"
    r"|twelfth"
    r"|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth)"
)
#: What may stand between the word that binds a date and its year: "before *the first day of January,* 1971".
_BETWEEN: Final = (
    r"(?:[\s,.'’]*(?:the|le|la|l|du|den|det|day|date|end|close|of|de|d|in|on|year|years|années?|an|års?"
    r"|året|\w{0,8}vuo\w+"
    rf"|calendar|tax|taxable|fiscal|taxation|utgången|slutet|av|la fin|fin|(?:{_MONTH})\w{{0,4}}\.?"
    rf"|päivä\w{{0,4}}|dag|\d{{1,2}}(?:st|nd|rd|th|er|\.)?|{_ORDINAL}))*[\s,.'’]*"
)
_ENDS: Final = (
    r"before|prior to|until|till|through|ending(?: on| in| with)?|ended(?: on)?|up to|not after"
    r"|expiring(?: on)?|and ends?(?: on)?"
    r"|ennen|viimeistään vuo\w+|päätty\w+"
    r"|före|till och med|t\.o\.m\.|intill|fram till|senast för|till utgången av|utgången av"
    r"|avant|jusqu['’]?(?:au|en|à)|prenant fin|se terminant|au plus tard en"
)
_BEGINS: Final = (
    r"after|from|since|commencing(?: on)?|beginning(?: on| in| with)?|starting(?: on| in)?|as of|effective"
    r"|on and after"
    r"|från och med|fr\.o\.m\.|efter|från|sedan|räknat från"
    r"|après|à compter|à partir|depuis|dès|commençant|débutant"
)
_ends = re.compile(rf"(?<!\w)(?:{_ENDS}){_BETWEEN}$", re.IGNORECASE)
_begins = re.compile(rf"(?<!\w)(?:{_BEGINS}){_BETWEEN}$", re.IGNORECASE)
#: Finnish says it by endings and behind the year: "1 päivästä tammikuuta 2012", "2009 saakka".
_begins_fi = re.compile(r"päivästä\s\w+\s*$|vuodesta\s*$", re.IGNORECASE)
_ends_fi = re.compile(r"päivään\s\w+\s*$|vuoteen\s*$", re.IGNORECASE)
_ends_behind = re.compile(r"\s*(?:saakka|asti|mennessä|loppuun|lopussa|päättyn|päättyv)", re.IGNORECASE)
_begins_behind = re.compile(r"\s*(?:alkaen|lukien|lähtien|jälkeen|alusta|alkav)", re.IGNORECASE)
#: A run of years: "2012–2015", "1963 through 1970", "2012 ja 2013".
_run = re.compile(
    r"\s*(?:[-–—]|to|through|and|ja|och|et|à|till)\s*((?:1[89]|20|21)\d\d)(?![\d/:])", re.IGNORECASE
)
_in_years = re.compile(
    r"(?:(?:tax(?:ation|able)?|fiscal|calendar|assessment|income) years?|verovuo\w+|skatteår\w*|vuosi(?:na"
    r"|lta)|åren"
    r"|années? d['’]imposition|years|les années)[\s,]*$",
    re.IGNORECASE,
)
_year = re.compile(r"(?<![\d/:§-])(?:1[89]|20|21)\d\d(?![\d/:]|\s?§)")
#: What goes on after the years that are named.
_goes_on = re.compile(
    r"\b(?:thereafter|and (?:each|every|all) (?:subsequent|succeeding|following)|subsequent years"
    r"|sen jälkeen|därefter"
    r"|par la suite|ensuite)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Bound:
    """The years from which and until which words bind what they say; none where they do not tell."""

    first: int | None
    last: int | None


def bounds(text: str) -> list[Bound]:
    """Every period that a text binds something to, in order."""
    plain = _with_years_in_figures(text)
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
        run = _run.match(plain, behind)
        if run is not None and _in_years.search(before):
            found.append(Bound(year, int(run[1])))
            skip = run.end()
        elif _ends.search(before) or _ends_fi.search(before) or _ends_behind.match(plain, behind):
            started = found and found[-1].last is None and (found[-1].first or year) <= year
            first = found.pop().first if started else None
            found.append(Bound(first, year))
        elif _begins.search(before) or _begins_fi.search(before) or _begins_behind.match(plain, behind):
            found.append(Bound(year, None))
        elif _in_years.search(before):
            found.append(Bound(year, year))
    return found


def only_past(text: str, as_of: date) -> bool:
    """Whether a text binds what it says to periods that had all ended before the year of a day."""
    found = bounds(text)
    if not found or _goes_on.search(text):
        return False
    return all(bound.last is not None and bound.last < as_of.year for bound in found)


def _with_years_in_figures(text: str) -> str:
    """A text with "nineteen hundred seventy" as 1970; it must not be used for places in the text."""
    if "hundred" not in text.casefold() and "thousand" not in text.casefold():
        return text
    pieces, position = [], 0
    for numeral in numerals(text):
        if _FIRST_YEAR <= numeral.value <= _LAST_YEAR and numeral.start >= position:
            pieces += [text[position : numeral.start], str(numeral.value)]
            position = numeral.end
    return "".join((*pieces, text[position:]))
