"""Works of which nothing is left: every section of the body is a tombstone.

The publisher keeps a repealed instrument for a while with "[Repealed, SOR/2017-135, s. 1]" in the place of
every section. Its last repeal is its end, for its enacting order and its headings as well.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from lxml import etree

from pykala.law.provisions import Event, Provision, Version
from pykala.law.validity import Validity
from pykala.packs.canada.standing import START, parse_date

_TOMBSTONES = ("[Repealed", "[Abrog")


def is_tombstone(words: str) -> bool:
    """Whether words only say that something was repealed."""
    return words.startswith(_TOMBSTONES)


def last_repeal(root: etree._Element) -> date | None:
    """The day on which the last section of a body was repealed; None while one stands, or on no known day."""
    body = root.find("Body")
    sections = list(body.iter("Section")) if body is not None else []
    if not sections or not all(map(_is_gone, sections)):
        return None
    days = [parse_date(section.get(START)) for section in sections]
    known = [day for day in days if day is not None and day != date.max]
    return max(known) if len(known) == len(days) else None


def _is_gone(section: etree._Element) -> bool:
    text = section.find("Text")
    if text is None or section.find("Subsection") is not None or section.find("Paragraph") is not None:
        return False
    return is_tombstone(" ".join("".join(map(str, text.itertext())).split()))


def is_pending(root: etree._Element) -> bool:
    """Whether no section of a body is in force yet: then its preamble and headings are not, either."""
    body = root.find("Body")
    sections = list(body.iter("Section")) if body is not None else []
    return bool(sections) and all(_waits(section) for section in sections)


def _waits(section: etree._Element) -> bool:
    return section.get("in-force") == "no" or parse_date(section.get(START)) == date.max


def not_yet(provision: Provision) -> Provision:
    """A tree of a work that nobody has brought into force."""
    versions = tuple(
        one if one.event is Event.REPEALED else replace(one, validity=Validity.pending())
        for one in provision.versions
    )
    children = tuple(not_yet(child) for child in provision.children)
    return replace(provision, versions=versions, children=children)


def ended(provision: Provision, day: date) -> Provision:
    """A tree of which no words stand from a day on; tombstones stay, and say so."""
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
