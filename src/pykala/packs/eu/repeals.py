"""Acts that other acts repeal: "Directive 95/46/EC is repealed with effect from 25 May 2018".

The repealing act names them in an article. A recast lists in an annex the acts that it repeals, with their
amending acts ("Repealed Directives with their successive amendments"). An act that is repealed only in part
stays in force.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from html import unescape
from typing import Final

from pykala.law.identifiers import WorkId

from .commencement import MONTHS
from .naming_acts import numbered_act

_TAG, _SPACES = re.compile(r"<[^<>]*>"), re.compile(r"\s+")
_ARROWS = re.compile(r"[►▼]\s?[A-Z]{1,2}\d*|◄|\(\s?\*?\d{1,3}\s?\)")
_DAY = r"(?P<day>\d{1,2}) (?P<month>[A-Z][a-z]+) (?P<year>\d{4})"
_NUMBER = r"\d{1,4}/\d{1,4}(?:/[A-Z][A-Za-z]{1,7})?"
_COMMUNITY = r"(?: \((?:EU|EC|EEC|ECSC|Euratom)[^)]{0,20}\))?"
_ACT = (
    r"(?:(?:Council|Commission|European Parliament and Council|Framework|Implementing|Delegated) )*"
    rf"(?:(?:Directive|Regulation|Decision)s?{_COMMUNITY}(?: No)?|\((?:EU|EC|EEC)\)(?: No)?|No)? ?{_NUMBER}"
)
_VERB = re.compile(
    r",? (?:(?:is|are|shall be) (?:hereby )?repealed(?P<when>[^.;]{0,200})"
    rf"|shall cease to (?:have effect|apply|be in force)(?P<ceases> (?:on|from|as from|as of) {_DAY}))"
)
#: The acts before the verb, without those that amended them: these are not repealed by it.
_SUBJECT = re.compile(
    rf"(?<![\w/])(?P<acts>{_ACT}(?:(?:, and |, | and ){_ACT})*)"
    r"(?:,? as (?:last )?amended by (?:(?!\. [A-Z]).){1,400})?$"
)
_BEFORE = 900  # characters before a verb in which the acts are named
_PARTS = re.compile(r"\b(?:of|to|in|under|by)\s$", re.I)
_WRITTEN = re.compile(rf"(?:with effect from|as from|as of|from|on) {_DAY}")
_KEPT = re.compile(r"exception|except|in so far|to the extent|in each Member State|continue to apply", re.I)
#: "from the date of application of this Regulation", "on the day on which Directive (EU) 2020/1 enters into
#: force": the day is that of an event, of this act or of another.
_EVENT = re.compile(
    r"(?:date|day) (?:of (?:its |the )?(?:application|entry into force)(?: of (?P<of>[^,.;]{3,90}))?"
    r"|(?:on|from) which (?P<which>[^,.;]{2,90}?) (?:becomes applicable|applies|enters into force))",
    re.I,
)
_THIS = re.compile(r"this (?:\w+ )?(?:Regulation|Directive|Decision)\b|it\b", re.I)
_AT_ONCE = re.compile(r"^[\s,]*(?:without|$)", re.I)
_LIST = re.compile(
    r"Repealed (?:Directive|Regulation|Decision)s? with (?:(?:a |the )?list of )?(?:its|their|the) successive"
    r" amendments(?P<acts>.{10,20000}?)(?:PART B|Part B|ANNEX [IVX]+|Correlation table|$)"
)
_LISTED = re.compile(
    rf"(?P<act>{_ACT})(?: ?\(? ?OJ [^()—]{{0,60}}\)?)?(?P<only>[\s—–-]*\(?(?:only|except)\b)?"
)
_KIND = re.compile(r"(?P<kind>Directive|Regulation|Decision)")
_PAIR = re.compile(r"(?P<no>No )?(?P<first>\d{1,4})/(?P<second>\d{1,4})")


@dataclass(frozen=True, slots=True)
class Ending:
    """The day on which an act ends, and the act that ends it."""

    day: date
    by: WorkId


def _known(day: str, by: str) -> Ending:
    return Ending(date.fromisoformat(day), WorkId(f"eu:{by}"))


#: Acts that EUR-Lex lists as ended without naming the day, and whose repealing act a library may lack. The
#: day is stated in that act: Article 31 of 2011/83, 23 of 2019/771, 4 of 2023/2673, 34 of 2006/54, 43 of
#: 1/2003, 10 of 2006/114, 5 of 2022/1210. None of these was among the acts on which the readers were tested.
#: There, EUR-Lex marks all ten ended acts that are held as not in force, and has a last state of 141/62 and
#: of 84/450 on that very day; the other days come from the repealing acts alone.
KNOWN: Final[Mapping[str, Ending]] = {
    "eu:31985L0577": _known("2014-06-13", "32011L0083"),
    "eu:31997L0007": _known("2014-06-13", "32011L0083"),
    "eu:31999L0044": _known("2022-01-01", "32019L0771"),
    "eu:32002L0065": _known("2026-06-19", "32023L2673"),
    "eu:31975L0117": _known("2009-08-15", "32006L0054"),
    "eu:31976L0207": _known("2009-08-15", "32006L0054"),
    "eu:31986L0378": _known("2009-08-15", "32006L0054"),
    "eu:31997L0080": _known("2009-08-15", "32006L0054"),
    "eu:31996L0097": _known("2009-08-15", "32006L0054"),
    "eu:31998L0052": _known("2009-08-15", "32006L0054"),
    "eu:32002L0073": _known("2009-08-15", "32006L0054"),
    "eu:31962R0141": _known("2004-05-01", "32003R0001"),
    "eu:31984L0450": _known("2007-12-12", "32006L0114"),
    "eu:32016R0347": _known("2022-08-03", "32022R1210"),
}


def plain_words(page: bytes) -> str:
    """The words of a page on one line, without editors' marks and the numbers of footnotes."""
    words = _SPACES.sub(" ", unescape(_TAG.sub(" ", page.decode("utf-8", "replace"))))
    return _SPACES.sub(" ", _ARROWS.sub(" ", words)).replace(" ,", ",")


class Happening(StrEnum):
    """What fixes the day of a repeal that names none."""

    APPLICATION = "application"
    ENTRY = "entry into force"


#: The day of an event of an act; None as the act is the one that repeals.
DayOf = Callable[[Happening, WorkId | None], date | None]


def repeals_in(words: str, day_of: DayOf) -> Iterator[tuple[WorkId, date]]:
    """The acts that an act repeals whole, each with the day; `day_of` is asked where it names none."""
    days: dict[WorkId, date] = {}
    for verb in _VERB.finditer(words):
        begins = max(0, verb.start() - _BEFORE)
        subject = _SUBJECT.search(words, begins, verb.start())
        if subject is None or _PARTS.search(words, begins, subject.start()):
            continue
        day = _day_of(verb, day_of)
        if day is not None:
            days |= dict.fromkeys(_acts(subject["acts"]), day)
    for listed in _LIST.finditer(words) if days else ():
        whole = [
            work for one in _LISTED.finditer(listed["acts"]) if not one["only"] for work in _acts(one["act"])
        ]
        repealing = {days[work] for work in whole if work in days}
        if len(repealing) == 1:
            days |= dict.fromkeys((work for work in whole if work not in days), repealing.pop())
    yield from days.items()


def _day_of(verb: re.Match[str], day_of: DayOf) -> date | None:
    if verb["ceases"]:
        # An act that ceases "on 31 December 1992" does so at the end of that day, "from" a day at its
        # beginning.
        last = _written(verb["ceases"])
        return last + timedelta(days=1) if last and verb["ceases"].startswith(" on") else last
    when = verb["when"]
    if _KEPT.search(when):
        return None
    if (written := _written(when)) is not None:
        return written
    if (event := _EVENT.search(when)) is None:
        return day_of(Happening.APPLICATION, None) if _AT_ONCE.search(when) else None
    named = event["of"] or event["which"] or ""
    happening = Happening.ENTRY if "force" in event[0].casefold() else Happening.APPLICATION
    if not named or _THIS.match(named):
        return day_of(happening, None)
    other = next(_acts(named), None)
    return day_of(happening, other) if other is not None else None


def _acts(names: str) -> Iterator[WorkId]:
    """The acts of a list; "Regulations (EC) No 78/2009, (EC) No 79/2009" names the kind once."""
    kind = ""
    for piece in re.split(r", and |, | and ", names):
        if named := _KIND.search(piece):
            kind = named["kind"]
        number = _PAIR.search(piece)
        if kind and number:
            work = numbered_act(kind, number["first"], number["second"], numbered=bool(number["no"]))
            if work is not None:
                yield work


def _written(words: str) -> date | None:
    found = _WRITTEN.search(words)
    try:
        return (
            date(int(found["year"]), MONTHS[found["month"].casefold()], int(found["day"])) if found else None
        )
    except (ValueError, KeyError):
        return None
