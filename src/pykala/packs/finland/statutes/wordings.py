"""Earlier and later wordings of one provision, which Finlex prints one after the other.

A consolidated act shows a future or very recent change in this order: the new momentti, an editorial note
"L:lla 269/2026 muutettu 2 momentti tulee voimaan 1.6.2026. Aiempi sanamuoto kuuluu:", and then the old
momentti. Repeals leave a note: "2 a § on kumottu L:lla 24.6.2010/650."
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Event, Provision, Version
from pykala.law.validity import Validity
from pykala.packs.finland.commencement import interval, short_date

_TAKES_EFFECT = re.compile(
    r"(?:tul(?:ee|i|evat|ivat)\s+(?:\w:n\s+\S+\s+mukaisesti\s+)?voimaan|träd(?:er|de)\s+i\s+kraft(?:\s+den)?"
    r"|enter(?:s|ed)?\s+into\s+force\s+on)\s+(\d{1,2}\.\d{1,2}\.\d{4})",
    re.IGNORECASE,
)
_EARLIER_FOLLOWS = re.compile(
    r"aiempi\s+sanamuoto\s+kuuluu|tidigare\s+(?:ordalydelse|lydelse|form)\s+lyder|previous\s+wording",
    re.IGNORECASE,
)
_REPEALED = re.compile(
    r"^(?:section\s+)?(?P<number>\d+(?:\s?[a-zåäö])?)\s?(?P<unit>§|momentti|mom\.?|kohta|punkten)?\s"
    r"(?:on\s+kumottu|har\s+upphävts|was\s+repealed)\b",
    re.IGNORECASE,
)
_ACT = re.compile(r"(?P<dated>\d{1,2}\.\d{1,2}\.\d{4}/\d+)|(?P<plain>\b\d+/\d{4})\b")


@dataclass(frozen=True, slots=True)
class RepealNote:
    """A tombstone: which section, momentti or kohta is repealed, by which act, since when."""

    unit: str  # "sec", "subsec" or "para"
    number: str
    source_act: WorkId | None
    since: date | None


def announced_change(note: str) -> Change | None:
    """The change that a note announces, where the earlier wording follows the note."""
    day = takes_effect(note) if _EARLIER_FOLLOWS.search(note) else None
    return Change(day, note) if day else None


def takes_effect(note: str) -> date | None:
    """The day named by "… tulee voimaan 1.6.2026"."""
    found = _TAKES_EFFECT.search(note)
    return short_date(found[1]) if found else None


def read_repeal(note: str) -> RepealNote | None:
    """Read a tombstone; None where the note is something else."""
    found = _REPEALED.match(note)
    if found is None:
        return None
    unit = (found["unit"] or "§").lower()
    kind = "sec" if unit == "§" else "subsec" if unit.startswith("mom") else "para"
    return RepealNote(kind, found["number"].replace(" ", "").lower(), amending_act(note), takes_effect(note))


def amending_act(text: str) -> WorkId | None:
    """The act named as Finlex names amending acts: "17.4.2026/269" or "269/2026"."""
    found = _ACT.search(text)
    if found is None:
        return None
    if found["dated"]:
        day, _, number = found["dated"].partition("/")
        return WorkId(f"fi:act:{day.rpartition('.')[2]}/{number}")
    number, _, year = found["plain"].partition("/")
    return WorkId(f"fi:act:{year}/{number}")


@dataclass(frozen=True, slots=True)
class Change:
    """A note between two wordings: since when the later one is in force, by which act, its words."""

    day: date
    note: str

    @property
    def said(self) -> str:
        """The note without the words that announce what follows it."""
        return _EARLIER_FOLLOWS.split(self.note)[0].strip()


def join_wordings(newer: Provision, older: Provision, change: Change) -> Provision:
    """One provision with both wordings: the older until the day, the newer from it on, node by node."""
    day = change.day
    versions = _join_versions(newer.versions, older.versions, change)
    remaining = {child.id: child for child in older.children}
    children = []
    for child in newer.children:
        before = remaining.pop(child.id, None)
        children.append(join_wordings(child, before, change) if before else since(child, day))
    children.extend(child.with_versions(lambda one: _ended(one, day)) for child in remaining.values())
    return replace(newer, versions=versions, children=tuple(children))


def _join_versions(
    newer: tuple[Version, ...], older: tuple[Version, ...], change: Change
) -> tuple[Version, ...]:
    if not newer or not older:
        return newer or older
    first, *later = newer
    last = older[-1]
    if (first.text, first.heading) == (last.text, last.heading):
        # Unchanged words are one version, from the older's start to the newer's end.
        return (
            *older[:-1],
            replace(last, validity=interval(last.validity.start, first.validity.end)),
            *later,
        )
    changed = replace(
        first,
        validity=_starting(first.validity, change.day),
        event=Event.AMENDED if first.event is Event.ENACTED else first.event,
        source_act=first.source_act or amending_act(change.note),
        application=" ".join(part for part in (first.application, change.said) if part),
        history_unavailable=False,
    )
    ended = tuple(_ended(version, change.day) for version in older)
    return (*ended, changed, *later)


def since(provision: Provision, day: date) -> Provision:
    """The same tree, in force from a day on at the earliest."""
    if not provision.versions:
        return provision
    first, *later = provision.versions
    changed = replace(first, validity=_starting(first.validity, day))
    return replace(
        provision,
        versions=(changed, *later),
        children=tuple(since(child, day) for child in provision.children),
    )


def _starting(validity: Validity, day: date) -> Validity:
    if validity.start is not None and validity.start >= day and not validity.is_pending:
        return validity
    return interval(day, validity.end)


def _ended(version: Version, day: date) -> Version:
    """A version that other words replaced on a day; one that had ended by then stays as it is."""
    start, end = version.validity.start, version.validity.end
    if end is not None and end <= day:
        return version
    # A start after the end is a mistake of the source: only the end of the wording is known.
    return replace(version, validity=Validity(None if start is not None and start > day else start, day))


def renumbered(provision: Provision, identifier: ProvisionId) -> Provision:
    """The same tree under another identifier: an older wording takes the place of the newer."""
    depth = len(provision.id.path)
    return replace(
        provision,
        id=identifier,
        children=tuple(
            renumbered(child, ProvisionId(identifier.work, (*identifier.path, *child.id.path[depth:])))
            for child in provision.children
        ),
    )
