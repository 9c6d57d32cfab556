"""The vector index of the embedded store: memory-mapped int8 vectors, filtered first, searched exactly.

It lies beside the record database and can always be rebuilt from it. Up to some hundred thousand candidates
the result equals the search over the float16 originals. Beyond that, clustered lists over the same file
choose the rows to compare.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pykala.stores.embedded.clusters import assign_lists, train_centroids
from pykala.stores.embedded.damage import VectorIndexDamaged
from pykala.stores.embedded.facets import FacetFilter, Facets
from pykala.stores.embedded.passing import Passing
from pykala.stores.embedded.vector_files import (
    CENTROIDS,
    LISTS,
    ROW_COLUMNS,
    Column,
    ColumnWriter,
    Snapshot,
    read_header,
)
from pykala.stores.embedded.vector_scan import FASTEST_KERNEL, KERNELS, Query, Scan, encode_rows

__all__ = ["EXACT_UP_TO", "VectorIndex", "VectorIndexDamaged"]

EXACT_UP_TO: Final = 500_000  # rows read for one query; larger searches use clustered lists
PROBED_SHARE: Final = 0.12  # of the candidates, from the nearest lists; chosen with bench/vectors.py --latent
PROBED_ROWS: Final = (
    50_000  # at least; .99 of the 150 nearest to real questions are among them: bench/probed.py
)
GATHER_SHARE: Final = 0.4  # a gathered row costs as much as 2.5 rows read in file order
COPIED_ROWS: Final = 50_000  # at a time, when compacting
MOST_THREADS: Final = 4  # the scan is limited by memory bandwidth, which more threads do not increase


class VectorIndex:
    """An append-only index with snapshots: one writer, any number of readers."""

    def __init__(
        self, folder: Path, snapshot: Snapshot, writer: ColumnWriter | None, kernel: str, exact_up_to: int
    ) -> None:
        self._folder = folder
        self._snapshot = snapshot
        self._passing = Passing(snapshot)
        self._writer = writer
        self._kernel = kernel
        self._exact_up_to = exact_up_to
        self._threads = min(MOST_THREADS, os.cpu_count() or 1)
        self._centroids: NDArray[np.float32] | None = None
        self._deleted_works: dict[int, int] = {}  # work → its rows below this number are deleted

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        dimension: int,
        writable: bool = False,
        kernel: str = FASTEST_KERNEL,
        exact_up_to: int = EXACT_UP_TO,
        verify: bool | None = None,
    ) -> VectorIndex:
        """Open the newest published state; a writer creates the index where there is none.

        Lengths and checksums are checked, those of the vectors only while they are small; `verify`
        True checks all of them, False only the lengths. Raises VectorIndexDamaged.
        """
        if kernel not in KERNELS:
            raise ValueError(f"no kernel {kernel!r}; there are {', '.join(sorted(KERNELS))}")
        try:
            found = read_header(folder).dimension
        except FileNotFoundError:
            if not writable:
                raise
            return cls.create(folder, dimension=dimension, kernel=kernel, exact_up_to=exact_up_to)
        if found != dimension:
            raise ValueError(
                f"the vector index {folder} holds vectors of dimension {found}, not {dimension}; "
                "open it with its own embedder, or rebuild it"
            )
        snapshot = Snapshot.newest(folder, verify=verify)
        writer = ColumnWriter.resume(folder) if writable else None
        return cls(folder, snapshot, writer, kernel, exact_up_to)

    @classmethod
    def create(
        cls, folder: Path, *, dimension: int, kernel: str = FASTEST_KERNEL, exact_up_to: int = EXACT_UP_TO
    ) -> VectorIndex:
        """Start an empty index in place of the folder's contents, and open it for writing."""
        if dimension < 1:
            raise ValueError(f"a vector needs at least one dimension, not {dimension}")
        writer = ColumnWriter.create(folder, dimension)
        return cls(folder, Snapshot.newest(folder), writer, kernel, exact_up_to)

    @property
    def dimension(self) -> int:
        """The length of the vectors."""
        return self._snapshot.header.dimension

    @property
    def rows(self) -> int:
        """The published rows, deleted ones included."""
        return self._snapshot.header.rows

    def __len__(self) -> int:
        return self._snapshot.live_count

    def passages(self) -> NDArray[np.int64]:
        """The passage ids of all live rows, unordered."""
        passages = self._snapshot.columns["passages"]
        live = self._snapshot.live
        return passages.copy() if live is None else passages[live]

    def holds(self, work: int) -> bool:
        """Whether the index has published rows of a work."""
        of_work = self._snapshot.columns["works"] == work
        live = self._snapshot.live
        return bool(of_work.any() if live is None else (of_work & live).any())

    def append(self, passages: Sequence[int], facets: Sequence[Facets], vectors: NDArray[np.float32]) -> None:
        """Add one row for each passage; seen after `commit`. Vectors of any length are normalised."""
        writer = self._writing()
        originals = self._normalised(vectors)
        if not len(passages) == len(facets) == len(originals):
            raise ValueError(f"{len(passages)} passages, {len(facets)} facets, {len(originals)} vectors")
        if not len(passages):
            return
        codes, scales, errors = encode_rows(originals)
        columns: dict[str, Column] = {
            "codes": codes,
            "originals": originals,
            "scales": scales,
            "errors": errors,
            "passages": _whole_numbers("passages", passages),
            "works": _whole_numbers("works", [facet.work for facet in facets]),
            "jurisdictions": _whole_numbers("jurisdictions", [facet.jurisdiction for facet in facets]),
            "languages": _whole_numbers("languages", [facet.language for facet in facets]),
            "work_kinds": _whole_numbers("work_kinds", [facet.work_kind for facet in facets]),
            "provision_kinds": _whole_numbers("provision_kinds", [facet.provision_kind for facet in facets]),
            "valid_from": _whole_numbers("valid_from", [facet.valid_from for facet in facets]),
            "valid_to": _whole_numbers("valid_to", [facet.valid_to for facet in facets]),
        }
        self._write_rows(writer, columns)

    def _write_rows(self, writer: ColumnWriter, columns: dict[str, Column]) -> None:
        if writer.pending.clusters:
            if self._centroids is None:
                self._centroids = np.array(writer.pending_column(CENTROIDS))
            columns[LISTS] = assign_lists(columns["codes"], self._centroids)
            # Keep the rows of one list together, so that a probe reads runs instead of single rows.
            order = np.argsort(columns[LISTS], kind="stable")
            columns = {name: column[order] for name, column in columns.items()}
        writer.append(columns)

    def _normalised(self, vectors: NDArray[np.float32]) -> NDArray[np.float16]:
        wide = np.asarray(vectors, dtype=np.float64)
        if wide.ndim != 2 or wide.shape[1] != self.dimension:
            raise ValueError(f"vectors of shape {wide.shape}; this index takes (rows, {self.dimension})")
        if not np.isfinite(wide).all():
            raise ValueError("a vector holds NaN or infinity; nothing was appended")
        largest = np.abs(wide).max(axis=1, keepdims=True, initial=0.0)
        wide = wide / np.where(largest > 0, largest, 1)  # first, so that tiny vectors do not underflow
        lengths = np.linalg.norm(wide, axis=1, keepdims=True)
        return (wide / np.where(lengths > 0, lengths, 1)).astype(np.float16)

    def delete_works(self, works: Collection[int]) -> None:
        """Drop all rows of these works that were appended so far; seen after `commit`."""
        until = self._writing().pending.rows
        self._deleted_works.update(dict.fromkeys(works, until))

    def clear(self) -> None:
        """Drop all rows, and with `commit` the files; readers keep what they have until they refresh."""
        writer = self._writing()
        self._centroids = None
        self._deleted_works.clear()
        try:
            writer.start_generation()
        except OSError:
            self.rollback()
            raise

    def compact(self) -> None:
        """Rewrite the index without its deleted rows and with lists trained anew; commits."""
        self.commit()
        snapshot = self._snapshot
        live = np.arange(self.rows) if snapshot.live is None else np.flatnonzero(snapshot.live)
        self.clear()
        writer = self._writing()
        try:
            for start in range(0, len(live), COPIED_ROWS):
                rows = live[start : start + COPIED_ROWS]
                columns = {name: snapshot.columns[name][rows] for name in ROW_COLUMNS if name != "originals"}
                writer.append({**columns, "originals": snapshot.originals(rows)})
        except OSError:
            self.rollback()  # otherwise the next commit would publish half a copy
            raise
        self.commit()

    def commit(self) -> None:
        """Make all appends and deletes durable and visible, at once or not at all.

        After an OSError (a full disk) the index is as at the last commit.
        """
        try:
            self._publish(self._writing())
        except OSError:
            # After a failed sync it is unknown which pages reached the disk, so restart from the published
            # state.
            self.rollback()
            raise

    def rollback(self) -> None:
        """Drop what was appended and deleted since the last commit."""
        self._writing().close()
        self._writer = None  # stays None if the disk does not even allow reopening the files
        self._deleted_works.clear()
        self._centroids = None
        self._writer = ColumnWriter.resume(self._folder)

    def _publish(self, writer: ColumnWriter) -> None:
        self._log_deletes(writer)
        if writer.pending.rows > self._exact_up_to and not writer.pending.clusters:
            codes = writer.pending_column("codes")
            centroids = train_centroids(codes)
            writer.write_clusters(centroids, assign_lists(codes, centroids))
        if writer.pending != writer.published:
            writer.commit()
            self._pin(Snapshot(self._folder, writer.published, verify=False))

    def _log_deletes(self, writer: ColumnWriter) -> None:
        if not self._deleted_works:
            return
        works = np.array(sorted(self._deleted_works), dtype=np.int64)
        until = np.array([self._deleted_works[work] for work in works.tolist()], dtype=np.int64)
        column = writer.pending_column("works")
        rows = np.flatnonzero(np.isin(column, works))
        rows = rows[rows < until[np.searchsorted(works, column[rows])]]
        rows = np.setdiff1d(rows, writer.pending_column("deleted"), assume_unique=True)
        writer.log_deleted(rows.astype(np.uint32))
        self._deleted_works.clear()

    def match(self, query: NDArray[np.float32], filter: FacetFilter, limit: int) -> list[tuple[int, float]]:
        """Give the nearest passages that pass the filter with their cosines, best first, ties by id.

        A query of length zero has no direction and matches nothing.
        """
        query = np.asarray(query, dtype=np.float32)
        if query.shape != (self.dimension,):
            raise ValueError(f"a query of shape {query.shape}; this index takes ({self.dimension},)")
        if not np.isfinite(query).all():
            raise ValueError("the query vector holds NaN or infinity")
        passing = self._passing
        snapshot = passing.snapshot
        if limit < 1 or not query.any():
            return []
        scan = Scan(snapshot, Query.of(query), limit, self._kernel, self._threads)
        if filter.works is not None:
            return scan.among(passing.of_works(filter))
        mask = passing.mask(filter)
        count = snapshot.header.rows if mask is None else int(np.count_nonzero(mask))
        if count == 0:
            return []
        gathering = count < GATHER_SHARE * snapshot.header.rows
        cost = count / GATHER_SHARE if gathering else snapshot.header.rows
        if cost > self._exact_up_to and snapshot.header.clusters:
            wanted = max(int(count * PROBED_SHARE), PROBED_ROWS, limit)
            unit = scan.query.vector.astype(np.float32)
            return scan.among(passing.lists(filter).candidates(unit, wanted))
        if mask is not None and gathering:
            return scan.among(np.flatnonzero(mask))
        return scan.under(mask)

    def nearness(self, query: NDArray[np.float32], passages: Sequence[int]) -> dict[int, float]:
        """Cosines of some passages, by id."""
        passing = self._passing
        snapshot = passing.snapshot
        column = snapshot.columns["passages"]
        length = float(np.linalg.norm(query))
        if not passages or not len(column) or not length:
            return {}
        wanted = np.array(sorted(set(passages)), dtype=column.dtype)
        order = passing.passage_order
        places = np.searchsorted(column, wanted, sorter=order).clip(max=len(column) - 1)
        rows = places if order is None else order[places]
        held = column[rows] == wanted
        rows, wanted = rows[held], wanted[held]
        vectors = snapshot.originals(rows.astype(np.int64)).astype(np.float32)
        cosines = vectors @ (np.asarray(query, dtype=np.float32) / length)
        return {int(passage): float(value) for passage, value in zip(wanted, cosines, strict=True)}

    def refresh(self) -> None:
        """Move to the newest published state."""
        header = read_header(self._folder)
        if header != self._snapshot.header:
            self._pin(Snapshot.newest(self._folder, verify=False))

    def _pin(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._passing = Passing(snapshot)

    def _writing(self) -> ColumnWriter:
        if self._writer is None:
            raise ValueError(
                f"the vector index {self._folder} is not open for writing; open it with writable=True"
            )
        return self._writer

    def close(self) -> None:
        """Stop writing; uncommitted rows are lost. The mapped files go with the object."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None


def _whole_numbers(name: str, values: Sequence[int]) -> NDArray[Any]:
    """Convert numbers to a column; one that does not fit raises an error and never wraps around."""
    wide = np.asarray(values, dtype=np.int64)
    bounds = np.iinfo(ROW_COLUMNS[name])
    if int(wide.min()) < bounds.min or int(wide.max()) > bounds.max:
        raise ValueError(
            f"{name} of the vector index take {bounds.min} to {bounds.max}; got {wide.min()}…{wide.max()}"
        )
    return wide.astype(ROW_COLUMNS[name])
