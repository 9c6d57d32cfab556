"""Places that a text cites, before their act is determined."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pykala.law.identifiers import Step
from pykala.law.references import EdgeKind
from pykala.packs.eu.citation_patterns import ALINEA, ROOTED
from pykala.packs.eu.named_works import NamedWork
from pykala.packs.eu.reference_places import Member, level
from pykala.packs.ranges import RANGE

Path = tuple[Step, ...]
#: Works without articles that a text could continue to cite.
NO_ACTS = frozenset({"journal", "case", "address"})
BEFORE = 30  # characters before a place that show "its Article 5" and "the following Article 5a"
_CONTAINERS = frozenset({"prt", "tis", "cpt", "sct", "sbs"})
#: Before an act that a title names only because it changes it.
_CHANGING = re.compile(
    r"\b(?:amending|repealing|replacing|modifiant|abrogeant|remplaçant)(?: and repealing)?"
    r"(?: the| la| le| les| l')? ?$"
)
_BASIS = re.compile(r"(?:Having regard to|[Vv]u) ")
#: The number of a paragraph or article that new words begin with: "‘7a. In exceptional circumstances".
_QUOTED_PLACE = re.compile(
    r"(?:^|\n)[‘“«\"'„ ]*(?:Article (?P<art>\d{1,4}[a-z]{0,3})\b(?=\n|$)|(?P<para>\d{1,3}[a-z]{0,2})\. )"
)


@dataclass(slots=True)
class Cited:
    """The places of one reference, and whether the text itself says which act it means."""

    members: list[Member]
    end: int
    work: str
    said: bool
    relative: bool
    kind: EdgeKind = EdgeKind.CITES

    @property
    def start(self) -> int:
        """Where the reference begins."""
        return self.members[0].start

    @property
    def first(self) -> Step:
        """The outermost step; of a range its beginning."""
        step = self.members[0].steps[0]
        return Step(step.kind, step.number.partition(RANGE)[0])

    @property
    def rooted(self) -> bool:
        """Whether it is named from the work down."""
        return self.members[0].steps[0].kind in ROOTED

    def put_below(self, place: Path) -> None:
        """Say where the places stand."""
        self.members = [replace(each, steps=(*place, *each.steps)) for each in self.members]

    def put_beside(self, other: Cited) -> None:
        """Put sections where others are: "Sections 3.18 to 3.21, Sections 6.18 to 6.20 of Annex I"."""
        if self is not other and self.work == other.work:
            self.put_below(holders(other.members[-1].steps, self.first))


def holders(place: Path, step: Step) -> Path:
    """The annex, part and title around a place, which a section or chapter named after it shares."""
    if step.kind not in _CONTAINERS:
        return ()
    outer = [each for each in place if each.kind == "anx" or each.kind in _CONTAINERS]
    return tuple(each for each in outer if level(each) < level(step))


def within(place: Path, step: Step) -> Path:
    """The part of a place that may contain a step.

    "Point 9 is amended as follows: … in the first subparagraph, point (c)": numbered points contain lettered
    ones, these contain Roman ones, and all contain subparagraphs.
    """
    if not place:
        return ()
    last = place[-1]
    if step.kind == "subpara":
        return place[:-1] if last.kind in ("subpara", ALINEA) else place
    if step.kind == last.kind == "point" and last.number.isdecimal() and not step.number[0].isdecimal():
        return place
    return tuple(each for each in place if level(each) < level(step))


def quoted_place(place: Path, text: str, start: int) -> Path:
    """The paragraph or article whose text the new words are; `place` is what they replace."""
    for match in _QUOTED_PLACE.finditer(text, 0, start):
        kind = match.lastgroup or ""
        above = tuple(each for each in place if level(each) < level(Step(kind, "1")))
        place = (*above, Step(kind, match[kind]))
    # A point that new words name is one of the paragraph, whichever subparagraph they stand in.
    return _without_subparagraphs(place)


def _without_subparagraphs(place: Path) -> Path:
    return tuple(each for each in place if each.kind not in ("subpara", ALINEA))


class Discussed:
    """The works that a text names, and which of them it continues to discuss at a place.

    A title names more acts than its own: "Directive 2003/87/EC … and amending Directive 96/61/EC". A text may
    name a thousand works, and this is asked at each citation of it.
    """

    def __init__(self, text: str, named: Sequence[NamedWork]) -> None:
        self._text, self._named = text, named
        self._begins = _BASIS.match(text) is not None
        self._by_sort: dict[str, tuple[list[int], list[str]]] = {}

    def at(self, place: int, sort: str = "") -> str:
        """The work of a sort that the words before a place are about; empty where they name none."""
        if sort not in self._by_sort:
            self._by_sort[sort] = self._read(sort)
        ends, works = self._by_sort[sort]
        before = bisect(ends, place)
        return works[before - 1] if before else ""

    def _read(self, sort: str) -> tuple[list[int], list[str]]:
        """The works of a sort: where each ends, and which one is meant from there on."""
        fitting = [each for each in self._named if each.sort not in NO_ACTS and sort in ("", each.sort)]
        meant, chief = list[str](), ""
        for each in fitting:
            changed = _CHANGING.search(self._text, max(0, each.start - BEFORE), each.start)
            if changed is None and not (chief and self._begins):
                chief = each.work
            meant.append(chief or each.work)
        return [each.end for each in fitting], meant
