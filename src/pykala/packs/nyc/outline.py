"""Levels of labels in a text that does not indent them, inferred from their order.

The Senate's text formats every paragraph alike: "a.", "(1)", "(i)" and "(A)" all start a line. A label
continues an open list, or starts one below. "(i)" after "(h)" may do either: the next label decides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pykala.packs.nyc.blocks import bare
from pykala.text.roman import roman_value

#: Labels that follow nothing nest no deeper than this.
_DEEPEST = 9
_ROMAN = re.compile(r"x{0,3}(?:ix|iv|v?i{0,3})")
_PARTS = re.compile(r"[a-z]+|[A-Z]+|\d+")


@dataclass(frozen=True, slots=True)
class Mark:
    """One reading of a label: its style, its position in a list, and a suffix ("e-1" is e, 1)."""

    style: str
    value: int
    suffix: str = ""

    @property
    def first(self) -> bool:
        """Whether a list starts with it."""
        return self.value == 1 and not self.suffix


def roman(text: str) -> int:
    """The value of a small Roman number below 40; 0 where it is none: "(c)" and "(l)" are letters."""
    return roman_value(text) if _ROMAN.fullmatch(text) else 0


def readings(label: str) -> list[Mark]:
    """The possible readings of a label: "(i)" is the ninth letter, or one."""
    core = bare(label)
    parts = _PARTS.findall(core)
    if not parts:
        return []
    head, suffix = parts[0], core[len(parts[0]) :]
    shape = "(" if label.startswith("(") else "."
    if head.isdecimal():
        return [Mark(f"{shape}1", int(head[:6]), suffix)]
    case = "a" if head.islower() else "A"
    found = []
    if len(set(head)) == 1:  # "aa" follows "z"
        found.append(Mark(shape + case, (len(head) - 1) * 26 + ord(head[0].lower()) - 96, suffix))
    if number := roman(head.lower()):
        found.append(Mark(f"{shape}{'i' if case == 'a' else 'I'}", number, suffix))
    return found


def depths(labels: Sequence[str]) -> list[int]:
    """The depth of each label of one section, 1 for the outermost."""
    open_lists: list[Mark] = []
    found: list[int] = []
    for index, label in enumerate(labels):
        following = labels[index + 1] if index + 1 < len(labels) else ""
        level, mark = _placed(label, following, open_lists)
        del open_lists[level:]
        open_lists.append(mark)
        found.append(level + 1)
    return found


def _placed(label: str, following: str, open_lists: Sequence[Mark]) -> tuple[int, Mark]:
    marks = readings(label) or [Mark(label, 1)]
    if label.endswith("*"):  # "there are two divisions designated (n)"
        twice = [level for level, one in enumerate(open_lists) if one in marks]
        if twice:
            return twice[-1], open_lists[twice[-1]]
    for mark in _by_what_follows(marks, following):
        for level in range(len(open_lists) - 1, -1, -1):
            if _follows(open_lists[level], mark, gap=1):
                return level, mark
        if mark.first and all(one.style != mark.style for one in open_lists):
            return len(open_lists), mark
    for mark in marks:
        for level in range(len(open_lists) - 1, -1, -1):
            if _follows(open_lists[level], mark, gap=30):
                return level, mark
    return min(len(open_lists), _DEEPEST), marks[0]


def _by_what_follows(marks: Sequence[Mark], following: str) -> list[Mark]:
    """Put the reading first that the next label continues."""
    after = readings(following)
    return sorted(marks, key=lambda mark: not any(_follows(mark, other, gap=1) for other in after))


def _follows(before: Mark, mark: Mark, *, gap: int) -> bool:
    if before.style != mark.style:
        return False
    if mark.value == before.value:
        return bool(mark.suffix) and mark.suffix > before.suffix
    return 0 < mark.value - before.value <= gap
