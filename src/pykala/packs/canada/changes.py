"""Amendments that the publisher prints as not in force: what they repeal or replace, and from which day.

Below a work stand the amendments that wait for their day: "SOR/2025-242, par. 238(a) — The following
regulations are repealed: (a) the Narcotic Control Regulations". The day stands in the amending instrument.
If the source holds it, the survey notes the day, and what is repealed ends on it. Else the text says that its
repeal waits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from pykala.law.identifiers import ProvisionId
from pykala.law.messages import Message
from pykala.law.provisions import APPARATUS, Event, Provision, ProvisionKind, Version
from pykala.law.references import normalise_alias
from pykala.law.validity import Validity
from pykala.packs.canada.ended import is_tombstone

WAITING: Final = "notinforce"  # the step of the heading above them

_NOTE = re.compile(r"(?P<by>.+) comes into force on (?P<day>\d{4}-\d\d-\d\d)")
_WHOLE = re.compile(r"(?:^|\. )(?:The |the )?(?P<title>[A-Z][^.]{3,300}?) (?:is|are) repealed\b")
_LISTED = re.compile(r"^the (?P<title>[A-Z].{3,300}?)(?:; and|;|\.)?$")
_LIST = re.compile(r"^The following [\w-]+ (?:is|are) repealed:$")
_PLACES = re.compile(
    r"(?:^|\. )(?:The heading [^.]{0,60}? and |The portion of )?"
    r"(?P<places>(?:[Ss]ub)?(?:[Ss]ection|[Pp]aragraph|Part|Schedule)s? (?:[^.]|\.(?=\w)){1,200}?)"
    r" (?:of|to) (?:the|these|this) (?P<whose>[A-Z](?:[^.]|\.(?=\w)){1,120}?)"
    r" (?:is|are) (?P<verb>repealed|replaced|amended)\b"
)
_LEVEL = re.compile(r"(?P<level>(?:sub)?section|(?:sub)?paragraph|part|schedule)s?\b", re.I)
_NESTED = re.compile(r"\b(?:of|to) (?:part|schedule|section|subsection|paragraph)\b", re.I)
_PLACE = re.compile(
    r"(?P<to>\bto\b)|(?P<within>(?<![\w.])(?:\([\w.]{1,8}\) ?)+)"
    r"|(?P<number>\b(?:[A-Z]{1,2}\.)?\d[\d.]*\d|\b\d|\b[A-Z]\b|\b[IVX]+\b)(?P<below>(?: ?\([\w.]{1,8}\))*)"
)
_TOKEN = re.compile(r"\(([\w.]{1,8})\)")
_OWN = frozenset({"act", "regulations", "order", "rules", "by-law", "tariff", "code", "schedule"})


@dataclass(frozen=True, slots=True)
class Change:
    """One amendment that waits, as the text it changes prints it."""

    by: str  # "SOR/2025-242, par. 238(a)"
    repeals: bool
    places: tuple[ProvisionId, ...]  # none: the work as a whole
    day: date | None = None


def change_note(by: str, day: date) -> str:
    """The note of the survey that tells the day of an amendment."""
    return f"{by} comes into force on {day}"


def noted_days(notes: Iterable[tuple[str, str]]) -> dict[str, date]:
    """The days that the survey found, by the amendment."""
    told = (_NOTE.fullmatch(note) for _, note in notes)
    return {found["by"]: date.fromisoformat(found["day"]) for found in told if found}


def changes_of(root: Provision, titles: Iterable[str], days: Mapping[str, date]) -> tuple[Change, ...]:
    """What the amendments not in force do to a work, by its English text."""
    names = tuple(normalise_alias(title) for title in titles if title)
    found: list[Change] = []
    for group in root.children:
        if not (group.id.path and group.id.path[-1].kind == WAITING):
            continue
        for entry in group.children:
            by = entry.versions[0].heading if entry.versions else ""
            found += _told(entry, by, root, names, days.get(by))
    return tuple(found)


def _told(
    entry: Provision, by: str, root: Provision, names: tuple[str, ...], day: date | None
) -> Iterator[Change]:
    """What one amendment says; the words that it gives are not read."""
    listing = False
    for node in _own_words(entry):
        text = node.versions[0].text if node.versions else ""
        listing = bool(_LIST.match(text)) or (listing and node.kind is ProvisionKind.ITEM)
        whole = _LISTED.match(text) if listing else _WHOLE.search(text)
        if whole is not None and _names(whole["title"], names):
            yield Change(by, True, (), day)
            continue
        for found in _PLACES.finditer(text):
            whose = found["whose"].partition(" and the heading")[0]
            if whose.casefold() in _OWN or _names(whose, names):
                places = tuple(_placed(found["places"], root))
                if places:
                    yield Change(by, found["verb"] == "repealed", places, day)


def _own_words(entry: Provision) -> Iterator[Provision]:
    if entry.id.path[-1].kind == "quoted":
        return
    yield entry
    for child in entry.children:
        yield from _own_words(child)


def _names(title: str, names: tuple[str, ...]) -> bool:
    """Whether words begin with the title of the work: its number may follow."""
    alias = normalise_alias(re.sub(r"[\[(⁰-⁹].*|,.*", "", title).strip())
    return any(alias == name or alias.startswith(f"{name} ") for name in names)


def _placed(words: str, root: Provision) -> Iterator[ProvisionId]:
    """The places that words name: "Subsections 142(2) to (10)", "Parts VI and VII", "Sections 21 to 21.2"."""
    if _NESTED.search(words):
        return  # "Part 1 of Schedule 1": neither Part 1 of the work nor all of the schedule
    levels = list(_LEVEL.finditer(words))
    for index, level in enumerate(levels):
        end = levels[index + 1].start() if index + 1 < len(levels) else len(words)
        yield from _run(level["level"].casefold(), words[level.end() : end], root)


def _run(level: str, words: str, root: Provision) -> Iterator[ProvisionId]:
    last: list[str] = []
    ranging = False
    for piece in _PLACE.finditer(words):
        if piece["to"]:
            ranging = True
            continue
        if piece["within"]:
            below = _TOKEN.findall(piece["within"])
            place = [*last[: max(1, len(last) - len(below))], *below]
        else:
            place = [piece["number"], *_TOKEN.findall(piece["below"])]
        found = _find(level, place, root)
        if found is not None:
            yield from _up_to(level, last, place, root) if ranging else (found.id,)
        last, ranging = place, False


def _find(level: str, place: list[str], root: Provision) -> Provision | None:
    kind = {"part": ProvisionKind.PART, "schedule": ProvisionKind.SCHEDULE}.get(level, ProvisionKind.SECTION)
    here = next((one for one in _law(root) if one.kind is kind and _numbered(one, place[0])), None)
    for number in place[1:]:
        if here is None:
            return None
        here = next((one for one in here.children if _numbered(one, number)), None)
    return here


def _up_to(level: str, first: list[str], last: list[str], root: Provision) -> Iterator[ProvisionId]:
    """The places after the first of a range, with its last, in the order of the text."""
    begins, ends = _find(level, first, root) if first else None, _find(level, last, root)
    if begins is None or ends is None:
        return
    same = [one.id for one in _law(root) if one.kind is ends.kind and len(one.id.path) == len(ends.id.path)]
    if begins.id in same:
        yield from same[same.index(begins.id) + 1 : same.index(ends.id) + 1]


def _numbered(provision: Provision, number: str) -> bool:
    return bool(provision.id.path) and provision.id.path[-1].number.casefold() == number.casefold()


def _law(provision: Provision) -> Iterator[Provision]:
    """What is law of the work: without related provisions and amendments."""
    if provision.id.path and provision.id.path[-1].kind in (WAITING, "related"):
        return
    yield provision
    for child in provision.children:
        yield from _law(child)


def changed(root: Provision, changes: tuple[Change, ...], observed: date | None) -> Provision:
    """The tree with what the changes end, and with what they put in doubt."""
    for change in changes:
        if change.day is None and not change.repeals:
            continue  # the day to which the text is known says enough
        root = _changed(root, change, observed, inside=False)
    return root


def _changed(provision: Provision, change: Change, observed: date | None, *, inside: bool) -> Provision:
    path = provision.id.path
    if path and path[-1].kind in (WAITING, "related"):
        return provision
    inside = inside or not change.places or provision.id in change.places
    children = tuple(_changed(child, change, observed, inside=inside) for child in provision.children)
    versions = provision.versions
    if inside and path and provision.kind not in APPARATUS:
        versions = tuple(
            later for version in provision.versions for later in _after(version, change, observed)
        )
    return replace(provision, versions=versions, children=children)


def _after(version: Version, change: Change, observed: date | None) -> Iterator[Version]:
    """A wording after a change: ended, in two parts, or in doubt."""
    validity, day = version.validity, change.day
    over = validity.is_pending or validity.end is not None or version.event is Event.REPEALED
    if over or is_tombstone(version.text) or not (version.text or (change.repeals and day)):
        yield version
    elif day is None:
        yield _perhaps_repealed(version, change.by, observed)
    elif change.repeals:
        start = validity.start
        yield replace(version, validity=Validity(start, day if start is None or start < day else start))
    elif validity.start is not None and validity.start >= day:
        yield version
    else:
        told = Message.of("finding.change_overdue", act=change.by, day=day)
        yield replace(version, validity=Validity(validity.start, day))
        yield replace(version, validity=Validity(day), findings=(*version.findings, told))


def _perhaps_repealed(version: Version, by: str, observed: date | None) -> Version:
    """A wording that an act repeals from a day that the source does not tell."""
    if observed is None:
        return version
    told = Message.of("finding.repeal_waits", act=by, day=observed)
    return version if told in version.findings else version.doubted(told)
