"""Works of which nothing is left: every section of the body is a tombstone.

The publisher keeps a repealed instrument for a while, with "[Repealed, SOR/2017-135, s. 1]" in place of every
section. Its last repeal is the end of the work, including its enacting order and its headings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from lxml import etree

from pykala.law.provisions import Event, Provision, Version
from pykala.law.validity import Validity
from pykala.packs.canada.standing import START, parse_date

_TOMBSTONES = ("[Repealed", "[Abrog")


def is_tombstone(words: str) -> bool:
    """Whether words only say that something was repealed."""
    return words.startswith(_TOMBSTONES)


@dataclass(frozen=True, slots=True)
class BodySection:
    """The state that a section of a body gives of itself."""

    gone: bool  # its only words are a tombstone
    waits: bool  # it is not in force yet
    since: date | None


def body_sections(root: etree._Element) -> tuple[BodySection, ...]:
    """The sections of a file's body."""
    body = root.find("Body")
    return tuple(sections_within(body)) if body is not None else ()


def sections_within(element: etree._Element) -> Iterator[BodySection]:
    """The sections that an element is or holds."""
    for section in element.iter("Section"):
        since = parse_date(section.get(START))
        waits = section.get("in-force") == "no" or since == date.max
        yield BodySection(_is_gone(section), waits, since)


def last_repeal(sections: Sequence[BodySection]) -> date | None:
    """The day of a body's last repeal; None while a section is in force, or where the day is unknown."""
    if not sections or not all(section.gone for section in sections):
        return None
    known = [one.since for one in sections if one.since is not None and one.since != date.max]
    return max(known) if len(known) == len(sections) else None


def _is_gone(section: etree._Element) -> bool:
    text = section.find("Text")
    if text is None or section.find("Subsection") is not None or section.find("Paragraph") is not None:
        return False
    return is_tombstone(" ".join("".join(map(str, text.itertext())).split()))


def is_pending(sections: Sequence[BodySection]) -> bool:
    """Whether no section of a body is in force yet: then its preamble and headings are not, either."""
    return bool(sections) and all(section.waits for section in sections)


def not_yet(provision: Provision) -> Provision:
    """A tree of a work that is not in force yet."""
    versions = tuple(
        one if one.event is Event.REPEALED else replace(one, validity=Validity.pending())
        for one in provision.versions
    )
    children = tuple(not_yet(child) for child in provision.children)
    return replace(provision, versions=versions, children=children)


def ended(provision: Provision, day: date) -> Provision:
    """A tree without words in force from a day on; tombstones stay, and say so."""
    return replace(
        provision,
        versions=tuple(_until(version, day) for version in provision.versions)
        if provision.id.path
        else (provision.versions),
        children=tuple(ended(child, day) for child in provision.children),
    )


def _until(version: Version, day: date) -> Version:
    start, end = version.validity.start, version.validity.end
    if version.event is Event.REPEALED or end is not None or version.validity.is_pending:
        return version
    return replace(version, validity=Validity(start, day if start is None or start <= day else start))
