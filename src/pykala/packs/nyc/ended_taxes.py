"""Taxes whose end one section of a chapter tells for the whole of it.

"No annual vault charge shall be imposed pursuant to this chapter on or after June first, nineteen hundred
ninety-eight" ends the definitions, returns and penalties of the chapter too. So does a section headed
"Imposition of the tax" of which every tax is for a time that is over. What a chapter imposes beside it, for a
time that is open, keeps the chapter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date

from pykala.law.identifiers import ProvisionId
from pykala.law.provisions import Provision, ProvisionKind

from .period_phrases import UNBOUNDED, Bounds, ceased, period, taxed_until

_UNITS = {"chapter": "chp", "subchapter": "subchp", "part": "part"}
_CONTAINERS = frozenset(_UNITS.values())
_IMPOSITION = re.compile(r"Imposition of (?:the |an? )?(?:[a-z]+ )?(?:tax|charge)\b", re.I)
_IMPOSES = re.compile(
    r"\b(?:is|are) (?:hereby |also )*(?:annually )?imposed\b|\bshall pay\b[^.;]{0,250}\ba tax\b"
)
#: "Administration for Parts 1 and 2": nothing is left to administer once both have ended.
_SERVES = re.compile(r"Administration for Parts (?P<first>\d{1,2}) and (?P<second>\d{1,2})")
_SERVED = 2


def ended_taxes(root: Provision) -> Iterator[tuple[ProvisionId, Bounds]]:
    """The chapters, subchapters and parts whose taxes have all ended, and the first day without them."""
    yield from _ended(root, ())


def administrations(
    root: Provision, ends: Mapping[ProvisionId, Bounds]
) -> Iterator[tuple[ProvisionId, Bounds]]:
    """The parts that serve only parts that have ended, and the first day after the last of these."""
    for holder in root.walk():
        parts = {one.id.path[-1].number: one for one in holder.children if _step(one) == "part"}
        for part in parts.values():
            found = _SERVES.match(part.versions[-1].heading) if part.versions else None
            served = [parts[number] for number in found.groups() if number in parts] if found else []
            over = [end for one in served if (end := ends.get(one.id, UNBOUNDED)[1])]
            if len(over) == _SERVED:
                # Returns for the last year are made in the next one, and a section may say so.
                own = [end for one in part.walk() if (end := period(_words(one))[1])]
                yield part.id, (None, max((*over, *own)))


def _ended(provision: Provision, above: tuple[Provision, ...]) -> Iterator[tuple[ProvisionId, Bounds]]:
    unit, end = ceased(_words(provision))
    holders = [one for one in above if _step(one) == _UNITS.get(unit)]
    if holders:
        yield holders[-1].id, (None, end)
    last = _last_imposed(provision)
    if last is not None:
        yield provision.id, (None, last)
    for child in provision.children:
        yield from _ended(child, (*above, provision))


def _last_imposed(holder: Provision) -> date | None:
    """The day by which every tax that a chapter or a section imposes has ended; None where one goes on.

    In a chapter the sections headed "Imposition of …" tell, in a section its first words.
    """
    if holder.kind is ProvisionKind.SECTION:
        opening = (holder, *holder.children[:1])
        sections = [holder] if any(_IMPOSES.search(_words(one)) for one in opening) else []
    elif _step(holder) in _CONTAINERS:
        sections = [one for one in holder.walk() if one.kind is ProvisionKind.SECTION and _is_imposition(one)]
    else:
        sections = []
    imposing = [words for one in sections for below in one.walk() if _IMPOSES.search(words := _words(below))]
    ends = [end for words in imposing if (end := period(words)[1] or taxed_until(words))]
    return max(ends) if ends and len(ends) == len(imposing) else None


def _is_imposition(section: Provision) -> bool:
    return bool(section.versions and _IMPOSITION.match(section.versions[-1].heading))


def _step(provision: Provision) -> str:
    return provision.id.path[-1].kind if provision.id.path else ""


def _words(provision: Provision) -> str:
    return provision.versions[-1].text if provision.versions else ""
