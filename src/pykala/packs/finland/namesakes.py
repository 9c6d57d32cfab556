"""Statutes known only as printed, whose name a later statute has.

Mostly a statute replaces the one of its name: the Local Government Act of 2015 that of 1995, the decree on
the base rate that of half a year before. The later one says so, by a number that the page of the earlier
does not tell. So a page without a number ends when the next statute of its name begins. A decree with a
number stands, and says that a later one has its name. Some names recur without replacing anything: those of
amendments, treaties, enlargements, exceptions.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from pykala.law.identifiers import WorkId, natural_order
from pykala.law.messages import Message
from pykala.law.provisions import Document
from pykala.packs.finland.act_numbers import act_number, as_printed
from pykala.packs.finland.pages.known_acts import KnownAct
from pykala.packs.finland.pages.page_facts import PageFacts
from pykala.packs.finland.periods import ended_on

_RECURRING = re.compile(
    r"muutta|muutos|muutoks|kumoa|sopimuk|sopimust|pöytäkirj|laajent|voimaan|poikke|perustet|perustami|lakkautta"
    r"|luovut|yhdistämi|jakami|hyväksymi|täydent|liittymi"
)
_NOTE = "a statute of the same name, {name}, is in force from {day}"
_NOTED = re.compile(r"a statute of the same name, (\S+), is in force from (\d{4}-\d\d-\d\d)")
#: Repeals of acts are read; decrees and decisions are often replaced without a word.
_DECREE = re.compile(r"asetus|päätös|määräy|työjärjesty|ohjesään")
_LATER = "a later decree of the same name, {name}, is in force from {day}"
_TOLD = re.compile(r"a later decree of the same name, (\S+), is in force from (\d{4}-\d\d-\d\d)")


@dataclass(frozen=True, slots=True, order=True)
class _Named:
    """A statute that begins on a known day."""

    day: date
    name: str  # its number, "2015/410", or its identifier where that is unknown
    numbered: bool


def notes_of_namesakes(
    pages: Iterable[PageFacts],
    known: Iterable[KnownAct],
    numbers: Mapping[str, str],
    unnumbered: Mapping[str, WorkId],
) -> dict[str, str]:
    """Notes on the pages without a number whose name another statute has that begins later, by path.

    A page without a day is older than every numbered statute of its name: these are all known since 1987.
    """
    by_title = _by_title(pages := tuple(pages), known, numbers, unnumbered)
    notes = {}
    for page in pages:
        if page.path in unnumbered and not page.amending and not _RECURRING.search(page.title):
            later = (one for one in by_title[page.title] if _begins_after(one, page.day))
            if (following := min(later, default=None)) is not None:
                notes[page.path] = _NOTE.format(name=following.name, day=following.day.isoformat())
    return notes


def notes_of_later_decrees(
    pages: Iterable[PageFacts], known: Iterable[KnownAct], numbers: Mapping[str, str]
) -> dict[str, str]:
    """Notes on the numbered decrees and decisions whose name a later one has, by number."""
    notes = {}
    for title, named in _by_title(tuple(pages), known, numbers, {}).items():
        if _DECREE.search(title) and not _RECURRING.search(title):
            for one in sorted(named, reverse=True):  # of a decree with two days the earlier is kept
                later = (other for other in named if other.day > one.day and _made_after(other, one))
                if (following := min(later, default=None)) is not None:
                    notes[one.name] = _LATER.format(name=following.name, day=following.day.isoformat())
    return notes


def _made_after(one: _Named, other: _Named) -> bool:
    """Whether a statute has the higher number: one of 2010 may begin later than one of 2011."""
    return natural_order(one.name) > natural_order(other.name)


def _by_title(
    pages: Sequence[PageFacts],
    known: Iterable[KnownAct],
    numbers: Mapping[str, str],
    unnumbered: Mapping[str, WorkId],
) -> defaultdict[str, set[_Named]]:
    found: defaultdict[str, set[_Named]] = defaultdict(set)
    for act in known:
        if act.day is not None and act.title:
            found[act.title].add(_Named(act.day, act_number(act.work), True))
    for page in pages:
        if page.day is not None and not page.amending:
            own = unnumbered.get(page.path)
            name = numbers.get(page.path) or (own.value.removeprefix("fi:") if own else "")
            if name:
                found[page.title].add(_Named(page.day, name, page.path in numbers))
    return found


def _begins_after(one: _Named, day: date | None) -> bool:
    return one.numbered if day is None else one.day > day


def ended_by_namesake(document: Document, notes: Iterable[str]) -> Document:
    """A statute that ends when the next one of its name begins, where a note says so."""
    found = next((match for note in notes if (match := _NOTED.search(note))), None)
    if found is None:
        return document
    name = as_printed(found[1]) if found[1][0].isdigit() else found[1]
    finding = Message.of("finding.ended_by_namesake", name=name)
    return replace(document, root=ended_on(document.root, date.fromisoformat(found[2]), finding))


def with_later_decree(document: Document, notes: Iterable[str]) -> Document:
    """A decree whose standing words say that a later one has its name; unchanged if it was amended since."""
    found = next((match for note in notes if (match := _TOLD.search(note))), None)
    if found is None:
        return document
    day = date.fromisoformat(found[2])
    finding = Message.of("finding.later_decree", name=as_printed(found[1]), day=day)
    starts = [one.validity.start for node in document.root.walk() for one in node.versions]
    if any(start is not None and start > day for start in starts):
        return document
    return replace(document, root=document.root.standing_doubted(finding))
