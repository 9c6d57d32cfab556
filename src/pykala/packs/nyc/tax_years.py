"""Words that are for certain tax years by their own opening, and apply in no other.

"For each tax year commencing on or after June first, nineteen hundred sixty-three and ending on or before May
thirty-first, nineteen hundred seventy, every tenant shall pay …": the code goes on printing the rate of those
years. A provision so opened applies from the first of its tax years to the end of the last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta

from pykala.law.provisions import Provision, ProvisionKind, Version
from pykala.law.validity import Validity

from .numerals import SPELLED, value_of

_MONTHS = {
    "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8,
    "september": 9, "october": 10, "november": 11, "december": 12,
}  # fmt: skip
_ORDINALS = {
    word: day
    for day, word in enumerate(
        (
            "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
            "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
            "eighteenth", "nineteenth", "twentieth", "twenty-first", "twenty-second", "twenty-third",
            "twenty-fourth", "twenty-fifth", "twenty-sixth", "twenty-seventh", "twenty-eighth",
            "twenty-ninth", "thirtieth", "thirty-first",
        ),
        start=1,
    )
}  # fmt: skip
_ORDINAL = "|".join(sorted(_ORDINALS, key=len, reverse=True))
_NAMED = "|".join(_MONTHS)
_YEAR = rf"(?:\d{{4}}\b|(?=nineteen|two thousand){SPELLED})"
_WHEN = (
    rf"(?:(?P<m>{_NAMED}) (?P<d>{_ORDINAL}|\d{{1,2}}),? ?(?P<y>{_YEAR})"
    rf"|the (?P<d2>{_ORDINAL}) of (?P<m2>{_NAMED}), (?P<y2>{_YEAR})|(?P<y3>{_YEAR}))"
)
_YEARS = r"(?:tax|taxable|calendar|fiscal|privilege)? ?(?:years?|periods?)"
_CAPTION = r"(?:[A-Z][^.:;,]{0,80}\. )?"  # "Rate of tax. For taxable years …"
_OPENING = re.compile(
    rf"{_CAPTION}(?:Notwithstanding [^,]{{0,90}}, )?for (?:each |any |all |the )?{_YEARS}\b", re.I
)
_COUNTED = re.compile(
    rf"\bfor (?:each |any |all |the )?(?:tax|taxable|calendar|fiscal|privilege) {_YEARS}", re.I
)
#: The bounds stand before the comma that opens what is ordered, or before a colon.
_FIRST = re.compile(
    rf"(?:beginning|commencing|beginning or made)(?: on)?(?P<how> or after| and after| after| in)?,? {_WHEN}",
    re.I,
)
_LAST = re.compile(
    rf"(?:(?P<how>ending on or before|ending before|ending|prior to|and before|but before|beginning before)"
    rf"(?: on)?) {_WHEN}",
    re.I,
)
#: "On or after January first, two thousand fifteen and before January first, two thousand seventeen, no …".
_SINCE = re.compile(rf"On (?:or|and) after {_WHEN},?", re.I)
_BEFORE = re.compile(rf" (?:and|but) (?:before|prior to) {_WHEN},", re.I)
_HEAD = 330  # characters in which an opening with two spelled dates ends


def with_tax_years(provision: Provision) -> Provision:
    """A tree in which what is for certain tax years applies in these alone."""
    return _bounded(provision, None, None)


def _bounded(provision: Provision, first: date | None, end: date | None) -> Provision:
    text = provision.versions[-1].text if provision.versions else ""
    own_first, own_end = tax_years(text)
    first = max((day for day in (first, own_first) if day), default=None)
    end = min((day for day in (end, own_end) if day), default=None)
    if first is not None and end is not None and end <= first:
        first = end = None  # not understood: better too long than never
    children = tuple(_children(provision.children, first, end))
    versions = (
        tuple(_applied(one, first, end) for one in provision.versions) if first or end else provision.versions
    )
    return replace(provision, versions=versions, children=children)


def _children(children: Sequence[Provision], first: date | None, end: date | None) -> Iterator[Provision]:
    """A line that opens a table ("For taxable years beginning after …:") bounds the table that follows it."""
    opened: tuple[date | None, date | None] = (None, None)
    for child in children:
        text = child.versions[-1].text if child.versions else ""
        if child.kind is not ProvisionKind.TABLE:
            opened = tax_years(text) if text.endswith(":") and not child.children else (None, None)
        bounds = [
            max(filter(None, (first, opened[0])), default=None),
            min(filter(None, (end, opened[1])), default=None),
        ]
        yield _bounded(child, *bounds)


def _applied(version: Version, first: date | None, end: date | None) -> Version:
    start, last = version.validity.start, version.validity.end
    if start is not None and end is not None and end <= start and last is None:
        # The section was amended after those years: what it says of them now, it says of these years alone.
        return replace(version, validity=Validity(first, end))
    start = max((day for day in (start, first) if day), default=None)
    last = min((day for day in (last, end) if day), default=None)
    if start is not None and last is not None and last < start:
        return version
    return replace(version, validity=Validity(start, last))


def tax_years(text: str) -> tuple[date | None, date | None]:
    """The first day of the tax years that words are for, and the first day after them; None: no bound.

    >>> tax_years("For each taxable year beginning in nineteen hundred ninety-six:")
    (datetime.date(1996, 1, 1), datetime.date(1997, 1, 1))
    """
    if (since := _SINCE.match(text)) and (until := _BEFORE.match(text, since.end())):
        return _day(since), _day(until)
    opening = _OPENING.match(text)
    if opening is None or len(_COUNTED.findall(text)) > 1:
        return None, None
    head = re.split(r":|, (?!nineteen|two thousand|\d{4})", text[opening.end() : _HEAD])
    # A bound may follow a comma of its own: "seventeen, and before January first, …".
    bounds = head[0] + "".join(
        f", {part}" for part in head[1:2] if re.match(r"(?:and|but) (?:before|ending)", part)
    )
    first, last = _FIRST.search(bounds), _LAST.search(bounds)
    if (
        first is not None
        and (first["how"] or "").strip() == "in"
        and re.search(r" and (?:ending|two|nine)", bounds)
    ):
        return None, None
    return _first_day(first), _end_day(last, first)


def _first_day(found: re.Match[str] | None) -> date | None:
    if found is None:
        return None
    day = _day(found)
    if day is None or (found["how"] or "").strip() != "after":
        return day
    return date(day.year + 1, 1, 1) if found["y3"] else day + timedelta(days=1)


def _end_day(last: re.Match[str] | None, first: re.Match[str] | None) -> date | None:
    if last is None:
        alone = first is not None and (first["how"] or "").strip() == "in"
        day = _day(first) if first is not None and alone else None
        return date(day.year + 1, 1, 1) if day is not None else None
    day = _day(last)
    if day is None:
        return None
    if last["how"].casefold() in ("ending on or before", "ending"):
        return date(day.year + 1, 1, 1) if last["y3"] else day + timedelta(days=1)
    if last["how"].casefold() == "prior to":
        return day
    # A year that begins before July first, 2019 may be the calendar year 2019.
    return day if (day.month, day.day) == (1, 1) else date(day.year + 1, 1, 1)


def _day(found: re.Match[str]) -> date | None:
    month = _MONTHS[(found["m"] or found["m2"] or "january").casefold()]
    written = (found["d"] or found["d2"] or "first").casefold()
    words = (found["y"] or found["y2"] or found["y3"]).strip()
    try:
        year = int(words) if words.isdecimal() else value_of(words)
        return date(year or 0, month, int(written) if written.isdecimal() else _ORDINALS[written])
    except ValueError:
        return None
