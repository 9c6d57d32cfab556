"""When an act of a number was issued: numbers increase through the year, so known ones date those between."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from datetime import date

from pykala.law.identifiers import WorkId
from pykala.packs.finland.act_numbers import year_of_act

#: How many known numbers on each side are used, so that one wrong date among them does no harm.
_NEIGHBOURS = 5


class NumberCalendar:
    """The days of issue of numbered acts, as far as any source tells them."""

    def __init__(self) -> None:
        self._told: dict[int, dict[int, Counter[date]]] = defaultdict(lambda: defaultdict(Counter))
        self._days: dict[int, tuple[list[int], list[date]]] = {}

    def add(self, work: WorkId, issued: date | None) -> None:
        """Add a day of issue; a day in another year than the number's is ignored as a mistake."""
        if issued is not None and issued.year == year_of_act(work):
            self._told[issued.year][number_of_act(work)][issued] += 1

    def settle(self) -> None:
        """Take the day that most sources tell of each number."""
        self._days = {}
        for year, numbers in self._told.items():
            ordered = sorted(numbers)
            self._days[year] = ordered, [numbers[number].most_common(1)[0][0] for number in ordered]

    def bounds(self, work: WorkId) -> tuple[date, date]:
        """The earliest and the latest day on which an act of this number was issued."""
        year, number = year_of_act(work), number_of_act(work)
        first, last = date(year, 1, 1), date(year, 12, 31)
        if year not in self._days:
            return first, last
        numbers, days = self._days[year]
        below = sorted(days[max(0, (at := bisect_right(numbers, number)) - _NEIGHBOURS) : at])
        above = sorted(days[(at := bisect_left(numbers, number)) : at + _NEIGHBOURS])
        earliest = below[len(below) // 2] if len(below) == _NEIGHBOURS else first
        latest = above[len(above) // 2] if len(above) == _NEIGHBOURS else last
        return min(earliest, latest), max(earliest, latest)


def number_of_act(work: WorkId) -> int:
    """The number in an act's identifier; of "39-001" the first."""
    return int(work.value.rpartition("/")[2].partition("-")[0])
