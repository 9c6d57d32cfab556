"""Word's automatic numbering, which is in no paragraph's words: "1.", "1.1", "(a)" are counted here.

A paragraph (or its style) names a list and a level; the list's abstract definition says how each level prints
("%1.%2.") and where it starts (ECMA-376, part 1, 17.9).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lxml import etree

from .numerals import printed_number

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_PLACE = re.compile(r"%([1-9])")
_LEVELS = 9


@dataclass(frozen=True, slots=True)
class Level:
    """How one level of a list prints its numbers."""

    style: str = "decimal"
    pattern: str = ""
    start: int = 1


@dataclass(slots=True)
class Numbering:
    """The lists of a document and how far each has counted."""

    levels: dict[str, dict[int, Level]] = field(default_factory=dict)  # abstract list → level → form
    lists: dict[str, str] = field(default_factory=dict)  # list → abstract list
    overrides: dict[tuple[str, int], int] = field(default_factory=dict)
    _counts: dict[str, list[int]] = field(default_factory=dict)
    _begun: set[tuple[str, int]] = field(default_factory=set)

    def label(self, number: str, level: int) -> str:
        """The next label of a list at a level; empty for bullets and for lists that are not defined."""
        abstract = self.lists.get(number)
        forms = self.levels.get(abstract, {}) if abstract is not None else {}
        form = forms.get(level)
        if abstract is None or form is None:
            return ""
        counts = self._counts.setdefault(abstract, [0] * _LEVELS)
        self._begin(number, level, counts, form)
        counts[level] += 1
        counts[level + 1 :] = [0] * (_LEVELS - level - 1)
        if form.style in ("bullet", "none"):
            return ""

        def place(found: re.Match[str]) -> str:
            at = int(found[1]) - 1
            other = forms.get(at, Level())
            return printed_number(counts[at] or other.start, other.style)

        return " ".join(_PLACE.sub(place, form.pattern).split())

    def _begin(self, number: str, level: int, counts: list[int], form: Level) -> None:
        key = (number, level)
        if key in self.overrides and key not in self._begun:
            counts[level] = self.overrides[key] - 1
        elif counts[level] == 0:
            counts[level] = form.start - 1
        self._begun.add(key)


def read_numbering(root: etree._Element | None) -> Numbering:
    """Read the part `numbering.xml`; without it nothing is numbered."""
    numbering = Numbering()
    if root is None:
        return numbering
    for abstract in root.findall(f"{WORD}abstractNum"):
        numbering.levels[abstract.get(f"{WORD}abstractNumId") or ""] = dict(_levels(abstract))
    for one in root.findall(f"{WORD}num"):
        number = one.get(f"{WORD}numId") or ""
        numbering.lists[number] = _value(one.find(f"{WORD}abstractNumId"))
        for override in one.findall(f"{WORD}lvlOverride"):
            level = _whole(override.get(f"{WORD}ilvl"))
            start = override.find(f"{WORD}startOverride")
            if start is not None:
                numbering.overrides[number, level] = _whole(_value(start), 1)
    return numbering


def _levels(abstract: etree._Element) -> list[tuple[int, Level]]:
    found = []
    for level in abstract.findall(f"{WORD}lvl"):
        at = _whole(level.get(f"{WORD}ilvl"))
        style = _value(level.find(f"{WORD}numFmt")) or "decimal"
        start = _whole(_value(level.find(f"{WORD}start")), 1)
        found.append((at, Level(style, _value(level.find(f"{WORD}lvlText")), start)))
    return [(at, level) for at, level in found if 0 <= at < _LEVELS]


def _value(element: etree._Element | None) -> str:
    return "" if element is None else element.get(f"{WORD}val") or ""


def _whole(text: str | None, default: int = 0) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 6 else default
