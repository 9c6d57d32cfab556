"""Pack consecutive units of text into spans of a wanted size, at the best boundaries between them.

First fit with a look-ahead: among the boundaries that give a span of an allowed size, the shallowest wins
(subsection before paragraph before sentence), then the one nearest to the target size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bounds:
    """How large a span may be, in the unit in which the sizes are given."""

    minimum: int
    target: int
    maximum: int
    ceiling: int  # a span may reach this where no boundary lies between minimum and maximum
    tail: int  # the least size of the last span
    scrap: int = 0  # a text smaller than this joins its neighbour, even above the ceiling
    overlap: int = 0  # how much of a span's end is repeated at the start of the next


@dataclass(frozen=True, slots=True)
class Packed:
    """Units `begin` to `end` (excluded); those before `first` repeat the end of the span before."""

    begin: int
    first: int
    end: int


def pack(sizes: Sequence[int], ranks: Sequence[int], bounds: Bounds) -> list[Packed]:
    """Pack units; `ranks[k]` says how deep the boundary before unit k lies, 0 the shallowest."""
    spans: list[Packed] = []
    remaining = sum(sizes)
    first = 0
    while first < len(sizes):
        begin = _overlap(sizes, spans[-1], bounds) if spans and bounds.overlap else first
        end = _end(sizes, ranks, bounds, first, sum(sizes[begin:first]), remaining)
        spans.append(Packed(begin, first, end))
        remaining -= sum(sizes[first:end])
        first = end
    return spans


def _overlap(sizes: Sequence[int], before: Packed, bounds: Bounds) -> int:
    """The unit from which the span after `before` repeats: about `overlap`, twice that at most."""
    first = begin = before.end
    room = bounds.ceiling - sizes[first]
    carried = 0
    while begin > before.first and carried < bounds.overlap:
        carried += sizes[begin - 1]
        if carried > min(room, 2 * bounds.overlap):
            break
        begin -= 1
    return begin


def _end(
    sizes: Sequence[int], ranks: Sequence[int], bounds: Bounds, first: int, carried: int, remaining: int
) -> int:
    total = len(sizes)
    if carried + remaining <= bounds.maximum:
        return total
    best: tuple[int, int] | None = None
    chosen = unit = first
    size, left = carried, remaining
    while size + sizes[unit] <= bounds.maximum:
        size += sizes[unit]
        left -= sizes[unit]
        unit += 1
        if size >= bounds.minimum and left >= bounds.tail:
            merit = (ranks[unit], abs(bounds.target - size))
            if best is None or merit <= best:
                best, chosen = merit, unit
    if best is not None:
        return chosen
    return _end_without_boundary(sizes, bounds, first, unit, size, carried + remaining)


def _end_without_boundary(
    sizes: Sequence[int], bounds: Bounds, first: int, unit: int, size: int, whole: int
) -> int:
    """Where to end when `unit` does not fit and no boundary before it is good."""
    total = len(sizes)
    if whole <= bounds.ceiling:
        return total
    with_unit = size + sizes[unit]
    rest = whole - with_unit
    # A span's first unit is always included, and so are the scraps beside a unit that is too large.
    if unit == first or size < bounds.scrap:
        return total if 0 < rest < bounds.scrap else unit + 1
    fills = size < bounds.minimum and with_unit <= bounds.ceiling
    return unit + 1 if fills and not 0 < rest < bounds.scrap else unit
