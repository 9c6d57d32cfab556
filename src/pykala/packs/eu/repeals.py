"""Acts that other acts repeal: "Directive 95/46/EC is repealed with effect from 25 May 2018".

The repealing act names them in an article. A recast lists in an annex the acts that it repeals, with their
amending acts ("Repealed Directives with their successive amendments"). Of an act that is repealed only in
part, or but for some articles, the rest stays in force.
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

from .commencement import written_day
from .naming_acts import numbered_act
from .repeal_patterns import PATTERNS, RepealPatterns

_TAG, _SPACES = re.compile(r"<[^<>]*>"), re.compile(r"\s+")
#: Editors' marks and the numbers of footnotes; "3(2)" is a paragraph.
_ARROWS = re.compile(r"[►▼]\s?[A-Z]{1,2}\d*|◄|(?<!\d)(?<!\d[a-z])\(\s?\*?\d{1,3}\s?\)")
_BEFORE = 900  # characters before a verb in which the acts are named
_LIST = re.compile(
    r"Repealed (?:Directive|Regulation|Decision)s? with (?:(?:a |the )?list of )?(?:its|their|the) successive"
    r" amendments(?P<acts>.{10,20000}?)(?:PART B|Part B|ANNEX [IVX]+|Correlation table|$)"
)
_LISTED = re.compile(
    rf"(?P<act>{PATTERNS['en'].act.pattern})(?: ?\(? ?OJ [^()—]{{0,60}}\)?)?"
    r"(?P<only>[\s—–-]*\(?(?:only|except)\b)?"
)
_KIND = re.compile(r"(?P<kind>Directive|Regulation|Decision|Règlement|Décision)", re.I)
_PAIR = re.compile(r"(?P<no>No |n ?[o°º]s? )?(?P<first>\d{1,4})/(?P<second>\d{1,4})")
_SEPARATED = re.compile(r", (?:and|et) |, | and | et ")
_PLACE = re.compile(
    r"(?P<level>[Aa]rticle|[Aa]nnex)|(?P<to>\b(?:to|à)\b)"
    r"|(?P<number>\b(?:\d{1,4}[a-z]{0,2}|[IVX]{1,6})\b)"
    r"(?:\((?P<para>\d{1,3}[a-z]?)\)|, paragraphe (?P<alinea>\d{1,3}))?"
)


@dataclass(frozen=True, slots=True)
class Ending:
    """The day on which an act ends, the act that ends it, and what ends or stands where not all ends."""

    day: date
    by: WorkId
    only: tuple[str, ...] = ()
    but: tuple[str, ...] = ()


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
    """The events that fix the day of a repeal that names none."""

    APPLICATION = "application"
    ENTRY = "entry into force"


#: The day of an event of an act; None as the act is the one that repeals.
DayOf = Callable[[Happening, WorkId | None], date | None]


@dataclass(frozen=True, slots=True)
class Repeal:
    """An act that another repeals from a day: whole, in some places, or but for some.

    Places are written as steps, a range by its ends: "art_4", "art_3/para_2", "anx_II", "art_3..art_9".
    """

    work: WorkId
    day: date
    only: tuple[str, ...] = ()
    but: tuple[str, ...] = ()


def repeals_in(words: str, day_of: DayOf, language: str = "en") -> Iterator[Repeal]:
    """The acts that an act repeals, each with the day; `day_of` is asked where it names none."""
    forms = PATTERNS[language]
    told: dict[Repeal, None] = {}
    for verb in forms.verb.finditer(words):
        begins = max(0, verb.start() - _BEFORE)
        subject = forms.subject.search(words, begins, verb.start())
        if subject is None:
            continue
        before = words[begins : subject.start()]
        part = forms.part_of.search(before)
        if forms.parts.search(before if part is None else before[: part.start()]):
            continue
        only = places_in(part["places"]) if part is not None else ()
        if part is None or only:
            told |= dict.fromkeys(_told(verb, subject, only, forms, day_of))
    days = {one.work: one.day for one in told if not one.only and not one.but}
    told |= dict.fromkeys(Repeal(work, day) for work, day in _listed(words, days))
    yield from told


def _told(
    verb: re.Match[str],
    subject: re.Match[str],
    only: tuple[str, ...],
    forms: RepealPatterns,
    day_of: DayOf,
) -> Iterator[Repeal]:
    """What one verb says of the acts before it; what it leaves standing may be repealed from a later day."""
    when, but, later = verb["when"] or "", _excepted(subject["but"]), ""
    if (excepted := forms.excepted.search(when)) is not None:
        when, but, later = excepted["before"], places_in(excepted["places"]), excepted["after"] or ""
    day = _day_of(verb, when, forms, day_of)
    if day is not None:
        for work in _acts(subject["acts"]):
            yield Repeal(work, day, only, () if only else but)
    after = forms.later.search(later)
    then = _plain_day(after["when"], forms, day_of) if after is not None and but else None
    if then is not None and not only:
        yield from (Repeal(work, then, only=but) for work in _acts(subject["acts"]))


def _excepted(words: str | None) -> tuple[str, ...]:
    return places_in(words) if words else ()


def _listed(words: str, days: Mapping[WorkId, date]) -> Iterator[tuple[WorkId, date]]:
    """The amending acts that an annex lists with an act that is repealed."""
    for listed in _LIST.finditer(words) if days else ():
        whole = [
            work for one in _LISTED.finditer(listed["acts"]) if not one["only"] for work in _acts(one["act"])
        ]
        repealing = {days[work] for work in whole if work in days}
        if len(repealing) == 1:
            day = repealing.pop()
            yield from ((work, day) for work in whole if work not in days)


def _day_of(verb: re.Match[str], when: str, forms: RepealPatterns, day_of: DayOf) -> date | None:
    if verb["ceases"]:
        # An act that ceases "on 31 December 1992" does so at the end of that day, "from" a day at its
        # beginning.
        last = _written(verb["ceases"], forms)
        return last + timedelta(days=1) if last and forms.last_day.search(verb["ceases"]) else last
    return None if forms.kept.search(when) else _plain_day(when, forms, day_of)


def _plain_day(when: str, forms: RepealPatterns, day_of: DayOf) -> date | None:
    """The day that follows a verb: written, or that of an event; at once where nothing follows."""
    if (written := _written(when, forms)) is not None:
        return written
    if (event := forms.event.search(when)) is None:
        return day_of(Happening.APPLICATION, None) if forms.at_once.search(when) else None
    named = event["of"] or event["which"] or ""
    happening = Happening.ENTRY if forms.entry.search(event[0]) else Happening.APPLICATION
    if not named or forms.this.match(named):
        return day_of(happening, None)
    if _PLACE.match(named):
        return None  # the application of some articles alone
    other = next(_acts(named), None)
    return day_of(happening, other) if other is not None else None


def places_in(words: str) -> tuple[str, ...]:
    """The places that a list names, as steps: "Articles 4 and 6 and Annex II"."""
    places: list[str] = []
    level, ranging = "", False
    for piece in _PLACE.finditer(words):
        if piece["level"]:
            level = "art" if piece["level"].casefold() == "article" else "anx"
        elif piece["to"]:
            ranging = bool(places)
        elif level:
            para = piece["para"] or piece["alinea"]
            place = f"{level}_{piece['number']}" + (f"/para_{para}" if para else "")
            places.append(f"{places.pop()}..{place}" if ranging else place)
            ranging = False
    return tuple(places)


def _acts(names: str) -> Iterator[WorkId]:
    """The acts of a list; "Regulations (EC) No 78/2009, (EC) No 79/2009" names the kind once."""
    kind = ""
    for piece in _SEPARATED.split(names):
        if named := _KIND.search(piece):
            kind = named["kind"].casefold()
        number = _PAIR.search(piece)
        if kind and number:
            work = numbered_act(kind, number["first"], number["second"], numbered=bool(number["no"]))
            if work is not None:
                yield work


def effect_of(words: str, language: str) -> date | None:
    """The day that is written behind the verb of a repeal; None where it waits for an event or names none."""
    return _written(words, PATTERNS[language]) if language in PATTERNS else None


def _written(words: str, forms: RepealPatterns) -> date | None:
    found = forms.written.search(words)
    return written_day(found) if found else None
