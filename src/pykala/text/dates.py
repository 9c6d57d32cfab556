"""Dates that people name in questions about law, and the day whose law each of them asks for.

A question may name a day ("as of 1 March 2020"), a month, a year ("vuonna 2019"), a tax year ("for the 2025
tax return"), a year seen from today ("viime vuonna") or a change ("before the reform").

A year is read as its last day. What a tax year is assessed by is the law that stands at its end, whatever
day in the year an amendment came into force; and of a plain year what stands at its end is what came of it.
The present year is read as today where it is a plain one, for nobody knows what its end will bring; as a
tax year it is read as its last day like any other, for what is enacted for it already counts.

Years in the numbers of statutes and cases (1535/1992, Directive 2006/112/EC, KHO 2019:30) are no dates, nor
are those of facts ("born in 1998").
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
from pykala.text.languages.known import alternatives, derived, known
from pykala.text.sentences import sentences

_ONE_DAY = timedelta(days=1)
_citations = re.compile("|".join(rf"(?<!\w)(?:{one})(?!\w)" for one in CITATIONS), re.IGNORECASE)
_FACT_REACH = 40  # characters
_LONG = 400  # characters of a sentence, which tells something
_TELLING = 2  # words beside a date that tell what happened; "As of 2019." tells nothing
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
    """What makes a year a fact of the case ("born in 1998"): before it, and behind it."""
    before, behind = alternatives("dates.fact_before"), alternatives("dates.fact_behind")
    return re.compile(rf"(?:{before})$", re.IGNORECASE), re.compile(rf"\s*(?:{behind})", re.IGNORECASE)


@derived
def _asked_back() -> re.Pattern[str]:
    """What makes a question ask of the time that was told before it: "What was the limit then?"."""
    return re.compile(rf"(?<!\w)(?:{alternatives('dates.asked_back')})(?!\w)", re.IGNORECASE)


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
    BEFORE_CHANGE = "before the change"  # of whichever provision the question turns out to be about


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
    matter: str = ""  # words in it that tell more than the time: "tax return"

    @property
    def reason(self) -> Message:
        """Why this day's law counts."""
        if self.day is None:
            return Message.of("day.before_change", text=self.text)
        key = "day.tax_year" if self.precision is Precision.TAX_YEAR else "day.read_as"
        return Message.of(key, text=self.text, day=self.day)


def named_dates(text: str, *, today: date) -> tuple[NamedDate, ...]:
    """Every date that a text names, in order and without overlap; of two readings the longer one wins."""
    plain = _citations.sub(lambda match: "\N{REPLACEMENT CHARACTER}" * len(match[0]), text.replace("’", "'"))
    longest_first = sorted(_readings(plain, today), key=lambda one: (one.start - one.end, one.start))
    kept: list[NamedDate] = []
    taken = bytearray(len(plain))  # a look at each of those kept would cost their number for each date
    for one in longest_first:
        if not any(taken[one.start : one.end]):
            kept.append(one)
            taken[one.start : one.end] = b"\1" * (one.end - one.start)
    return tuple(sorted(kept, key=lambda one: one.start))


def date_asked(text: str, *, today: date) -> NamedDate | None:
    """The date whose law a question asks for, or None where it names none.

    A tax year goes before any other date; of several, the latest: "bought in 2015 and sold in 2024" is a
    question about the law of 2024. A date that only tells what happened is none: "We parted in 2015. Can we
    get divorced?"
    """
    found = _without_facts(text, named_dates(text, today=today))
    tax_years = [one for one in found if one.precision is Precision.TAX_YEAR]
    dated = tax_years or [one for one in found if one.day is not None]
    return max(dated or found, key=lambda one: (one.day or date.min, one.start), default=None)


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
    reach = max(0, match.start() - _FACT_REACH)
    before, behind = _facts()
    return bool(before.search(text[reach : match.start()]) or behind.match(text, match.end()))


def _without_facts(text: str, found: Sequence[NamedDate]) -> Sequence[NamedDate]:
    """The dates but those that are told before a question that does not ask of that time."""
    if not found or "?" not in text:
        return found
    spans = sentences(text)
    parts = [text[start:end].rstrip() for start, end in spans]
    asking = [part.replace("’", "'") for part in parts if part.endswith("?")]
    if not asking or any(map(_asked_back().search, asking)):
        return found
    starts = [start for start, _ in spans]

    def is_told(named: NamedDate) -> bool:
        # By its end: in "am 3. März 2020?" a cut may stand within it.
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
