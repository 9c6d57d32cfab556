"""Which rows of one state pass a filter; cached by filter.

Most questions of a day use the same law in the same language. A question routed to two acts looks only at
their rows.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pykala.stores.embedded.clusters import ClusteredLists
from pykala.stores.embedded.facets import FacetFilter
from pykala.stores.embedded.vector_files import CENTROIDS, LISTS, Column, Snapshot

Rows = NDArray[np.int64]
Mask = NDArray[np.bool_]

_MOST_MASKS: Final = 8  # masks kept: one byte per row each, and four more for lists


class Passing:
    """Which rows of a snapshot pass a filter; each filter is computed once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._masks: dict[FacetFilter, Mask | None] = {}
        self._lists: dict[FacetFilter, ClusteredLists] = {}

    def mask(self, filter: FacetFilter) -> Mask | None:
        """Which live rows pass the filter, as `FacetFilter.passes` defines it; None for all of them."""
        masks = self._masks
        if filter in masks:
            return masks[filter]
        if len(masks) >= _MOST_MASKS:
            masks = self._masks = {}  # a new dict, since another thread may be reading the old one
        found = masks[filter] = self._passes(filter, slice(None))
        return found

    def lists(self, filter: FacetFilter) -> ClusteredLists:
        """The clustered lists with the rows that pass the filter."""
        lists = self._lists
        if filter in lists:
            return lists[filter]
        if len(lists) >= _MOST_MASKS:
            lists = self._lists = {}
        mask = self.mask(filter)
        found = lists[filter] = self._all_lists if mask is None else self._all_lists.narrowed(mask)
        return found

    @cached_property
    def _all_lists(self) -> ClusteredLists:
        return ClusteredLists(self.snapshot.columns[CENTROIDS], self.snapshot.columns[LISTS])

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
