"""Which rows of one state pass a filter; cached by filter, for all readers of a process.

Most questions of a day use the same law in the same language. A question that names no place searches each
place in each language with a filter of its own. A question routed to two acts looks only at their rows.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import cached_property
from typing import Final, Generic, TypeVar
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from pykala.stores.embedded.clusters import ClusteredLists
from pykala.stores.embedded.facets import FacetFilter
from pykala.stores.embedded.vector_files import CENTROIDS, LISTS, Column, Snapshot

Rows = NDArray[np.int64]
Mask = NDArray[np.bool_]

Value = TypeVar("Value")

#: Filters kept: one byte per row each, and four more per passing row for lists. Four places in four
#: languages, with and without a day, are not more.
_MOST_FILTERS: Final = 32


class Passing:
    """Which rows of a snapshot pass a filter; readers of one state compute each of the last filters once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._kept = _kept_of(snapshot)

    def mask(self, filter: FacetFilter) -> Mask | None:
        """Which live rows pass the filter, as `FacetFilter.passes` defines it; None for all of them."""
        return self._kept.masks.of(filter, lambda: self._passes(filter, slice(None)))

    def lists(self, filter: FacetFilter) -> ClusteredLists:
        """The clustered lists with the rows that pass the filter."""
        return self._kept.lists.of(filter, lambda: self._narrowed(self.mask(filter)))

    def _narrowed(self, mask: Mask | None) -> ClusteredLists:
        columns = self.snapshot.columns
        every = self._kept.lists.of(None, lambda: ClusteredLists(columns[CENTROIDS], columns[LISTS]))
        return every if mask is None else every.narrowed(mask)

    def of_works(self, filter: FacetFilter) -> Rows:
        """The rows of a filter's works that pass the rest of it, ascending."""
        order, works = self._by_work
        most = np.iinfo(works.dtype).max  # a larger number has no rows; another type would copy all rows
        wanted = np.array(sorted(one for one in filter.works or () if 0 <= one <= most), dtype=works.dtype)
        bounds = zip(
            np.searchsorted(works, wanted), np.searchsorted(works, wanted, side="right"), strict=True
        )
        rows = np.sort(np.concatenate([order[:0], *(order[start:end] for start, end in bounds)]))
        passes = self._passes(filter, rows)
        return (rows if passes is None else rows[passes]).astype(np.int64)

    @cached_property
    def _by_work(self) -> tuple[NDArray[np.uint32], Column]:
        works = self.snapshot.columns["works"]
        order = np.argsort(works, kind="stable").astype(np.uint32)
        return order, works[order]

    @cached_property
    def passage_order(self) -> NDArray[np.intp] | None:
        """The rows by passage id; None where they already have that order."""
        column = self.snapshot.columns["passages"]
        return None if bool((column[1:] > column[:-1]).all()) else np.argsort(column, kind="stable")

    def _passes(self, filter: FacetFilter, rows: slice | NDArray[np.uint32]) -> Mask | None:
        """The rows that pass all of the filter but its works."""
        columns = self.snapshot.columns
        conditions: list[Mask] = []
        if filter.languages is not None:
            conditions.append(_is_one_of(columns["languages"][rows], filter.languages))
        if filter.jurisdictions is not None:
            conditions.append(_is_one_of(columns["jurisdictions"][rows], filter.jurisdictions))
        if filter.kinds is not None:
            conditions.append(_is_one_of(columns["work_kinds"][rows], filter.kinds))
            conditions[-1] |= _is_one_of(columns["provision_kinds"][rows], filter.kinds)
        if filter.provision_kinds is not None:
            conditions.append(_is_one_of(columns["provision_kinds"][rows], filter.provision_kinds))
        if filter.without:
            conditions.append(~_is_one_of(columns["provision_kinds"][rows], filter.without))
        if filter.day is not None:
            conditions.append(columns["valid_from"][rows] <= filter.day)
            conditions.append(columns["valid_to"][rows] > filter.day)
        live = self.snapshot.live
        if live is not None:
            conditions.append(live[rows])
        if not conditions:
            return None
        mask = conditions[0].copy() if conditions[0] is live else conditions[0]
        for condition in conditions[1:]:
            mask &= condition
        return mask


def _is_one_of(column: Column, numbers: frozenset[int]) -> Mask:
    if len(numbers) == 1:
        equal: Mask = column == next(iter(numbers))
        return equal
    table = np.zeros(2**16, dtype=np.bool_)
    table[[number for number in numbers if 0 <= number < 2**16]] = True
    return table[column]


class _LastUsed(Generic[Value]):
    """The values of the filters that were used last; threads share them. None is no filter at all."""

    def __init__(self) -> None:
        self._values: OrderedDict[FacetFilter | None, Value] = OrderedDict()
        self._using = threading.Lock()

    def of(self, filter: FacetFilter | None, make: Callable[[], Value]) -> Value:
        """The value of a filter, made where it is not kept."""
        with self._using:
            if filter in self._values:
                self._values.move_to_end(filter)
                return self._values[filter]
        made = make()  # two threads may make the same one; neither waits for the other
        with self._using:
            self._values[filter] = made
            while len(self._values) > _MOST_FILTERS:
                self._values.popitem(last=False)
        return made


class _Kept:
    """What readers of one state share."""

    def __init__(self) -> None:
        self.masks = _LastUsed[Mask | None]()
        self.lists = _LastUsed[ClusteredLists]()


def _kept_of(snapshot: Snapshot) -> _Kept:
    """What is kept for a snapshot's state; nothing of before where its files were written anew.

    A repair may write the same state again, and what was damaged must not live on.
    """
    state = (*snapshot.files, *sorted(snapshot.header.checksums.items()))
    with _sharing:
        kept = _shared.get(state)
        if kept is None:
            kept = _shared[state] = _Kept()
        return kept


_sharing = threading.Lock()
_shared: WeakValueDictionary[tuple[object, ...], _Kept] = WeakValueDictionary()
