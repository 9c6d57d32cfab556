"""Stretches of a text, and which of them touch another: without comparing each with each.

A text may hold a hundred thousand citations, and as many links of its markup.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate
from typing import Generic, Protocol, TypeVar


class Stretch(Protocol):
    """Anything that stands at a place in a text."""

    @property
    def start(self) -> int:
        """Where it begins."""
        ...

    @property
    def end(self) -> int:
        """The first place behind it."""
        ...


T = TypeVar("T", bound=Stretch)


class Stretches(Generic[T]):
    """What stands in one text, in any order; stretches may overlap."""

    __slots__ = ("_found", "_reach", "_starts")

    def __init__(self, found: Iterable[T]) -> None:
        self._found = sorted(found, key=lambda one: (one.start, one.end))
        self._starts = [one.start for one in self._found]
        self._reach = list(accumulate((one.end for one in self._found), max))  # the farthest end so far

    def touching(self, start: int, end: int) -> list[T]:
        """Those that share a place with a stretch, in the order of the text."""
        touching = []
        at = bisect_left(self._starts, end) - 1
        while at >= 0 and self._reach[at] > start:
            if self._found[at].end > start:
                touching.append(self._found[at])
            at -= 1
        return touching[::-1]

    def leave_free(self, start: int, end: int) -> bool:
        """Whether none of them shares a place with a stretch."""
        at = bisect_left(self._starts, end) - 1
        return at < 0 or self._reach[at] <= start
