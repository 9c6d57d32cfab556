"""Citations as people write them in questions: an act's name, and a place right before or after it.

Each pack defines its own names and places; the way they are combined is the same everywhere: "section 7 of
the EI Act", "EI Act s. 7", "Art. 6 GDPR", "GDPR 33(1)". Each step looks only at its nearest neighbours, so
that a text of any length is read in one pass.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TypeVar

from pykala.law.citations import FoundCitation
from pykala.law.identifiers import Step

_NEAR = 40  # characters between a name and its place
_MOST_AT = 50  # the most names that may overlap one name
_MOST_LETTERS = 80  # letters of a name with its ending


@dataclass(frozen=True, slots=True)
class AskedName:
    """A work that a question names: where, and what the pack's `resolve` takes for its name."""

    start: int
    end: int
    work: str


@dataclass(frozen=True, slots=True)
class AskedMember:
    """One place of a list: "sections 4, 5 and 6" has three."""

    start: int
    end: int
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class AskedPlace:
    """A place, or a list of places, whose work is not known yet."""

    members: tuple[AskedMember, ...]
    bare: bool = False  # a number without a unit: a place only right after a name

    @property
    def start(self) -> int:
        """Where it begins."""
        return self.members[0].start

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.members[-1].end


Span = TypeVar("Span", AskedName, AskedPlace)


@dataclass(frozen=True, slots=True)
class Gaps:
    """What may stand between a place and its name."""

    before_name: re.Pattern[str]  # "section 7 of the EI Act"
    behind_name: re.Pattern[str]  # "EI Act, s. 7"
    listed: re.Pattern[str]  # "EI Act s. 7 and s. 9": the second place is of the same act


#: Reads the part of a place that stands behind a position: its steps and its end; no steps where none does.
Below = Callable[[str, int], tuple[tuple[Step, ...], int]]


def join(
    text: str,
    names: Iterable[AskedName],
    places: Iterable[AskedPlace],
    gaps: Gaps,
    below: Below = lambda _, position: ((), position),
) -> list[FoundCitation]:
    """Combine names and places; a name without a place beside it is returned alone.

    `below` reads a part of the place that stands behind the name: "article 83 GDPR, paragraph 4".
    """
    works = _apart(names)
    taken = [(name.start, name.end) for name in works]
    free = [place for place in _apart(places) if not _touches(taken, place.start, place.end)]
    owned: dict[int, list[AskedPlace]] = {}
    for place, owner in zip(free, _owners(text, works, free, gaps), strict=True):
        if owner is not None:
            owned.setdefault(owner.start, []).append(place)
    found: list[FoundCitation] = []
    for name in works:
        found.extend(_citations(text, name, owned.get(name.start, ()), below))
    return sorted(found, key=lambda citation: citation.start)


def _owners(
    text: str, works: Sequence[AskedName], free: Sequence[AskedPlace], gaps: Gaps
) -> list[AskedName | None]:
    """The work of each place, or None for one that stands alone."""
    owners: list[AskedName | None] = [None] * len(free)
    starts = [place.start for place in free]
    for name in works:
        behind = bisect_left(starts, name.end)
        before = behind - 1
        joined = _gap(gaps.before_name, text, free[before].end, name.start) if before >= 0 else None
        may_precede = joined is not None and owners[before] is None and not free[before].bare
        if may_precede and "," not in (joined or ""):
            owners[before] = name
        elif behind < len(free) and _gap(gaps.behind_name, text, name.end, free[behind].start) is not None:
            owners[behind] = name
        elif may_precede:
            owners[before] = name
    for place in range(1, len(free)):
        earlier = owners[place - 1]
        if owners[place] is None and earlier is not None and not free[place].bare:
            start = max(free[place - 1].end, earlier.end if earlier.end <= free[place].start else 0)
            if _gap(gaps.listed, text, start, free[place].start) is not None:
                owners[place] = earlier
    return owners


def _gap(pattern: re.Pattern[str], text: str, start: int, end: int) -> str | None:
    if not 0 <= end - start <= _NEAR or pattern.fullmatch(text, start, end) is None:
        return None
    return text[start:end]


def _citations(
    text: str, name: AskedName, places: Sequence[AskedPlace], below: Below
) -> Iterator[FoundCitation]:
    """One citation for each member; the name belongs to the first or the last, whichever is nearer."""
    members = [member for place in places for member in place.members]
    if not members:
        yield FoundCitation(name.start, name.end, text[name.start : name.end], name.work)
        return
    beside = 0 if name.end <= members[0].start else _last_before(members, name.start)
    read = 0  # where what was read behind the name ends
    for number, member in enumerate(members):
        start, end = member.start, member.end
        if name.end <= start < read:
            continue
        inside: tuple[Step, ...] = ()
        if number == beside:
            if len(member.steps) == 1 and end <= name.start:  # its part may stand behind the name
                inside, read = below(text, name.end)
                end = read
            start, end = min(start, name.start), max(end, name.end)
        yield FoundCitation(start, end, text[start:end], name.work, (*member.steps, *inside))


def _last_before(members: Sequence[AskedMember], start: int) -> int:
    return max(number for number, member in enumerate(members) if member.end <= start)


def _apart(spans: Iterable[Span]) -> list[Span]:
    """Spans without overlap, in order; of two that overlap, the one that begins first, and the longer."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda one: (one.start, -one.end)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return kept


class Spans:
    """Spans in order and without overlap, for finding those at a position."""

    def __init__(self, spans: Sequence[AskedName]) -> None:
        self._spans = sorted(spans, key=lambda one: one.start)
        self._ends = [one.end for one in self._spans]

    def at(self, name: AskedName) -> list[AskedName]:
        """The places that overlap a name."""
        first = bisect_right(self._ends, name.start)
        return list(takewhile(lambda one: one.start < name.end, self._spans[first : first + _MOST_AT]))


def _touches(taken: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    at = bisect_left(taken, (end, 0)) - 1
    return at >= 0 and taken[at][1] > start


class KnownNames:
    """Names of works, to be found in a text, each with its work.

    A name of up to four capitals matches only in capitals ("MAR", not "mar"); any other matches in either
    case. A name that ends with "*" may have any ending: "tietosuoja-asetu*".
    """

    def __init__(self, names: Mapping[str, str]) -> None:
        self._works = {_fold(name.removesuffix("*")): work for name, work in names.items()}
        by_letter: dict[str, list[str]] = {}
        for name in sorted(names, key=len, reverse=True):
            by_letter.setdefault(_fold(name[:1]), []).append(_written(name))
        # A pattern for each first letter: trying every name at every word would take long.
        self._patterns = {
            letter: re.compile(rf"(?:{'|'.join(written)})(?!\w)", re.IGNORECASE)
            for letter, written in by_letter.items()
        }

    def find(self, text: str) -> Iterator[AskedName]:
        """Every name in a text, in order and without overlap."""
        end = 0
        for first in _FIRST_LETTER.finditer(text):
            pattern = self._patterns.get(_fold(first[0]))
            match = pattern.match(text, first.start()) if pattern and first.start() >= end else None
            if match is not None:
                end = match.end()
                yield AskedName(match.start(), end, self._work(match[0]))

    def _work(self, written: str) -> str:
        """The work of a matched name; an inflected ending is ignored."""
        name = _fold(written).partition(":")[0]
        lengths = range(min(len(name), _MOST_LETTERS), 0, -1)
        return next((self._works[name[:length]] for length in lengths if name[:length] in self._works), "")


_FIRST_LETTER = re.compile(r"(?<![\w-])\w")


def _written(name: str) -> str:
    stem = name.removesuffix("*")
    written = re.escape(stem).replace(r"\ ", r"\s{1,2}").replace("’", "'").replace("'", "[’']")
    ending = r"\w{0,12}" if name.endswith("*") else r"(?::\w{1,4})?"
    exact = stem.isupper() and len(stem) <= 4 and stem not in {"GDPR", "RGPD"}
    return f"(?-i:{written}){ending}" if exact else f"{written}{ending}"


def _fold(name: str) -> str:
    return " ".join(name.casefold().replace("’", "'").split())
