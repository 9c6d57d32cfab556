"""Levels in brackets below a section: which is a subsection, which a paragraph, which a clause."""

from __future__ import annotations

import re

from pykala.law.identifiers import Step

#: Outermost first.
LEVELS = ("subsec", "para", "subpara", "cl", "subcl", "subsubcl")
_DIGITS = re.compile(r"\d+(?:\.\d+)*")
_ROMAN = re.compile(r"[ivxl]+(?:\.\d+)*")


def steps_by_unit(unit: str, marks: list[str]) -> tuple[Step, ...]:
    """Levels counted back from the unit: the last mark of "subparagraph 150(1)(d)(ii)" is a subparagraph."""
    last = LEVELS.index(unit)
    first = last - len(marks) + 1
    # "paragraphe 13b)": a letter is no subsection, whatever the drafter called it.
    if first < 0 or (first == 0 and not _DIGITS.match(marks[0])):
        return steps_by_form(marks)
    return tuple(Step(LEVELS[first + index], mark) for index, mark in enumerate(marks))


def steps_by_form(marks: list[str]) -> tuple[Step, ...]:
    """Levels by the form of the marks: (1) is a subsection, (a) a paragraph, (i) below it, (A) a clause."""
    steps: list[Step] = []
    level = -1
    for mark in marks:
        if _DIGITS.fullmatch(mark):
            wanted = 0
        elif mark[0].isupper():
            wanted = 3
        else:
            wanted = 2 if level >= 1 and _ROMAN.fullmatch(mark) else 1
        level = min(max(level + 1, wanted), len(LEVELS) - 1)
        steps.append(Step(LEVELS[level], mark))
    return tuple(steps)
