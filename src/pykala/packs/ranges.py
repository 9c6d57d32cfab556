"""Ranges in citations: "articles 24 to 26" is one step, art_24..26, until it is resolved."""

from __future__ import annotations

from collections.abc import Iterable

from pykala.law.identifiers import Step

Path = tuple[Step, ...]
RANGE = ".."  # between the two ends of a range
LONGEST = 500  # members of one range


def ends(steps: Path) -> tuple[Path, Path | None]:
    """The first and the last place of a range; no last one where the steps are no range."""
    if not steps:
        return steps, None
    last = steps[-1]
    start, mark, end = last.number.partition(RANGE)
    if not mark:
        return steps, None
    return (*steps[:-1], Step(last.kind, start)), (*steps[:-1], Step(last.kind, end))


def counted(steps: Path) -> list[Path]:
    """The members of a range, counted by whole numbers or letters; else its two ends."""
    first, last = ends(steps)
    if last is None:
        return [first]
    start, end = first[-1].number, last[-1].number
    numbers = [start, end]
    if start.isdecimal() and end.isdecimal() and 0 <= int(end) - int(start) <= LONGEST:
        numbers = [str(number) for number in range(int(start), int(end) + 1)]
    elif len(start) == len(end) == 1 and start.isalpha() and end.isalpha() and start <= end:
        numbers = [chr(code) for code in range(ord(start), ord(end) + 1)]
    return [(*first[:-1], Step(first[-1].kind, number)) for number in numbers]


def walked(first: Path, last: Path, siblings: Iterable[Step]) -> list[Path]:
    """The members of a range as a document has them, including both ends."""
    alike = [step for step in siblings if step.kind == first[-1].kind]
    begin, end = alike.index(first[-1]), alike.index(last[-1])
    return [(*first[:-1], step) for step in alike[begin : end + 1][:LONGEST]]
