"""Dates that people name in questions about law, and the day whose law each of them asks for.

A question may name a day ("as of 1 March 2020"), a month, a year ("vuonna 2019"), a tax year ("for the 2025
tax return"), a year relative to today ("viime vuonna") or a change ("before the reform").

A year is read as its last day. For a tax year, this is because taxes are assessed by the law at its end,
whenever in the year an amendment entered into force. For a plain year, the law at its end is the result of
its changes. The present year is read as today if it is a plain year, because its end is unknown. As a tax
year it is read as its last day like any other, because law already enacted for it counts.

Years in the numbers of statutes and cases (1535/1992, Directive 2006/112/EC, KHO 2019:30) are not dates, nor
are years of facts ("born in 1998").
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from pykala.law.messages import Message
from pykala.text.date_phrases import CITATIONS, Meaning, counts, months, phrases
from pykala.text.languages.known import alternatives, derived, known, words
from pykala.text.sentences import sentences

_ONE_DAY = timedelta(days=1)
_citations = re.compile("|".join(rf"(?<!\w)(?:{one})(?!\w)" for one in CITATIONS), re.IGNORECASE)
_FACT_REACH = 40  # characters
_ENDING = 80  # characters at the end of a question, in which a year and the last word stand
_LAST_YEAR = re.compile(r"(?P<before>[^\W\d_]{2,40})\s{1,9}(?P<year>(?:19|20)\d\d)\s{0,9}\??\s{0,9}$")
_ROUND = 2000  # as often an amount as a year
_LONG = 400  # characters of a sentence that are examined
_TELLING = 2  # words beside a date with which a sentence tells a fact; "As of 2019." tells none
_RELATIVE = {
    Meaning.NEXT_YEAR: 1,
    Meaning.THIS_YEAR: 0,
    Meaning.LAST_YEAR: -1,
    Meaning.YEAR_BEFORE_LAST: -2,
}


@derived
def _patterns() -> tuple[tuple[Meaning, re.Pattern[str]], ...]:
    return tuple(
        (meaning, re.compile(rf"(?<!\w)(?:{phrase})(?!\w)", re.IGNORECASE))
        for meaning, group in phrases().items()
        for phrase in group
    )


@derived
def _facts() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns that make a year a fact of the case ("born in 1998"): before it, and after it."""
    before, behind = alternatives("dates.fact_before"), alternatives("dates.fact_behind")
    return re.compile(rf"(?:{before})$", re.IGNORECASE), re.compile(rf"\s*(?:{behind})", re.IGNORECASE)


@derived
def _sign(table: str) -> re.Pattern[str]:
    """The words of a table as whole words, in all known languages."""
    return re.compile(rf"(?<!\w)(?:{alternatives(table)})(?!\w)", re.IGNORECASE)


def _asks_back(question: str) -> bool:
    """Whether a question asks about the time that was told before it: "What was the limit then?"."""
    return _sign("dates.asked_back").search(question) is not None


@derived
def _first_applied() -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(piece, re.IGNORECASE) for one in known() for piece in one.pieces("dates.first_applied")
    )


class Precision(StrEnum):
    """What sort of date was named."""

    DAY = "day"
    MONTH = "month"
    YEAR = "year"
    TAX_YEAR = "tax year"
    BEFORE_CHANGE = "before the change"  # of the provision that the question is about


_PLAIN = frozenset({Precision.DAY, Precision.MONTH, Precision.YEAR})


@dataclass(frozen=True, slots=True)
class NamedDate:
    """A date as a text names it: where, and the day whose law counts (none for BEFORE_CHANGE)."""

    start: int
    end: int
    text: str
    precision: Precision
    day: date | None = None
    year: int | None = None
    matter: str = ""  # its words that say more than the time: "tax return"

    @property
    def reason(self) -> Message:
        """Why this day's law counts."""
        if self.day is None:
            return Message.of("day.before_change", text=self.text)
        key = "day.tax_year" if self.precision is Precision.TAX_YEAR else "day.read_as"
        return Message.of(key, text=self.text, day=self.day)


def named_dates(text: str, *, today: date) -> tuple[NamedDate, ...]:
    """Every date that a text names, in order and without overlap; of two readings the longer one wins."""
    plain = _without_citations(text)
    longest_first = sorted(_readings(plain, today), key=lambda one: (one.start - one.end, one.start))
    kept: list[NamedDate] = []
    taken = bytearray(len(plain))  # a byte per character: comparing with each kept date would be slow
    for one in longest_first:
        if not any(taken[one.start : one.end]):
            kept.append(one)
            taken[one.start : one.end] = b"\1" * (one.end - one.start)
    return tuple(sorted(kept, key=lambda one: one.start))


def _without_citations(text: str) -> str:
    """A text of the same length, with citations blanked: their numbers are no dates."""
    return _citations.sub(lambda match: "\N{REPLACEMENT CHARACTER}" * len(match[0]), text.replace("’", "'"))


def dates_in_question(text: str, *, today: date) -> tuple[NamedDate, ...]:
    """Every date that a question names; where it names none, the year that it ends with."""
    return named_dates(text, today=today) or _year_alone(text, today)


def date_asked(text: str, *, today: date) -> NamedDate | None:
    """The date whose law a question asks for, or None where it names none.

    A tax year comes before any other date; of several dates, the latest counts: "bought in 2015 and sold in
    2024" is about the law of 2024. A date that only tells what happened does not count: "We parted in 2015.
    Can we get divorced?"
    """
    found = _without_facts(text, dates_in_question(text, today=today))
    tax_years = [one for one in found if one.precision is Precision.TAX_YEAR]
    dated = tax_years or [one for one in found if one.day is not None]
    return max(dated or found, key=lambda one: (one.day or date.min, one.start), default=None)


@derived
def _never_before() -> re.Pattern[str]:
    """Words before a number that is then not a year: names of acts, and small words ("days or 2000")."""
    small = "|".join(re.escape(word) for one in known() for word in one.words("dates.no_year_after"))
    return re.compile(rf"{alternatives('dates.numbered')}|{small}", re.IGNORECASE)


def _year_alone(text: str, today: date) -> tuple[NamedDate, ...]:
    """The year that a question ends with, as people type it: "Mikä oli yhteisövero 2013?".

    Not behind the name of an act or a court ("Directive 2006", "KHO 2013"), which it numbers, nor where it
    may be an amount or a fact of somebody's case ("if I earn 2000").
    """
    plain = _without_citations(text)
    found = _LAST_YEAR.search(plain[-_ENDING:])
    if found is None or _never_before().fullmatch(found["before"]):
        return ()
    if found["before"].isupper() and found["before"] not in words("dates.taxes"):
        return ()
    start = max(0, len(plain) - _ENDING) + found.start("year")
    year = int(found["year"])
    if year > today.year + 1 or _told_as_fact(plain, start):
        return ()
    asked = plain[max(plain.rfind(mark, 0, start) for mark in ".!?") + 1 :][-_LONG:]
    if _sign("dates.supposing").search(asked):
        return ()  # "if I earn 2000"
    if not _asks_back(asked) and (year == _ROUND or _sign("dates.of_somebody").search(asked)):
        return ()  # somebody's case, unless the question asks of the past: "did I need …"
    return (NamedDate(start, start + 4, found["year"], Precision.YEAR, _year(year, {}, today), year),)


def first_tax_year(application: str) -> int | None:
    """The tax year from which a note says that the law applies: "ensimmäisen kerran vuodelta 2020 …"."""
    plain = " ".join(application.replace("’", "'").split())
    years = [int(match["year"]) for pattern in _first_applied() for match in pattern.finditer(plain)]
    return min(years, default=None)


def _readings(text: str, today: date) -> Iterator[NamedDate]:
    for meaning, pattern in _patterns():
        for match in pattern.finditer(text):
            read = None if _is_fact(text, match) else _read(meaning, match.groupdict(), today)
            if read is not None:
                precision, day, year = read
                matter = match.groupdict().get("matter") or ""
                yield NamedDate(*match.span(), match[0], precision, day, year, matter)


def _is_fact(text: str, match: re.Match[str]) -> bool:
    return _told_as_fact(text, match.start()) or _facts()[1].match(text, match.end()) is not None


def _told_as_fact(text: str, start: int) -> bool:
    return _facts()[0].search(text[max(0, start - _FACT_REACH) : start]) is not None


def _without_facts(text: str, found: Sequence[NamedDate]) -> Sequence[NamedDate]:
    """The dates, without those of facts told before a question that does not ask about that time."""
    if not found or "?" not in text:
        return found
    spans = sentences(text)
    parts = [text[start:end].rstrip() for start, end in spans]
    asking = [part.replace("’", "'") for part in parts if part.endswith("?")]
    if not asking or any(map(_asks_back, asking)):
        return found
    starts = [start for start, _ in spans]

    def is_told(named: NamedDate) -> bool:
        # Locate it by its end: in "am 3. März 2020?" a sentence boundary may be found inside the date.
        own = parts[max(0, bisect_right(starts, named.end - 1) - 1)]
        return not own.endswith("?") and len(own[:_LONG].replace(named.text, " ").split()) >= _TELLING

    return [one for one in found if one.precision not in _PLAIN or not is_told(one)]


_Read = tuple[Precision, date | None, int | None]


def _read(meaning: Meaning, said: Mapping[str, str | None], today: date) -> _Read | None:
    """What a phrase means on a day; None where it names a day that does not exist."""
    if meaning is Meaning.BEFORE_CHANGE:
        return Precision.BEFORE_CHANGE, None, None
    if meaning is Meaning.YEARS_AGO:
        return Precision.DAY, _years_before(today, _count(said.get("count"))), None
    if meaning in (Meaning.DAY, Meaning.MONTH):
        day = _day(said) if meaning is Meaning.DAY else _month(said)
        return None if day is None else (Precision(meaning.value), day, None)
    year = today.year + _RELATIVE[meaning] if meaning in _RELATIVE else int(said.get("year") or 0)
    of_taxes = said.get("tax") or (meaning in _RELATIVE and said.get("matter"))  # "last year's taxes"
    if meaning is Meaning.TAX_YEAR or of_taxes:
        return Precision.TAX_YEAR, date(year, 12, 31), year
    return Precision.YEAR, _year(year, said, today), year


def _day(said: Mapping[str, str | None]) -> date | None:
    month = str(said["month"]).casefold()
    number = int(month) if month.isdigit() else months()[month]
    try:
        day = date(int(said["year"] or 0), number, int(said["day"] or 0))
    except ValueError:
        return None
    if said.get("before"):
        return day - _ONE_DAY
    return day + _ONE_DAY if said.get("after") or said.get("later") else day


def _month(said: Mapping[str, str | None]) -> date:
    year, number = int(said["year"] or 0), months()[str(said["month"]).casefold()]
    first, following = date(year, number, 1), date(year + number // 12, number % 12 + 1, 1)
    if said.get("before"):
        return first - _ONE_DAY
    if said.get("beginning"):
        return first
    return following if said.get("after") else following - _ONE_DAY


def _year(year: int, said: Mapping[str, str | None], today: date) -> date:
    if said.get("before"):
        return date(year - 1, 12, 31)
    if said.get("after"):
        return date(year + 1, 1, 1)
    if said.get("beginning"):
        return date(year, 1, 1)
    return today if year == today.year and not said.get("end") else date(year, 12, 31)


def _count(word: str | None) -> int:
    if word is None:
        return 1  # "vuosi sitten"
    return int(word) if word.isdigit() else counts()[word.casefold()]


def _years_before(today: date, count: int) -> date:
    try:
        return today.replace(year=today.year - count)
    except ValueError:  # the 29th of February
        return today.replace(year=today.year - count, day=28)
