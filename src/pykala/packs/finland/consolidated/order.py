"""The order of provisions in an act: the file's own order is not that of print.

It puts 50j § after 51 §, alakohdat in any order, and annexes and subheadings among the sections.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pykala.law.identifiers import natural_order
from pykala.law.provisions import Provision
from pykala.packs.finland.consolidated.nodes import Level
from pykala.packs.finland.statutes.tree import group_cross_headings

Key = tuple[Level, str]  # a place below its parent: the level and its number

_ORDER = (
    Level.ENACTING_CLAUSE,
    Level.SUBSECTION,
    Level.PARAGRAPH,
    Level.SUBPARAGRAPH,
    Level.TABLE,
    Level.FLUSH,
    Level.SUBHEADING,
    Level.PART,
    Level.CHAPTER,
    Level.SECTION,
    Level.ATTACHMENT,
)
_STRUCTURE = {Level.PART, Level.CHAPTER, Level.SECTION, Level.SUBHEADING}


@dataclass(frozen=True, slots=True)
class Placed:
    """A provision with the data that determine its place among its siblings."""

    key: Key
    member: str  # the source's name of the place
    provision: Provision
    heads: tuple[str, ...] = ()  # of a subheading: the members that follow it


def in_order(keys: Iterable[Key]) -> list[Key]:
    """Places of one parent by level and number."""
    return sorted(keys, key=lambda key: (_ORDER.index(key[0]), natural_order(key[1])))


def arranged(placed: Sequence[Placed]) -> list[Provision]:
    """Siblings as they follow each other in print, the sections below a subheading put under it."""
    if not any(one.key[0] in _STRUCTURE for one in placed):
        return [one.provision for one in placed]
    before = [one for one in placed if one.key[0] in _ORDER[: _ORDER.index(Level.SUBHEADING)]]
    after = [one for one in placed if one.key[0] is Level.ATTACHMENT]
    wholes = [one for one in placed if one.key[0] in {Level.PART, Level.CHAPTER}]
    sections = sorted(
        (one for one in placed if one.key[0] is Level.SECTION), key=lambda one: natural_order(one.key[1])
    )
    body = [*before, *_with_loose_sections(wholes, sections), *after]
    subheadings = [one for one in placed if one.key[0] is Level.SUBHEADING]
    return list(group_cross_headings(_with_subheadings(body, subheadings)))


def _with_loose_sections(wholes: list[Placed], sections: Sequence[Placed]) -> list[Placed]:
    """Put a section outside all chapters before the chapter that begins after it."""
    placed = [(_first_section(whole), whole) for whole in wholes]
    for section in sections:
        number = natural_order(section.key[1])
        later = (place for place, (first, _) in enumerate(placed) if first is not None and first > number)
        placed.insert(next(later, len(placed)), (number, section))
    return [one for _, one in placed]


def _first_section(whole: Placed) -> tuple[object, ...] | None:
    """The order of the lowest section number in a chapter or part."""
    numbers = (
        natural_order(one.id.last.number)
        for one in whole.provision.walk()
        if one.id.last is not None and one.id.last.kind == "sec"
    )
    return min(numbers, default=None)


def _with_subheadings(body: Sequence[Placed], subheadings: Sequence[Placed]) -> list[Provision]:
    """Each subheading before the first section that it heads; one that heads nothing comes first."""
    members = {one.member for one in body}
    heads: dict[str, list[Provision]] = {}
    for subheading in subheadings:
        headed = next((member for member in subheading.heads if member in members), "")
        heads.setdefault(headed, []).append(subheading.provision)
    provisions = heads.pop("", [])
    for one in body:
        provisions += heads.pop(one.member, []) if one.member else []
        provisions.append(one.provision)
    return provisions
