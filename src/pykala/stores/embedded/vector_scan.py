"""The exact search over int8 codes: scan with bounds, then rescore until no other row can win.

A code differs from its original by a vector of known length (`errors`), and the query from its own
code likewise, so by Cauchy-Schwarz each dot product of codes gives an upper and a lower bound of the
true cosine. Rows whose upper bound lies under the limit-th best lower bound cannot be among the
results; the rest are rescored from the float16 originals, highest bound first, until the next bound
lies under the limit-th best score. The result therefore equals the search over the originals always,
and the rescoring depth follows the data instead of being a guess.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pykala.stores.embedded.damage import VectorIndexDamaged
from pykala.stores.embedded.vector_files import Snapshot

numkong: Any = None
with suppress(ImportError):  # the extra `fast` may not be installed
    numkong = import_module("numkong")

Rows: TypeAlias = NDArray[np.int64]
Dots: TypeAlias = Callable[[NDArray[np.int8]], NDArray[Any]]

CHUNK: Final = 8192  # rows of a gather, 2 MiB at 256 dimensions: fits a core's cache
CONTIGUOUS_CHUNK: Final = 32_768
THREADED_FROM: Final = 32_768  # under this, starting a thread costs more than it saves
GATHER_THREADED_FROM: Final = 262_144  # gathering is limited by memory, which threads share
FIRST_RESCORE: Final = 32
LARGEST_RESCORE: Final = 4096
# Scores are sums of multiples of 2⁻⁵⁰ (float16 × this grid) under 2, which float64 adds without
# rounding: equal rows get equal scores on every machine, so ties are ties.
QUERY_GRID: Final = 2.0**26
ROUNDING: Final = 2e-6  # float32 arithmetic on scores of at most about one


def _numkong_dots(code: NDArray[np.int8]) -> Dots:
    packed = numkong.dots_pack(code.reshape(1, -1), "int8")
    return lambda rows: np.asarray(numkong.dots_packed(rows, packed)).reshape(-1)


def _numpy_dots(code: NDArray[np.int8]) -> Dots:
    # float32 adds integers without rounding below 2²⁴, which products of 1,040 int8 pairs reach.
    exact: Any = np.float32 if len(code) * 127 * 127 < 2**24 else np.float64
    vector: NDArray[Any] = code.astype(exact)
    return lambda rows: np.asarray(rows.astype(exact) @ vector)


KERNELS: Final[Mapping[str, Callable[[NDArray[np.int8]], Dots]]] = {
    "numpy": _numpy_dots,
    **({"numkong": _numkong_dots} if numkong is not None else {}),
}
FASTEST_KERNEL: Final = "numkong" if numkong is not None else "numpy"


def encode_rows(originals: NDArray[np.float16]) -> tuple[NDArray[np.int8], NDArray[Any], NDArray[Any]]:
    """The int8 codes of rows, their scales, and the lengths of the rounding errors."""
    rows = originals.astype(np.float64)
    scales = (np.abs(rows).max(axis=1, initial=0.0) / 127).astype(np.float32)
    divisor = np.where(scales > 0, scales, 1).astype(np.float64)[:, None]
    codes = np.clip(np.rint(rows / divisor), -127, 127).astype(np.int8)
    errors = np.linalg.norm(rows - codes * scales.astype(np.float64)[:, None], axis=1)
    return codes, scales, (errors * (1 + 1e-6) + 1e-9).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Query:
    """A question's unit vector, its int8 code, and the error bound of the code."""

    vector: NDArray[np.float64]
    code: NDArray[np.int8]
    scale: float
    error_weight: float
    slack: float

    @classmethod
    def of(cls, vector: NDArray[np.float32]) -> Query:
        """Prepare a vector that is finite and not zero."""
        wide = vector.astype(np.float64)
        wide /= np.abs(wide).max()  # first, so that tiny or huge vectors do not under- or overflow
        unit = np.rint(wide / np.linalg.norm(wide) * QUERY_GRID) / QUERY_GRID
        scale = float(np.abs(unit).max()) / 127
        code = np.rint(unit / scale).astype(np.int8)
        error = float(np.linalg.norm(unit - code * scale))
        # original·query - code·code ≤ |row error||query| + (|original| + |row error|)|query error|
        length = float(np.linalg.norm(unit))
        return cls(unit, code, scale, length + error, 1.001 * error + ROUNDING)


class _Shortlist:
    """The rows that may still be among the results, collected by several threads."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._best = np.empty(0, dtype=np.float32)
        self._parts: list[tuple[Rows, NDArray[np.float32], NDArray[np.float32]]] = []
        self.threshold = -np.inf

    def add(self, rows: Rows, lower: NDArray[np.float32], upper: NDArray[np.float32]) -> None:
        with self._lock:
            self._parts.append((rows, lower, upper))
            self._best = np.concatenate([self._best, lower])
            if len(self._best) >= self._limit:
                self._best = np.partition(self._best, -self._limit)[-self._limit :]
                self.threshold = float(self._best[0])

    def by_upper_bound(self) -> tuple[Rows, NDArray[np.float32], NDArray[np.float32]]:
        rows, lower, upper = (np.concatenate(part) for part in zip(*self._parts, strict=True))
        keep = np.flatnonzero(upper >= self.threshold)
        order = keep[np.argsort(-upper[keep], kind="stable")]
        return rows[order], lower[order], upper[order]


@dataclass(frozen=True, slots=True)
class Scan:
    """One search: some rows of a snapshot, or all of them under a mask, against a query."""

    snapshot: Snapshot
    query: Query
    limit: int
    kernel: str = FASTEST_KERNEL
    threads: int = 1

    def among(self, rows: Rows) -> list[tuple[int, float]]:
        """Search the given rows; suited to few rows, as each is gathered."""
        columns = self.snapshot.columns

        def look(start: int, dots: Dots, shortlist: _Shortlist) -> None:
            part = rows[start : start + CHUNK]
            # `clip` skips a check of every number; they come from this snapshot.
            codes = columns["codes"].take(part, axis=0, mode="clip")
            scales, errors = columns["scales"].take(part), columns["errors"].take(part)
            lower, upper = self._bounds(dots(codes), scales, errors)
            keep = np.flatnonzero(upper >= shortlist.threshold)
            shortlist.add(part[keep], lower[keep], upper[keep])

        return self._run(look, len(rows), CHUNK, GATHER_THREADED_FROM)

    def under(self, mask: NDArray[np.bool_] | None) -> list[tuple[int, float]]:
        """Search all rows in file order and drop those that the mask excludes."""
        columns = self.snapshot.columns

        def look(start: int, dots: Dots, shortlist: _Shortlist) -> None:
            part = slice(start, start + CONTIGUOUS_CHUNK)
            scales, errors = columns["scales"][part], columns["errors"][part]
            lower, upper = self._bounds(dots(columns["codes"][part]), scales, errors)
            keep = np.flatnonzero(upper >= shortlist.threshold)
            if mask is not None:
                keep = keep[mask[part][keep]]
            shortlist.add(keep + start, lower[keep], upper[keep])

        return self._run(look, self.snapshot.header.rows, CONTIGUOUS_CHUNK, THREADED_FROM)

    def _bounds(
        self, dots: NDArray[Any], scales: NDArray[np.float32], errors: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        cosine = dots.astype(np.float32)
        cosine *= scales
        cosine *= np.float32(self.query.scale)
        margin = errors * np.float32(self.query.error_weight)
        margin += np.float32(self.query.slack)
        return cosine - margin, cosine + margin

    def _run(
        self, look: Callable[[int, Dots, _Shortlist], None], count: int, chunk: int, threaded_from: int
    ) -> list[tuple[int, float]]:
        if count == 0:
            return []
        shortlist = _Shortlist(self.limit)
        threads = self.threads if count >= threaded_from else 1

        def work(first: int) -> None:
            dots = KERNELS[self.kernel](self.query.code)
            for start in range(first * chunk, count, threads * chunk):
                look(start, dots, shortlist)

        if threads == 1:
            work(0)
        else:
            # Use a pool for this search only: a longer-lived pool would not survive a fork.
            with ThreadPoolExecutor(threads - 1) as pool:
                others = [pool.submit(work, first) for first in range(1, threads)]
                work(0)
                for other in others:
                    other.result()
        return self._rescore(shortlist)

    def _rescore(self, shortlist: _Shortlist) -> list[tuple[int, float]]:
        rows, lower, upper = shortlist.by_upper_bound()
        scores = np.empty(0, dtype=np.float64)
        size = max(2 * self.limit, FIRST_RESCORE)
        while len(scores) < len(rows):
            done = len(scores)
            if done >= self.limit and upper[done] < np.partition(scores, -self.limit)[-self.limit]:
                break
            batch = slice(done, done + min(size, LARGEST_RESCORE))
            originals = self.snapshot.originals(rows[batch]).astype(np.float64)
            # Do not use `@`: waiting for its threads takes longer than this computation.
            fresh = np.einsum("ij,j->i", originals, self.query.vector)
            self._check(fresh, lower[batch], upper[batch])
            scores = np.concatenate([scores, fresh])
            size *= 2
        passages = self.snapshot.columns["passages"][rows[: len(scores)]]
        best = np.lexsort((passages, -scores))[: self.limit]
        return list(zip(passages[best].tolist(), scores[best].tolist(), strict=True))

    def _check(
        self, scores: NDArray[np.float64], lower: NDArray[np.float32], upper: NDArray[np.float32]
    ) -> None:
        """A score outside its bounds means that code and original do not belong together."""
        if not np.all((lower <= scores) & (scores <= upper)):
            path = self.snapshot.header.path(self.snapshot.folder, "originals")
            raise VectorIndexDamaged(path, "its vectors disagree with their int8 codes")
