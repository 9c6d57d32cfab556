"""Headings: their label, title and level, and the kind of place that they open."""

from __future__ import annotations

import re

from lxml import etree

from pykala.law.provisions import Event, ProvisionKind
from pykala.packs.canada.drafts import Draft
from pykala.packs.canada.elements import ElementReader
from pykala.packs.canada.ended import is_tombstone
from pykala.packs.canada.inline import plain_words, words_of
from pykala.packs.canada.labels import labelled_place
from pykala.packs.canada.standing import Standing
from pykala.packs.sections import CONTAINERS

Kind = ProvisionKind
_BODY_HEADINGS = frozenset({Kind.PART, Kind.DIVISION, Kind.CHAPTER})
_DEEPEST = 9
_LEVELS = frozenset(str(level) for level in range(1, _DEEPEST + 1))
_GROUP_LEVELS = {"Group1-Part": 1, "Group2-Division": 2, "Group3-Subdivision": 3, "Group4-Subsubdivision": 4}
_NUMERAL = re.compile(r"[IVXLC]+|\d+(?:\.\d+)*|[A-Z]|premier", re.IGNORECASE)


def read_heading(reader: ElementReader, element: etree._Element, standing: Standing) -> tuple[Draft, int]:
    """A heading and its level; what it holds is added by the caller."""
    heading = Draft(Kind.HEADING, "head", container=True)
    standing = standing.of(element)
    for child in element:
        tag = child.tag
        if tag in ("TitleText", "Separator", "OriginatingRef"):
            words = words_of(child)
            heading.heading = f"{heading.heading} {words.text}".strip()
            heading.event = Event.REPEALED if words.repealed else heading.event
            for note in words.historical:
                reader.historical_note(note, heading, standing)
        elif tag == "Note":
            note_words = plain_words(child)
            heading.text = f"{heading.text} {note_words}".strip()
            heading.event = Event.REPEALED if is_tombstone(note_words) else heading.event
        elif isinstance(tag, str):
            reader.read_element(child, heading, standing)
    place = labelled_place(heading.label) if heading.label else _titled_place(heading.heading)
    if place is not None:
        heading.step, heading.number, heading.kind = place
        # Numbers restart under the Parts of a schedule and the articles of a treaty, not in the body.
        heading.container = not reader.schedules
        if heading.container and heading.kind not in _BODY_HEADINGS:
            heading.kind = Kind.HEADING
    if heading.kind not in CONTAINERS:
        heading.validity = standing.validity
    level = element.get("level", "")
    return heading, int(level) if level in _LEVELS else _level_of_group(element)


def read_heading_between(
    reader: ElementReader, element: etree._Element, draft: Draft, standing: Standing
) -> None:
    """A heading that only separates the parts of a provision."""
    heading, _ = read_heading(reader, element, standing)
    if heading.step != "head":
        heading.step, heading.number, heading.kind = "head", "", Kind.HEADING
    heading.container = False
    draft.children.append(heading)


def _titled_place(title: str) -> tuple[str, str, ProvisionKind] | None:
    """The place of a heading that prints its number as its title: "Article 1"."""
    _, _, number = title.partition(" ")
    # "Titre abrégé" is not a Title with a number.
    return labelled_place(title) if _NUMERAL.fullmatch(number) else None


def _level_of_group(element: etree._Element) -> int:
    parent = element.getparent()
    return _GROUP_LEVELS.get(str(parent.tag), 1) if parent is not None else 1
