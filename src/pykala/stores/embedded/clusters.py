"""Clustered lists: the rows near each of some thousand centroids, so that a query reads a few lists only.

Centroids come from mini-batch k-means (D. Sculley, Web-scale k-means clustering, WWW 2010) in its
spherical form, on a sample and with a fixed seed: the same rows give the same lists. They are trained
once; later rows join the list of their nearest centroid and nothing is rebuilt.
"""

from __future__ import annotations

from copy import copy
from typing import Final

import numpy as np
from numpy.typing import NDArray

CLUSTERS: Final = 2048
SAMPLE_PER_CLUSTER: Final = 48
BATCH: Final = 8192
PASSES: Final = 5
SEED: Final = 124


def train_centroids(codes: NDArray[np.int8], clusters: int = CLUSTERS) -> NDArray[np.float32]:
    """Find unit centroids for rows of int8 codes; fewer than asked for where there are few rows."""
    random = np.random.default_rng(SEED)
    clusters = min(clusters, len(codes))
    size = min(len(codes), clusters * SAMPLE_PER_CLUSTER)
    sample = _unit(codes[np.sort(random.choice(len(codes), size, replace=False))].astype(np.float32))
    centroids = sample[random.choice(size, clusters, replace=False)].copy()
    seen = np.zeros(clusters, dtype=np.int64)
    for turn in range(PASSES):
        order = random.permutation(size)
        for start in range(0, size, BATCH):
            _update(centroids, seen, sample[order[start : start + BATCH]])
        starved = np.flatnonzero(seen == 0)
        if turn < PASSES - 1 and len(starved):
            centroids[starved] = sample[random.choice(size, len(starved), replace=False)]
    return centroids


def _update(centroids: NDArray[np.float32], seen: NDArray[np.int64], batch: NDArray[np.float32]) -> None:
    """Move each centroid towards the batch rows nearest to it, less the more rows it has seen."""
    nearest = (batch @ centroids.T).argmax(axis=1)
    counts = np.bincount(nearest, minlength=len(centroids))
    order = np.argsort(nearest, kind="stable")
    touched = np.flatnonzero(counts)
    starts = np.cumsum(counts)[touched] - counts[touched]
    sums = np.add.reduceat(batch[order], starts, axis=0)
    weight = seen[touched, None].astype(np.float32)
    centroids[touched] = _unit(centroids[touched] * weight + sums)
    seen += counts


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    return np.asarray(rows / lengths, dtype=np.float32)


def assign_lists(codes: NDArray[np.int8], centroids: NDArray[np.float32]) -> NDArray[np.uint16]:
    """Give each row the number of its nearest centroid; the scale of a row does not affect the result."""
    lists = np.empty(len(codes), dtype=np.uint16)
    for start in range(0, len(codes), BATCH):
        stop = start + BATCH
        lists[start:stop] = (codes[start:stop].astype(np.float32) @ centroids.T).argmax(axis=1)
    return lists


class ClusteredLists:
    """The rows of each centroid in one published state; all of them, or those that pass a filter."""

    def __init__(self, centroids: NDArray[np.float32], lists: NDArray[np.uint16]) -> None:
        self._centroids = centroids
        self._lists = lists
        self._set_rows(np.argsort(lists, kind="stable").astype(np.uint32))

    def _set_rows(self, rows: NDArray[np.uint32]) -> None:
        self._rows = rows
        sizes = np.bincount(self._lists[rows], minlength=len(self._centroids))
        self._ends = np.cumsum(sizes)
        self._starts = self._ends - sizes

    def narrowed(self, mask: NDArray[np.bool_]) -> ClusteredLists:
        """The same lists with the rows that pass only. Made once per filter: it looks at every row."""
        own = copy(self)
        own._set_rows(self._rows[mask[self._rows]])
        return own

    def candidates(self, query: NDArray[np.float32], wanted: int) -> NDArray[np.int64]:
        """Collect the rows of the lists nearest to the query, until there are enough.

        Counting rows instead of lists keeps the recall where lists are uneven or a filter empties many.
        """
        # Do not use `@`: on a busy machine its threads wait milliseconds for 0.1 ms of work.
        nearness = np.einsum("ij,j->i", self._centroids, query)
        nearest = np.argsort(-nearness, kind="stable")
        sizes = (self._ends - self._starts)[nearest]
        probed = nearest[: int(np.searchsorted(np.cumsum(sizes), wanted)) + 1].tolist()
        rows = np.concatenate([self._rows[self._starts[one] : self._ends[one]] for one in probed])
        return np.sort(rows).astype(np.int64)
